"""Exact odds of a countdown that is neither stabilized nor replenished.

All results are exact fractions, never samples. `pool`: the number of dice at the start, 0 or more. `rolls`: how often
the whole pool is rolled, 0 or more. The functions raise ValueError for negative numbers. After t rolls, each die is
left with chance stay^t, independently of the other dice. Source: rules.md A.
"""

from fractions import Fraction
from itertools import count
from math import comb, floor

from dreadclock.rules.countdown import Speed

TABLE_POOLS = range(1, 11)


def expired_by(pool: int, speed: Speed, rolls: int) -> Fraction:
    """Return the chance that no die is left after `rolls` rolls."""
    _check(pool, rolls)
    return (1 - speed.stay**rolls) ** pool


def alive_after(pool: int, speed: Speed, rolls: int) -> Fraction:
    """Return the chance that at least one die is left after `rolls` rolls."""
    return 1 - expired_by(pool, speed, rolls)


def ends_at(pool: int, speed: Speed, rolls: int) -> Fraction:
    """Return the chance that the last die leaves at exactly this roll."""
    if rolls == 0:
        return expired_by(pool, speed, 0)
    return expired_by(pool, speed, rolls) - expired_by(pool, speed, rolls - 1)


def distribution(pool: int, speed: Speed, rolls: int) -> list[Fraction]:
    """Return the chance of each pool size after `rolls` rolls: 0, 1, ... `pool` dice."""
    _check(pool, rolls)
    stay = speed.stay**rolls
    stays, goes, whole = stay.numerator, stay.denominator - stay.numerator, stay.denominator**pool
    return [Fraction(comb(pool, left) * stays**left * goes ** (pool - left), whole) for left in range(pool + 1)]


def mean_rolls(pool: int, speed: Speed) -> Fraction:
    """Return the mean number of rolls until the last die is gone."""
    return mean_rolls_to(pool, speed, 0)


def mean_rolls_to(pool: int, speed: Speed, at: int) -> Fraction:
    """Return the mean number of rolls until at most `at` dice are left; 0 if the pool is not larger than `at`."""
    _check(pool, 0)
    if at < 0:
        raise ValueError("A pool never falls below 0 dice.")
    terms = (
        Fraction((-1) ** (j - at - 1) * comb(j - 1, at) * comb(pool, j)) / (1 - speed.stay**j)
        for j in range(at + 1, pool + 1)
    )
    return sum(terms, Fraction(0))


def quantile(pool: int, speed: Speed, p: Fraction) -> int:
    """Return the lowest number of rolls after which the countdown has expired with chance `p` or more.

    Raises ValueError unless 0 <= p < 1. No number of rolls has a chance of 1, unless the pool is empty.
    """
    if not 0 <= p < 1:
        raise ValueError("The chance asked for must be at least 0 and below 1.")
    enough = next(1 << k for k in count() if expired_by(pool, speed, 1 << k) >= p)
    low, high = -1, enough  # expired_by(low) < p <= expired_by(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if expired_by(pool, speed, middle) >= p else (middle, high)
    return high


def average_table() -> dict[Speed, tuple[int, ...]]:
    """Return, by speed, the mean number of rolls of pools of 1 to 10 dice, rounded to whole numbers."""
    return {speed: tuple(floor(mean_rolls(pool, speed) + Fraction(1, 2)) for pool in TABLE_POOLS) for speed in Speed}


def _check(pool: int, rolls: int) -> None:
    if pool < 0 or rolls < 0:
        raise ValueError("Dice and rolls are counted from 0.")
