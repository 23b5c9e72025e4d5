"""How countdowns stop, grow and end. Rulings A4-A7."""

from typing import Any

import pytest

from dreadclock.wire import events as e
from dreadclock.wire.commands import StartCountdown
from dreadclock.wire.errors import Code
from dreadclock.wire.things import CountdownStatus
from kit.families.countdowns import BLIND_AT_2, CANCEL, END_TURN, PALE_AT_4, STABILIZE, roll, rolled, started
from kit.tables import Table, loaded


def replenish(dice: int) -> dict[str, object]:
    return {"type": "replenish_countdown", "countdown_id": "fever", "dice": dice}


RESUME = {"type": "resume_countdown", "countdown_id": "fever"}


# A8: a turn ends once, whoever ends it


@pytest.mark.rule("A8")
def test_a_turn_that_is_named_ends_once_however_many_end_it():
    table = Table()
    started(table, bound_to="turn")

    assert table.do({**END_TURN, "turn": 1}, dice=loaded(1, 1, 1, 1)) == [rolled((1, 1, 1, 1), 0), e.TurnEnded(turn=1)]

    refused = table.refused({**END_TURN, "turn": 1})
    assert refused.code is Code.OTHER_TURN
    assert refused.details == {"turn": 1, "now": 2}
    assert table.refused({**END_TURN, "turn": 3}).code is Code.OTHER_TURN


# A5: expired is over


def over(table: Table) -> None:
    started(table, pool=1, stabilizable=True, replenishable=True)
    table.do(roll(), dice=loaded(6))


@pytest.mark.rule("A5")
@pytest.mark.parametrize("order", [roll(), STABILIZE, replenish(3), CANCEL], ids=lambda order: order["type"])
def test_a5_an_expired_countdown_is_over(order: dict[str, Any]):
    table = Table()
    over(table)

    assert table.refusal(order) == (Code.NOT_RUNNING, {"id": "fever", "status": "expired"})


@pytest.mark.rule("A5")
def test_a5_an_expired_countdown_cannot_be_resumed():
    table = Table()
    over(table)

    assert table.refused(RESUME).code is Code.NOT_STABILIZED


@pytest.mark.rule("A5")
@pytest.mark.parametrize("roller", [roll(), END_TURN], ids=lambda order: order["type"])
def test_a5_help_that_comes_after_the_roll_of_its_turn_comes_too_late(roller: dict[str, Any]):
    table = Table()
    started(table, pool=1, replenishable=True, bound_to="turn", ending="Gone.")

    events = table.do(roller, dice=loaded(6))

    assert events[:2] == [rolled((6,), 1), e.CountdownExpired(countdown_id="fever", ending="Gone.")]
    assert table.refused(replenish(3)).details["status"] == "expired"


@pytest.mark.parametrize("order", [roll(), STABILIZE, replenish(3), CANCEL], ids=lambda order: order["type"])
def test_a_cancelled_countdown_is_over(order: dict[str, Any]):
    table = Table()
    started(table, stabilizable=True, replenishable=True)

    assert table.do(CANCEL) == [e.CountdownCancelled(countdown_id="fever", reason="a slip")]
    assert table.refused(order).details["status"] == "cancelled"


def test_what_is_over_is_not_rolled_when_the_turn_ends():
    table = Table()
    started(table, bound_to="turn")
    table.do(CANCEL)

    assert table.do(END_TURN) == [e.TurnEnded(turn=1)]


# A6: two permissions


@pytest.mark.rule("A6", "A-stabilize", "A-replenish")
def test_a6_stabilizing_and_replenishing_are_two_permissions():
    table = Table()
    started(table, replenishable=True)
    assert table.refused(STABILIZE).code is Code.NOT_STABILIZABLE
    assert table.do(replenish(1))

    table = Table()
    started(table, stabilizable=True)
    assert table.refused(replenish(1)).code is Code.NOT_REPLENISHABLE
    assert table.do(STABILIZE)


