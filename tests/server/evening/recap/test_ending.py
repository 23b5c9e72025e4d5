"""How an evening ended, in a few lines; what was taken back is in none of them, and nowhere else."""

from __future__ import annotations

from dreadclock.narration import Narrator
from dreadclock.wire.base import Channel
from dreadclock.wire.things import CharacterStatus
from dreadclock_server.evening.recap.dice import tallies
from dreadclock_server.evening.recap.ending import MOST, ending
from dreadclock_server.evening.recap.meant import meant
from dreadclock_server.evening.recap.story import chapters
from dreadclock_server.evening.recap.things import Played, foes, panels
from dreadclock_server.evening.recap.words import words_of
from kit.evenings.played import steps_of
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
