"""Clocks that stand for themselves, and the gm's hand on any."""

import pytest

from dreadclock.rules.clocks import Direction
from dreadclock.wire.base import Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.events import Cancelled, Cause, ClockAmended, ClockStarted, ClockTicked
from dreadclock.wire.things import Clock, ClockKind
from kit.tables import ANN, BO, CLERK, GM, Table

START = {"type": "start_clock", "id": "guards", "name": "Guards", "size": 6}


def tick(by: int = 1, clock_id: str = "guards") -> dict[str, object]:
    return {"type": "tick_clock", "clock_id": clock_id, "by": by}


def amend(value: int) -> dict[str, object]:
    return {"type": "amend_clock", "clock_id": "guards", "value": value, "reason": "a slip"}


def at(value: int, cause: Cause = Cause.TICK) -> ClockTicked:
    return ClockTicked(clock_id="guards", kind=ClockKind.FREE, cause=cause, value=value)


def started(**fields: object) -> Table:
    table = Table()
    table.do({**START, **fields})
    return table


def test_a_clock_runs_down_unless_said_otherwise():
    table = Table()

    assert table.do(START) == [
        ClockStarted(clock=Clock(id="guards", kind=ClockKind.FREE, name="Guards", size=6, value=6))
    ]
    assert table.do(tick()) == [at(5)]
    assert table.do(tick(3)) == [at(2)]


def test_a_clock_may_run_up():
    table = Table()

    assert table.do({**START, "direction": "up", "owner": ANN.seat_id}) == [
        ClockStarted(
            clock=Clock(
                id="guards",
                kind=ClockKind.FREE,
                name="Guards",
                size=6,
                value=0,
                direction=Direction.UP,
                owner=ANN.seat_id,
            )
        )
    ]
    assert table.do(tick(4)) == [at(4)]
    assert table.do(tick(4)) == [at(6)]
    assert table.view.clocks["guards"].done


@pytest.mark.rule("B11")
@pytest.mark.parametrize("direction", ["down", "up"])
def test_b11_a_tick_at_the_end_is_an_ack_without_events(direction: str):
    table = started(direction=direction)
    table.do(tick(99))

    assert table.do(tick()) == []


def test_a_clock_that_a_player_starts_is_her_own_to_tick():
    table = Table()
    table.do(START, by=ANN)

    assert table.do(tick(), by=ANN) == [at(5)]
    assert table.do(tick(), by=GM) == [at(4)]
    assert table.refused(tick(), by=BO).code is Code.NOT_ALLOWED
    assert table.refused(tick(), by=CLERK).code is Code.NOT_ALLOWED


def test_a_clock_that_belongs_to_something_moves_with_it():
    table = Table()
    table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 5})

    for order in (tick(clock_id="bomb-clock"), {"type": "cancel", "thing_id": "bomb-clock", "reason": "x"}):
        refused = table.refused(order)
        assert (refused.code, refused.details) == (Code.NOT_FREE_STANDING, {"id": "bomb-clock", "kind": "scene"})


@pytest.mark.rule("E3")
def test_only_the_gm_amends_and_everyone_hears_of_it():
    table = started(owner=ANN.seat_id)

    assert table.refused(amend(2), by=ANN).code is Code.NOT_ALLOWED
    [record] = table.write(amend(2))
    assert (record.channel, record.event) == (
        "public",
        ClockAmended(clock_id="guards", kind=ClockKind.FREE, value=2, reason="a slip"),
    )


def test_a_clock_at_its_end_can_be_amended_and_ticks_on():
    table = started()
    table.do(tick(6))

    assert table.do(amend(1)) == [ClockAmended(clock_id="guards", kind=ClockKind.FREE, value=1, reason="a slip")]
    assert table.do(tick()) == [at(0)]


def test_a_clock_started_by_mistake_is_taken_back():
    table = started()

    assert table.do({"type": "cancel", "thing_id": "guards", "reason": "x"}) == [
        Cancelled(kind=Kind.CLOCK, id="guards", reason="x")
    ]
    assert table.view.clocks == {}
    assert table.refused(tick()).code is Code.UNKNOWN
    assert table.refused(START).code is Code.ID_TAKEN


def test_what_is_not_there_cannot_be_taken_back():
    assert Table().refused({"type": "cancel", "thing_id": "guards", "reason": "x"}).code is Code.UNKNOWN


def test_a_room_holds_64_clocks_under_way():
    table = Table()
    for number in range(64):
        table.do({"type": "start_clock", "id": f"c{number}", "name": "C", "size": 1})

    refused = table.refused(START)
    table.do(tick(clock_id="c0"))

    assert (refused.code, refused.details["limit"]) == (Code.TOO_MANY, 64)
    assert table.do(START)


def test_of_clocks_at_their_end_the_latest_32_are_remembered():
    table = Table()
    for number in range(34):
        table.do({"type": "start_clock", "id": f"c{number}", "name": "C", "size": 1})
        table.do(tick(clock_id=f"c{number}"))

    table.do(START)

    assert list(table.view.clocks) == [*(f"c{number}" for number in range(2, 34)), "guards"]
