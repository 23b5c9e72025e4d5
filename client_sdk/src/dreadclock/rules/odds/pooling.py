"""Pooled dice of checks: the exact chance of each highest face, and of how many dice show it.

A weight is a chance times the pool's `whole`, the number of all its rolls. Weights are whole numbers, because adding
fractions would be slower. A plan's dice have six equal sides, or five if each 1 is rolled again until it is no 1.

Counts of a face. A power series in z describes each face h. Its coefficient at z^0 is the weight of the rolls whose
highest face is below h. Its coefficient at z^c is the weight of the rolls in which h is the highest face, on exactly c
dice. To pool checks, multiply their series, each after the check's own removals. The series is finite for h below 6,
and for h = 6 if no die explodes.

Explosions. Each of the n dice of a plan gives any number of sixes, and then a face below 6. So s sixes can fall in
C(n+s-1, s) orders. Therefore the series of 6 is, beyond its first terms, a multiple of (1 - z/sides)^-n. Multiplied by
(1 - z/sides)^n, it has no terms beyond z^n. This finite product is the `numerator`, from which the infinite series can
be computed again. Source: rules.md C1 to C6 and C13.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import comb, lcm, prod
from operator import mul

from dreadclock.rules.check import Plan


@dataclass(frozen=True, slots=True)
class Sixes:
    """The series of a pool's sixes: `numerator`, divided by the product of (1 - root w)^multiplicity.

    The variable is w = z / `base`, so that all coefficients are whole numbers. The chance of c sixes is the coefficient
    at w^c, divided by whole * base^c. `roots`: the multiplicity of each root.
    """

    numerator: list[int]
    roots: Counter[int]
    base: int

    @property
    def settled(self) -> int:
        """The count of sixes beyond which each term is a sum of polynomials times powers of the roots."""
        return max(len(self.numerator) - 1 - self.roots.total(), 0)

    def terms(self, up_to: int) -> list[int]:
        """Return the terms of 0, 1, ... `up_to` sixes."""
        terms = [*self.numerator, *[0] * up_to][: up_to + 1]
        for root in self.roots.elements():
            terms = _divided(terms, root)
        return terms


class Pool:
    """The remaining dice of several checks together. Each check's dice are removed before they are pooled."""

    def __init__(self, plans: Iterable[Plan]) -> None:
        self._plans = _joined(plans)
        self.whole: int = prod(_whole(plan) for plan in self._plans)

    def below(self, face: int) -> int:
        """Return the weight of rolls in which all dice are below `face`, 1-7."""
        return prod(_below(plan, face) for plan in self._plans)

    def showing(self, face: int) -> int:
        """Return the weight of rolls in which `face` is the highest."""
        return self.below(face + 1) - self.below(face)

    def counts(self, face: int, up_to: int | None = None) -> list[int]:
        """Return the weights of rolls in which `face` (1-5) is the highest, on exactly 0, 1, ... `up_to` dice.

        The weight for 0 dice is 0. The list is shorter if there are fewer dice. `up_to`: None for all possible counts.
        """
        product = _product((_series(plan, face, up_to) for plan in self._plans), up_to)
        return [0, *product[1:]]

    def sixes(self, up_to: int | None = None) -> Sixes:
        """Return the series of the sixes. Its term at 0 is the weight of a highest face below 6.

        `up_to`: the last count that the caller needs, None for all.
        """
        base = lcm(*(_sides(plan) for plan in self._plans if plan.explodes))
        roots = Counter[int]()
        for plan in self._plans:
            if plan.explodes:
                roots[base // _sides(plan)] += plan.dice
        return Sixes(_product((_numerator(plan, base, up_to) for plan in self._plans), up_to), roots, base)


def times(left: Sequence[int], other: Sequence[int]) -> list[int]:
    """Multiply two finite series. Neither may be empty."""
    back, last = other[::-1], len(other) - 1
    product = []
    for place in range(len(left) + last):
        first = max(place - last, 0)
        product.append(sum(map(mul, left[first : place + 1], back[last - place + first :])))
    return product


def power(root: int, multiplicity: int, up_to: int | None = None) -> list[int]:
    """Return the coefficients of (1 - root w)^multiplicity, up to w^`up_to` if that is given."""
    last = multiplicity if up_to is None else min(up_to, multiplicity)
    return [comb(multiplicity, place) * (-root) ** place for place in range(last + 1)]


def _joined(plans: Iterable[Plan]) -> list[Plan]:
    """Merge plans that remove no dice and differ only in the number of dice. Drop plans without dice."""
    joined: dict[Plan, Plan] = {}
    for number, plan in enumerate(plans):
        key = replace(plan, dice=number if plan.removed else -1)
        before = joined.get(key)
        joined[key] = replace(plan, dice=plan.dice + before.dice) if before else plan
    return [plan for plan in joined.values() if plan.dice > 0]


def _sides(plan: Plan) -> int:
    return 5 if plan.rerolls else 6


def _whole(plan: Plan) -> int:
    """Return the denominator of a plan's weights: the ways in which `dice` plus `removed` dice can fall."""
    return int(_sides(plan) ** (plan.dice + plan.removed))


def _orders(plan: Plan, sixes: int) -> int:
    """Return in how many orders explosions can add `sixes` sixes to a plan's dice."""
    return comb(plan.dice + sixes - 1, sixes)


def _added(plan: Plan, reach: int) -> range:
    """Return the possible numbers of sixes that explosions add to the `reach` highest dice: at most `plan.removed`."""
    most = plan.removed if plan.explodes else 0
    return range(max(reach - plan.dice, 0), min(reach, most) + 1)


def _reaching(plan: Plan, face: int, reach: int) -> int:
    """Return the weight of rolls in which exactly `reach` dice show `face` or more.

    At most `plan.removed` of these dice show more than `face`. `face`: 1-6, or 1-5 if dice explode.
    """
    lower, higher = face - 1 - plan.rerolls, (5 if plan.explodes else 6) - face
    weight = 0
    for sixes in _added(plan, reach):
        others, may_exceed = reach - sixes, plan.removed - sixes
        ways = sum(comb(others, over) * higher**over for over in range(min(others, may_exceed) + 1))
        ways *= comb(plan.dice, others) * lower ** (plan.dice - others)
        weight += ways * _orders(plan, sixes) * _sides(plan) ** may_exceed
    return weight


def _below(plan: Plan, face: int) -> int:
    """Return the weight of rolls in which all remaining dice of a plan are below `face`, 1-7."""
    if face > 6:
        return _whole(plan)
    if face == 6 and plan.explodes:
        added = range(plan.removed + 1)
        undone: int = sum(_orders(plan, sixes) * _sides(plan) ** (plan.removed - sixes) for sixes in added)
        return _low(plan) * undone
    return sum(_reaching(plan, max(face, 1 + plan.rerolls), reach) for reach in range(plan.removed + 1))


def _series(plan: Plan, face: int, up_to: int | None) -> list[int]:
    """Return the finite series of a face, up to the term at `up_to` if given. `face`: 1-5, or 6 if no die explodes."""
    if face <= plan.rerolls:
        return [_below(plan, face)]
    last = plan.dice if plan.explodes else plan.dice - plan.removed
    counts = range(1, (last if up_to is None else min(last, up_to)) + 1)
    return [_below(plan, face), *(_reaching(plan, face, plan.removed + count) for count in counts)]


def _low(plan: Plan) -> int:
    """Return in how many ways a plan's dice, without added dice, can all show less than 6."""
    return int((_sides(plan) - 1) ** plan.dice)


def _numerator(plan: Plan, base: int, up_to: int | None) -> list[int]:
    """Return the numerator of the series of a plan's sixes (see `Sixes`), up to the term at `up_to` if given."""
    if not plan.explodes:
        return [weight * base**count for count, weight in enumerate(_series(plan, 6, up_to))]
    root, last = base // _sides(plan), plan.dice if up_to is None else min(plan.dice, up_to)
    terms = [_orders(plan, plan.removed + count) * root**count for count in range(1, last + 1)]
    own = [_below(plan, 6), *(_low(plan) * term for term in terms)]
    return _without_last_zeros(times(own, power(root, plan.dice, up_to))[: last + 1])


def _product(series: Iterable[list[int]], up_to: int | None) -> list[int]:
    end = None if up_to is None else up_to + 1
    return reduce(lambda left, other: times(left[:end], other[:end])[:end], series, [1])


def _divided(series: Sequence[int], root: int) -> list[int]:
    """Divide a series by 1 - root w. The result has as many terms as the series."""
    divided, before = [], 0
    for term in series:
        before = before * root + term
        divided.append(before)
    return divided


def _without_last_zeros(series: list[int]) -> list[int]:
    last = max((place for place, term in enumerate(series) if term), default=0)
    return series[: last + 1]
