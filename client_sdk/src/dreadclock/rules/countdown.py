"""Countdowns: a pool of dice that stands for an unknown time limit. Source: rules.md A."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

FACES: Final = frozenset(range(1, 7))


class Speed(StrEnum):
    """How fast a countdown runs; slow unless said otherwise."""

    SLOW = "slow"
    MEDIUM = "medium"
    FAST = "fast"

    @property
    def expiring(self) -> frozenset[int]:
        """Name the faces whose dice leave the pool."""
        return _EXPIRING[self]

    @property
    def stay(self) -> Fraction:
        """Return the chance that a die stays in the pool when it is rolled."""
        return 1 - Fraction(len(self.expiring), len(FACES))


class Repeats(StrEnum):
    """With how many dice a countdown begins again by itself at its end. Source: rules.md A15."""

    SAME = "same"  # as many as it started with
    D6 = "d6"  # as many as a roll of a die says


_EXPIRING: Final = {
    Speed.SLOW: frozenset({6}),
    Speed.MEDIUM: frozenset({5, 6}),
    Speed.FAST: frozenset({4, 5, 6}),
}


class Rolled(NamedTuple):
    """What one roll did to a pool: dice that left it and dice that remain."""

    removed: int
    remaining: int


def roll(speed: Speed, faces: Sequence[int]) -> Rolled:
    """Take the expiring dice out of a pool that shows `faces`.

    `faces`: the whole pool, one face 1-6 per die, any order.
    Raises ValueError if there is no die (A1, A5) or a face is no face of a die.
    Source: rules.md A.
    """
    if not faces:
        raise ValueError("A countdown without dice cannot be rolled.")
    if not FACES.issuperset(faces):
        raise ValueError("Every face must be a whole number from 1 to 6.")
    removed = sum(map(faces.count, _EXPIRING[speed]))
    return Rolled(removed=removed, remaining=len(faces) - removed)


def crossed(stages: Iterable[int], before: int, after: int) -> tuple[int, ...]:
    """Name the stages reached by a fall from `before` to `after` dice, largest first.

    A stage that the fall jumps over is reached too; one at exactly `before` is not. Each size
    is named once; nothing is named unless the pool fell.
    Source: rules.md A2 and A3.
    """
    return tuple(sorted({at for at in stages if after <= at < before}, reverse=True))


def left(stages: Iterable[int], before: int, after: int) -> tuple[int, ...]:
    """Name the stages left by a replenish from `before` to `after` dice, smallest first.

    A stage at exactly `after` is not left. Each size is named once.
    Source: rules.md A4.
    """
    return tuple(sorted({at for at in stages if before <= at < after}))
