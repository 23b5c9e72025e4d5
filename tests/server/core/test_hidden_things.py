"""What only the gm knows, hidden rolls and clocks, notes and times. Ruling E4."""

from typing import Any

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.rules.countdown import Speed
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, RollProof, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.things import (
    ClockKind,
    Countdown,
    CountdownStatus,
    HiddenRoll,
    Lane,
    SceneStatus,
    Sealed,
    SituationStatus,
)
from dreadclock_server.core.draft import Actor
from kit.families.countdowns import GAS, MOLE, gas, mole, reveal
from kit.tables import ANN, BO, CLERK, GM, KEY, ORACLE, WATCHER, Table, loaded

pytestmark = pytest.mark.rule("E4")

PUBLIC = Channel.PUBLIC
ROLL_MOLE = {"type": "roll_countdown", "countdown_id": "gm-mole"}


def made_public(thing_id: str, kind: Any = Kind.COUNTDOWN) -> e.MadePublic:
    return e.MadePublic(kind=kind, id=thing_id)


# Hidden countdowns


def test_of_a_gm_countdown_nobody_else_hears_anything():
    table = Table()
    before = table.public()

    table.do({**MOLE, "stages": [{"at": 2, "effect": "digs"}], "ending": "Boom.", "replenishable": True})
    table.do({**ROLL_MOLE, "note": "n"}, dice=loaded(6, 6, 1, 1))
    table.do({"type": "replenish_countdown", "countdown_id": "gm-mole", "dice": 1})
    table.do(ROLL_MOLE, dice=loaded(6, 6, 6))

    assert table.public() == before
    assert table.view_as(WATCHER) == table.view_as(ANN)
    assert "gm-mole" not in table.view_as(WATCHER).model_dump_json()


def test_a_gm_countdown_takes_no_number_from_the_public_ones():
    table = Table()
    table.do({**MOLE, "id": None})

    table.do({"type": "start_countdown", "name": "Fever", "pool": 1})

    assert list(table.view.countdowns) == ["gm-countdown-000000000001", "countdown-1"]


@pytest.mark.parametrize("seat", [ANN, BO, WATCHER, CLERK], ids=lambda actor: actor.seat_id)
@pytest.mark.parametrize(
    "order",
    [
        ROLL_MOLE,
        {"type": "stabilize_countdown", "countdown_id": "gm-mole"},
        {"type": "resume_countdown", "countdown_id": "gm-mole"},
        {"type": "replenish_countdown", "countdown_id": "gm-mole", "dice": 1},
        {"type": "cancel_countdown", "countdown_id": "gm-mole"},
        {"type": "tick_clock", "clock_id": "gm-tide"},
        {"type": "amend_clock", "clock_id": "gm-tide", "value": 1, "reason": "x"},
        {"type": "attempt_effort", "challenge_id": "gm-door"},
        {"type": "end_round", "situation_id": "gm-run"},
        {"type": "attempt_effort", "challenge_id": "gm-spy"},
        {"type": "end_round", "situation_id": "gm-plot"},
        {"type": "start_countdown", "id": "gm-mole", "name": "M", "pool": 1},
        {"type": "start_clock", "id": "gm-tide", "name": "M", "size": 1},
        {"type": "reveal", "thing_id": "gm-mole"},
    ],
    ids=lambda order: order["type"],
)
def test_what_one_may_not_see_is_answered_as_if_it_did_not_exist(seat: Actor, order: dict[str, Any]):
    owner = None if seat is WATCHER else seat.seat_id
    full = mole(owner=owner)
    full.do({"type": "start_clock", "id": "gm-tide", "name": "C", "size": 3, "visibility": "gm", "owner": owner})
    full.do({"type": "open_scene", "id": "gm-scene", "name": "S", "clock": 3, "visibility": "gm"})
    inside = {"scene_id": "gm-scene", "name": "R", "kind": "standard", "content": "social", "clock": 1}
    full.do({"type": "start_situation", "id": "gm-run", **inside})
    full.do({"type": "add_challenge", "id": "gm-door", "situation_id": "gm-run", "name": "D", "kind": "foe"})
    empty = Table()
    for table in (full, empty):
        table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 3})
    full.do({"type": "start_situation", "id": "gm-plot", **inside, "scene_id": "bomb", "visibility": "gm"})
    full.do({"type": "add_challenge", "id": "gm-spy", "situation_id": "gm-plot", "name": "D", "kind": "foe"})

    hidden, missing = full.refused(order, by=seat), empty.refused(order, by=seat)

    assert (hidden.code, hidden.details) == (missing.code, missing.details)


