"""How an evening ended, in a few lines; what was taken back is in none of them, and nowhere else."""

from typing import Any

from dreadclock.narration import Narrator
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.rules.total import CrisisKind
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.things import CharacterStatus, Crisis
from dreadclock_server.evening.recap.dice import tallies
from dreadclock_server.evening.recap.ending import MOST, ending
from dreadclock_server.evening.recap.meant import meant
from dreadclock_server.evening.recap.story import chapters
from dreadclock_server.evening.recap.things import (
    Person,
    Played,
    Race,
    Suffered,
    characters_of,
    crises,
    foes,
    panels,
    people,
    races,
)
from dreadclock_server.evening.recap.words import words_of
from kit.evenings.played import EIGHT_PM_MS, spread, steps_of
from kit.scenery import CHARACTER, GM, ROOK
from kit.table import Log
from kit.tables import ANN, Table

RACE = {"type": "start_situation", "id": "run", "scene_id": "vault", "name": "The way out", "kind": "race"}


def lines(table: Table, language: str = "en") -> list[str]:
    words = words_of(language)
    return [
        words("ending.running", those=told, more=more)
        if name == "running"
        else "; ".join(
            [*(words("ending.one", **one) for one in told), *([words("ending.more", it=more)] if more else [])]
        )
        for name, told, more in ending(meant(steps_of(table.records, Channel.PUBLIC)))
    ]


