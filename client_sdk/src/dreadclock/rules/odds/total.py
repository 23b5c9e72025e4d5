"""Exact odds of totals, and of pushing luck (adding a die to a total that is too low).

All results are exact fractions, never samples. `dice`: the number of dice, 1 or more. The rules allow at most 8, but
the odds do not need that limit. `kept`: the dice that were kept, all with different numbers. The functions raise
ValueError for other dice. The chance that exactly the numbers of a given set are rolled depends only on the size of the
set. The functions add up these chances over at most 63 sets.

"Always pushing" means: push as long as the total is below the required number. The pushes end when the number is
reached or in a crisis. Source: rules.md D.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final

from dreadclock.rules.countdown import FACES
from dreadclock.rules.total import enough, keep, push, total

HIGHEST: Final = sum(FACES)
"""The highest possible total: one die of each number."""

_SIDES: Final = len(FACES)
_NUMBERS: Final = tuple(sorted(FACES))


def distribution(dice: int) -> dict[int, Fraction]:
    """Return the chance of each total, 1 to 21, in ascending order. Some of the chances may be 0."""
    chances = dict.fromkeys(range(1, HIGHEST + 1), Fraction(0))
    for kept, chance in _sets(dice):
        chances[total(kept)] += chance
    return chances


def mean(dice: int) -> Fraction:
    """Return the mean total."""
    _check(dice)
    return HIGHEST * (1 - Fraction(_SIDES - 1, _SIDES) ** dice)


def reaches(dice: int, required: int) -> Fraction:
    """Return the chance that a roll reaches the required number without a push."""
    return sum((chance for kept, chance in _sets(dice) if enough(total(kept), required)), Fraction(0))


def push_crisis(kept: Sequence[int]) -> Fraction:
    """Return the chance that the next push is a crisis."""
    return Fraction(sum(push(kept, face).crisis for face in _NUMBERS), _SIDES)


def reaches_by_pushing(kept: Sequence[int], required: int) -> Fraction:
    """Return the chance that always pushing reaches the required number before a crisis; 1 if it is already
    reached.

    Raises ValueError if two kept dice show the same number, or for a face outside 1-6.
    """
    if len(keep(kept)) != len(kept):
        raise ValueError("Kept dice all show different numbers.")
    return _by_pushing(keep(kept), required)


def reaches_at_all(dice: int, required: int) -> Fraction:
    """Return the chance that a roll, followed by always pushing, reaches the required number.

    Otherwise, the pushes end in a crisis.
    """
    return sum((chance * _by_pushing(kept, required) for kept, chance in _sets(dice)), Fraction(0))


@lru_cache(maxsize=4096)
def _by_pushing(kept: tuple[int, ...], required: int) -> Fraction:
    if enough(total(kept), required):
        return Fraction(1)
    if required > HIGHEST:
        return Fraction(0)
    pushes = (push(kept, face) for face in _NUMBERS if face not in kept)
    return sum((_by_pushing(pushed.kept, required) for pushed in pushes), Fraction(0)) / _SIDES


def _sets(dice: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield every set of numbers that a roll may keep, with its chance."""
    _check(dice)
    for size in range(1, _SIDES + 1):
        chance = Fraction(_surjections(dice, size), _SIDES**dice)
        for kept in combinations(_NUMBERS, size):
            yield kept, chance


def _surjections(dice: int, size: int) -> int:
    """Return how many rolls of `dice` dice show each of `size` given numbers, and no others."""
    return sum((-1) ** (size - some) * comb(size, some) * some**dice for some in range(size + 1))


def _check(dice: int) -> None:
    if dice < 1:
        raise ValueError("A total is rolled with at least 1 die.")
