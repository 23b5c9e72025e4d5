"""Odds of contests: sums without end against sums by hand, and against very long ones."""

from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import DecidedBy, Outcome, Plan
from dreadclock.rules.check import plan
from dreadclock.rules.odds.check import faces_and_margins, highest, outcomes, succeeds
from dreadclock.rules.odds.contest import ContestOdds, contest_odds
from kit.examples import examples

HIGHEST, COUNT, REFLEX, DEAL = DecidedBy
NO, SURE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
FAR = 150  # sixes; more of them on both sides are next to impossible

plans = st.builds(Plan, st.integers(0, 6), st.integers(0, 3), st.booleans(), st.booleans())
sides = st.lists(plans, max_size=3)
exact_odds = examples(25)


@pytest.mark.rule("C-odds", "C-contest", "C1", "C17")
def test_two_exploding_dice_are_equal_by_a_sum_without_end() -> None:
    one = [plan(1)]
    equal_sixes = Fraction(5, 6) ** 2 * Fraction(1, 35)  # 36^-1 + 36^-2 + ... = 1/35
    equal = Fraction(5, 36) + equal_sixes

    assert contest_odds(one, one, (None, 1)) == ContestOdds(
        acting_wins=HALF,
        opposing_wins=HALF,
        acting_succeeds=Fraction(3 + 4, 36) + Fraction(5, 36) + HALF * (Fraction(2, 36) + Fraction(1, 36)),
        decided={HIGHEST: Fraction(30, 36), COUNT: Fraction(1, 36) - equal_sixes, REFLEX: NO, DEAL: equal},
    )


@pytest.mark.rule("C-odds", "C-contest", "C2")
def test_sixes_of_different_chances_are_compared_by_a_sum_without_end_too() -> None:
    acting, opposing = [plan(1, momentum=True)], [plan(2)]
    equal_sixes = Fraction(4, 5) * Fraction(25, 36) * (1 / (1 - Fraction(1, 30)) ** 2 - 1)  # sum of (c+1) 30^-c
    equal_below = sum(Fraction(1, 5) * Fraction(2 * (face - 1), 36) for face in range(2, 6))
    odds = contest_odds(acting, opposing, (0, 1))

    assert odds.decided[REFLEX] == equal_sixes + equal_below


@pytest.mark.rule("C-odds", "C-contest")
@pytest.mark.parametrize(
    ("acting", "opposing"),
    [
        ([plan(20)], [plan(20, venture=1)]),
        ([plan(20, venture=3, momentum=True)], [plan(17)]),
        ([plan(1, penalty=5)], [plan(2, penalty=4, momentum=True)]),
        ([plan(6, venture=1), plan(3, momentum=True), plan(4, interference=True)], [plan(9), plan(4, venture=2)]),
        ([plan(20)] * 5, [plan(20, venture=3, momentum=True), plan(20), plan(20, venture=1)]),
    ],
    ids=["20-20", "momentum-plain", "penalties", "mixed", "cooperation"],
)
def test_contests_of_many_dice_are_what_very_long_sums_come_to(acting: list[Plan], opposing: list[Plan]) -> None:
    ours, theirs = (faces_and_margins(*side, up_to=FAR - 1) for side in (acting, opposing))
    left_open = ours[6][-1] * theirs[6][-1]
    equal = ours[None][0] * theirs[None][0] + sum(
        sum(one * other for one, other in zip(ours[face][:-1], theirs[face][:-1], strict=True)) for face in range(1, 7)
    )
    more = NO
    for face in range(1, 7):
        below = sum((chance for top, chance in highest(*opposing).items() if (top or 0) < face), NO)
        fewer = accumulate(theirs[face], initial=below)
        more += sum((one * less for one, less in zip(ours[face], fewer, strict=False)), NO)
    odds = contest_odds(acting, opposing, (0, 1))

    assert left_open < Fraction(1, 10**12)
    assert equal <= odds.decided[REFLEX] <= equal + left_open
    assert more - left_open <= odds.acting_wins <= more + left_open


@pytest.mark.rule("C16", "C17")
def test_without_dice_on_either_side_the_reflex_decides_and_else_the_deal() -> None:
    nothing = [plan(0)]
    by_reflex = {HIGHEST: NO, COUNT: NO, REFLEX: SURE, DEAL: NO}

    assert contest_odds(nothing, [], (2, 1)) == ContestOdds(SURE, NO, NO, by_reflex)
    assert contest_odds(nothing, [], (1, 2)) == ContestOdds(NO, SURE, NO, by_reflex)
    assert contest_odds([], nothing, (2, 2)) == ContestOdds(HALF, HALF, NO, by_reflex | {REFLEX: NO, DEAL: SURE})


@exact_odds
@given(sides, sides)
def test_the_odds_of_a_contest_agree_with_each_other_and_from_both_sides(acting: list[Plan], opposing: list[Plan]):
    ahead, behind, dealt = (contest_odds(acting, opposing, reflex) for reflex in [(2, 1), (1, 2), (None, 2)])
    mirrored = contest_odds(opposing, acting, (1, 2))

    assert (ahead.acting_wins, ahead.opposing_wins) == (mirrored.opposing_wins, mirrored.acting_wins)
    assert ahead.decided == mirrored.decided == behind.decided
    assert ahead.acting_wins - behind.acting_wins == ahead.decided[REFLEX] == dealt.decided[DEAL]
    assert dealt.acting_wins == (ahead.acting_wins + behind.acting_wins) / 2
    assert dealt.acting_succeeds == (ahead.acting_succeeds + behind.acting_succeeds) / 2
    for odds in (ahead, behind, dealt):
        assert odds.acting_wins + odds.opposing_wins == sum(odds.decided.values()) == 1
        assert min(odds.decided.values()) >= 0
        assert 0 <= odds.acting_succeeds <= min(odds.acting_wins, succeeds(*acting))
        assert odds.acting_wins - odds.acting_succeeds <= sum(
            outcomes(*acting)[outcome] for outcome in (Outcome.FUMBLE, Outcome.FAIL)
        )
