"""Checks: what is rolled at first, and what is removed, once modifiers and tokens are worked in."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dreadclock.rules import Plan
from dreadclock.rules.check import plan
from dreadclock.rules.limits import MAX_POOL


def plain(dice: int, removed: int = 0) -> Plan:
    return Plan(dice, removed, rerolls=False, explodes=True)


@pytest.mark.rule("C-roll")
def test_a_check_without_modifiers_rolls_the_score() -> None:
    assert plan(4) == Plan(dice=4, removed=0, rerolls=False, explodes=True)


@pytest.mark.rule("C-modifiers")
@pytest.mark.parametrize(
    ("score", "bonus", "penalty", "dice"), [(4, 0, 1, 3), (4, 2, 0, 6), (4, 2, 2, 4), (4, 3, 1, 6), (4, 1, 3, 2)]
)
def test_bonuses_and_penalties_cancel_and_the_rest_changes_the_dice(
    score: int, bonus: int, penalty: int, dice: int
) -> None:
    assert plan(score, bonus=bonus, penalty=penalty) == plain(dice)


@pytest.mark.rule("C4", "C-modifiers")
@pytest.mark.parametrize(
    ("score", "penalty", "removed"), [(3, 2, 0), (3, 3, 1), (3, 4, 2), (1, 1, 1), (1, 60, 60), (60, 60, 1)]
)
def test_a_penalty_that_would_take_the_last_die_leaves_it_and_the_rest_removes(
    score: int, penalty: int, removed: int
) -> None:
    assert plan(score, penalty=penalty) == plain(1, removed)


@pytest.mark.rule("C9", "C-modifiers")
def test_a_net_bonus_is_rolled_even_with_a_score_of_0() -> None:
    assert plan(0, bonus=3, penalty=1) == plain(2)


@pytest.mark.rule("C15", "C-venture")
def test_a_bonus_adds_dice_but_cannot_cancel_a_venture() -> None:
    assert plan(3, bonus=2, venture=2) == plain(5, removed=2)
    assert plan(3, bonus=9, penalty=1, venture=3) == plain(11, removed=3)


@pytest.mark.rule("C-venture", "C4")
def test_a_venture_comes_on_top_of_what_is_left_of_a_penalty() -> None:
    assert plan(2, penalty=3, venture=2) == plain(1, removed=4)


@pytest.mark.rule("C-momentum")
def test_momentum_rolls_each_1_again_and_interference_keeps_6s_from_adding() -> None:
    assert plan(3, momentum=True) == Plan(3, 0, rerolls=True, explodes=True)
    assert plan(3, interference=True) == Plan(3, 0, rerolls=False, explodes=False)


@pytest.mark.rule("C7")
def test_momentum_and_interference_together_are_a_plain_roll() -> None:
    assert plan(3, momentum=True, interference=True) == plan(3)


@pytest.mark.rule("E2", "C-venture")
@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ({"score": -1}, "A score is from 0 to 60 dice, not -1."),
        ({"score": 61}, "A score is from 0 to 60 dice, not 61."),
        ({"score": 3, "bonus": -1}, "Bonuses and penalties are counted in dice from 0; a negative bonus is a penalty."),
        (
            {"score": 3, "penalty": -1},
            "Bonuses and penalties are counted in dice from 0; a negative bonus is a penalty.",
        ),
        ({"score": 3, "venture": 4}, "A venture has level 1 to 3, or 0 for none, not 4."),
        ({"score": 3, "venture": -1}, "A venture has level 1 to 3, or 0 for none, not -1."),
        ({"score": 60, "bonus": 1}, "A check starts with at most 60 dice, not 61."),
    ],
)
def test_a_plan_beyond_its_limits_is_refused_in_one_sentence(numbers: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        plan(**numbers)


@pytest.mark.rule("E2")
def test_the_largest_pool_may_be_rolled() -> None:
    assert plan(MAX_POOL, bonus=4, penalty=4, venture=3) == plain(MAX_POOL, removed=3)
