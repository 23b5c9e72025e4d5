"""Probabilities for a countdown that was played.

A stretch is a series of rolls of a countdown during which no dice were added.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import Final

from dreadclock.rules.countdown import Speed
from dreadclock.rules.odds import countdown as odds
from dreadclock_server.evening.recap.things import Stretch

BAND: Final = (Fraction(1, 10), Fraction(9, 10))
"""The recap draws a band between these percentiles. About 80 % of countdowns lie within the band."""

_LATE: Final = Fraction(9, 10)


def lasted_so_long(stretch: Stretch, speed: Speed) -> Fraction:
    """Return the chance that a countdown lasts at least as many rolls as this stretch did.

    A countdown that has ended lasted until its last roll. A countdown with dice left will last longer.
    """
    pool, ended = stretch.pools[0], stretch.pools[-1] == 0
    return odds.alive_after(pool, speed, stretch.rolls - 1 if ended else stretch.rolls)


def mean(pool: int, speed: Speed, rolls: int) -> float:
    """Return how many dice are left on average after `rolls` rolls."""
    return float(pool * speed.stay**rolls)


@lru_cache(maxsize=4096)
def band(pool: int, speed: Speed, rolls: int) -> tuple[int, int]:
    """Return the range of dice left after `rolls` rolls: the 10th to the 90th percentile."""
    stay = speed.stay**rolls
    stays, goes = stay.numerator, stay.denominator - stay.numerator
    ways = [comb(pool, left) * stays**left * goes ** (pool - left) for left in range(pool + 1)]
    whole = stay.denominator**pool
    low, high = (_quantile(ways, whole, part) for part in BAND)
    return low, high


def _quantile(ways: list[int], whole: int, part: Fraction) -> int:
    return next(left for left, so_far in enumerate(accumulate(ways)) if so_far >= part * whole)


def horizon(pool: int, speed: Speed) -> int:
    """Return the number of rolls after which nine of ten countdowns have ended."""
    return odds.quantile(pool, speed, _LATE)
