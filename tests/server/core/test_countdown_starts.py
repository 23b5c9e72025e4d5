"""How countdowns start. Rulings A1 and E2."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from dreadclock.rules.countdown import Speed
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import COMMAND
from dreadclock.wire.errors import Code
from dreadclock.wire.events import ConsequenceAttached, CountdownStarted
from dreadclock.wire.things import BoundTo, Countdown, Stage
from kit.families.countdowns import BLIND_AT_2, CANCEL, PALE_AT_4, STABILIZE, roll, rolled
from kit.tables import ANN, BO, GM, Table, command_of, loaded


def started(table: Table, **fields: Any) -> None:
    table.do({"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 4, **fields}, by=fields.pop("by", GM))


@pytest.mark.rule("A-start")
def test_a_countdown_starts_with_all_that_is_said_of_it():
    table = Table()
    order = {
        "type": "start_countdown",
        "id": "fever",
        "name": "Fever",
        "pool": 6,
        "speed": "fast",
        "stages": [BLIND_AT_2],
        "ending": "She dies.",
        "owner": "player-1",
        "stabilizable": True,
        "replenishable": True,
        "bound_to": "turn",
        "note": "From the well.",
    }

    events = table.do(order)

    fever = Countdown(
        id="fever",
        name="Fever",
        pool=6,
        started_with=6,
        speed=Speed.FAST,
        stages=(Stage(at=2, effect="blind"),),
        ending="She dies.",
        owner="player-1",
        stabilizable=True,
        replenishable=True,
        bound_to=BoundTo.TURN,
        started=table.room.seq(Channel.PUBLIC),
    )
    assert events == [CountdownStarted(countdown=fever, note="From the well.")]
    assert table.view.countdowns == {"fever": fever}


@pytest.mark.rule("A-start", "A12")
def test_a_countdown_is_slow_bound_to_the_turn_and_unstoppable_by_default():
    table = Table()

    [event] = table.do({"type": "start_countdown", "name": "Fever", "pool": 1})

    assert isinstance(event, CountdownStarted)
    fever = event.countdown
    assert (fever.id, fever.speed, fever.bound_to, fever.owner) == ("countdown-1", Speed.SLOW, BoundTo.TURN, None)
    assert not fever.stabilizable
    assert not fever.replenishable


@pytest.mark.rule("A12", "E5")
def test_a_stored_consequence_without_a_binding_starts_a_countdown_that_is_bound_to_nothing():
    stored = {"id": "flood", "of": {"kind": "clock", "id": "water"}, "when": {"when": "end"}}
    starts = {"does": "start", "countdown": {"name": "Tide", "pool": 3}}
    table = Table()
    table.do({"type": "start_clock", "id": "water", "name": "Water", "size": 1})
    event = {"type": "consequence_attached", "consequence": {**stored, "do": [starts]}}
    table.happen(ConsequenceAttached.model_validate_json(json.dumps(event)))

    table.do({"type": "tick_clock", "clock_id": "water"})

    assert [one.bound_to for one in table.view.countdowns.values()] == [BoundTo.NOTHING]


def test_a_countdown_that_a_player_starts_is_her_own():
    table = Table()
    order = {"type": "start_countdown", "name": "Fever", "pool": 1}

    table.do({**order, "id": "fever"}, by=ANN)

    assert table.view.countdowns["fever"].owner == ANN.seat_id
    assert table.refused({**order, "owner": BO.seat_id}, by=ANN).code is Code.NOT_ALLOWED
    assert table.refused({**order, "owner": "player-9"}).code is Code.UNKNOWN


def test_a_player_starts_none_where_the_policy_keeps_them_to_the_gm():
    table = Table(player_countdowns=False)
    order = {"type": "start_countdown", "name": "Fever", "pool": 1}

    assert table.refused(order, by=ANN).code is Code.NOT_ALLOWED
    assert table.do(order, by=GM)


@pytest.mark.rule("A1", "A-start", "E2")
@pytest.mark.parametrize("pool", [0, 61, -1])
def test_a1_and_e2_a_pool_has_1_to_60_dice(pool: int):
    with pytest.raises(ValidationError):
        COMMAND.validate_python({"type": "start_countdown", "name": "Fever", "pool": pool})


@pytest.mark.rule("E2", "A3")
def test_e2_a_pool_may_have_all_of_60_dice_and_a_stage_at_60():
    table = Table()

    table.do({"type": "start_countdown", "id": "fever", "name": "F", "pool": 60, "stages": [{"at": 60, "effect": "x"}]})

    assert table.do(roll(), dice=loaded(*[1] * 59, 6)) == [rolled((*[1] * 59, 6), 1)]


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    "stages", [[{"at": 0, "effect": "x"}], [{"at": 61, "effect": "x"}], [{"at": 2}], [BLIND_AT_2] * 25]
)
def test_e2_stages_stand_at_1_to_60_dice_and_there_are_at_most_24(stages: list[dict[str, Any]]):
    with pytest.raises(ValidationError):
        command_of({"type": "start_countdown", "name": "Fever", "pool": 30, "stages": stages})


@pytest.mark.rule("E2")
def test_e2_24_stages_are_taken():
    table = Table()
    stages = [{"at": at, "effect": f"stage {at}"} for at in range(1, 25)]

    table.do({"type": "start_countdown", "name": "Fever", "pool": 30, "stages": stages})

    assert len(table.view.countdowns["countdown-1"].stages) == 24


def test_two_stages_at_one_size_are_refused():
    order = {"type": "start_countdown", "name": "Fever", "pool": 4, "stages": [BLIND_AT_2, PALE_AT_4, BLIND_AT_2]}

    assert Table().refusal(order) == (Code.STAGE_TWICE, {"at": 2})


@pytest.mark.rule("E2")
def test_e2_a_room_holds_64_running_countdowns_and_those_that_ended_do_not_count():
    table = Table()
    order = {"type": "start_countdown", "name": "Fever", "pool": 1}
    for _ in range(63):
        table.do(order)
    table.do({**order, "id": "fever", "stabilizable": True})
    table.do(STABILIZE)

    refused = table.refused(order)
    table.do(CANCEL)

    assert (refused.code, refused.details["limit"]) == (Code.TOO_MANY, 64)
    assert table.do(order)
