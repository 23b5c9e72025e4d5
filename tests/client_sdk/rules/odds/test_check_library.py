"""Odds of checks and contests against icepool, a dice library that shares nothing with ours.

The library explodes a die to a given depth, and ours without end. Nothing is lost by that: a highest face
below 6, or any number of 6s that the depth reaches, cannot come from a chain that the depth cut off. So all
of these agree exactly, exploding or not; all counts beyond are compared as one. Only in contests between two
sides that explode can counts beyond meet. There the library's chance is a lower bound, and with the chance
that both sides are beyond an upper one.
"""

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations_with_replacement, product

import icepool
import pytest

from dreadclock.rules import DecidedBy, Outcome, Plan
from dreadclock.rules.odds.check import any_fumble, faces_and_margins, outcomes
from dreadclock.rules.odds.contest import contest_odds

BEYOND = 5  # counts from here on are one
Standing = tuple[int, int]  # the highest face and how many dice show it; 0 and 0 without dice
Chances = dict[Standing, Fraction]

SINGLE = [Plan(*each) for each in product(range(1, 6), range(4), (False, True), (False, True))]
SMALL = [Plan(*each) for each in [(1, 0, True, True), (2, 1, False, True), (3, 2, True, False), (2, 0, False, False)]]
POOLED = [*combinations_with_replacement(SMALL, 2), *combinations_with_replacement(SMALL, 3)]
SIDES: list[tuple[Plan, ...]] = [
    (Plan(1, 2, False, True),),
    (Plan(3, 0, False, True),),
    (Plan(4, 1, True, True),),
    (Plan(3, 1, False, True), Plan(2, 0, True, True)),
]
SPOILED_SIDES: list[tuple[Plan, ...]] = [
    (),
    (Plan(2, 2, False, False),),
    (Plan(3, 0, False, False),),
    (Plan(4, 1, True, False),),
    (Plan(5, 3, False, False),),
    (Plan(2, 0, False, False), Plan(3, 1, True, False)),
]
CONTESTS = [*product(SPOILED_SIDES, SPOILED_SIDES), *product(SIDES, SPOILED_SIDES), *product(SPOILED_SIDES, SIDES)]
EXPLODING_CONTESTS = [*product(SIDES, SIDES)]


def shown(plans: Plan | tuple[Plan, ...]) -> str:
    """Name a test: 3-1rx for 3 dice, 1 removed, 1s rolled again, exploding."""
    each = (plans,) if isinstance(plans, Plan) else plans
    return "+".join(f"{plan.dice}-{plan.removed}{'r' * plan.rerolls}{'x' * plan.explodes}" for plan in each)


class HighestOnHowMany(icepool.MultisetEvaluator[int, Standing]):  # type: ignore[misc]
    """The standing of a pool; its dice come as outcomes with their counts, in either order."""

    def next_state(self, state: Standing | None, _order: icepool.Order, outcome: int, count: int) -> Standing:
        return max(state or (0, 0), (outcome, count) if count else (0, 0))


highest_on_how_many = HighestOnHowMany()


def pool(one: Standing, other: Standing) -> Standing:
    return (one[0], min(one[1] + other[1], BEYOND)) if one[0] == other[0] else max(one, other)


@lru_cache
def rolled(plan: Plan) -> icepool.Die[Standing]:
    """Roll a check with the library; a count of BEYOND stands for any from there on."""
    die = icepool.d6.reroll([1], depth="inf") if plan.rerolls else icepool.d6
    depth = plan.removed + BEYOND - 1
    dice = die.explode_to_pool(plan.dice, [6], depth=depth) if plan.explodes else die.pool(plan.dice)
    kept = dice.keep(slice(None, -plan.removed)) if plan.removed else dice
    return highest_on_how_many(kept).map(lambda face, count: (face, min(count, BEYOND)))


@lru_cache
def by_library(plans: tuple[Plan, ...]) -> Chances:
    """Give the library's chance of each standing of pooled checks."""
    pooled = reduce(lambda one, other: icepool.map(pool, one, other), map(rolled, plans), icepool.Die([(0, 0)]))
    return {standing: Fraction(quantity, pooled.denominator()) for standing, quantity in pooled.items()}


def standings(plans: tuple[Plan, ...]) -> Chances:
    """Give our chance of each standing in the same shape."""
    chances: Chances = defaultdict(Fraction)
    for face, by_margin in faces_and_margins(*plans, up_to=BEYOND - 2).items():
        for count, chance in enumerate(by_margin, start=1):
            chances[(face, count) if face else (0, 0)] += chance
    return chances


