"""Exact odds of contests, of one check or several pooled on either side.

Two sides are equal as far as dice go if they show the same highest face on as many dice. Where that
face is a 6 that explodes, both counts are unbounded, and the chances that they are equal, or that one
is larger, are unending sums. Each is exact all the same: see `_shares`.
Source: rules.md C16 and C17.
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
    """The odds of a contest, after all deals.

    `acting_succeeds`: the acting side wins, and its own dice are a success or a triumph. `decided`:
    the chance of each thing to decide it.
    """

    acting_wins: Fraction
    opposing_wins: Fraction
    acting_succeeds: Fraction
    decided: dict[DecidedBy, Fraction]


@dataclass(frozen=True, slots=True)
class _Tie:
    """Chances of one highest face on both sides: on more dice of the acting side, and on as many."""

    more: Fraction
    equal: Fraction


def contest_odds(
    acting: Sequence[Plan], opposing: Sequence[Plan], reflex: tuple[int | None, int | None]
) -> ContestOdds:
    """Give the odds of a contest.

    `acting`, `opposing`: the plans pooled on a side, may be none. `reflex`: of the acting and of the
    opposing character, None where it is missing.
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
    """Give the chance that this face is our highest, and higher than all of theirs."""
    return Fraction(ours.showing(face) * theirs.below(face), ours.whole * theirs.whole)


def _tie(ours: Pool, theirs: Pool, face: int) -> _Tie:
    whole = ours.whole * theirs.whole
    if face == 6:
        both = Fraction(ours.showing(6) * theirs.showing(6), whole)
        return _tie_of_sixes(ours.sixes(), theirs.sixes(), theirs.showing(6), both, whole)
    our_counts, their_counts = ours.counts(face), theirs.counts(face)
    pairs = list(zip(our_counts, their_counts, strict=False))
    fewer = [0, *accumulate(their_counts)]  # at each count, the weight of theirs being below it
    fewer += [fewer[-1]] * len(our_counts)
    more = sum(weight * less for weight, less in zip(our_counts, fewer, strict=False))
    return _Tie(Fraction(more, whole), Fraction(sum(count * other for count, other in pairs), whole))


def _tie_of_sixes(ours: Sixes, theirs: Sixes, showing: int, both: Fraction, whole: int) -> _Tie:
    """Compare two counts of sixes.

    `showing`: the weight of any 6 of theirs; `both`: the chance that each side has one.
    """
    shares, parts = _shares(ours, theirs)
    our_terms, their_terms = ours.terms(len(shares))[1:], theirs.terms(len(shares))[1:]
    at_least = _at_least(their_terms, showing, theirs.base)
    as_many = sum(map(prod, zip(our_terms, their_terms, shares, strict=True)))
    no_more = sum(map(prod, zip(our_terms, at_least, shares, strict=True)))
    return _Tie(both - Fraction(no_more, parts * whole), Fraction(as_many, parts * whole))


def _at_least(terms: Sequence[int], showing: int, base: int) -> list[int]:
    """Weigh that there are at least 1, 2, ... sixes, each in the parts of its own term."""
    left = accumulate(terms[:-1], lambda above, term: (above - term) * base, initial=showing * base)
    return list(left) if terms else []


def _shares(ours: Sixes, theirs: Sixes) -> tuple[list[int], int]:
    """Say how to sum the products of two sides' terms over all counts from 1 on, without end.

    The sum is that of the first products alone, each times its share, over the parts that come
    with them. Beyond some count the products are a sum of polynomials times powers of `roots`.
    Multiplied by 1 - root w, for each root as often as it stands there, such a series ends after as
    many terms. What is left and the factors, both taken at w = 1/base, give the sum.
    """
    roots, base = _roots_of_products(ours, theirs), ours.base * theirs.base
    settled, size = max(ours.settled, theirs.settled), roots.total()
    factors = reduce(times, (power(root, many) for root, many in roots.items()), [1])
    scaled = [factor * base ** (size - place) for place, factor in enumerate(factors)]
    value = sum(scaled)  # of the factors at 1/base, times base^size; so are all that follow
    first = [value * base ** (size + settled - count) for count in range(1, settled + 1)]
    partial = list(accumulate(scaled[:-1]))
    after = [partial[size - 1 - place] * base ** (size - 1 - place) for place in range(size)]
    return first + after, value * base ** (size + settled)


def _roots_of_products(ours: Sixes, theirs: Sixes) -> Counter[int]:
    """Name the roots of the series whose terms are the products of two series' terms.

    Polynomials of degrees below m and n have a product of degree below m + n - 1.
    """
    roots = Counter[int]()
    for root, many in ours.roots.items():
        for other, others in theirs.roots.items():
            roots[root * other] = max(roots[root * other], many + others - 1)
    return roots
