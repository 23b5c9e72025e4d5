"""Odds of checks: the closed formulas, what follows from the rules, and sums of exactly 1."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import Outcome, Plan
from dreadclock.rules.check import plan
from dreadclock.rules.odds.check import any_fumble, faces_and_margins, highest, margins, outcomes, succeeds
from kit.examples import examples

FUMBLE, FAIL, SUCCESS, TRIUMPH = Outcome
CERTAIN_FUMBLE = {FUMBLE: 1, FAIL: 0, SUCCESS: 0, TRIUMPH: 0}

plans = st.builds(Plan, st.integers(0, 7), st.integers(0, 4), st.booleans(), st.booleans())
pools = st.lists(plans, max_size=3)
exact_odds = examples(25)


def momentum(dice: int) -> Plan:
    return plan(dice, momentum=True)


@pytest.mark.rule("C-odds")
@pytest.mark.parametrize("n", range(1, 61))
def test_plain_dice_have_the_plain_formulas(n: int) -> None:
    fumble, up_to_fail = Fraction(1, 6**n), Fraction(1, 2**n)
    triumph = 1 - Fraction(5, 6) ** n * (1 + Fraction(n, 6))

    assert outcomes(plan(n)) == {
        FUMBLE: fumble,
        FAIL: up_to_fail - fumble,
        SUCCESS: 1 - up_to_fail - triumph,
        TRIUMPH: triumph,
    }


@pytest.mark.rule("C-odds", "C2", "C3")
@pytest.mark.parametrize("n", range(1, 61))
def test_dice_with_momentum_have_the_formulas_of_five_sides(n: int) -> None:
    fail = Fraction(2, 5) ** n
    triumph = 1 - Fraction(4, 5) ** n * (1 + Fraction(n, 5))

    assert outcomes(momentum(n)) == {FUMBLE: 0, FAIL: fail, SUCCESS: 1 - fail - triumph, TRIUMPH: triumph}


@pytest.mark.rule("C-odds", "C-interference")
@pytest.mark.parametrize("n", range(1, 61))
def test_dice_with_interference_differ_from_plain_ones_in_the_triumph_alone(n: int) -> None:
    plain, spoiled = outcomes(plan(n)), outcomes(plan(n, interference=True))
    triumph = 1 - Fraction(5, 6) ** n - n * Fraction(1, 6) * Fraction(5, 6) ** (n - 1)

    assert spoiled == {
        FUMBLE: plain[FUMBLE],
        FAIL: plain[FAIL],
        SUCCESS: 1 - Fraction(1, 2**n) - triumph,
        TRIUMPH: triumph,
    }


@pytest.mark.rule("C9")
@pytest.mark.parametrize("check", [plan(0), plan(0, venture=2), plan(3, venture=3, interference=True)])
def test_a_check_that_leaves_no_die_is_a_certain_fumble(check: Plan) -> None:
    assert outcomes(check) == CERTAIN_FUMBLE
    assert highest(check) == {None: 1, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0}
    assert margins(check, up_to=1) == [1, 0, 0]
    assert any_fumble(check) == 1


def test_a_pool_of_no_plans_has_no_die() -> None:
    assert outcomes() == CERTAIN_FUMBLE
    assert any_fumble() == 0


@pytest.mark.rule("C12")
def test_that_anyone_fumbles_counts_the_leader_and_each_helper_by_herself() -> None:
    assert any_fumble(plan(1), plan(2)) == 1 - Fraction(5, 6) * Fraction(35, 36)
    assert any_fumble(plan(3), momentum(4)) == Fraction(1, 216)
    assert any_fumble(plan(0), momentum(4)) == 1


@pytest.mark.rule("C-example")
def test_the_heavy_door_opens_seven_times_in_eight() -> None:
    door = plan(4, penalty=1)

    assert succeeds(door) == Fraction(7, 8)
    assert highest(door)[5] == Fraction(61, 216)


def test_margins_below_0_are_refused() -> None:
    with pytest.raises(ValueError, match="counted from 0"):
        margins(plan(2), up_to=-1)


@exact_odds
@given(pools, st.integers(0, 6))
def test_all_odds_sum_to_exactly_1_and_agree_with_each_other(pool: list[Plan], up_to: int) -> None:
    faces, joint, outcome = highest(*pool), faces_and_margins(*pool, up_to=up_to), outcomes(*pool)

    assert sum(outcome.values()) == sum(faces.values()) == sum(margins(*pool, up_to=up_to)) == 1
    assert {face: sum(chances) for face, chances in joint.items()} == faces
    assert all(0 <= chance <= 1 for chances in joint.values() for chance in chances)
    assert outcome == {
        FUMBLE: sum(faces[face] for face in (None, 1)),
        FAIL: sum(faces[face] for face in (2, 3)),
        SUCCESS: sum(faces[face] for face in (4, 5)) + joint[6][0],
        TRIUMPH: sum(joint[6][1:]),
    }
    assert succeeds(*pool) == outcome[SUCCESS] + outcome[TRIUMPH]
    assert margins(*pool, up_to=up_to, at_least=4) == [
        sum(joint[face][m] for face in (4, 5, 6)) for m in range(up_to + 2)
    ]


@exact_odds
@given(pools, st.integers(0, 4), st.integers(1, 5))
def test_margins_told_further_apart_are_those_told_before(pool: list[Plan], near: int, further: int) -> None:
    coarse, fine = margins(*pool, up_to=near), margins(*pool, up_to=near + further)

    assert fine[: near + 1] == coarse[: near + 1]
    assert sum(fine[near + 1 :]) == coarse[near + 1]