def test_an_integration_with_the_scope_for_secrets_sees_them():
    table = mole()

    assert "gm-mole" in table.view_as(ORACLE).countdowns
    assert table.refused(ROLL_MOLE, by=ORACLE).code is Code.NOT_ALLOWED


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
@pytest.mark.parametrize("order", [GAS, {"type": "start_clock", "name": "C", "size": 1}], ids=lambda o: o["type"])
def test_only_the_gm_keeps_secrets(visibility: str, order: dict[str, Any]):
    refused = Table().refused({**order, "id": None, "visibility": visibility}, by=ANN)

    assert (refused.code, refused.details) == (Code.NOT_ALLOWED, {"allowed": "the gm"})


def test_not_even_an_integration_that_sees_them_keeps_secrets_for_a_character_of_its_own():
    table = Table()
    table.do({"type": "add_character", "id": "pet", "name": "Pet", "owner": ORACLE.seat_id})
    order = {"type": "roll_dice", "pool": 1, "character_id": "pet"}

    assert table.refused({**order, "visibility": "gm"}, by=ORACLE).code is Code.NOT_ALLOWED
    assert table.do(order, by=ORACLE, dice=loaded(1))


def test_a_revealed_gm_countdown_comes_with_all_that_happened_to_it():
    table = mole()
    table.do(ROLL_MOLE, dice=loaded(6, 1, 1, 1))

    records = table.write(reveal("gm-mole"))

    assert [record.channel for record in records] == [Channel.GM, PUBLIC]
    assert records[0].event == made_public("gm-mole")
    assert isinstance(records[1].event, e.Revealed)
    [shown] = records[1].event.things.countdowns
    assert (shown.pool, shown.visibility, len(shown.hidden_rolls)) == (3, Visibility.PUBLIC, 1)
    assert table.view_as(WATCHER).countdowns["gm-mole"] == shown


def test_an_id_once_hidden_is_not_used_again_after_its_reveal():
    table = mole()
    table.do(reveal("gm-mole"))

    assert table.refused(MOLE).code is Code.ID_TAKEN


def test_what_everyone_sees_cannot_be_revealed_nor_what_is_not_there():
    table = Table()
    table.do({"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 1})
    table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 1})

    for thing_id in ("fever", "bomb"):
        assert table.refused(reveal(thing_id)).code is Code.NOT_HIDDEN
    for thing_id in ("gm-mole", "bomb-clock"):
        assert table.refused(reveal(thing_id)).code is Code.UNKNOWN


@pytest.mark.rule("E2")
def test_e2_what_only_the_gm_knows_counts_for_no_cap_of_the_others_and_the_other_way_round():
    table = Table()
    hidden = {"type": "start_countdown", "name": "M", "pool": 1, "visibility": "gm"}
    for _ in range(64):
        table.do(hidden)

    assert table.refused(hidden).code is Code.TOO_MANY
    for _ in range(32):
        table.do({**hidden, "visibility": "public"})
        table.do({**hidden, "visibility": "sealed"})
    assert table.refused({**hidden, "visibility": "public"}, by=ANN).code is Code.TOO_MANY


# Hidden rolls and clocks


def test_of_a_sealed_roll_everyone_hears_that_it_was_made():
    table = Table()

    records = table.write({"type": "roll_dice", "id": "fate", "pool": 2, "visibility": "sealed"}, dice=loaded(1, 2))

    assert [(record.channel, type(record.event)) for record in records] == [
        (PUBLIC, e.SealedStarted),
        (Channel.GM, e.LaneOpened),
        (Channel.GM, e.DiceRolled),
    ]
    assert table.view_as(ANN).sealed["fate"].name == "A roll"


def test_of_a_gm_roll_nobody_else_hears_until_it_is_revealed():
    table = Table()
    roll = {"type": "roll_dice", "id": "gm-fate", "pool": 2, "visibility": "gm"}

    assert table.in_channel(PUBLIC, roll, dice=loaded(1, 2)) == []
    [shown] = table.in_channel(PUBLIC, reveal("gm-fate"))

    assert isinstance(shown, e.Revealed)
    assert shown.things.rolls[0].faces == (1, 2)


