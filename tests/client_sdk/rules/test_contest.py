"""Contests: which of two sides wins, and by what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import DecidedBy, Outcome, Side, Verdict
from dreadclock.rules.check import grade, plan, read
from dreadclock.rules.contest import contest, dealt

dice = st.lists(st.integers(1, 6), max_size=8)
reflexes = st.none() | st.integers(0, 6)
OTHER = {Side.ACTING: Side.OPPOSING, Side.OPPOSING: Side.ACTING, None: None}


@pytest.mark.rule("C-contest")
def test_the_higher_highest_die_wins_however_many_dice_there_are() -> None:
    assert contest([5], [4, 4, 4, 4], (0, 9)) == Verdict(Side.ACTING, DecidedBy.HIGHEST)
    assert contest([2, 3], [4, 1], (9, 0)) == Verdict(Side.OPPOSING, DecidedBy.HIGHEST)


@pytest.mark.rule("C-contest")
def test_at_the_same_highest_die_more_dice_of_it_win() -> None:
    assert contest([5, 5], [5, 4, 4], (0, 9)) == Verdict(Side.ACTING, DecidedBy.COUNT)
    assert contest([6, 6], [6, 6, 6], (9, 0)) == Verdict(Side.OPPOSING, DecidedBy.COUNT)


@pytest.mark.rule("C-contest")
def test_at_as_many_dice_of_it_the_higher_reflex_wins_whatever_else_lies_there() -> None:
    assert contest([5, 1], [5, 4, 4], (3, 2)) == Verdict(Side.ACTING, DecidedBy.REFLEX)
    assert contest([5], [5], (2, 3)) == Verdict(Side.OPPOSING, DecidedBy.REFLEX)
    assert contest([5], [5], (0, -1)) == Verdict(Side.ACTING, DecidedBy.REFLEX)


@pytest.mark.rule("C16")
def test_without_a_die_on_either_side_reflex_decides() -> None:
    assert contest([], [], (3, 2)) == Verdict(Side.ACTING, DecidedBy.REFLEX)


@pytest.mark.rule("C16")
def test_a_side_without_dice_loses_to_any_die() -> None:
    assert contest([1], [], (0, 9)) == Verdict(Side.ACTING, DecidedBy.HIGHEST)
    assert contest([], [1], (9, 0)) == Verdict(Side.OPPOSING, DecidedBy.HIGHEST)


@pytest.mark.rule("C17")
@pytest.mark.parametrize("reflex", [(2, 2), (None, 2), (2, None), (None, None)])
def test_equal_or_missing_reflex_is_dealt(reflex: tuple[int | None, int | None]) -> None:
    assert contest([5], [5], reflex) == Verdict(None, DecidedBy.DEAL)


@pytest.mark.rule("C17")
@pytest.mark.parametrize(
    ("faces", "winner"),
    [
        ((), None),
        ((4,), None),
        ((4, 4), None),
        ((4, 4, 6), None),
        ((4, 3), Side.ACTING),
        ((3, 4), Side.OPPOSING),
        ((4, 4, 2, 2, 1, 5), Side.OPPOSING),
        ((4, 3, 1, 6), Side.ACTING),
    ],
)
def test_a_deal_goes_on_in_pairs_until_they_differ(faces: tuple[int, ...], winner: Side | None) -> None:
    assert dealt(faces) is winner


@pytest.mark.rule("C17")
def test_a_deal_with_what_no_die_can_show_is_refused() -> None:
    with pytest.raises(ValueError, match="from 1 to 6"):
        dealt((3, 7))


@pytest.mark.rule("C-example")
def test_the_dodger_wins_by_the_6_that_her_exploding_die_shows() -> None:
    attacker, dodger = read(plan(3), (2, 4, 5)), read(plan(2), (1, 6, 2))

    assert contest(attacker.remaining, dodger.remaining, (None, None)) == Verdict(Side.OPPOSING, DecidedBy.HIGHEST)
    assert dodger.outcome is Outcome.SUCCESS


@pytest.mark.rule("C-contest")
def test_a_failure_that_wins_a_contest_is_still_a_failure() -> None:
    assert contest([3, 3], [2], (0, 0)).winner is Side.ACTING
    assert grade([3, 3]) is Outcome.FAIL


@pytest.mark.rule("C-contest")
@given(dice, dice, reflexes, reflexes)
def test_a_contest_has_two_views(ours: list[int], theirs: list[int], our_reflex: int | None, their_reflex: int | None):
    seen = contest(ours, theirs, (our_reflex, their_reflex))

    assert contest(theirs, ours, (their_reflex, our_reflex)) == Verdict(OTHER[seen.winner], seen.by)
