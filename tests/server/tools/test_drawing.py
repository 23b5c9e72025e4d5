"""A room as a picture."""

import io
import json
from typing import Any

import pytest
from rich.console import Console

from dreadclock.narration import Narrator
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.things import ClockKind, Lane, Restored, SceneStatus
from dreadclock.wire.views import View
from dreadclock_server.tools.canvas import ASCII, ENDED, PRETTY, Glyphs, Pen, Rank
from dreadclock_server.tools.drawing import LATEST, Seen, latest, sections
from dreadclock_server.tools.layout import whole
from kit import scenery
from kit.scenery import full_room, rolled
from kit.table import Log

HERE = {"gm": 1, "player-2": 3}


def drawn(
    view: View, glyphs: Glyphs = PRETTY, *, connected: bool = True, width: int = 100, ids: bool = False
) -> list[str]:
    """Draw a room without colours, and return the lines."""
    console = Console(file=io.StringIO(), width=width, color_system=None, _environ={})
    with console.capture() as capture:
        console.print(whole(sections(Seen(view, HERE, connected=connected), Pen(glyphs, width, ids))))
    return [line.rstrip() for line in capture.get().splitlines()]


def row(log: Log, start: str) -> str:
    """Draw a room and return the one line that starts so, with single spaces."""
    (found,) = [line for line in drawn(log.view) if line.lstrip().startswith(start)]
    return " ".join(found.split())


def public_room(*events: e.Event) -> Log:
    log = full_room(Channel.PUBLIC)
    for event in events:
        log.write(event)
    return log


def with_public(view: View, **changes: Any) -> View:
    """Return what everyone sees, with some of it changed."""
    return View(channels={Channel.PUBLIC: view.public.model_copy(update=changes)})


def tick(clock_id: str, value: int, kind: ClockKind = ClockKind.FREE) -> e.ClockTicked:
    return e.ClockTicked(clock_id=clock_id, kind=kind, cause=e.Cause.EFFORT, value=value)


def test_a_whole_room_is_drawn_in_sections() -> None:
    log = public_room(rolled(4, 1, 6, 2, remaining=2), tick("vault-threat", 10, ClockKind.THREAT))

    assert drawn(log.view)[:23] == [
        "The flooded vault   turn 1",
        "● Mara (gm)   ○ Rook (player)   ● Sparks (player)",
        "",
        "Scene: Out of the vault       █████            5/5",
        "  Threat                      ██████████░░░░░  10/15  If the scene ended now: partial success",
        "  Race: The way out           ███              3/3    level 3, normal, round 1",
        "    Barrier: Outer door       █                1/1",
        "",
        "Clocks",
        "  Water                       ███░░░░░  3/8",
        "",
        "Countdowns",
        "  Fever                       ▢▢  (⚃) ⚀ (⚅) ⚁  2 dice, fast, of Sparks, rolled every turn, cannot be",
        "                                               stabilized, cannot be replenished, at the end: death",
        "",
        "Characters",
        "  Raven                         of Rook",
        "",
        "sealed: What wakes (countdown)",
        "",
        "Latest",
        '  The countdown "Fever" starts: 4 dice, fast (of Sparks).',
        '  The clock "Water" starts at 3 of 8.',
    ]
    assert drawn(log.view)[-1] == '  The threat of "Out of the vault" is now at 10: an effort.'


def test_an_empty_room_is_only_its_title() -> None:
    log = Log(Channel.PUBLIC)

    assert drawn(log.view) == ["   turn 1"]


# Countdowns


def test_a_pool_that_was_not_rolled_shows_its_dice_and_the_stages_to_come() -> None:
    assert row(public_room(), "Fever") == "Fever ▢▢▢▢ 4 dice, fast, of Sparks, rolled every turn, cannot be"


@pytest.mark.rule("A13")
def test_a_countdown_shows_what_is_allowed_how_it_began_and_how_it_ends() -> None:
    log = full_room(Channel.PUBLIC)
    said = {
        "about": "raven",
        "fate": "dies",
        "from_attribute": "Endurance",
        "stabilizable": True,
        "replenishable": True,
    }
    more = {"started": 1, "started_with": 3, "repeats": "d6", "stages": [{"at": 3, "effect": "pale"}], "ending": "cold"}
    one = {"id": "bleed", "name": "Bleeding", "pool": 3, "speed": "slow", **said, **more}
    log.write(e.EVENT.validate_json(json.dumps({"type": "countdown_started", "countdown": one})))

    shown = " ".join(" ".join(drawn(log.view)).split())

    for words in (
        "when it ends, Raven dies, dice from Endurance, can be stabilized, can be replenished, starts again",
        "with d6 dice when it ends",
        "at the start: pale, at the end: cold",
    ):
        assert words in shown