@pytest.mark.parametrize(("direction", "end"), [("down", 0), ("up", 3)])
def test_a_sealed_clock_is_shown_at_its_end(direction: str, end: int):
    table = Table()
    sealed = {"size": 3, "direction": direction, "visibility": "sealed"}
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", **sealed})
    changed = e.SealedChanged(kind=Kind.CLOCK, id="tide", name="Tide")

    assert table.in_channel(PUBLIC, {"type": "tick_clock", "clock_id": "tide"}) == [changed]
    first, shown = table.in_channel(PUBLIC, {"type": "tick_clock", "clock_id": "tide", "by": 9})

    assert first == changed
    assert isinstance(shown, e.Revealed)
    assert (shown.things.clocks[0].value, shown.things.clocks[0].size) == (end, 3)


@pytest.mark.rule("E3")
def test_e3_an_amended_clock_is_amended_for_those_who_see_it():
    table = Table()
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 3, "visibility": "sealed"})
    table.do({"type": "start_clock", "id": "gm-moon", "name": "Moon", "size": 3, "visibility": "gm"})
    amended = [
        table.write({"type": "amend_clock", "clock_id": clock, "value": 1, "reason": "x"})
        for clock in ("tide", "gm-moon")
    ]

    assert [(record.channel, record.event) for records in amended for record in records] == [
        (Channel.GM, e.ClockAmended(clock_id="tide", kind=ClockKind.FREE, value=1, reason="x")),
        (PUBLIC, e.SealedChanged(kind=Kind.CLOCK, id="tide", name="Tide")),
        (Channel.GM, e.ClockAmended(clock_id="gm-moon", kind=ClockKind.FREE, value=1, reason="x")),
    ]


# Notes and times


@pytest.mark.rule("E4")
def test_a_commands_note_goes_to_everyone_whatever_hidden_things_it_touches_on_the_way():
    table = gas(bound_to="turn")

    records = table.write({"type": "end_turn", "note": "Dusk falls."}, dice=loaded(1, 1, 1, 1))

    assert [(record.event.type, record.event.note) for record in records] == [
        ("countdown_rolled", None),
        ("sealed_changed", None),
        ("turn_ended", "Dusk falls."),
    ]


@pytest.mark.rule("E4")
@pytest.mark.parametrize(
    "order",
    [
        {"type": "tick_clock", "clock_id": "tide"},
        {"type": "roll_dice", "pool": 1, "visibility": "gm"},
        {
            "type": "introduce_complication",
            "situation_id": "run",
            "text": "Ebb.",
            "clock": {"clock_id": "tide", "by": 1},
        },
    ],
)
def test_the_note_of_a_command_about_something_hidden_goes_to_the_gm(order: dict[str, Any]):
    table = Table()
    table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 9})
    run = {"id": "run", "scene_id": "bomb", "name": "Run", "kind": "standard", "content": "social", "clock": 2}
    table.do({"type": "start_situation", **run})
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 3, "visibility": "sealed"})

    records = table.write({**order, "note": "It knows."}, dice=loaded(*((4,) if "pool" in order else ())))

    assert {record.channel for record in records if record.event.note} == {Channel.GM}


def test_the_note_of_one_who_sees_no_secrets_stays_where_she_sees_it():
    order = {"type": "end_turn", "note": "tick"}
    table = mole(bound_to="turn")

    public = table.in_channel(PUBLIC, order, by=CLERK, dice=loaded(1, 1, 1, 1))

    assert public == Table().in_channel(PUBLIC, order, by=CLERK) == [e.TurnEnded(turn=1, note="tick")]


def test_the_time_of_a_public_record_says_nothing_about_hidden_ones():
    table = Table()
    table.now_ms = 9_000
    table.do(MOLE)
    table.now_ms = 2_000

    [public] = table.write({"type": "end_turn"})
    [hidden] = table.write(ROLL_MOLE, dice=loaded(1, 1, 1, 1))

    assert public.at == 2_000
    assert hidden.at == 9_000


def test_times_of_what_a_viewer_sees_never_go_back():
    table = Table()
    table.now_ms = 9_000
    table.do({"type": "end_turn"})
    table.now_ms = 2_000

    [public] = table.write({"type": "end_turn"})
    hidden = table.write(MOLE)

    assert {record.at for record in [public, *hidden]} == {9_000}


