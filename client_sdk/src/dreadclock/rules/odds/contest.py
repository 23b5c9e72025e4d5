"""Exact odds of contests. Each side has one check, or several checks whose dice are pooled.

Two sides tie if both show the same highest face on the same number of dice. A side whose sixes explode can have any
number of sixes. Then two chances are infinite sums: of a tie, and of more sixes on one side. `_shares` computes them
exactly. Source: rules.md C16 and C17.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from math import prod

from dreadclock.rules.check import Plan
from dreadclock.rules.contest import DecidedBy, Side, contest
from dreadclock.rules.odds.check import LEAST_SUCCESS
from dreadclock.rules.odds.pooling import Pool, Sixes, power, times


@dataclass(frozen=True, slots=True)
class ContestOdds:
    """The odds of a contest. A tie that the reflexes do not settle counts as half a win for each side.

    Such a tie is settled by a deal: one die for each side, again until they differ.

    `acting_succeeds`: the chance that the acting side wins with a success or a triumph. `decided`: the chance
    that each criterion decides the contest.
    """

    acting_wins: Fraction
    opposing_wins: Fraction
    acting_succeeds: Fraction
    decided: dict[DecidedBy, Fraction]


@dataclass(frozen=True, slots=True)
class _Tie:
    """For one face: the chances of two cases in which this face is the highest on both sides.

    `more`: the acting side shows the face on more dice. `equal`: both sides show it on the same number of dice.
    """

    more: Fraction
    equal: Fraction


def contest_odds(
    acting: Sequence[Plan], opposing: Sequence[Plan], reflex: tuple[int | None, int | None]
) -> ContestOdds:
    """Return the odds of a contest.

    `acting`, `opposing`: the roll plans of a side, may be empty. `reflex`: the reflex of the acting and of the
    opposing character, None if it is missing.
    """
    ours, theirs = Pool(acting), Pool(opposing)
    undecided = contest((), (), reflex)
    share = {Side.ACTING: Fraction(1), Side.OPPOSING: Fraction(0), None: Fraction(1, 2)}[undecided.winner]
    ties = {face: _tie(ours, theirs, face) for face in range(1, 7)}
    wins = {face: _higher(ours, theirs, face) + tie.more + share * tie.equal for face, tie in ties.items()}
    no_die = Fraction(ours.below(1) * theirs.below(1), ours.whole * theirs.whole)
    equal = no_die + sum(tie.equal for tie in ties.values())
    acting_wins = share * no_die + sum(wins.values())
    higher = sum((_higher(*pools, face) for face in ties for pools in ((ours, theirs), (theirs, ours))), Fraction(0))
    return ContestOdds(
        acting_wins=acting_wins,
        opposing_wins=1 - acting_wins,
        acting_succeeds=sum((won for face, won in wins.items() if face >= LEAST_SUCCESS), Fraction(0)),
        decided=dict.fromkeys(DecidedBy, Fraction(0))
        | {DecidedBy.HIGHEST: higher, DecidedBy.COUNT: 1 - higher - equal, undecided.by: equal},
    )


def _higher(ours: Pool, theirs: Pool, face: int) -> Fraction:
    """Return the chance that `face` is the highest of our side, and the other side has only lower faces."""
    return Fraction(ours.showing(face) * theirs.below(face), ours.whole * theirs.whole)


def _tie(ours: Pool, theirs: Pool, face: int) -> _Tie:
    whole = ours.whole * theirs.whole
    if face == 6:
        both = Fraction(ours.showing(6) * theirs.showing(6), whole)
        return _tie_of_sixes(ours.sixes(), theirs.sixes(), theirs.showing(6), both, whole)
    our_counts, their_counts = ours.counts(face), theirs.counts(face)
    pairs = list(zip(our_counts, their_counts, strict=False))
    fewer = [0, *accumulate(their_counts)]  # at each count: the weight of all smaller counts of theirs
    fewer += [fewer[-1]] * len(our_counts)
    more = sum(weight * less for weight, less in zip(our_counts, fewer, strict=False))
    return _Tie(Fraction(more, whole), Fraction(sum(count * other for count, other in pairs), whole))


def _tie_of_sixes(ours: Sixes, theirs: Sixes, showing: int, both: Fraction, whole: int) -> _Tie:
    """Return the chances of more sixes and of a tie, also if sixes explode.

    A weight is a chance times the `whole` of its pool. `showing`: the weight of the other side having any 6. `both`:
    the chance that both sides have a 6.
    """
    shares, parts = _shares(ours, theirs)
    our_terms, their_terms = ours.terms(len(shares))[1:], theirs.terms(len(shares))[1:]
    at_least = _at_least(their_terms, showing, theirs.base)
    as_many = sum(map(prod, zip(our_terms, their_terms, shares, strict=True)))
    no_more = sum(map(prod, zip(our_terms, at_least, shares, strict=True)))
    return _Tie(both - Fraction(no_more, parts * whole), Fraction(as_many, parts * whole))


def _at_least(terms: Sequence[int], showing: int, base: int) -> list[int]:
    """Return the weights of at least 1, 2, ... sixes. Each weight has the denominator of the term for as many sixes.

    `terms`: the weights of exactly 1, 2, ... sixes. `showing`: the weight of any sixes.
    """
    left = accumulate(terms[:-1], lambda above, term: (above - term) * base, initial=showing * base)
    return list(left) if terms else []


def _shares(ours: Sixes, theirs: Sixes) -> tuple[list[int], int]:
    """Return factors and a denominator that turn an infinite sum into a finite sum.

    The infinite sum adds up the products of both sides' terms, for every count of sixes from 1 on. The finite sum adds
    up only the first products, each times its factor. Divided by the denominator, the finite sum equals the infinite
    sum.

    Why: take the products as coefficients of a power series in w. Beyond some count n of sixes, each product is a sum
    of terms p(n) * root^n with polynomials p. So the series times (1 - root * w)^multiplicity, for each root, is a
    polynomial in w. The infinite sum is this polynomial at w = 1/base, divided by the multipliers there.
    """
    roots, base = _roots_of_products(ours, theirs), ours.base * theirs.base
    settled, size = max(ours.settled, theirs.settled), roots.total()
    factors = reduce(times, (power(root, many) for root, many in roots.items()), [1])
    scaled = [factor * base ** (size - place) for place, factor in enumerate(factors)]
    value = sum(scaled)  # the multipliers at w = 1/base, times base^size
    first = [value * base ** (size + settled - count) for count in range(1, settled + 1)]
    partial = list(accumulate(scaled[:-1]))
    after = [partial[size - 1 - place] * base ** (size - 1 - place) for place in range(size)]
    return first + after, value * base ** (size + settled)


def _roots_of_products(ours: Sixes, theirs: Sixes) -> Counter[int]:
    """Return the roots of the series whose terms are the products of the terms of two series.

    Two polynomials of degrees below m and n have a product of degree below m + n - 1. Hence the multiplicities.
    """
    roots = Counter[int]()
    for root, many in ours.roots.items():
        for other, others in theirs.roots.items():
            roots[root * other] = max(roots[root * other], many + others - 1)
    return roots
