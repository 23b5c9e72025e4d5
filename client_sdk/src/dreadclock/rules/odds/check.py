"""Exact odds of checks, of one plan or of several pooled.

All answers are exact fractions, never samples, and sum to 1. They describe the rule as it is written:
the cap of MAX_ROLL_DICE draws, which hardly any roll reaches, is not modelled. Plans that are pooled
are those of the leader and of all who join in; each loses its own dice first (C14). A pool of no plans
has no die. Source: rules.md C.
"""

from fractions import Fraction
from typing import Final

from dreadclock.rules.check import Outcome, Plan
from dreadclock.rules.odds.pooling import Pool

MARGINS: Final = 5
"""How far margins are told apart unless said otherwise."""

LEAST_SUCCESS: Final = 4
"""The lowest highest face of a check that succeeds."""


def outcomes(*plans: Plan) -> dict[Outcome, Fraction]:
    """Give the chance of each outcome, worst first. Source: rules.md C5, C6, C9 and C13."""
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
    """Give the chance of a success or a triumph."""
    pool = Pool(plans)
    return 1 - Fraction(pool.below(LEAST_SUCCESS), pool.whole)


def any_fumble(*plans: Plan) -> Fraction:
    """Return the chance that at least one of these independent checks fumbles. Source: rules.md C12."""
    none = Fraction(1)
    for plan in plans:
        none *= 1 - outcomes(plan)[Outcome.FUMBLE]
    return 1 - none


def highest(*plans: Plan) -> dict[int | None, Fraction]:
    """Give the chance of each highest face, lowest first; None: no die remains."""
    pool = Pool(plans)
    chances: dict[int | None, Fraction] = {None: Fraction(pool.below(1), pool.whole)}
    return chances | {face: Fraction(pool.showing(face), pool.whole) for face in range(1, 7)}


def margins(*plans: Plan, up_to: int = MARGINS, at_least: int = 0) -> list[Fraction]:
    """Give the chance of margin 0, 1, ... `up_to`, and last of any margin beyond.

    `at_least`: with this highest face or more (LEAST_SUCCESS: of a success and so many more dice); the
    chances then sum to that of such a highest face. Raises ValueError if `up_to` is below 0.
    """
    wanted = [chances for face, chances in faces_and_margins(*plans, up_to=up_to).items() if (face or 0) >= at_least]
    return [sum(chances, Fraction(0)) for chances in zip(*wanted, strict=True)]


def faces_and_margins(*plans: Plan, up_to: int = MARGINS) -> dict[int | None, list[Fraction]]:
    """Give the chance of each highest face with margin 0, 1, ... `up_to`, and last beyond.

    A check without dice has margin 0. Raises ValueError if `up_to` is below 0.
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