def test_a_stage_that_was_reached_is_shown_no_more() -> None:
    log = public_room(rolled(4, 1, 6, 2, remaining=2), e.StageReached(countdown_id="fever", at=2, effect="blind"))

    assert "blind" not in row(log, "Fever")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (e.CountdownStabilized(countdown_id="fever"), "stabilized, fast"),
        (e.CountdownCancelled(countdown_id="fever"), "cancelled, fast"),
        (e.CountdownExpired(countdown_id="fever"), "ended, fast"),
    ],
)
def test_a_countdown_that_does_not_run_says_why(event: e.Event, words: str) -> None:
    assert words in row(public_room(event), "Fever ")


def test_of_the_countdowns_that_are_over_only_the_latest_are_shown() -> None:
    log = public_room()
    for number in range(ENDED + 2):
        one = scenery.FEVER.model_copy(update={"id": f"f{number}", "name": f"Chill {number}", "started": number + 20})
        log.write(e.CountdownStarted(countdown=one))
        log.write(e.CountdownExpired(countdown_id=one.id))

    told = [line.split()[1] for line in drawn(log.view) if line.startswith("  Chill")]

    assert told == ["2", "3", "4"]
    assert row(log, "Fever").startswith("Fever ▢▢▢▢ 4 dice")


def test_the_gm_sees_inside_what_is_hidden_and_is_told_who_else_does() -> None:
    lines = drawn(full_room().view)

    assert [line.split(", ")[2] for line in lines if line.startswith(("  What wakes", "  The plan"))] == [
        "sealed",
        "gm only",
    ]
    assert not any(line.startswith("sealed:") for line in lines)


# Clocks


@pytest.mark.parametrize(("value", "full"), [(0, 0), (1, 1), (50, 11), (98, 20), (99, 20)])
def test_a_large_clock_shares_twenty_cells_and_looks_empty_only_at_nought(value: int, full: int) -> None:
    large = scenery.WATER.model_copy(update={"id": "sea", "name": "Sea", "size": 99, "value": value, "owner": "gm"})
    log = public_room(e.ClockStarted(clock=large))

    assert row(log, "Sea").split()[1:3] == ["█" * full + "░" * (20 - full), f"{value}/99"]


def test_a_free_clock_at_its_end_is_done() -> None:
    assert row(public_room(tick("water", 8)), "Water").endswith("8/8 done")


def test_an_effort_waits_until_the_challenge_is_overcome() -> None:
    attempted = e.EffortMade(effort=scenery.EFFORT)
    overcome = (tick("door-clock", 0, ClockKind.CHALLENGE), e.ChallengeOvercome(challenge_id="door"))

    assert row(public_room(attempted), "Barrier").endswith("1/1 effort of Rook waits for the gm")
    assert row(public_room(attempted, *overcome), "Barrier").endswith("░ 0/1 overcome")


def test_a_race_that_is_over_says_how_it_ended_and_shows_its_challenges_no_more() -> None:
    ended = e.RaceEnded(situation_id="run", outcome=RaceOutcome.PARTIAL_SUCCESS, situation=3, threat=15, scene=5)
    log = public_room(e.SituationWon(situation_id="run"))

    assert row(log, "Race").endswith("won, level 3, normal")
    assert not any("Barrier" in line for line in drawn(log.view))
    log.write(ended)
    assert row(log, "Race").endswith("partial success, level 3, normal")


def test_a_scene_that_ended_says_how() -> None:
    log = public_room(e.SceneEnded(scene_id="vault", outcome=SceneStatus.UNFINISHED))

    assert row(log, "Scene").endswith("5/5 unfinished")


@pytest.mark.rule("C27")
def test_a_scene_in_which_sixes_add_dice_to_damage_says_so() -> None:
    switched = e.EffectsSet(kind=Kind.SCENE, id="vault", effects=t.StandingEffects(), sixes_add=True)

    assert "sixes" not in row(public_room(), "Scene")
    assert "damage: each 6 adds a die" in row(public_room(switched), "Scene")


@pytest.mark.rule("B18")
def test_a_situation_names_its_party() -> None:
    log = public_room(
        e.CharacterAdded(character=t.Character(id="chen", name="Chen", owner="player-2")),
        e.SituationStarted(
            situation=scenery.RACE.model_copy(
                update={"id": "dive", "name": "Dive", "clock_id": "dive-clock", "party": ("raven", "chen")}
            ),
            clock=scenery.clock(t.ClockKind.SITUATION, "dive", "Dive", 2),
        ),
    )

    (drawn_race,) = [line for line in drawn(log.view, width=140) if "Race: Dive" in line]
    assert drawn_race.endswith("party: Raven / Chen, level 3, normal, round 1")