# Sealed countdowns, ruling E4


ROLL_GAS = {"type": "roll_countdown", "countdown_id": "gas"}
GAS_CHANGED = e.SealedChanged(kind=Kind.COUNTDOWN, id="gas", name="Gas")


# Sealed countdowns


def test_of_a_sealed_countdown_everyone_hears_the_name_and_the_dice_that_it_will_be_rolled_with():
    table = Table()

    records = table.write(GAS)

    label = "thing/countdown/gas"
    assert [(record.channel, record.event) for record in records] == [
        (
            PUBLIC,
            e.SealedStarted(thing=Sealed(kind=Kind.COUNTDOWN, id="gas", name="Gas", seat_id="gm", lane=label, key=KEY)),
        ),
        (Channel.GM, e.LaneOpened(lane=Lane(label=label, key=KEY))),
        (Channel.GM, e.CountdownStarted(countdown=table.view.countdowns["gas"])),
    ]
    assert "gas" not in table.view_as(WATCHER).countdowns
    assert list(table.view_as(WATCHER).sealed) == ["gas"]


def test_of_its_roll_everyone_hears_once_that_it_changed():
    table = gas(stages=[{"at": 2, "effect": "smell"}, {"at": 3, "effect": "hiss"}])

    records = table.write({**ROLL_GAS, "note": "sniff"}, dice=loaded(6, 6, 6, 1))

    assert [type(record.event) for record in records if record.channel is Channel.GM] == [
        e.CountdownRolled,
        e.StageReached,
        e.StageReached,
    ]
    assert [record.event for record in records if record.channel is PUBLIC] == [GAS_CHANGED]


@pytest.mark.parametrize(
    "order",
    [
        {"type": "stabilize_countdown", "countdown_id": "gas"},
        {"type": "replenish_countdown", "countdown_id": "gas", "dice": 3},
    ],
    ids=lambda order: order["type"],
)
def test_of_whatever_else_happens_to_it_everyone_hears_that_it_changed(order: dict[str, Any]):
    table = gas(stabilizable=True, replenishable=True, stages=[{"at": 4, "effect": "x"}])

    assert table.in_channel(PUBLIC, order) == [GAS_CHANGED]


def test_at_its_end_everyone_sees_all_of_it():
    table = gas(pool=2, speed="fast", ending="Boom.")
    started = table.view.countdowns["gas"].started
    table.do(ROLL_GAS, dice=loaded(1, 6))

    events = table.do(ROLL_GAS, dice=loaded(6))

    lane = "thing/countdown/gas"
    shown = Countdown(
        id="gas",
        name="Gas",
        pool=0,
        speed=Speed.FAST,
        ending="Boom.",
        status=CountdownStatus.EXPIRED,
        started=started,
        started_with=2,
        rolled_turn=1,
        last_faces=(6,),
        hidden_rolls=(
            HiddenRoll(faces=(1, 6), removed=1, proof=RollProof(lane=lane, n=1, key=KEY, witnesses=0)),
            HiddenRoll(faces=(6,), removed=1, proof=RollProof(lane=lane, n=2, key=KEY, witnesses=0)),
        ),
    )
    assert events[1:-1] == [GAS_CHANGED, e.CountdownExpired(countdown_id="gas", ending="Boom."), made_public("gas")]
    assert isinstance(events[-1], e.Revealed)
    assert events[-1].things.countdowns == (shown,)
    assert table.view_as(WATCHER).countdowns == {"gas": shown}
    assert table.view_as(WATCHER).sealed == {}
    assert table.view.channels[Channel.GM].countdowns == {}


def test_a_sealed_countdown_is_shown_when_it_is_cancelled():
    table = gas()

    events = table.do({"type": "cancel_countdown", "countdown_id": "gas", "reason": "aired"})

    assert events[:-1] == [e.CountdownCancelled(countdown_id="gas", reason="aired"), GAS_CHANGED, made_public("gas")]
    assert table.view_as(ANN).countdowns["gas"].status is CountdownStatus.CANCELLED


def test_a_revealed_countdown_goes_on_in_public_with_the_rollers_dice():
    table = gas(bound_to="turn")
    table.do(reveal("gas"))

    rolled, _ = table.write({"type": "end_turn"}, dice=loaded(1, 1, 1, 1))

    assert rolled.channel is PUBLIC
    assert isinstance(rolled.event, e.CountdownRolled)
    assert rolled.event.proof == RollProof(lane="seat/gm/0", n=1, key=KEY, witnesses=0)
    assert table.view.countdowns["gas"].visibility is Visibility.PUBLIC
    assert table.view.countdowns["gas"].hidden_rolls == ()


