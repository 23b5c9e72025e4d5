"""Countdowns: what a roll removes, and which stages a fall or a replenish passes."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import Speed, crossed, left, roll
from dreadclock.rules.due import RollState, roll_state
from kit.due_vectors import FILE, cases

pools = st.integers(0, 60)
stage_sizes = st.lists(st.integers(0, 60), max_size=24)


@pytest.mark.rule("A-faces", "A-odds")
@pytest.mark.parametrize(
    ("speed", "expiring", "stay"),
    [
        (Speed.SLOW, {6}, Fraction(5, 6)),
        (Speed.MEDIUM, {5, 6}, Fraction(2, 3)),
        (Speed.FAST, {4, 5, 6}, Fraction(1, 2)),
    ],
)
def test_each_speed_names_the_faces_that_leave_and_the_chance_to_stay(speed: Speed, expiring: set[int], stay: Fraction):
    assert speed.expiring == expiring
    assert speed.stay == stay


@pytest.mark.rule("A5")
def test_a1_a5_a_countdown_without_dice_cannot_be_rolled() -> None:
    with pytest.raises(ValueError, match="without dice"):
        roll(Speed.SLOW, ())


@pytest.mark.parametrize("face", [0, 7, -1])
def test_what_no_die_can_show_is_refused(face: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 6"):
        roll(Speed.FAST, (3, face))


@given(st.sampled_from(Speed), st.lists(st.integers(1, 6), min_size=1, max_size=60))
def test_dice_that_leave_and_dice_that_remain_are_all_the_dice(speed: Speed, faces: list[int]) -> None:
    rolled = roll(speed, faces)

    assert rolled.removed + rolled.remaining == len(faces)
    assert rolled.removed == sum(faces.count(face) for face in speed.expiring)


@pytest.mark.rule("A-stages", "A2", "A3")
@pytest.mark.parametrize(
    ("stages", "before", "after", "reached"),
    [
        pytest.param([2], 5, 1, (2,), id="a stage that a roll jumps over"),
        pytest.param([0, 3, 1, 4], 5, 0, (4, 3, 1, 0), id="several at once, largest first"),
        pytest.param([3], 4, 3, (3,), id="exactly the size reached"),
        pytest.param([2], 4, 3, (), id="below the size reached"),
        pytest.param([5, 4], 5, 4, (4,), id="exactly the starting size"),
        pytest.param([5, 4, 3], 4, 4, (), id="nothing was removed"),
    ],
)
def test_a_fall_reaches_the_stages_that_it_passes(stages: list[int], before: int, after: int, reached: tuple[int, ...]):
    assert crossed(stages, before, after) == reached


def test_a_stage_is_named_once_however_often_it_is_listed() -> None:
    assert crossed([2, 2], before=3, after=2) == (2,)
    assert left([2, 2], before=2, after=3) == (2,)


@pytest.mark.rule("A4")
@given(stage_sizes, pools, pools)
def test_a_fall_and_a_replenish_back_pass_the_same_stages(stages: list[int], one: int, other: int) -> None:
    low, high = sorted((one, other))

    assert crossed(stages, high, low) == tuple(reversed(left(stages, low, high)))


@pytest.mark.rule("A2")
@given(stage_sizes, st.tuples(pools, pools, pools))
def test_a_fall_in_two_steps_reaches_what_one_fall_reaches(stages: list[int], sizes: tuple[int, int, int]) -> None:
    low, middle, high = sorted(sizes)

    assert crossed(stages, high, middle) + crossed(stages, middle, low) == crossed(stages, high, low)


@pytest.mark.rule("A-faces", "A2", "A4")
def test_the_worked_bridge_of_the_documentation_comes_down_as_told() -> None:
    stages = [3, 1, 0]

    falls = [
        (before, roll(Speed.MEDIUM, faces).remaining)
        for before, faces in [(5, (5, 2, 6, 1, 4)), (3, (3, 3, 1)), (5, (6, 5, 6, 5, 2)), (1, (4,)), (1, (5,))]
    ]

    assert falls == [(5, 3), (3, 3), (5, 1), (1, 1), (1, 0)]
    assert [crossed(stages, before, after) for before, after in falls] == [(3,), (), (3, 1), (), (0,)]
    assert left(stages, before=3, after=5) == (3,)


# Whether a countdown was rolled in its turn or round, or is due; tests/js/due.test.mjs reads the same vectors


NOW: dict[str, Any] = {"goes_on": True, "turn": 3, "period": 5}
FREE, DUE, ROLLED = RollState.FREE, RollState.DUE, RollState.ROLLED


def at(turn: int, period: int) -> dict[str, Any]:
    return {"rolled_turn": turn, "rolled_period": period}


@pytest.mark.rule("A8")
def test_a8_what_is_bound_to_the_turn_is_rolled_once_a_turn():
    assert roll_state("turn", **NOW, **at(2, 0)) is DUE
    assert roll_state("turn", **NOW, **at(3, 0)) is ROLLED
    assert roll_state("nothing", **NOW, **at(3, 5)) is FREE


@pytest.mark.rule("A12", "B20")
@pytest.mark.parametrize("bound_to", ["rounds", "scene"])
def test_nothing_rolls_what_is_bound_to_what_is_over_or_set_aside(bound_to: str):
    assert roll_state(bound_to, **{**NOW, "goes_on": False}, **at(3, 5)) is FREE
    assert roll_state(bound_to, **{**NOW, "goes_on": False}, **at(3, 5), at_turn_end=True) is FREE


@pytest.mark.rule("A12")
def test_a_round_may_last_for_several_turns_and_the_end_of_a_turn_rolls_nothing_of_it():
    assert roll_state("rounds", **NOW, **at(2, 5)) is ROLLED
    assert roll_state("rounds", **NOW, **at(3, 4)) is DUE
    assert roll_state("rounds", **NOW, **at(2, 4), at_turn_end=True) is FREE


@pytest.mark.rule("A12", "B19")
def test_the_end_of_the_whole_turn_rolls_what_is_bound_to_a_scene_once_a_turn():
    assert roll_state("scene", **NOW, **at(3, 4)) is DUE
    assert roll_state("scene", **NOW, **at(3, 4), at_turn_end=True) is ROLLED
    assert roll_state("scene", **NOW, **at(2, 5)) is DUE
    assert roll_state("scene", **NOW, **at(2, 5), at_turn_end=True) is DUE
    assert roll_state("scene", **NOW, **at(3, 5)) is ROLLED


def test_the_vectors_hold_every_case_and_what_comes_of_it():
    vectors = json.loads(FILE.read_text(encoding="utf-8"))

    assert [vector["given"] for vector in vectors] == cases()
    assert [vector["gives"] for vector in vectors] == [roll_state(**vector["given"]) for vector in vectors]
    assert {vector["gives"] for vector in vectors} == set(RollState)
