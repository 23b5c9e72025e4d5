"""How dice are written in a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import Plan
from dreadclock.rules.notation import read_faces, read_part, read_parts


@given(st.lists(st.integers(1, 6), max_size=200))
def test_faces_are_read_in_the_order_written(faces: list[int]) -> None:
    assert read_faces(",".join(map(str, faces))) == tuple(faces)


@pytest.mark.parametrize("text", ["2, 4 ,5", " 2,4,5 ", "2,\t4,5"])
def test_blanks_around_faces_do_not_matter(text: str) -> None:
    assert read_faces(text) == (2, 4, 5)


@pytest.mark.parametrize("text", ["1,,2", "1,2,", ",1", "7", "0,1", "-1", "1.5", "x", "12", "1 2", "١", "1;2", "1\n2"])
def test_what_is_no_list_of_faces_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^Write faces from 1 to 6 with commas, like 2,4,5, not .*\.$"):
        read_faces(text)


def test_more_faces_than_a_roll_can_have_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^One roll has at most 200 faces, not 201\.$"):
        read_faces(",".join(["1"] * 201))


def test_of_a_very_long_text_only_the_start_is_repeated() -> None:
    with pytest.raises(ValueError, match=r"not '1{40}\.\.\.'") as refusal:
        read_faces("1" * 1_000_000)

    assert len(str(refusal.value)) < 120


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("3", Plan(dice=3, removed=0, rerolls=False, explodes=True)),
        ("3+1", Plan(dice=4, removed=0, rerolls=False, explodes=True)),
        ("3-1", Plan(dice=2, removed=0, rerolls=False, explodes=True)),
        ("3+1-2", Plan(dice=2, removed=0, rerolls=False, explodes=True)),
        ("2-4", Plan(dice=1, removed=3, rerolls=False, explodes=True)),
        ("0", Plan(dice=0, removed=0, rerolls=False, explodes=True)),
        ("3,momentum", Plan(dice=3, removed=0, rerolls=True, explodes=True)),
        ("3,venture=2", Plan(dice=3, removed=2, rerolls=False, explodes=True)),
        ("3-1,venture=1,momentum", Plan(dice=2, removed=1, rerolls=True, explodes=True)),
        (" 3-1,interference ", Plan(dice=2, removed=0, rerolls=False, explodes=False)),
        ("3,momentum,interference", Plan(dice=3, removed=0, rerolls=False, explodes=True)),
    ],
)
def test_a_helpers_dice_are_a_score_with_modifiers_and_tokens(text: str, plan: Plan) -> None:
    assert read_part(text) == plan


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "-3",
        "3-1+1",
        "3+",
        "3.5",
        "3,",
        "3,luck",
        "3,venture",
        "3,venture=0",
        "3,venture=9",
        "3 momentum",
        "1000",
        "3--1",
        "٣",
    ],
)
def test_what_is_no_helpers_dice_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^Write a helper's dice like 3, 3\+1-2 or 3-1,momentum, not .*\.$"):
        read_part(text)


@pytest.mark.rule("E2")
def test_a_helper_rolls_no_more_dice_than_anybody_may() -> None:
    with pytest.raises(ValueError, match="0 to 60 dice, not 61"):
        read_part("61")


def test_no_more_help_than_a_room_has_characters() -> None:
    assert len(read_parts(["1"] * 63)) == 63
    with pytest.raises(ValueError, match=r"^At most 63 help in a check, not 64\.$"):
        read_parts(["1"] * 64)