def test_a_sealed_thing_is_rolled_by_the_gm_even_if_a_player_owns_it():
    table = gas(owner=ANN.seat_id)

    assert table.refusal(ROLL_GAS, by=ANN) == (Code.NOT_ALLOWED, {"allowed": "the gm"})
    assert table.do(ROLL_GAS, dice=loaded(1, 1, 1, 1))


@pytest.mark.rule("E4", "B11")
def test_that_a_command_comes_to_nothing_does_not_tell_of_the_number_behind_a_seal():
    told = []
    for size in (4, 9):
        table = Table()
        table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": size, "visibility": "sealed"})
        table.do({"type": "amend_clock", "clock_id": "tide", "value": 3, "reason": "It begins."})
        table.do({"type": "amend_clock", "clock_id": "tide", "value": size - 1, "reason": "A slip."})
        told.append(table.public())

    assert told[0] == told[1]


@pytest.mark.rule("E4")
def test_that_a_sealed_race_is_over_does_not_show_by_rounds_that_change_nothing():
    told = []
    for difficulty in ("easy", "hard"):
        table = Table()
        table.do({"type": "open_scene", "id": "heist", "name": "Heist", "clock": 9, "visibility": "sealed"})
        race = {"kind": "race", "content": "social", "clock": 3, "level": 1, "difficulty": difficulty}
        table.do({"type": "start_situation", "id": "gm-in", "scene_id": "heist", "name": "In", **race})
        for _ in range(9):
            table.do({"type": "end_round", "situation_id": "gm-in"})
        told.append(table.public())

    assert told[0] == told[1]


# Sealed and hidden scenes, ruling E4


# Hidden scenes


def scene(visibility: str, scene_id: str = "heist") -> Table:
    """Open a scene with a race for a door in it, all of it hidden."""
    table = Table()
    table.do({"type": "open_scene", "id": scene_id, "name": "Heist", "clock": 3, "visibility": visibility})
    race = {"kind": "race", "content": "exploration", "clock": 1, "level": 1, "difficulty": "hard"}
    table.do({"type": "start_situation", "id": "gm-run", "scene_id": scene_id, "name": "Run", **race})
    table.do({"type": "add_challenge", "id": "gm-door", "situation_id": "gm-run", "name": "Door", "kind": "barrier"})
    return table


HEIST_CHANGED = e.SealedChanged(kind=Kind.SCENE, id="heist", name="Heist")
END = {"type": "end_scene", "scene_id": "heist"}


def test_of_what_is_in_a_sealed_scene_everyone_hears_only_that_it_changed():
    table = scene("sealed")

    assert [record.event for record in table.records if record.channel is PUBLIC][-3:] == [
        e.SealedStarted(thing=Sealed(kind=Kind.SCENE, id="heist", name="Heist")),
        HEIST_CHANGED,
        HEIST_CHANGED,
    ]
    public = table.view_as(ANN).public
    assert (public.scenes, public.situations, public.challenges, public.clocks) == ({}, {}, {}, {})
    assert table.in_channel(PUBLIC, {"type": "attempt_effort", "challenge_id": "gm-door"}) == [HEIST_CHANGED]
    assert table.in_channel(PUBLIC, {"type": "end_round", "situation_id": "gm-run"}) == [HEIST_CHANGED]
    assert table.in_channel(PUBLIC, {"type": "travel", "scene_id": "heist"}) == [HEIST_CHANGED]


def test_what_is_in_a_hidden_scene_has_ids_that_only_the_gm_knows():
    table = scene("sealed")
    table.do({"type": "attempt_effort", "challenge_id": "gm-door"})
    order = {"type": "add_challenge", "situation_id": "gm-run", "name": "Lock", "kind": "puzzle"}

    assert table.refused({**order, "id": "lock"}).code is Code.ID_RESERVED
    assert list(table.view.efforts) == ["gm-effort-000000000001"]


