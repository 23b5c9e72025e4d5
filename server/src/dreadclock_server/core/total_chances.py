"""The odds that ride along with totals and pushes. Where everyone sees them, no secret number may feed them."""

from fractions import Fraction
from functools import lru_cache

from dreadclock.rules import total as rules
from dreadclock.rules.countdown import FACES
from dreadclock.rules.odds import total as odds
from dreadclock.rules.odds.report import exact
from dreadclock.wire.base import Faces
from dreadclock.wire.things import PushOdds, TotalOdds


@lru_cache(maxsize=1024)
def total_odds(pool: int, required: int | None = None) -> TotalOdds:
    """Return the odds of a roll; without a number, its mean alone."""
    mean = exact(odds.mean(pool))["fraction"]
    if required is None:
        return TotalOdds(mean=mean)
    return TotalOdds(
        mean=mean,
        reaches=exact(odds.reaches(pool, required))["fraction"],
        reaches_pushing=exact(odds.reaches_at_all(pool, required))["fraction"],
    )


@lru_cache(maxsize=8192)
def push_odds(kept: Faces, required: int | None = None) -> PushOdds:
    """Return the odds of a push after a miss; without a number, the chance of a crisis alone."""
    crisis = exact(odds.push_crisis(kept))["fraction"]
    if required is None:
        return PushOdds(crisis=crisis)
    enough = sum(rules.enough(rules.push(kept, face).total, required) for face in FACES)
    return PushOdds(
        crisis=crisis,
        reaches=exact(Fraction(enough, len(FACES)))["fraction"],
        reaches_pushing=exact(odds.reaches_by_pushing(kept, required))["fraction"],
    )
