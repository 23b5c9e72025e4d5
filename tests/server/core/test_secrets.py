"""Sealed countdowns, ruling E4."""

from typing import Any

import pytest

from dreadclock.rules.countdown import Speed
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, RollProof, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.things import Countdown, CountdownStatus, HiddenRoll, Lane, Sealed
from kit.families.countdowns import GAS, gas, reveal
from kit.tables import ANN, KEY, WATCHER, Table, loaded

pytestmark = pytest.mark.rule("E4")

PUBLIC = Channel.PUBLIC
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


def made_public(thing_id: str, kind: Any = Kind.COUNTDOWN) -> e.MadePublic:
    return e.MadePublic(kind=kind, id=thing_id)


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
