"""Clocks, scenes and races. Source: rules.md B."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from dreadclock.rules.limits import MAX_LEVEL, MIN_LEVEL


class Difficulty(StrEnum):
    """How tight a race is."""

    HARD = "hard"
    NORMAL = "normal"
    EASY = "easy"


class RaceOutcome(StrEnum):
    """How a race ended."""

    SUCCESS = "success"
    PARTIAL_SUCCESS = "partial_success"
    FAILURE = "failure"


class Direction(StrEnum):
    """Which way a clock runs: down to 0, or up to its size."""

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
    """Give the points a scene's threat clock starts with.

    `level`: the situation's, 1-9. Raises ValueError if it is outside.
    Source: rules.md B5 and B8.
    """
    _check_level(level)
    return _THREAT_BUDGET[difficulty][(level - MIN_LEVEL) // _LEVELS_PER_ROW]


def average_level(levels: Sequence[int]) -> int:
    """Average the levels of a party, rounded to the nearest whole number, halves up.

    `levels`: one per character in play (B12), each 1-9.
    Raises ValueError if there are none, or one is outside.
    Source: rules.md B5.
    """
    if not levels:
        raise ValueError("A party without characters has no average level.")
    for level in levels:
        _check_level(level)
    return (2 * sum(levels) + len(levels)) // (2 * len(levels))


def difficulty_of(modifier: int) -> Difficulty | None:
    """Name the difficulty of a race, or None beyond +-2, where the gm must name it.

    `modifier`: the situation's level minus the party's average level.
    Source: rules.md B5.
    """
    return _DIFFICULTY.get(modifier)


def race_outcome(situation: int, threat: int, scene: int) -> RaceOutcome:
    """Judge a race when it ends by itself or its scene is ended.

    All three are the points left on their clocks. A won situation counts before anything else,
    because a race that the threat had ended earlier is not judged again.
    Source: rules.md B2 and B4.
    """
    if situation == 0:
        return RaceOutcome.SUCCESS
    if threat > scene:
        return RaceOutcome.PARTIAL_SUCCESS
    return RaceOutcome.FAILURE


def tick(value: int, by: int, size: int, direction: Direction) -> int:
    """Move a clock `by` points towards its end, never beyond 0 or `size`.

    A tick at the end leaves it there (B11). A negative `by` turns the clock back.
    """
    moved = value - by if direction is Direction.DOWN else value + by
    return min(max(moved, 0), size)


def enlarged(value: int, by: int, direction: Direction) -> int:
    """Return where a clock stands that grows by `by` points: one that runs down has them yet to go.

    Source: rules.md B15.
    """
    return value + by if direction is Direction.DOWN else value


def is_done(value: int, size: int, direction: Direction) -> bool:
    """Tell whether a clock has reached its end: 0 if it runs down, its size if up."""
    return value <= 0 if direction is Direction.DOWN else value >= size


def is_typical_scene(size: int) -> bool:
    """Tell whether a scene clock has a typical size, 8 to 15 points. Source: rules.md B."""
    return size in _TYPICAL_SCENE


def _check_level(level: int) -> None:
    if not MIN_LEVEL <= level <= MAX_LEVEL:
        raise ValueError(f"A level must be from {MIN_LEVEL} to {MAX_LEVEL}, not {level}.")