@pytest.mark.rule("A-stabilize")
def test_a_stabilized_countdown_is_rolled_by_nobody_until_it_is_resumed():
    table = Table()
    started(table, pool=1, stabilizable=True, bound_to="turn")

    assert table.do(STABILIZE) == [e.CountdownStabilized(countdown_id="fever")]
    assert table.refused(roll()).details["status"] == "stabilized"
    assert table.refused(STABILIZE).details["status"] == "stabilized"
    assert table.do(END_TURN) == [e.TurnEnded(turn=1)]
    assert table.do(RESUME) == [e.CountdownResumed(countdown_id="fever")]
    assert table.do(END_TURN, dice=loaded(1)) == [rolled((1,), 0, turn=2), e.TurnEnded(turn=2)]


def test_a_running_countdown_cannot_be_resumed():
    table = Table()
    started(table)

    assert table.refused(RESUME).code is Code.NOT_STABILIZED


# A4 and A7: replenishing


@pytest.mark.rule("A4", "A-replenish")
def test_a4_replenishing_above_a_stage_leaves_it_and_falling_to_it_triggers_it_again():
    table = Table()
    started(table, pool=3, replenishable=True, stages=[BLIND_AT_2])
    table.do(roll(), dice=loaded(6, 1, 1))

    assert table.do(replenish(2)) == [
        e.CountdownReplenished(countdown_id="fever", added=2, remaining=4),
        e.StageLeft(countdown_id="fever", at=2),
    ]
    assert table.do(roll(), dice=loaded(6, 6, 6, 1)) == [
        rolled((6, 6, 6, 1), 3),
        e.StageReached(countdown_id="fever", at=2, effect="blind"),
    ]


@pytest.mark.rule("A4")
def test_a4_stages_are_left_smallest_first_and_one_at_the_new_size_is_not_left():
    table = Table()
    started(table, pool=1, replenishable=True, stages=[PALE_AT_4, BLIND_AT_2])

    assert table.do(replenish(3))[1:] == [e.StageLeft(countdown_id="fever", at=2)]
    assert table.do(replenish(1))[1:] == [e.StageLeft(countdown_id="fever", at=4)]


@pytest.mark.rule("A4")
def test_a4_a_stage_at_the_starting_size_happens_once_it_was_left():
    table = Table()
    started(table, replenishable=True, stages=[PALE_AT_4])

    assert table.do(replenish(1))[1:] == [e.StageLeft(countdown_id="fever", at=4)]
    assert table.do(roll(), dice=loaded(6, 1, 1, 1, 1))[1:] == [
        e.StageReached(countdown_id="fever", at=4, effect="pale")
    ]


@pytest.mark.rule("A7", "E2")
def test_a7_replenishing_has_no_cap_but_the_pools():
    table = Table()
    started(table, pool=4, replenishable=True)

    assert table.refusal(replenish(57)) == (Code.POOL_TOO_LARGE, {"pool": 4, "dice": 57, "limit": 60})
    assert table.do(replenish(56)) == [e.CountdownReplenished(countdown_id="fever", added=56, remaining=60)]


@pytest.mark.rule("A7")
def test_a7_a_stabilized_countdown_may_be_replenished_and_stays_stabilized():
    table = Table()
    started(table, stabilizable=True, replenishable=True)
    table.do(STABILIZE)

    table.do(replenish(1))

    assert table.view.countdowns["fever"].status is CountdownStatus.STABILIZED
    assert table.view.countdowns["fever"].pool == 5


# What is remembered


def test_of_countdowns_that_ended_the_latest_32_are_remembered():
    table = Table()
    for number in range(34):
        table.do({"type": "start_countdown", "id": f"c{number}", "name": "C", "pool": 1})
        table.do({"type": "cancel_countdown", "countdown_id": f"c{number}"})

    table.do(StartCountdown(id="last", name="Last", pool=1))

    assert list(table.view.countdowns) == [*(f"c{number}" for number in range(2, 34)), "last"]
    assert table.refused(roll("c1")).code is Code.UNKNOWN


def test_an_id_is_never_used_twice_even_if_its_thing_is_forgotten():
    table = Table()
    started(table)
    table.do(CANCEL)

    refused = table.refused({"type": "start_clock", "id": "fever", "name": "Fever", "size": 4})

    assert (refused.code, refused.details) == (Code.ID_TAKEN, {"id": "fever"})
