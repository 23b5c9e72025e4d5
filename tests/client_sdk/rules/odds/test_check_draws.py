"""Odds of checks against every way the faces can be drawn, as the rule itself draws and reads them.

Each face is branched on as long as `wanted` asks for more, up to a number of draws; a roll that is not
complete by then is left open. So every chance found is a lower bound, and with all that is open an upper
one; where nothing can be open, it is the chance itself.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod

import pytest

from dreadclock.rules import Outcome, Plan, Reading
from dreadclock.rules.check import grade, highest, margin, read, wanted
from dreadclock.rules.odds.check import faces_and_margins, outcomes

Chances = dict[tuple[int | None, int], Fraction]

SPOILED = [Plan(dice, removed, rerolls=False, explodes=False) for dice in range(6) for removed in range(4)]
POOLED = [Plan(1, 0, False, False), Plan(2, 1, False, False), Plan(2, 0, False, False), Plan(1, 1, False, False)]
PLAIN = [Plan(dice, removed, rerolls=False, explodes=True) for dice in range(4) for removed in range(4)]
MOMENTUM = [Plan(dice, removed, rerolls=True, explodes=True) for dice in range(3) for removed in range(3)]


def every_way(plan: Plan, draws: int) -> list[tuple[Reading, Fraction]]:
    """Give each complete roll of at most so many draws, and its chance."""
    complete: list[tuple[Reading, Fraction]] = []
    open_rolls: list[tuple[int, ...]] = [()]
    while open_rolls:
        faces = open_rolls.pop()
        if wanted(plan, faces) == len(faces):
            complete.append((read(plan, faces), Fraction(1, 6 ** len(faces))))
        elif wanted(plan, faces) <= draws:
            open_rolls += [(*faces, face) for face in range(1, 7)]
    return complete


def assert_between(found: Fraction, chance: Fraction, left_open: Fraction) -> None:
    assert found <= chance <= found + left_open


@pytest.mark.rule("C-odds", "C5", "C6", "C9")
@pytest.mark.parametrize("plan", SPOILED, ids=str)
def test_without_explosions_the_odds_are_those_of_all_faces(plan: Plan) -> None:
    joint: dict[int | None, list[Fraction]] = {face: [Fraction(0)] * 7 for face in (None, 1, 2, 3, 4, 5, 6)}
    outcome = dict.fromkeys(Outcome, Fraction(0))
    for reading, chance in every_way(plan, draws=plan.dice):
        joint[reading.highest][reading.margin] += chance
        outcome[reading.outcome] += chance

    assert faces_and_margins(plan, up_to=5) == joint
    assert outcomes(plan) == outcome


@pytest.mark.rule("C-odds", "C-cooperation", "C13", "C14")
@pytest.mark.parametrize("plans", [*combinations_with_replacement(POOLED, 2), tuple(POOLED[:3])], ids=str)
def test_the_odds_of_pooled_checks_are_those_of_all_faces(plans: tuple[Plan, ...]) -> None:
    joint: dict[int | None, list[Fraction]] = {face: [Fraction(0)] * 7 for face in (None, 1, 2, 3, 4, 5, 6)}
    outcome = dict.fromkeys(Outcome, Fraction(0))
    for ways in product(*(every_way(plan, draws=plan.dice) for plan in plans)):
        pooled = [face for reading, _ in ways for face in reading.remaining]
        chance = prod(chance for _, chance in ways)
        joint[highest(pooled)][margin(pooled)] += chance
        outcome[grade(pooled)] += chance

    assert faces_and_margins(*plans, up_to=5) == joint
    assert outcomes(*plans) == outcome


@pytest.mark.rule("C-odds", "C1", "C2", "C3", "C4")
@pytest.mark.parametrize(
    ("plan", "draws", "at_most_open"),
    [(plan, 8, Fraction(1, 400)) for plan in PLAIN] + [(plan, 7, Fraction(1, 40)) for plan in MOMENTUM],
    ids=str,
)
def test_with_explosions_the_odds_lie_within_what_long_rolls_leave_open(
    plan: Plan, draws: int, at_most_open: Fraction
) -> None:
    found: Chances = defaultdict(Fraction)
    outcome = dict.fromkeys(Outcome, Fraction(0))
    for reading, chance in every_way(plan, draws):
        found[reading.highest, reading.margin] += chance
        outcome[reading.outcome] += chance
    left_open = 1 - sum(outcome.values(), Fraction(0))

    assert left_open <= at_most_open
    for face, chances in faces_and_margins(plan, up_to=9).items():
        for more, chance in enumerate(chances):
            assert_between(found[face, more], chance, left_open)
    for graded, chance in outcomes(plan).items():
        assert_between(outcome[graded], chance, left_open)