def possible(chances: Chances) -> Chances:
    return {standing: chance for standing, chance in chances.items() if chance}


def graded(chances: Chances) -> dict[Outcome, Fraction]:
    grades = dict.fromkeys(Outcome, Fraction(0))
    for (face, count), chance in chances.items():
        triumph_or_success = Outcome.TRIUMPH if (face, min(count, 2)) == (6, 2) else Outcome.SUCCESS
        grades[(Outcome.FUMBLE if face < 2 else Outcome.FAIL) if face < 4 else triumph_or_success] += chance
    return grades


@pytest.mark.rule("C-odds", "C1", "C2", "C3", "C4", "C5", "C6")
@pytest.mark.parametrize("plan", SINGLE, ids=shown)
def test_the_odds_of_a_check_are_those_of_the_library(plan: Plan) -> None:
    assert possible(standings((plan,))) == possible(by_library((plan,)))
    assert outcomes(plan) == graded(by_library((plan,)))


@pytest.mark.rule("C-odds", "C-cooperation", "C12", "C13", "C14")
@pytest.mark.parametrize("plans", POOLED, ids=shown)
def test_the_odds_of_pooled_checks_are_those_of_the_library(plans: tuple[Plan, ...]) -> None:
    nobody_fumbles = Fraction(1)
    for plan in plans:
        nobody_fumbles *= 1 - graded(by_library((plan,)))[Outcome.FUMBLE]

    assert possible(standings(plans)) == possible(by_library(plans))
    assert outcomes(*plans) == graded(by_library(plans))
    assert any_fumble(*plans) == 1 - nobody_fumbles


def judged(acting: Chances, opposing: Chances) -> dict[str, Fraction]:
    """Judge every pair of standings; "open" if both counts are beyond, and so are unknown."""
    chances: dict[str, Fraction] = defaultdict(Fraction)
    for (ours, our_chance), (theirs, their_chance) in product(acting.items(), opposing.items()):
        chance = our_chance * their_chance
        if ours == theirs == (6, BEYOND):
            chances["open"] += chance
            continue
        chances["wins" if ours > theirs else "loses" if ours < theirs else "equal"] += chance
        chances["by highest"] += chance * (ours[0] != theirs[0])
        if ours > theirs and ours[0] >= 4:
            chances["succeeds"] += chance
    return chances


@pytest.mark.rule("C-odds", "C-contest", "C16")
@pytest.mark.parametrize(("acting", "opposing"), CONTESTS, ids=shown)
def test_the_odds_of_a_contest_are_those_of_the_library(acting: tuple[Plan, ...], opposing: tuple[Plan, ...]) -> None:
    library = judged(by_library(acting), by_library(opposing))
    odds = contest_odds(acting, opposing, (0, 1))

    assert library["open"] == 0
    assert (odds.acting_wins, odds.acting_succeeds) == (library["wins"], library["succeeds"])
    assert odds.decided == {
        DecidedBy.HIGHEST: library["by highest"],
        DecidedBy.COUNT: library["wins"] + library["loses"] - library["by highest"],
        DecidedBy.REFLEX: library["equal"],
        DecidedBy.DEAL: 0,
    }


@pytest.mark.rule("C-odds", "C-contest", "C1")
@pytest.mark.parametrize(("acting", "opposing"), EXPLODING_CONTESTS, ids=shown)
def test_where_both_sides_explode_odds_lie_within_the_librarys(acting: tuple[Plan, ...], opposing: tuple[Plan, ...]):
    library = judged(by_library(acting), by_library(opposing))
    odds = contest_odds(acting, opposing, (0, 1))
    left_open = library["open"]

    assert 0 < left_open < Fraction(1, 300)
    assert odds.decided[DecidedBy.HIGHEST] == library["by highest"]
    for chance, found in [
        (odds.acting_wins, library["wins"]),
        (odds.opposing_wins, library["loses"] + library["equal"]),
        (odds.acting_succeeds, library["succeeds"]),
        (odds.decided[DecidedBy.REFLEX], library["equal"]),
    ]:
        assert found < chance < found + left_open


@pytest.mark.rule("C-odds")
def test_the_library_was_asked_at_least_two_hundred_times() -> None:
    assert len(SINGLE) + len(POOLED) + len(CONTESTS) + len(EXPLODING_CONTESTS) >= 200
