"""Checks: how many faces they take, and what the faces mean."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import Outcome, Plan, Reading
from dreadclock.rules.check import grade, highest, margin, plan, read, wanted
from dreadclock.rules.limits import MAX_POOL, MAX_ROLL_DICE

ORDER = list(Outcome)  # worst first

faces = st.integers(1, 6)
remaining_dice = st.lists(faces, max_size=12)
plans = st.builds(Plan, st.integers(0, 8), st.integers(0, 4), st.booleans(), st.booleans())


def plain(dice: int, removed: int = 0) -> Plan:
    return Plan(dice, removed, rerolls=False, explodes=True)


def remaining(plan: Plan, *drawn: int) -> tuple[int, ...]:
    return read(plan, drawn).remaining


@pytest.mark.rule("C4")
def test_what_is_left_of_a_penalty_removes_dice_after_the_explosions_highest_first() -> None:
    two_removed = plan(2, penalty=3)

    assert remaining(two_removed, 6, 6, 2) == (2,)
    assert remaining(two_removed, 6, 3) == ()
    assert remaining(two_removed, 5) == ()


@pytest.mark.rule("C9")
@pytest.mark.parametrize("modifiers", [{}, {"penalty": 2}, {"bonus": 2, "penalty": 2}, {"venture": 3}])
def test_a_score_of_0_without_a_net_bonus_rolls_nothing_and_is_a_fumble(modifiers: dict[str, Any]) -> None:
    nothing = plan(0, **modifiers)

    assert nothing == plain(0)
    assert wanted(nothing, ()) == 0
    assert read(nothing, ()) == Reading((), (), Outcome.FUMBLE, highest=None, margin=0, capped=False)


@pytest.mark.rule("C-venture")
def test_a_venture_takes_the_highest_die_once_per_level() -> None:
    assert remaining(plan(4, venture=1), 2, 5, 4, 1) == (2, 4, 1)
    assert remaining(plan(4, venture=2), 2, 5, 4, 1) == (2, 1)
    assert remaining(plan(4, venture=3), 2, 5, 4, 1) == (1,)


@pytest.mark.rule("C9")
def test_a_venture_that_removes_everything_is_a_fumble() -> None:
    assert read(plan(1, venture=1), (5,)) == Reading((5,), (), Outcome.FUMBLE, highest=None, margin=0, capped=False)


@pytest.mark.rule("C6")
def test_a_check_whose_remaining_dice_all_show_1_is_a_fumble() -> None:
    assert read(plan(2, venture=1), (5, 1)) == Reading((5, 1), (1,), Outcome.FUMBLE, highest=1, margin=0, capped=False)


@pytest.mark.rule("C5")
def test_triumph_and_margin_look_at_the_dice_that_remain() -> None:
    reading = read(plan(3, venture=1), (6, 4, 6, 1, 3))

    assert reading.remaining == (4, 6, 1, 3)
    assert (reading.outcome, reading.margin) == (Outcome.SUCCESS, 0)


@pytest.mark.rule("C1", "C-roll")
def test_each_6_adds_a_die_and_added_dice_explode_too() -> None:
    assert [wanted(plain(2), drawn) for drawn in [(), (6,), (6, 6), (6, 6, 6), (6, 6, 6, 3, 3)]] == [2, 3, 4, 5, 5]
    assert remaining(plain(2), 6, 6, 6, 3, 3) == (6, 6, 6, 3, 3)


@pytest.mark.rule("C-momentum")
def test_a_1_is_rolled_again_until_it_is_none() -> None:
    momentum = plan(2, momentum=True)

    assert [wanted(momentum, drawn) for drawn in [(1,), (1, 4), (1, 4, 1), (1, 4, 1, 5)]] == [3, 3, 4, 4]
    assert remaining(momentum, 1, 4, 1, 5) == (4, 5)


@pytest.mark.rule("C2")
def test_momentum_rolls_1s_on_added_dice_again() -> None:
    assert remaining(plan(1, momentum=True), 6, 1, 1, 2) == (6, 2)


@pytest.mark.rule("C3")
def test_a_die_that_was_rolled_again_and_shows_6_adds_a_die() -> None:
    assert remaining(plan(1, momentum=True), 1, 6, 3) == (6, 3)


@pytest.mark.rule("C-roll", "C3")
def test_dice_are_drawn_in_the_order_in_which_they_are_asked_for() -> None:
    momentum = plan(3, momentum=True)

    assert wanted(momentum, (6, 1, 2, 1, 5)) == 6  # the 6 asked first, the 1 after it, the added 1 last
    assert remaining(momentum, 6, 1, 2, 1, 5, 4) == (6, 2, 5, 4)


@pytest.mark.rule("C10", "C-interference")
def test_under_interference_6s_add_nothing_but_are_6s_all_the_same() -> None:
    interference = plan(2, interference=True)

    assert wanted(interference, (6, 6)) == 2
    assert read(interference, (6, 6)) == Reading((6, 6), (6, 6), Outcome.TRIUMPH, highest=6, margin=1, capped=False)


@pytest.mark.rule("C-outcome")
@pytest.mark.parametrize(
    ("dice", "outcome"),
    [
        ([], Outcome.FUMBLE),
        ([1], Outcome.FUMBLE),
        ([1, 1, 1], Outcome.FUMBLE),
        ([1, 2], Outcome.FAIL),
        ([3, 3], Outcome.FAIL),
        ([4, 1], Outcome.SUCCESS),
        ([5, 5], Outcome.SUCCESS),
        ([6, 5], Outcome.SUCCESS),
        ([6, 1, 6], Outcome.TRIUMPH),
    ],
)
def test_the_outcome_is_that_of_the_highest_die_but_for_1s_and_two_6s(dice: list[int], outcome: Outcome) -> None:
    assert grade(dice) is outcome


@pytest.mark.rule("C-margin")
@pytest.mark.parametrize(
    ("dice", "top", "more"), [([], None, 0), ([2], 2, 0), ([3, 1, 3], 3, 1), ([5, 5, 5, 4, 4], 5, 2), ([6, 6], 6, 1)]
)
def test_the_margin_counts_more_dice_like_the_highest_on_failures_too(dice: list[int], top: int | None, more: int):
    assert (highest(dice), margin(dice)) == (top, more)


@pytest.mark.rule("C13")
def test_6s_of_different_checks_add_up_to_a_triumph_when_pooled() -> None:
    leader, helper = read(plan(2), (6, 2, 4)), read(plan(1), (6, 3))

    assert [leader.outcome, helper.outcome] == [Outcome.SUCCESS, Outcome.SUCCESS]
    assert grade(leader.remaining + helper.remaining) is Outcome.TRIUMPH


@pytest.mark.rule("C14")
def test_a_venture_takes_the_declarers_own_die_before_pooling() -> None:
    declarer, helper = read(plan(2, venture=1), (5, 3)), read(plan(1), (5,))

    assert declarer.remaining + helper.remaining == (3, 5)


@pytest.mark.rule("C-example")
def test_the_heavy_door_opens_with_a_highest_of_5() -> None:
    door = plan(4, penalty=1)

    assert read(door, (1, 4, 5)) == Reading((1, 4, 5), (1, 4, 5), Outcome.SUCCESS, highest=5, margin=0, capped=False)


@pytest.mark.rule("E2")
def test_a_roll_stops_exploding_at_200_dice_and_says_so() -> None:
    sixes = (6,) * MAX_ROLL_DICE

    assert wanted(plain(60), sixes[:-1]) == MAX_ROLL_DICE
    assert wanted(plain(60), sixes) == MAX_ROLL_DICE
    assert read(plain(60), sixes) == Reading(sixes, sixes, Outcome.TRIUMPH, highest=6, margin=199, capped=True)


@pytest.mark.rule("E2")
def test_a_roll_that_ends_at_200_dice_by_itself_was_not_capped() -> None:
    drawn = (6,) * (MAX_ROLL_DICE - 1) + (5,)

    assert read(plain(1), drawn) == Reading(drawn, drawn, Outcome.TRIUMPH, highest=6, margin=198, capped=False)


@pytest.mark.rule("E2")
def test_a_1_that_the_cap_keeps_from_being_rolled_again_stands() -> None:
    drawn = (1,) * MAX_ROLL_DICE
    reading = read(plan(2, momentum=True), drawn)

    assert reading == Reading(drawn, (1, 1), Outcome.FUMBLE, highest=1, margin=1, capped=True)


@pytest.mark.rule("E1")
@pytest.mark.parametrize(
    ("check", "drawn", "sentence"),
    [
        (plain(1), (), "This roll takes at least 1 face, not 0: it starts with 1, each 6 adds one."),
        (plain(2), (6, 3), "This roll takes at least 3 faces, not 2: it starts with 2, each 6 adds one."),
        (plain(2), (6, 3, 2, 2), "This roll takes 3 faces, not 4: it starts with 2, each 6 adds one."),
        (
            plan(1, momentum=True),
            (6, 1),
            "This roll takes at least 3 faces, not 2: it starts with 1, each 6 adds one, each 1 is rolled again.",
        ),
        (plan(2, interference=True), (6,), "This roll takes 2 faces, not 1: it starts with 2."),
        (plan(0), (4,), "This roll takes 0 faces, not 1: it starts with 0, each 6 adds one."),
        (
            plain(60),
            (6,) * 201,
            "This roll takes 200 faces, not 201: it starts with 60, each 6 adds one, it stops at 200.",
        ),
        (plain(2), (6, 7, 1), "Every face must be a whole number from 1 to 6."),
        (plain(2), (0, 1), "Every face must be a whole number from 1 to 6."),
    ],
)
def test_faces_that_are_too_few_too_many_or_none_are_refused(check: Plan, drawn: tuple[int, ...], sentence: str):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read(check, drawn)


@given(plans, st.lists(faces, min_size=MAX_ROLL_DICE, max_size=MAX_ROLL_DICE))
def test_a_roll_asked_face_by_face_takes_what_the_whole_roll_takes(check: Plan, stream: list[int]) -> None:
    drawn: list[int] = []
    while len(drawn) < wanted(check, drawn):
        drawn.append(stream[len(drawn)])

    reading = read(check, drawn)

    assert wanted(check, stream) == len(drawn)
    assert reading.faces == tuple(drawn)
    if not reading.capped:
        redrawn = drawn.count(1) if check.rerolls else 0
        added = drawn.count(6) if check.explodes else 0
        assert len(drawn) == check.dice + redrawn + added
        assert len(reading.remaining) == max(len(drawn) - redrawn - check.removed, 0)


@pytest.mark.rule("C-roll")
@given(plans, st.lists(faces, min_size=MAX_ROLL_DICE, max_size=MAX_ROLL_DICE))
def test_only_highest_dice_are_removed_and_the_others_keep_their_order(check: Plan, stream: list[int]) -> None:
    drawn = stream[: wanted(check, stream)]
    unremoved = read(Plan(check.dice, 0, check.rerolls, check.explodes), drawn).remaining
    kept = read(check, drawn).remaining
    rest = iter(unremoved)

    assert all(face in rest for face in kept)  # a subsequence: `in` uses up the iterator
    assert sorted(kept) == sorted(unremoved)[: max(len(unremoved) - check.removed, 0)]


@pytest.mark.rule("C-outcome")
@given(remaining_dice, st.integers(0, 11))
def test_a_die_that_shows_more_never_makes_the_outcome_worse(dice: list[int], place: int) -> None:
    raised = [min(face + (index == place), 6) for index, face in enumerate(dice)]

    assert ORDER.index(grade(raised)) >= ORDER.index(grade(dice))


@pytest.mark.rule("C-outcome")
@given(remaining_dice, faces)
def test_one_die_more_never_makes_the_outcome_worse(dice: list[int], face: int) -> None:
    assert ORDER.index(grade([*dice, face])) >= ORDER.index(grade(dice))


# Checks: what is rolled at first, and what is removed, once modifiers and tokens are worked in


@pytest.mark.rule("C-roll")
def test_a_check_without_modifiers_rolls_the_score() -> None:
    assert plan(4) == Plan(dice=4, removed=0, rerolls=False, explodes=True)


@pytest.mark.rule("C-modifiers")
@pytest.mark.parametrize(
    ("score", "bonus", "penalty", "dice"), [(4, 0, 1, 3), (4, 2, 0, 6), (4, 2, 2, 4), (4, 3, 1, 6), (4, 1, 3, 2)]
)
def test_bonuses_and_penalties_cancel_and_the_rest_changes_the_dice(score: int, bonus: int, penalty: int, dice: int):
    assert plan(score, bonus=bonus, penalty=penalty) == plain(dice)


@pytest.mark.rule("C4", "C-modifiers")
@pytest.mark.parametrize(
    ("score", "penalty", "removed"), [(3, 2, 0), (3, 3, 1), (3, 4, 2), (1, 1, 1), (1, 60, 60), (60, 60, 1)]
)
def test_a_penalty_that_would_take_the_last_die_leaves_it_and_the_rest_removes(score: int, penalty: int, removed: int):
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
