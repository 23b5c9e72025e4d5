"""Totals: the pool, the dice kept, pushing luck, and what a crisis costs."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import CrisisKind, Fate, Pushed, enough, fate, keep, pool, push
from dreadclock.rules.total import MAX_DICE, total

faces = st.integers(1, 6)
kept_dice = st.sets(faces, min_size=1).map(tuple)


@pytest.mark.rule("D-pool")
@pytest.mark.parametrize(
    ("attribute", "tool", "special", "dice"), [(2, 0, 0, 2), (3, 1, 1, 5), (3, 1, 2, 6), (0, 1, 0, 1), (4, 2, 2, 8)]
)
def test_attribute_tool_and_special_attribute_add_up_to_the_pool(attribute: int, tool: int, special: int, dice: int):
    assert pool(attribute, tool, special) == dice


@pytest.mark.rule("D-pool")
def test_without_a_tool_or_special_attribute_the_pool_is_the_attribute() -> None:
    assert [pool(attribute) for attribute in range(1, MAX_DICE + 1)] == list(range(1, MAX_DICE + 1))


@pytest.mark.rule("D2")
@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ((5, 3, 1), "A total is rolled with 1 to 8 dice, not 9 (attribute 5 + tool 3 + special 1)."),
        ((0, 0, 0), "A total is rolled with 1 to 8 dice, not 0 (attribute 0 + tool 0 + special 0)."),
    ],
)
def test_a_pool_outside_one_to_eight_is_refused_with_the_sum_shown(parts: tuple[int, int, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        pool(*parts)


@pytest.mark.rule("D2")
@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ((-1, 4, 0), "An attribute and the quality of a tool are counted from 0."),
        ((4, -1, 0), "An attribute and the quality of a tool are counted from 0."),
        ((4, 0, 3), "A special attribute adds from 0 to 2 dice, not 3."),
        ((4, 0, -1), "A special attribute adds from 0 to 2 dice, not -1."),
    ],
)
def test_a_pool_of_impossible_parts_is_refused_even_if_their_sum_would_do(parts: tuple[int, int, int], sentence: str):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        pool(*parts)


@pytest.mark.rule("D1", "D-total")
@pytest.mark.parametrize(
    ("rolled", "kept", "points"),
    [
        ((3, 4), (3, 4), 7),
        ((6, 6, 6, 6, 6, 6, 6, 6), (6,), 6),
        ((6, 5, 4, 3, 2, 1, 1), (1, 2, 3, 4, 5, 6), 21),
        ((1,), (1,), 1),
    ],
)
def test_a_die_of_each_number_stays_and_they_add_up(rolled: tuple[int, ...], kept: tuple[int, ...], points: int):
    assert keep(rolled) == kept
    assert total(keep(rolled)) == points


@pytest.mark.rule("D1")
@given(st.lists(faces, min_size=1, max_size=60))
def test_what_is_kept_is_what_was_rolled_without_a_double(rolled: list[int]) -> None:
    kept = keep(rolled)

    assert set(kept) == set(rolled)
    assert len(kept) == len(set(kept))
    assert keep(kept) == kept


@pytest.mark.parametrize("rolled", [(), (0,), (3, 7), (-1, 2)])
def test_what_no_dice_can_show_is_not_kept(rolled: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"A total without dice|Every face"):
        keep(rolled)


@pytest.mark.rule("D-push")
def test_a_number_not_yet_kept_is_added_to_the_total() -> None:
    assert push((2, 4, 5), 1) == Pushed(face=1, kept=(1, 2, 4, 5), total=12, crisis=False)


@pytest.mark.rule("D5", "D-crisis")
def test_a_number_kept_already_is_a_crisis_and_leaves_dice_and_total_as_they_were() -> None:
    assert push((1, 2, 4, 5), 5) == Pushed(face=5, kept=(1, 2, 4, 5), total=12, crisis=True)


@pytest.mark.rule("D-push", "D5")
@given(kept_dice, faces)
def test_a_push_either_adds_its_die_or_is_a_crisis(kept: tuple[int, ...], face: int) -> None:
    pushed = push(kept, face)

    assert pushed.crisis == (face in kept)
    assert pushed.total == sum(pushed.kept) == sum(kept) + (0 if pushed.crisis else face)


@pytest.mark.parametrize(("kept", "face"), [((), 3), ((2, 2), 3), ((2, 7), 3), ((2, 4), 0), ((2, 4), 7)])
def test_a_push_of_dice_that_cannot_be_is_refused(kept: tuple[int, ...], face: int) -> None:
    with pytest.raises(ValueError, match=r"Only a total that was rolled|Of each number one die|Every face"):
        push(kept, face)


@pytest.mark.rule("D4")
def test_a_total_is_enough_from_the_number_required_on() -> None:
    assert [enough(points, 12) for points in (11, 12, 13)] == [False, True, True]


@pytest.mark.rule("D-crisis", "D7")
def test_the_third_physical_crisis_kills_and_the_third_mental_one_retires() -> None:
    fates = {kind: [fate(kind, box) for box in (1, 2, 3)] for kind in CrisisKind}

    assert fates == {CrisisKind.PHYSICAL: [None, None, Fate.DIES], CrisisKind.MENTAL: [None, None, Fate.RETIRES]}


@pytest.mark.rule("D8")
@pytest.mark.parametrize(("kind", "box"), list(product(CrisisKind, (0, 4, -1))))
def test_there_is_no_box_before_the_first_or_after_the_third(kind: CrisisKind, box: int) -> None:
    with pytest.raises(ValueError, match="3 boxes of each kind of crisis"):
        fate(kind, box)


@pytest.mark.rule("D-example")
def test_the_wall_is_climbed_with_a_total_of_seven() -> None:
    assert pool(2) == 2
    assert total(keep((3, 4))) == 7


@pytest.mark.rule("D-example", "D3", "D5")
def test_the_tornado_is_outrun_until_a_push_matches_a_number() -> None:
    dice = pool(3, tool=1, special=1)
    kept = keep((2, 4, 4, 4, 5))
    first = push(kept, 1)
    second = push(first.kept, 5)

    assert (dice, kept, total(kept)) == (5, (2, 4, 5), 11)
    assert (first.total, first.crisis) == (12, False)
    assert (second.total, second.crisis) == (12, True)