# What waits for the gm's approval


@pytest.mark.rule("B18")
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"newcomer": True}, "Raven of Rook, waiting for the gm's approval"),
        ({"level": 5, "approved_level": 3}, "Raven of Rook, level 5 waits for the gm, 3 counts"),
        (
            {"proposed": t.Sheet(level=2, attributes={"Brawn": 3}, reflex=1)},
            "Raven of Rook, asks the gm for level 1 to 2, Brawn 3, reflex 1",
        ),
    ],
)
def test_a_sheet_that_is_not_approved_says_so_and_stays_on_a_low_terminal(changes: dict[str, object], words: str):
    log = full_room(Channel.PUBLIC)
    raven = scenery.CHARACTER.model_copy(update=changes)
    view = with_public(log.view, characters={"raven": raven})

    shown = sections(Seen(view), Pen(PRETTY, 100, ids=False))
    (row,) = next(section for section in shown if section.title == "Characters").rows

    assert " ".join(cell.plain.strip() for cell in row.cells if cell.plain) == words
    assert row.rank is Rank.WAITS


# Consequences


def follows(id_: str, of: t.Subject, when: t.Moment, *do: t.Effect, **more: Any) -> e.ConsequenceAttached:
    return e.ConsequenceAttached(consequence=t.Consequence(id=id_, of=of, when=when, do=do, **more))


BLIND = t.Subject(kind=Kind.COUNTDOWN, id="fever")
AT_2 = t.Moment(when=t.When.STAGE, at=2)
RISES = t.Effect(does=t.Does.TICK, thing_id="water", by=2)
WAKES = t.Effect(does=t.Does.TELL, text="Something wakes.")


@pytest.mark.rule("E5")
def test_consequences_are_a_line_each_for_whoever_knows_of_them() -> None:
    log = full_room()
    log.write(follows("flood", BLIND, AT_2, RISES))
    log.write(follows("gm-wake", BLIND, t.Moment(when=t.When.END), WAKES, visibility="gm"), Channel.GM)
    hers, theirs = (drawn(view, ids=True) for view in (log.view, View(channels={Channel.PUBLIC: log.view.public})))

    at = hers.index("Consequences")
    assert hers[at + 1 : at + 4] == [
        '  When "Fever" falls to 2: "Water" moves forward by 2. [flood]',
        '  When "Fever" ends: "Something wakes." is added to the log. [gm-wake] (gm only)',
        "",
    ]
    at = theirs.index("Consequences")
    assert theirs[at + 1 : at + 3] == ['  When "Fever" falls to 2: "Water" moves forward by 2. [flood]', ""]


def test_what_can_follow_no_more_is_no_longer_shown() -> None:
    log = public_room(follows("flood", BLIND, AT_2, RISES), e.CountdownCancelled(countdown_id="fever"))

    assert "Consequences" not in drawn(log.view)


def test_what_follows_is_told_in_another_language() -> None:
    log = public_room(follows("flood", BLIND, AT_2, RISES))

    shown = sections(Seen(log.view), Pen(PRETTY, 100, ids=False, narrator=Narrator("de")))
    told = {section.title: section.rows for section in shown}["Folgen"]
    assert [row.cells[0].plain for row in told] == ["  Wenn „Fever“ auf 2 fällt: „Water“ rückt um 2 vor."]


# Ids


def test_the_id_of_whatever_a_command_may_name_stands_after_its_name() -> None:
    log = full_room()
    log.write(e.EffortMade(effort=scenery.EFFORT))

    lines = [" ".join(line.split()) for line in drawn(log.view, ids=True, width=120)]

    assert lines[1] == "● Mara (gm) ○ Rook (player) [player-1] ● Sparks (player) [player-2]"
    assert [line.rpartition("]")[0].partition("[")[2] for line in lines[3:7]] == [
        *("vault", "vault-threat", "run"),
        "door] █ 1/1 effort of Rook [shove",
    ]
    assert [line.partition(" ▢")[0].partition(" █")[0] for line in lines if line.startswith(("Water", "Fever"))] == [
        "Water [water]",
        "Fever [fever]",
    ]
    assert lines[lines.index("Characters") + 1].startswith("Raven [raven] of Rook")
    assert not any("[" in line for line in drawn(log.view))


@pytest.mark.parametrize("ids", [True, False])
def test_no_line_is_wider_than_the_terminal(ids: bool) -> None:
    log = full_room()
    for number in range(6):
        seat = scenery.ROOK.model_copy(update={"id": f"player-{number + 3}", "name": f"A guest, number {number}"})
        log.write(e.SeatJoined(seat=seat))
    log.write(e.EffortMade(effort=scenery.EFFORT))

    assert max(map(len, drawn(log.view, ids=ids, width=80))) <= 80


