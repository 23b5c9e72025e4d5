"""Clocks, threat budgets and the end of a race."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import (
    Difficulty,
    Direction,
    RaceOutcome,
    average_level,
    difficulty_of,
    is_done,
    is_typical_scene,
    race_outcome,
    threat_budget,
    tick,
)

ticks = st.integers(0, 99)


def fold(value: int, *steps: int) -> list[int]:
    """List the values of a clock that runs down, after each of some ticks."""
    values = []
    for by in steps:
        value = tick(value, by, 99, Direction.DOWN)
        values.append(value)
    return values


@pytest.mark.rule("B-budget")
@pytest.mark.parametrize(
    ("levels", "hard", "normal", "easy"), [((1, 2, 3), 8, 15, 20), ((4, 5, 6), 12, 20, 30), ((7, 8, 9), 16, 25, 40)]
)
def test_the_threat_budget_of_every_level_and_difficulty(levels: tuple[int, ...], hard: int, normal: int, easy: int):
    for level in levels:
        assert threat_budget(level, Difficulty.HARD) == hard
        assert threat_budget(level, Difficulty.NORMAL) == normal
        assert threat_budget(level, Difficulty.EASY) == easy


@pytest.mark.rule("B5")
@pytest.mark.parametrize("level", [0, 10, -1])
def test_b5_levels_outside_1_to_9_are_refused(level: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 9"):
        threat_budget(level, Difficulty.NORMAL)
    with pytest.raises(ValueError, match="from 1 to 9"):
        average_level([3, level])


@pytest.mark.rule("B5")
@pytest.mark.parametrize(
    ("levels", "average"),
    [([3], 3), ([1, 2], 2), ([2, 3], 3), ([1, 1, 2], 1), ([1, 2, 2], 2), ([2, 3, 3, 4, 4, 5], 4), ([1, 1, 1, 2, 2], 1)],
)
def test_b5_the_average_of_the_party_is_rounded_to_the_nearest_level_halves_up(levels: list[int], average: int) -> None:
    assert average_level(levels) == average


def test_a_party_without_characters_has_no_average() -> None:
    with pytest.raises(ValueError, match="without characters"):
        average_level([])


@pytest.mark.rule("B-difficulty")
@pytest.mark.parametrize(
    ("modifier", "difficulty"),
    [(2, Difficulty.HARD), (1, Difficulty.HARD), (0, Difficulty.NORMAL), (-1, Difficulty.EASY), (-2, Difficulty.EASY)],
)
def test_the_level_modifier_names_the_difficulty(modifier: int, difficulty: Difficulty) -> None:
    assert difficulty_of(modifier) is difficulty


@pytest.mark.rule("B5")
@pytest.mark.parametrize("modifier", [3, -3, 8, -8])
def test_b5_a_modifier_beyond_two_names_no_difficulty(modifier: int) -> None:
    assert difficulty_of(modifier) is None


@pytest.mark.rule("B-outcome", "B2")
@pytest.mark.parametrize(
    ("situation", "threat", "scene", "outcome"),
    [
        pytest.param(0, 10, 4, RaceOutcome.SUCCESS, id="won"),
        pytest.param(0, 1, 5, RaceOutcome.SUCCESS, id="won with less threat than scene"),
        pytest.param(1, 0, 0, RaceOutcome.FAILURE, id="no threat and no scene left"),
        pytest.param(1, 0, 5, RaceOutcome.FAILURE, id="no threat left"),
        pytest.param(1, 6, 5, RaceOutcome.PARTIAL_SUCCESS, id="open with more threat than scene"),
        pytest.param(1, 5, 5, RaceOutcome.FAILURE, id="open with as much threat as scene"),
        pytest.param(1, 4, 5, RaceOutcome.FAILURE, id="open with less threat than scene"),
        pytest.param(1, 3, 0, RaceOutcome.PARTIAL_SUCCESS, id="open at scene 0"),
    ],
)
def test_a_race_ends_as_its_clocks_stand(situation: int, threat: int, scene: int, outcome: RaceOutcome) -> None:
    assert race_outcome(situation, threat, scene) is outcome


@pytest.mark.rule("B11")
@pytest.mark.parametrize(("direction", "end"), [(Direction.DOWN, 0), (Direction.UP, 6)])
def test_b11_a_tick_at_the_end_changes_nothing(direction: Direction, end: int) -> None:
    assert is_done(end, 6, direction)
    assert tick(end, 1, 6, direction) == end


def test_a_negative_tick_turns_the_clock_back_no_further_than_its_start() -> None:
    assert tick(4, -1, 6, Direction.DOWN) == 5
    assert tick(4, -9, 6, Direction.DOWN) == 6
    assert tick(4, -9, 6, Direction.UP) == 0


@given(st.sampled_from(Direction), st.integers(1, 99), st.lists(ticks, max_size=20))
def test_many_small_ticks_are_one_big_tick(direction: Direction, size: int, steps: list[int]) -> None:
    start = size if direction is Direction.DOWN else 0

    value = start
    for by in steps:
        value = tick(value, by, size, direction)

    assert value == tick(start, sum(steps), size, direction)
    assert is_done(value, size, direction) == (sum(steps) >= size)


@pytest.mark.rule("B-scene")
def test_a_scene_is_typical_from_8_to_15_points() -> None:
    assert [size for size in range(1, 100) if is_typical_scene(size)] == list(range(8, 16))


@pytest.mark.rule("B-example")
def test_the_worked_race_is_won_at_scene_4_and_threat_10() -> None:
    efforts_and_rounds = fold(15, 1, 1, 1, 1, 1)
    challenges = fold(3, 1, 1, 1)
    scene = fold(5, 1)

    assert efforts_and_rounds == [14, 13, 12, 11, 10]
    assert challenges == [2, 1, 0]
    assert scene == [4]
    assert race_outcome(challenges[-1], efforts_and_rounds[-1], scene[-1]) is RaceOutcome.SUCCESS
