"""Clocks, scenes and races: in a race, the party must win a situation before the threat clock is empty. Source: B."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from dreadclock.rules.limits import MAX_LEVEL, MIN_LEVEL


class Difficulty(StrEnum):
    """The difficulty of a race: it decides how many points the threat clock gets."""

    HARD = "hard"
    NORMAL = "normal"
    EASY = "easy"


class RaceOutcome(StrEnum):
    """How a race ended."""

    SUCCESS = "success"
    PARTIAL_SUCCESS = "partial_success"
    FAILURE = "failure"


class Direction(StrEnum):
    """The direction of a clock: down to 0, or up to its size."""

    DOWN = "down"
    UP = "up"


_LEVELS_PER_ROW: Final = 3
_THREAT_BUDGET: Final = {
    Difficulty.HARD: (8, 12, 16),
    Difficulty.NORMAL: (15, 20, 25),
    Difficulty.EASY: (20, 30, 40),
}
_DIFFICULTY: Final = {
    2: Difficulty.HARD,
    1: Difficulty.HARD,
    0: Difficulty.NORMAL,
    -1: Difficulty.EASY,
    -2: Difficulty.EASY,
}
_TYPICAL_SCENE: Final = range(8, 16)


def threat_budget(level: int, difficulty: Difficulty) -> int:
    """Return the points with which a scene's threat clock starts.

    `level`: the level of the situation, 1-9. Raises ValueError for another level.
    Source: rules.md B5 and B8.
    """
    _check_level(level)
    return _THREAT_BUDGET[difficulty][(level - MIN_LEVEL) // _LEVELS_PER_ROW]


def average_level(levels: Sequence[int]) -> int:
    """Return the average level of a party, rounded to the nearest whole number. Halves are rounded up.

    `levels`: one per character in play (B12), each 1-9.
    Raises ValueError if `levels` is empty or has a level outside 1-9.
    Source: rules.md B5.
    """
    if not levels:
        raise ValueError("A party without characters has no average level.")
    for level in levels:
        _check_level(level)
    return (2 * sum(levels) + len(levels)) // (2 * len(levels))


def difficulty_of(modifier: int) -> Difficulty | None:
    """Return the difficulty of a race. None if `modifier` is beyond +-2: then the gm must choose the difficulty.

    `modifier`: the situation's level minus the party's average level.
    Source: rules.md B5.
    """
    return _DIFFICULTY.get(modifier)


def race_outcome(situation: int, threat: int, scene: int) -> RaceOutcome:
    """Return the outcome of a race that has ended, or whose scene ends now.

    `situation`, `threat`, `scene`: the points left on these clocks. A situation with 0 points left is won, whatever
    the threat clock shows. Not for a race that the threat has ended already. Source: rules.md B2 and B4.
    """
    if situation == 0:
        return RaceOutcome.SUCCESS
    if threat > scene:
        return RaceOutcome.PARTIAL_SUCCESS
    return RaceOutcome.FAILURE


def tick(value: int, by: int, size: int, direction: Direction) -> int:
    """Return a clock's value after it moves `by` points towards its end. The value never leaves 0 to `size`.

    A clock at its end goes no further (B11). A negative `by` moves the clock back.
    """
    moved = value - by if direction is Direction.DOWN else value + by
    return min(max(moved, 0), size)


def enlarged(value: int, by: int, direction: Direction) -> int:
    """Return a clock's value after its size grows by `by` points.

    The value of a clock that runs down grows by as many points. Source: rules.md B15.
    """
    return value + by if direction is Direction.DOWN else value


def is_done(value: int, size: int, direction: Direction) -> bool:
    """Tell whether a clock is at its end: 0 if it runs down, its size if it runs up."""
    return value <= 0 if direction is Direction.DOWN else value >= size


def is_typical_scene(size: int) -> bool:
    """Tell whether a scene clock has a typical size, 8 to 15 points. Source: rules.md B."""
    return size in _TYPICAL_SCENE


def _check_level(level: int) -> None:
    if not MIN_LEVEL <= level <= MAX_LEVEL:
        raise ValueError(f"A level must be from {MIN_LEVEL} to {MAX_LEVEL}, not {level}.")
