"""Countdowns: a pool of dice that stands for an unknown time limit. Source: rules.md A.

Each roll takes some dice out of the pool. A stage is a number of dice at which something happens.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

FACES: Final = frozenset(range(1, 7))


class Speed(StrEnum):
    """The speed of a countdown: it decides which faces leave the pool. The default is slow."""

    SLOW = "slow"
    MEDIUM = "medium"
    FAST = "fast"

    @property
    def expiring(self) -> frozenset[int]:
        """The faces whose dice leave the pool."""
        return _EXPIRING[self]

    @property
    def stay(self) -> Fraction:
        """The chance that a die stays in the pool when it is rolled."""
        return 1 - Fraction(len(self.expiring), len(FACES))


class Repeats(StrEnum):
    """The number of dice with which a countdown starts again when its pool is empty. Source: rules.md A15."""

    SAME = "same"  # as many as it started with
    D6 = "d6"  # the result of rolling one die


_EXPIRING: Final = {
    Speed.SLOW: frozenset({6}),
    Speed.MEDIUM: frozenset({5, 6}),
    Speed.FAST: frozenset({4, 5, 6}),
}


class Rolled(NamedTuple):
    """What one roll did to a pool: how many dice left it, and how many remain."""

    removed: int
    remaining: int


def roll(speed: Speed, faces: Sequence[int]) -> Rolled:
    """Return how many dice of a rolled pool leave it, and how many remain.

    `faces`: the whole pool, one face 1-6 per die, any order.
    Raises ValueError for an empty pool (A1, A5), or a face outside 1-6.
    Source: rules.md A.
    """
    if not faces:
        raise ValueError("A countdown without dice cannot be rolled.")
    if not FACES.issuperset(faces):
        raise ValueError("Every face must be a whole number from 1 to 6.")
    removed = sum(map(faces.count, _EXPIRING[speed]))
    return Rolled(removed=removed, remaining=len(faces) - removed)


def crossed(stages: Iterable[int], before: int, after: int) -> tuple[int, ...]:
    """Return the stages that a pool reaches when it falls from `before` to `after` dice, the largest first.

    Stages between these two sizes are also reached. A stage at exactly `before` is not. The result has no
    duplicates, and is empty if the pool did not fall.
    Source: rules.md A2 and A3.
    """
    return tuple(sorted({at for at in stages if after <= at < before}, reverse=True))


def left(stages: Iterable[int], before: int, after: int) -> tuple[int, ...]:
    """Return the stages that a pool leaves when it grows from `before` to `after` dice, the smallest first.

    A stage that was left can be reached again. A stage at exactly `after` is not left. The result has no duplicates.
    Source: rules.md A4.
    """
    return tuple(sorted({at for at in stages if before <= at < after}))