def test_a_sealed_scene_is_shown_at_its_end_with_all_in_it():
    table = scene("sealed")
    table.do({"type": "attempt_effort", "challenge_id": "gm-door"})

    assert table.do(END)[:-1] == [
        e.RaceEnded(situation_id="gm-run", outcome=RaceOutcome.PARTIAL_SUCCESS, situation=1, threat=7, scene=3),
        HEIST_CHANGED,
        e.SceneEnded(scene_id="heist", outcome=SceneStatus.UNFINISHED),
        made_public("heist", Kind.SCENE),
    ]
    seen = table.view_as(WATCHER)
    assert seen.scenes["heist"].visibility is Visibility.PUBLIC
    assert seen.situations["gm-run"].status is SituationStatus.CLOSED
    assert sorted(seen.clocks) == ["gm-door-clock", "gm-run-clock", "heist-clock", "heist-threat"]
    assert {clock.visibility for clock in seen.clocks.values()} == {Visibility.PUBLIC}
    assert table.view.channels[Channel.GM].clocks == {}


def test_a_revealed_scene_goes_on_in_public():
    table = scene("gm", "gm-heist")
    table.do({"type": "attempt_effort", "challenge_id": "gm-door"})
    table.do({"type": "reveal", "thing_id": "gm-heist"})

    records = table.write({"type": "attempt_effort", "challenge_id": "gm-door", "success": True}, by=GM)

    assert {record.channel for record in records} == {PUBLIC}
    assert table.view.public.situations["gm-run"].outcome is RaceOutcome.SUCCESS


def test_what_is_taken_back_in_a_sealed_scene_is_a_change_and_the_scene_itself_is_shown_first():
    table = scene("sealed")
    cancel = {"type": "cancel", "thing_id": "gm-door", "reason": "x"}

    assert table.do(cancel) == [e.Cancelled(kind=Kind.CHALLENGE, id="gm-door", reason="x"), HEIST_CHANGED]
    records = table.write({**cancel, "thing_id": "heist"})

    assert [(record.channel, type(record.event)) for record in records] == [
        (Channel.GM, e.MadePublic),
        (PUBLIC, e.Revealed),
        (PUBLIC, e.Cancelled),
    ]
    assert table.view.scenes == {}
    assert table.view.clocks == {}
    assert table.view_as(ANN).sealed == {}


def test_a_gm_scene_is_taken_back_without_a_word():
    table = scene("gm", "gm-heist")

    assert table.in_channel(PUBLIC, {"type": "cancel", "thing_id": "gm-heist", "reason": "x"}) == []
    assert table.view.scenes == {}


def test_a_clock_that_everyone_sees_does_not_say_what_hidden_thing_moved_it():
    table = scene("gm", "gm-heist")
    table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 3})
    order = {"type": "introduce_complication", "situation_id": "gm-run", "text": "The mole talks.", "note": "secret"}

    moved = table.write({**order, "clock": {"clock_id": "bomb-clock", "by": 1}})

    assert [(record.channel, type(record.event).__name__) for record in moved] == [
        (Channel.GM, "ComplicationIntroduced"),
        (PUBLIC, "ClockTicked"),
    ]
    assert moved[1].event == e.ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=e.Cause.HIDDEN, value=2)


def test_a_hidden_complication_may_fail_a_race_that_everyone_sees_without_being_named():
    table = scene("gm", "gm-heist")
    table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 3})
    race = {"kind": "race", "content": "exploration", "clock": 1, "level": 1, "difficulty": "hard"}
    table.do({"type": "start_situation", "id": "chase", "scene_id": "bomb", "name": "Chase", **race})
    order = {"type": "introduce_complication", "situation_id": "gm-run", "text": "The mole talks."}

    public = table.in_channel(PUBLIC, {**order, "clock": {"clock_id": "bomb-threat", "by": 9}})

    assert [type(event) for event in public] == [e.ClockTicked, e.SituationFailed, e.RaceEnded]
    assert public[0] == e.ClockTicked(clock_id="bomb-threat", kind=ClockKind.THREAT, cause=e.Cause.HIDDEN, value=0)


def test_a_clock_of_the_hidden_scene_itself_says_that_a_complication_moved_it():
    table = scene("sealed")
    order = {"type": "introduce_complication", "situation_id": "gm-run", "text": "Fog."}

    assert table.do({**order, "clock": {"clock_id": "heist-threat", "by": 1}})[-1] == e.ClockTicked(
        clock_id="heist-threat", kind=ClockKind.THREAT, cause=e.Cause.COMPLICATION, value=7
    )
