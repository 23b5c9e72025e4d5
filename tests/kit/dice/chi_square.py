"""Pearson's chi-square test, by exact formulas of its distribution."""

import math
from collections.abc import Sequence


def chi_square(counts: Sequence[int], expected: Sequence[float]) -> float:
    """Return by how much counts differ from what was expected."""
    return math.fsum((count - each) ** 2 / each for count, each in zip(counts, expected, strict=True))


def survival(value: float, freedom: int) -> float:
    """Return the chance that chance alone gives a chi-square above `value`, with so many degrees of freedom."""
    half = value / 2
    if freedom % 2 == 0:
        return math.fsum(_term(half, i) for i in range(freedom // 2))
    return math.erfc(math.sqrt(half)) + math.fsum(_term(half, i + 0.5) for i in range((freedom - 1) // 2))


def _term(half: float, power: float) -> float:
    return math.exp(power * math.log(half) - half - math.lgamma(power + 1))