def test_it_names_what_was_won_what_is_full_or_over_what_lasts_and_what_is_open() -> None:
    table = Table(physical_dice="everyone")
    table.do({"type": "open_scene", "id": "vault", "name": "The vault", "clock": 8})
    table.do({**RACE, "content": "combat", "level": 5, "difficulty": "normal", "clock": 1})
    table.do({"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier"})
    table.do({"type": "attempt_effort", "challenge_id": "door", "success": True})
    table.do({"type": "start_clock", "id": "flood", "name": "The flood", "size": 2, "direction": "up"})
    table.do({"type": "tick_clock", "clock_id": "flood", "by": 2})
    table.do({"type": "start_countdown", "id": "air", "name": "Air", "pool": 1, "ending": "Darkness."})
    table.do({"type": "roll_countdown", "countdown_id": "air", "faces": [6]})
    table.do({"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 3})

    assert lines(table) == [
        "“The way out” was won",
        "“The flood” is full; “Air” is over: Darkness.",
        "Still open: “Fever” with 3 dice; the scene “The vault”",
    ]
    assert lines(table, "de")[1] == "„The flood“ ist voll; „Air“ ist zu Ende: Darkness."


def test_a_line_names_the_latest_and_counts_the_others() -> None:
    table = Table()
    for number in range(MOST + 2):
        table.do({"type": "start_countdown", "id": f"fuse-{number}", "name": f"Fuse {number}", "pool": 3})

    (line,) = lines(table)

    assert "Fuse 1" not in line
    assert line.endswith("“Fuse 7” with 3 dice; and 2 more")


def test_what_was_taken_back_is_in_no_drawing_no_sentence_and_no_count() -> None:
    table = Table(physical_dice="everyone")
    table.do({"type": "start_clock", "id": "flood", "name": "The flood", "size": 4, "direction": "up"})
    for _ in range(2):
        table.now_ms += 1000
        table.do({"type": "tick_clock", "clock_id": "flood"})
    table.do({"type": "void_command", "channel": "public", "seq": len(table.records), "reason": "a slip"})
    table.do({"type": "roll_dice", "pool": 2, "faces": [6, 6], "name": "Thunder"}, by=ANN)
    table.do({"type": "void_command", "channel": "public", "seq": len(table.records), "reason": "a slip"})

    steps = meant(steps_of(table.records, Channel.PUBLIC))

    (course,) = panels(steps)[0].courses
    assert [value for _, value in course.moves] == [0, 1]
    assert tallies(steps) == ()
    (chapter,) = chapters(steps, Narrator())
    told = [each.sentence for turn in chapter.turns for each in turn.told]
    assert told == ['The clock "The flood" starts at 0 of 4.', 'The clock "The flood" is now at 1.']
    assert lines(table) == ["Still open: “The flood” at 1 of 4"]


def test_ranges_that_lie_over_one_another_or_ahead_leave_out_what_is_in_any_of_them() -> None:
    table = Table()
    for number in range(4):
        table.do({"type": "start_clock", "id": f"alarm{number}", "name": f"Alarm {number}", "size": 4})
    first = len(table.records) - 3
    table.do({"type": "void_command", "channel": "public", "seq": first + 3, "reason": "a slip"})
    *begun, voided = table.records
    ranges = [(first + 1, first + 3), (first + 2, first + 2), (first + 3, first + 1), (first + 9, 10**9)]
    made_up = [
        voided.model_copy(
            update={"seq": voided.seq + number, "event": voided.event.model_copy(update={"first": one, "last": other})}
        )
        for number, (one, other) in enumerate(ranges)
    ]

    steps = meant(steps_of([*begun, *made_up], Channel.PUBLIC))

    assert list(steps[-1].after.clocks) == ["alarm0"]


def test_foes_without_a_sheet_are_called_by_their_names() -> None:
    table = Table()
    table.do({"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id, "attributes": {"Wits": 3}})
    table.do({"type": "propose_check", "id": "duel", "character_id": "ada", "attribute": "Wits", "contest": True})
    table.do({"type": "oppose_check", "check_id": "duel", "name": "The bandit", "score": 3})
    table.do({"type": "propose_check", "id": "brawl", "character_id": "ada", "attribute": "Wits", "contest": True})
    table.do({"type": "oppose_check", "check_id": "brawl", "name": "The other side", "score": 3})  # has none

    assert foes(steps_of(table.records)) == (Played("The bandit", CharacterStatus.IN_PLAY),)


# Who was there


def test_everybody_is_listed_by_the_last_name_with_their_characters_even_who_left() -> None:
    log = Log(Channel.PUBLIC)
    stray = CHARACTER.model_copy(update={"id": "stray", "name": "A stray dog", "owner": None})
    for event in (
        e.SeatJoined(seat=GM),
        e.SeatJoined(seat=ROOK),
        e.CharacterAdded(character=CHARACTER),
        e.CharacterAdded(character=stray),
        e.SeatRenamed(seat_id="gm", name="Mara the Bold"),
        e.CharacterDied(character_id="raven"),
        e.SeatRemoved(seat_id="player-1", reason=e.Departure.LEFT),
    ):
        log.write(event)
    steps = steps_of(log.records, Channel.PUBLIC)

    assert people(steps) == (
        Person("Mara the Bold", Role.GM, left=False, characters=()),
        Person("Rook", Role.PLAYER, left=True, characters=(Played("Raven", CharacterStatus.DEAD),)),
    )
    assert characters_of(steps, None) == (Played("A stray dog", CharacterStatus.IN_PLAY),)


def test_nobody_was_at_an_evening_without_records() -> None:
    assert (people(()), characters_of((), None)) == ((), ())


# Crises of an evening


BEFORE = Crisis(total_id="leap", kind=CrisisKind.MENTAL, box=1)
CRISIS = Crisis(total_id="flood", kind=CrisisKind.PHYSICAL, box=1)
LIMP = CRISIS.model_copy(update={"description": "a limp"})


def test_a_crisis_is_listed_once_with_its_time_and_what_was_said_of_it_last() -> None:
    log = Log(Channel.PUBLIC)
    for event in (
        e.SeatJoined(seat=GM),
        e.CharacterAdded(character=CHARACTER),
        e.CrisisSuffered(character_id="raven", crisis=CRISIS),
        e.CrisisDescribed(character_id="raven", crisis=LIMP),
    ):
        log.write(event)

    found = crises(steps_of(spread(log.records, 0, 1, 2, 3), Channel.PUBLIC))

    assert found == (Suffered(EIGHT_PM_MS + 120_000, "Raven", LIMP),)


def test_a_crisis_of_an_earlier_evening_that_is_described_now_is_not_one_of_this_evening() -> None:
    log = Log(Channel.PUBLIC)
    log.write(e.SeatJoined(seat=GM))
    log.write(e.CharacterAdded(character=CHARACTER.model_copy(update={"crises": (BEFORE,)})))
    described = BEFORE.model_copy(update={"description": "a phobia"})
    log.write(e.CrisisDescribed(character_id="raven", crisis=described))

    assert crises(steps_of(log.records, Channel.PUBLIC)) == ()


# Races, by how close they were


def race(table: Table, name: str, **fields: Any) -> None:
    kind = {"kind": "race", "content": "combat", "level": 5, "difficulty": "normal"}
    table.do({"type": "start_situation", "id": name, "scene_id": "vault", "name": name.title(), **kind, **fields})
    table.do({"type": "add_challenge", "id": f"{name}-door", "situation_id": name, "name": "Door", "kind": "barrier"})


def effort(table: Table, name: str, *, success: bool) -> None:
    table.do({"type": "attempt_effort", "challenge_id": f"{name}-door", "success": success})


def evening() -> Table:
    table = Table()
    table.do({"type": "open_scene", "id": "vault", "name": "The vault", "clock": 9})
    return table


def test_a_race_that_was_won_is_as_close_as_the_threat_that_was_left() -> None:
    table = evening()
    race(table, "run", clock=1)
    threat = table.view.clocks["vault-threat"].value
    effort(table, "run", success=False)
    effort(table, "run", success=True)

    (run,) = races(steps_of(table.records))

    assert (run.name, run.scene_name, run.outcome) == ("Run", "The vault", RaceOutcome.SUCCESS)
    assert (run.situation, run.threat, run.threat_size) == (0, threat - 2, threat)
    assert run.margin == threat - 2
    assert run.narrowness == (threat - 2) / threat


def test_a_race_that_was_lost_is_as_close_as_what_was_still_to_do() -> None:
    table = evening()
    race(table, "run", clock=4)
    effort(table, "run", success=True)
    table.do({"type": "fail_situation", "situation_id": "run", "reason": "defeated"})

    (run,) = races(steps_of(table.records))

    assert run.outcome is not RaceOutcome.SUCCESS
    assert (run.margin, run.narrowness) == (3, 3 / 4)


def test_the_closest_race_comes_first() -> None:
    table = evening()
    race(table, "far", clock=2)
    table.do({"type": "fail_situation", "situation_id": "far", "reason": "defeated"})
    race(table, "near", clock=9)
    table.do({"type": "amend_clock", "clock_id": "near-clock", "value": 3, "reason": "a ruling"})
    table.do({"type": "fail_situation", "situation_id": "near", "reason": "retreated"})

    found = races(steps_of(table.records))

    assert [(each.name, each.narrowness) for each in found] == [("Near", 3 / 9), ("Far", 2 / 2)]


def test_a_race_that_goes_on_is_not_listed() -> None:
    table = evening()
    race(table, "run", clock=4)

    assert races(steps_of(table.records)) == ()


def test_how_close_a_race_was_does_not_depend_on_the_size_of_its_clocks() -> None:
    small = Race("a", "s", RaceOutcome.FAILURE, 1, 2, 0, 20, 5)
    large = Race("b", "s", RaceOutcome.FAILURE, 4, 8, 0, 20, 5)

    assert small.narrowness == large.narrowness
