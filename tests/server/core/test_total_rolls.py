"""Rolling totals: what is kept, and the number required. Rulings D1, D4 and D6."""

from typing import Any

import pytest

from dreadclock.rules.total import CrisisKind
from dreadclock.wire.errors import Code
from dreadclock.wire.events import Event, RequiredSet
from dreadclock.wire.things import TotalStatus
from kit.families.totals import at_table, failed, odds, order, proposed, require, roll_of, rolled, succeeded
from kit.tables import ANN, Table, loaded

ROLL = order("roll_total")


def roll(table: Table, *faces: int) -> list[Event]:
    return table.do(ROLL, by=ANN, dice=loaded(*faces))


# Rolling


@pytest.mark.rule("D4")
@pytest.mark.parametrize(("number", "met"), [(6, True), (7, True), (8, False), (99, False)])
def test_a_total_that_is_at_least_the_number_required_succeeds(number: int, met: bool):
    table = proposed()
    table.do(require(number))

    assert roll(table, 3, 4) == [roll_of(3, 4, enough=met), *([succeeded()] if met else [])]
    assert table.view.totals["leap"].status is (TotalStatus.SUCCEEDED if met else TotalStatus.ROLLED)


@pytest.mark.rule("E3")
@pytest.mark.parametrize("ending", [None, require(7), require(8), order("stop_pushing")], ids=str)
def test_a_roll_stands(ending: dict[str, Any] | None):
    table = rolled(3, 4)
    if ending is not None:
        table.do(ending)

    assert table.refusal(ROLL, by=ANN) == (Code.ROLL_STANDS, {"kind": "total", "id": "leap"})


@pytest.mark.rule("E1")
def test_physical_dice_are_marked_and_must_be_as_many_as_the_pool():
    table = proposed(table=at_table(physical_dice="everyone"))

    few, many = (table.refused({**ROLL, "faces": faces}, by=ANN) for faces in ([3], [3, 4, 5]))

    assert (few.code, few.details["needed"], few.details["given"]) == (Code.WRONG_FACES, 2, 1)
    assert (many.code, many.details["given"]) == (Code.WRONG_FACES, 3)
    assert table.do({**ROLL, "faces": [3, 4]}, by=ANN) == [roll_of(3, 4, physical=True)]
    assert table.view.totals["leap"].physical
    assert proposed().refused({**ROLL, "faces": [3, 4]}, by=ANN).code is Code.PHYSICAL_DICE_OFF


@pytest.mark.rule("E1")
def test_dice_of_the_server_carry_their_proof_and_count_in_the_lane_of_who_rolled():
    table = proposed()

    (record,) = table.write(ROLL, by=ANN, dice=loaded(3, 4))

    assert record.event.proof is not None  # type: ignore[union-attr]
    assert record.event.proof.lane == "seat/player-1/0"  # type: ignore[union-attr]
    assert table.view.public.lanes["seat/player-1/0"].used == 1


# The number required


@pytest.mark.rule("D-odds")
def test_an_open_number_comes_with_its_odds_for_everyone():
    table = proposed()

    assert table.do(require(11, crisis="mental")) == [
        RequiredSet(total_id="leap", required=11, crisis=CrisisKind.MENTAL, status=TotalStatus.READY, odds=odds(2, 11))
    ]
    assert odds(2, 11).reaches == "1/18"


def test_before_the_roll_the_number_may_be_named_any_number_of_times():
    table = proposed()
    for number in (7, 21, 8):
        table.do(require(number))

    assert table.view.totals["leap"].required == 8
    assert roll(table, 3, 4) == [roll_of(3, 4, enough=False)]


def test_a_number_named_anew_leaves_the_kind_of_crisis_at_stake():
    table = proposed()
    table.do(require(7, crisis="physical"))
    table.do(require(8))

    assert table.view.totals["leap"].crisis is CrisisKind.PHYSICAL


@pytest.mark.rule("D6", "D4")
@pytest.mark.parametrize(("number", "met"), [(7, True), (8, False)])
def test_a_number_named_after_the_roll_judges_it_at_once(number: int, met: bool):
    table = rolled(3, 4)

    events = table.do(require(number))

    judged = RequiredSet(total_id="leap", required=number, status=TotalStatus.ROLLED, enough=met, odds=odds(2, number))
    assert events == [judged, *([succeeded()] if met else [])]
    assert table.view.totals["leap"].enough is met


@pytest.mark.rule("E3")
def test_a_number_that_judged_a_roll_stands():
    before, after = rolled(3, 4, number=8), rolled(3, 4)
    after.do(require(8))
    offered = rolled(3, 4, number=8)
    offered.do(order("offer_push"))

    for table in (before, after, offered):
        assert table.refusal(require(7)) == (Code.REQUIRED_STANDS, {"id": "leap"})


@pytest.mark.parametrize(("number", "status"), [(7, "succeeded"), (8, "failed")])
def test_a_total_that_is_over_takes_no_number(number: int, status: str):
    table = rolled(3, 4, number=number)
    if status == "failed":
        assert table.do(order("stop_pushing")) == [failed()]

    assert table.refusal(require(9)) == (Code.ENDED, {"kind": "total", "id": "leap", "status": status})
