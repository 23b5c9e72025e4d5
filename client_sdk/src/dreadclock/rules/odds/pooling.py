"""Pools of checks: the exact chance of each highest face, and of how many dice show it.

Every chance is a weight: a whole number of parts of the pool's `whole`, so that nothing is reduced on
the way. A plan's dice have six equal sides, or five if each 1 is rolled again until it is not 1.

The counts of a face. For each face h, a series in z holds what a pool can show without exceeding h:
its number at z^0 is the weight of a highest face below h, at z^c that of h on exactly c dice. Checks
rolled apart and pooled have the product of their series, whatever each of them had removed. Below 6
a series ends, and so it does at 6 where no die explodes.

Explosions. Before each of the n dice that end on another face stands a chain of sixes, so that s sixes
fall in C(n+s-1, s) orders, and the other n dice are uniform on the lower sides. The series of 6 is
then, beyond its first terms, that of (1 - z/sides)^-n: with n factors multiplied out nothing is left
beyond z^n. That finite product, `numerator`, is all of an unending series.
Source: rules.md C1 to C6 and C13.
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
    """The series of a pool's sixes: `numerator` over a product of (1 - root w)^multiplicity.

    w = z / `base`, which leaves only whole numbers: the term at w^c is in parts of whole * base^c.
    """

    numerator: list[int]
    roots: Counter[int]
    base: int

    @property
    def settled(self) -> int:
        """Give the last count before the terms are a sum of polynomials times powers of the roots."""
        return max(len(self.numerator) - 1 - self.roots.total(), 0)

    def terms(self, up_to: int) -> list[int]:
        """Give the terms at 0, 1, ... `up_to` sixes."""
        terms = [*self.numerator, *[0] * up_to][: up_to + 1]
        for root in self.roots.elements():
            terms = _divided(terms, root)
        return terms


class Pool:
    """The dice of several checks together, each after its own removals."""

    def __init__(self, plans: Iterable[Plan]) -> None:
        self._plans = _joined(plans)
        self.whole: int = prod(_whole(plan) for plan in self._plans)

    def below(self, face: int) -> int:
        """Weigh that no die shows `face`, 1-7, or more."""
        return prod(_below(plan, face) for plan in self._plans)

    def showing(self, face: int) -> int:
        """Weigh that the highest face is this one."""
        return self.below(face + 1) - self.below(face)

    def counts(self, face: int, up_to: int | None = None) -> list[int]:
        """Weigh that the highest face is this one, 1-5, on 0 dice (never), on 1, ... `up_to`.

        Ends where the dice end, or at once if this face is on none; None: as far as there are dice.
        """
        product = _product((_series(plan, face, up_to) for plan in self._plans), up_to)
        return [0, *product[1:]]

    def sixes(self, up_to: int | None = None) -> Sixes:
        """Give the series of the sixes; its term at 0 is the weight of a highest face below 6.

        `up_to`: the last count that its terms are needed for, None if all are.
        """
        base = lcm(*(_sides(plan) for plan in self._plans if plan.explodes))
        roots = Counter[int]()
        for plan in self._plans:
            if plan.explodes:
                roots[base // _sides(plan)] += plan.dice
        return Sixes(_product((_numerator(plan, base, up_to) for plan in self._plans), up_to), roots, base)


def times(left: Sequence[int], other: Sequence[int]) -> list[int]:
    """Multiply two series that end, neither of them empty."""
    back, last = other[::-1], len(other) - 1
    product = []
    for place in range(len(left) + last):
        first = max(place - last, 0)
        product.append(sum(map(mul, left[first : place + 1], back[last - place + first :])))
    return product


def power(root: int, multiplicity: int, up_to: int | None = None) -> list[int]:
    """Give the series of (1 - root w)^multiplicity, to the term at `up_to` if one is given."""
    last = multiplicity if up_to is None else min(up_to, multiplicity)
    return [comb(multiplicity, place) * (-root) ** place for place in range(last + 1)]


def _joined(plans: Iterable[Plan]) -> list[Plan]:
    """Make one plan of those that differ in the number of dice alone and have none removed."""
    joined: dict[Plan, Plan] = {}
    for number, plan in enumerate(plans):
        key = replace(plan, dice=number if plan.removed else -1)
        before = joined.get(key)
        joined[key] = replace(plan, dice=plan.dice + before.dice) if before else plan
    return [plan for plan in joined.values() if plan.dice > 0]


def _sides(plan: Plan) -> int:
    return 5 if plan.rerolls else 6


def _whole(plan: Plan) -> int:
    """Give the parts of a plan's weights: so many ways can its dice, and as many as are removed, fall."""
    return int(_sides(plan) ** (plan.dice + plan.removed))


def _orders(plan: Plan, sixes: int) -> int:
    """Count the orders in which explosions add so many sixes to a plan's dice."""
    return comb(plan.dice + sixes - 1, sixes)


def _added(plan: Plan, reach: int) -> range:
    """Give the numbers of added sixes that removals can undo, if they are among `reach` dice."""
    most = plan.removed if plan.explodes else 0
    return range(max(reach - plan.dice, 0), min(reach, most) + 1)


def _reaching(plan: Plan, face: int, reach: int) -> int:
    """Weigh that so many dice show `face` or more, and no more than are removed exceed it.

    `face`: 1-6, or 1-5 where dice explode.
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
    """Weigh that what remains of a plan's dice is below `face`, 1-7."""
    if face > 6:
        return _whole(plan)
    if face == 6 and plan.explodes:
        added = range(plan.removed + 1)
        undone: int = sum(_orders(plan, sixes) * _sides(plan) ** (plan.removed - sixes) for sixes in added)
        return _low(plan) * undone
    return sum(_reaching(plan, max(face, 1 + plan.rerolls), reach) for reach in range(plan.removed + 1))


def _series(plan: Plan, face: int, up_to: int | None) -> list[int]:
    """Give the series of a face where it ends: 1-5, or 6 if no die explodes; to the term at `up_to` if given."""
    if face <= plan.rerolls:
        return [_below(plan, face)]
    last = plan.dice if plan.explodes else plan.dice - plan.removed
    counts = range(1, (last if up_to is None else min(last, up_to)) + 1)
    return [_below(plan, face), *(_reaching(plan, face, plan.removed + count) for count in counts)]


def _low(plan: Plan) -> int:
    """Count the ways in which all of a plan's dice, without those added, show less than 6."""
    return int((_sides(plan) - 1) ** plan.dice)


def _numerator(plan: Plan, base: int, up_to: int | None) -> list[int]:
    """Return the numerator, a finite series, of the series of a plan's sixes. The plan's roots make its denominator."""
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
    """Divide by 1 - root w, as far as the series goes."""
    divided, before = [], 0
    for term in series:
        before = before * root + term
        divided.append(before)
    return divided


def _without_last_zeros(series: list[int]) -> list[int]:
    last = max((place for place, term in enumerate(series) if term), default=0)
    return series[: last + 1]
