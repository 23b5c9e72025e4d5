"""Clocks that stand for themselves, and the gm's hand on any."""

import pytest

from dreadclock.rules.clocks import Direction
from dreadclock.wire.base import Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.events import Cancelled, Cause, ClockAmended, ClockResized, ClockStarted, ClockTicked
from dreadclock.wire.things import Clock, ClockKind
from kit.families import voids
from kit.families.races import overcome, racing
from kit.tables import ANN, GM, Table

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


def test_a_clock_that_belongs_to_something_moves_with_it():
    table = voids.table_with(voids.SCENE, voids.RUN)

    cancelled = table.refusal({"type": "cancel", "thing_id": "bomb-clock", "reason": "x"})
    ticked = table.refusal(tick(clock_id="run-clock"))
    assert cancelled == (Code.NOT_FREE_STANDING, {"id": "bomb-clock", "kind": "scene"})
    assert ticked == (Code.NOT_FREE_STANDING, {"id": "run-clock", "kind": "situation"})


def test_a_refusal_to_tick_a_scenes_clock_names_what_moves_it():
    table = voids.table_with(voids.SCENE)

    refused = table.refused(tick(clock_id="bomb-clock"))

    assert (refused.code, refused.details) == (Code.SCENE_CLOCK, {"id": "bomb-clock"})
    assert all(word in refused.sentence for word in ("travel", "rest", "amend_clock"))


@pytest.mark.rule("E3")
def test_everyone_hears_of_an_amendment():
    table = started(owner=ANN.seat_id)

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


def back(by: int = 1, clock_id: str = "guards") -> dict[str, object]:
    return {**tick(by, clock_id), "back": True}


def enlarge(by: int = 1, clock_id: str = "guards") -> dict[str, object]:
    return {"type": "enlarge_clock", "clock_id": clock_id, "by": by}


@pytest.mark.rule("B15")
@pytest.mark.parametrize(("direction", "ticked", "grown"), [("down", (2, 3, 1), (8, 3)), ("up", (4, 3, 5), (8, 3))])
def test_b15_the_gm_moves_clocks_back_and_on(direction: str, ticked: tuple[int, int, int], grown: tuple[int, int]):
    table = started(direction=direction)
    table.do(tick(4))

    assert table.view.clocks["guards"].value == ticked[0]
    assert table.do(back()) == [at(ticked[1]).model_copy(update={"back": True})]
    [resized] = table.do(enlarge(2))

    size, value = grown[0], 5 if direction == "down" else 3
    assert resized == ClockResized(clock_id="guards", kind=ClockKind.FREE, cause=Cause.RULING, size=size, value=value)
    assert (table.view.clocks["guards"].size, table.view.clocks["guards"].value) == (size, value)


@pytest.mark.rule("B14", "B15")
@pytest.mark.parametrize("clock_id", ["bomb-clock", "run-clock", "door-clock"])
def test_b15_clocks_of_scenes_situations_and_challenges_move_back_and_grow(clock_id: str):
    table = racing(door=4)
    table.do(amend_to(clock_id, 1))

    table.do(back(1, clock_id))
    table.do(enlarge(10, clock_id))

    clock = table.view.clocks[clock_id]
    assert clock.value == 12
    assert clock.size == {"bomb-clock": 15, "run-clock": 13, "door-clock": 14}[clock_id]
    assert table.view.scenes["bomb"].typical is (clock_id == "bomb-clock")


def amend_to(clock_id: str, value: int) -> dict[str, object]:
    return {**amend(value), "clock_id": clock_id}


@pytest.mark.rule("B15")
def test_b15_only_an_amendment_moves_a_threat_back_and_never_above_its_start():
    table = racing(threat=9)
    effects = ({"by": -1}, {"enlarge": 1}, {"by": 3, "enlarge": 1})

    orders = [back(1, "bomb-threat"), enlarge(1, "bomb-threat")]
    orders += [complication({"clock_id": "bomb-threat", **effect}) for effect in effects]

    for order in orders:
        assert table.refusal(order) == (Code.THREAT_STANDS, {"id": "bomb-threat", "size": 15})
    assert table.refused(amend_to("bomb-threat", 16)).code is Code.BEYOND_SIZE
    assert table.do(amend_to("bomb-threat", 15))


def complication(effect: dict[str, object]) -> dict[str, object]:
    return {"type": "introduce_complication", "scene_id": "bomb", "text": "Fog.", "clock": effect}


@pytest.mark.rule("B15")
@pytest.mark.parametrize(
    ("clock_id", "stands", "by", "would"),
    [
        ("guards", 0, 1, "moving it back, or enlarging it"),
        ("guards", 6, -1, "moving it on, or enlarging it"),
        ("guards", 3, 0, "moving it on or back, or enlarging it"),
        ("bomb-clock", 5, -2, "moving it on, or enlarging it"),
        ("bomb-threat", 9, 0, "moving it on"),
        ("bomb-threat", 0, 1, "an amendment"),
    ],
)
def test_b15_a_complication_without_effect_is_refused_with_what_would(clock_id: str, stands: int, by: int, would: str):
    table = racing()
    table.do(START)
    table.do(amend_to(clock_id, stands))

    refused = table.refused(complication({"clock_id": clock_id, "by": by}))

    assert (refused.code, refused.details["value"], refused.details["would"]) == (Code.CLOCK_STANDS, stands, would)


@pytest.mark.rule("B15")
def test_b15_bad_wishes_for_clocks_are_refused():
    table = racing()
    table.do({**START, "owner": ANN.seat_id})
    table.do(overcome("door"))

    assert table.refused(back(), by=ANN).code is Code.NOT_ALLOWED
    assert table.refused(back()).details["would"] == "moving it on, or enlarging it"
    assert table.refused(enlarge(94)).details == {"size": 6, "by": 94, "limit": 99}
    for order in (back(1, "door-clock"), enlarge(1, "door-clock")):
        assert table.refused(order).code is Code.ENDED


@pytest.mark.rule("B15", "E2")
def test_b15_a_clock_at_its_end_goes_on_only_where_the_room_holds_one_more():
    table = started()
    table.do(tick(6))
    for number in range(64):
        table.do({"type": "start_clock", "id": f"c{number}", "name": "C", "size": 2})

    for order in (back(), enlarge(), amend(1)):
        assert table.refused(order).code is Code.TOO_MANY
    table.do(tick(2, "c0"))
    assert table.do(back())


def test_a_clock_started_by_mistake_is_taken_back():
    table = started()

    assert table.do({"type": "cancel", "thing_id": "guards", "reason": "x"}) == [
        Cancelled(kind=Kind.CLOCK, id="guards", reason="x")
    ]
    assert table.view.clocks == {}
    assert table.refused(tick()).code is Code.UNKNOWN
    assert table.refused(START).code is Code.ID_TAKEN


def test_of_clocks_at_their_end_the_latest_32_are_remembered():
    table = Table()
    for number in range(34):
        table.do({"type": "start_clock", "id": f"c{number}", "name": "C", "size": 1})
        table.do(tick(clock_id=f"c{number}"))

    table.do(START)

    assert list(table.view.clocks) == [*(f"c{number}" for number in range(2, 34)), "guards"]