def test_people_stand_in_as_many_lines_as_they_need_and_none_is_torn_apart() -> None:
    lines = drawn(public_room().view, width=40, ids=True)

    assert lines[1:4] == ["● Mara (gm)   ○ Rook (player) [player-1]", "● Sparks (player) [player-2]", ""]


# Everything else


def test_a_lost_connection_and_a_closed_room_are_named_in_the_title() -> None:
    assert drawn(public_room().view, connected=False)[0] == "The flooded vault   turn 1   reconnecting ..."
    assert drawn(public_room(e.RoomClosed()).view)[0] == "The flooded vault   turn 1   closed"


def test_only_the_latest_events_that_tell_a_story_are_told() -> None:
    log = public_room(*(e.TurnEnded(turn=turn) for turn in range(1, 12)))
    log.write(e.LaneOpened(lane=Lane(label="seat/gm/1", key="A" * 43)))

    lines = drawn(log.view)

    assert lines[lines.index("Latest") + 1 :] == [f"  Turn {turn} is over." for turn in range(12 - LATEST, 12)]


def test_what_was_taken_back_is_struck_through() -> None:
    log = public_room(e.TurnEnded(turn=1), e.TurnEnded(turn=2))
    seq = log.view.public.recent[-1].seq
    log.write(e.CommandVoided(first=seq, last=seq, what="turn_ended", reason="a slip", restored=Restored(turn=2)))

    told = sections(Seen(log.view), Pen(PRETTY, 100))[-1].rows[-3:]

    assert [row.cells[0].plain for row in told][1] == "  Turn 2 is over."
    assert [bool(row.cells[0].spans) for row in told] == [False, True, False]


def test_what_only_the_gm_is_told_is_marked() -> None:
    log = full_room()
    log.write(rolled(1, 2, 3, 1, remaining=4, countdown_id="gm-plan"), Channel.GM)

    assert drawn(log.view)[-1] == '  (only for the gm) Mara rolled "The plan": 1 2 3 1; no dice leave, 4 dice left.'


def test_events_of_both_channels_are_told_in_the_order_in_which_they_happened() -> None:
    log = full_room()
    log.write(rolled(1, 2, 3, 1, remaining=4, countdown_id="gm-plan"), Channel.GM)
    log.write(e.TurnEnded(turn=1))

    assert [record.event.type for record in latest(log.view)[-2:]] == ["countdown_rolled", "turn_ended"]


def test_a_terminal_without_unicode_gets_ascii_only() -> None:
    log = public_room(rolled(4, 1, 6, 2, remaining=2))

    lines = drawn(log.view, ASCII)

    assert "\n".join(lines).isascii()
    assert lines[1] == "* Mara (gm)     Rook (player)   * Sparks (player)"
    assert (
        "  Fever                       oo  (4) 1 (6) 2  2 dice, fast, of Sparks, rolled every turn, cannot be" in lines
    )
    assert "  Water                       ###-----  3/8" in lines


def test_text_of_others_is_neither_markup_nor_a_command_to_the_terminal() -> None:
    rude = "[red]\x1b[2J\u202e"
    seat = scenery.GM.model_copy(update={"name": rude})
    stage = scenery.FEVER.stages[0].model_copy(update={"effect": rude})
    fever = scenery.FEVER.model_copy(update={"id": "f", "name": rude, "owner": "gm", "stages": (stage,)})
    scene = scenery.SCENE.model_copy(update={"name": rude})
    water = scenery.WATER.model_copy(update={"name": rude})
    part = full_room(Channel.PUBLIC).view.public
    changes = {
        "title": rude,
        "seats": {"gm": seat},
        "countdowns": {"f": fever, "fever": scenery.FEVER},
        "scenes": {"vault": scene},
        "clocks": {**part.clocks, "water": water},
        "sealed": {key: sealed.model_copy(update={"name": rude}) for key, sealed in part.sealed.items()},
        "consequences": {"cry": follows("cry", BLIND, AT_2, WAKES.model_copy(update={"text": rude})).consequence},
    }

    text = "\n".join(drawn(View.model_construct(channels={Channel.PUBLIC: part.model_copy(update=changes)}), width=200))

    assert text.count("[red]\ufffd[2J\ufffd") == len(
        ("title", "gm", "scene", "clock", "sealed", "countdown", "its owner", "its stage", "what follows")
    )
    assert not {"\x1b", "\u202e"} & set(text)
