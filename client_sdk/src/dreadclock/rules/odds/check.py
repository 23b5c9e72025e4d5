"""Exact odds of checks: of one roll plan, or of several plans whose dice are pooled.

All results are exact fractions, never samples. They ignore the cap of MAX_ROLL_DICE draws, which hardly any
roll reaches. The plans are those of the leader and of all helpers. Each plan's removals happen before the remaining
dice are pooled (C14). Without plans, there are no dice.
Source: rules.md C.
"""

from fractions import Fraction
from typing import Final

from dreadclock.rules.check import Outcome, Plan
from dreadclock.rules.odds.pooling import Pool

MARGINS: Final = 5
"""The default of `up_to`: the highest margin that is listed separately. The margin is the number of further dice that
show the highest face.
"""

LEAST_SUCCESS: Final = 4
"""A check succeeds if its highest face is at least this."""


def outcomes(*plans: Plan) -> dict[Outcome, Fraction]:
    """Return the chance of each outcome, the worst first. Source: rules.md C5, C6, C9 and C13."""
    pool = Pool(plans)
    sixes = pool.sixes(up_to=1)
    fumble, up_to_fail, below_6 = (Fraction(pool.below(face), pool.whole) for face in (2, LEAST_SUCCESS, 6))
    one_6 = Fraction(sixes.terms(1)[1], pool.whole * sixes.base)
    return {
        Outcome.FUMBLE: fumble,
        Outcome.FAIL: up_to_fail - fumble,
        Outcome.SUCCESS: below_6 - up_to_fail + one_6,
        Outcome.TRIUMPH: 1 - below_6 - one_6,
    }


def succeeds(*plans: Plan) -> Fraction:
    """Return the chance of a success or a triumph."""
    pool = Pool(plans)
    return 1 - Fraction(pool.below(LEAST_SUCCESS), pool.whole)


def any_fumble(*plans: Plan) -> Fraction:
    """Return the chance that at least one of these independent checks fumbles. Source: rules.md C12."""
    none = Fraction(1)
    for plan in plans:
        none *= 1 - outcomes(plan)[Outcome.FUMBLE]
    return 1 - none


def highest(*plans: Plan) -> dict[int | None, Fraction]:
    """Return the chance of each highest face, the lowest first. The key None means that no die remains."""
    pool = Pool(plans)
    chances: dict[int | None, Fraction] = {None: Fraction(pool.below(1), pool.whole)}
    return chances | {face: Fraction(pool.showing(face), pool.whole) for face in range(1, 7)}


def margins(*plans: Plan, up_to: int = MARGINS, at_least: int = 0) -> list[Fraction]:
    """Return the chance of each margin from 0 to `up_to`, then the chance of any higher margin.

    `at_least`: count only rolls whose highest face is this or more. With LEAST_SUCCESS, these are successes and
    triumphs. Raises ValueError if `up_to` is below 0.
    """
    wanted = [chances for face, chances in faces_and_margins(*plans, up_to=up_to).items() if (face or 0) >= at_least]
    return [sum(chances, Fraction(0)) for chances in zip(*wanted, strict=True)]


def faces_and_margins(*plans: Plan, up_to: int = MARGINS) -> dict[int | None, list[Fraction]]:
    """For each highest face, return the chances of the margins from 0 to `up_to`, then that of any higher margin.

    The chances of a list add up to the chance of its face. A check without dice has margin 0. Raises ValueError if
    `up_to` is below 0.
    """
    if up_to < 0:
        raise ValueError("Margins are counted from 0.")
    pool = Pool(plans)
    nothing = [Fraction(pool.below(1), pool.whole), *[Fraction(0)] * (up_to + 1)]
    return {None: nothing} | {face: _margins_of(pool, face, up_to) for face in range(1, 7)}


def _margins_of(pool: Pool, face: int, up_to: int) -> list[Fraction]:
    base, counts = 1, []
    if face == 6:
        sixes = pool.sixes(up_to + 1)
        base, counts = sixes.base, sixes.terms(up_to + 1)
    else:
        counts = pool.counts(face, up_to + 1)
        counts += [0] * (up_to + 2 - len(counts))
    chances = [Fraction(weight, pool.whole * base**count) for count, weight in enumerate(counts)][1:]
    return [*chances, Fraction(pool.showing(face), pool.whole) - sum(chances)]
