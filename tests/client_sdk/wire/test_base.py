"""Texts, ids and bounded numbers."""

from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from dreadclock.wire.base import (
    ChosenId,
    ChosenName,
    ClockSize,
    DiceToken,
    Face,
    HeadHash,
    Id,
    Kind,
    Level,
    Model,
    Name,
    Points,
    Pool,
    RollProof,
    RoomId,
    Score,
    Text,
    Value32,
)
from dreadclock.wire.events import SeatRenamed
from dreadclock.wire.ids import CLOCK_SUFFIX, THREAT_SUFFIX, hidden_id, is_server_made, made_id
from dreadclock.wire.things import Seat


def takes(kind: Any, value: object) -> bool:
    try:
        TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "x",
        "Jean-Luc O'Neill Jr.",
        "Ωmega & Ünal",
        "مرحبا بالعالم",
        "שלום",
        "\u200fשלום",  # a right-to-left mark
        "中村",
        "e\u0301",
        " Ann",
        "می\u200cخواهم",  # a zero-width non-joiner, within a word of Persian
        "ന\u0d4d\u200d",  # a joiner at the end of one of Malayalam
        "❤\ufe0f\u200d🔥",
        "1\ufe0f\u20e3",
        "👩‍🚀",  # joined by a zero-width joiner
        "🏴\U000e0067\U000e0062\U000e007f",  # a flag spelled in tags
        "x" * 64,
        "👻" * 64,
    ],
    ids=ascii,
)
def test_a_name_may_be_in_any_script_and_hold_emoji(name: str) -> None:
    assert takes(ChosenName, name)
    assert takes(Name, name)
    assert takes(Text, name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "   ",
        "\u00a0",
        "\u3000",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u2800",
        "\u3164",
        "a\x00b",
        "a\tb",
        "a\nb",
        "ab\n",
        "a\rb",
        "a\x1bb",
        "a\x7fb",
        "a\x85b",
        "a\u2028b",
        "a\u2029b",
        *[f"a{chr(code)}b" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))],
        "\ud800",
        "a\ud800",
        "x" * 65,
        "x" * 10_000,
        None,
        7,
        b"Ann",
    ],
    ids=lambda name: ascii(name)[:20],
)
def test_a_name_is_neither_blank_nor_long_nor_does_it_hold_what_turns_or_breaks_lines(name: object) -> None:
    assert not takes(Name, name)


@pytest.mark.parametrize(
    "name",
    [
        "A\u200bnn",
        "\ufeffAnn",
        "A\u00adnn",
        "A\u2060nn",
        "Ann\u200d",
        "A\u200cnn",
        "Ann\u200f",
        "é\u200d\u200d",
        "\u180eAnn",
        "Ann\U000e0041",
        "\u0301",
        "\u0301Ann",
        " \u0301Ann",
        "\ufe0f",
        "\u3164Ann",
    ],
    ids=ascii,
)
def test_a_name_that_is_chosen_holds_nothing_that_is_not_seen_but_one_of_an_old_room_may(name: str) -> None:
    assert not takes(ChosenName, name)
    assert takes(Name, name)
    assert SeatRenamed(seat_id="gm", name=name).name == name


def test_a_text_has_at_most_280_characters() -> None:
    assert takes(Text, "x" * 280)
    assert not takes(Text, "x" * 281)
    assert not takes(Text, "x" * 10_000)
    assert not takes(Text, " ")


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Id, ["a", "9", "-", "countdown-1", "x" * 40], ["", "A", "a b", "a_b", "ä", "a\n", "x" * 41, 1]),
        (ChosenId, ["x" * 32], ["x" * 33, "", "X"]),
        (RoomId, ["a" * 26, "a2" * 13], ["a" * 25, "a" * 27, "A" * 26, "a1" * 13, "a8" * 13]),
        (Value32, ["A" * 43, "-_" * 21 + "8"], ["A" * 42, "A" * 44, "A" * 42 + "=", "A" * 42 + "+", "-_" * 21 + "9"]),
        (HeadHash, ["0f" * 32], ["0F" * 32, "0f" * 31, "0g" * 32]),
    ],
    ids=["id", "chosen id", "room id", "32 bytes", "head"],
)
def test_ids_and_hashes_have_their_forms(kind: object, good: list[object], bad: list[object]) -> None:
    assert [value for value in good if not takes(kind, value)] == []
    assert [value for value in bad if takes(kind, value)] == []


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [(Face, 1, 6), (Pool, 1, 60), (ClockSize, 1, 99), (Points, 0, 99), (Level, 1, 9), (Score, 0, 60)],
    ids=["face", "pool", "clock size", "points", "level", "score"],
)
def test_e2_numbers_have_their_bounds_and_are_whole(kind: object, low: int, high: int) -> None:
    assert takes(kind, low)
    assert takes(kind, high)
    for value in (low - 1, high + 1, float(low), str(low), None, True):
        assert not takes(kind, value)


def test_a_dice_token_is_for_one_of_1024_rolls() -> None:
    token = {"lane": "seat/gm/0", "token": "A" * 43, "seen": 0}

    assert takes(DiceToken, {**token, "n": 1024})
    for n in (0, 1025):
        assert not takes(DiceToken, {**token, "n": n})
    assert not takes(DiceToken, {**token, "n": 1, "lane": "x" * 81})


def test_a_message_is_immutable_strict_and_knows_its_fields() -> None:
    seat = Seat.model_validate_json('{"id":"gm","role":"gm","name":"Gm"}')

    with pytest.raises(ValidationError, match="frozen"):
        seat.name = "Ann"  # type: ignore[misc]
    with pytest.raises(ValidationError, match="Extra inputs"):
        Seat.model_validate_json('{"id":"gm","role":"gm","name":"Gm","colour":"red"}')
    assert Model.model_config["strict"] is True


def test_a_copy_is_the_one_that_pydantic_makes():
    token = DiceToken(lane="seat/p1/1", n=1, seen=0)

    for update in (None, {}, {"n": 2}, {"n": 2, "token": "A" * 43}):
        copied, plain = token.model_copy(update=update), BaseModel.model_copy(token, update=update)

        assert copied == plain
        assert copied.model_fields_set == plain.model_fields_set
        assert copied.model_dump_json(exclude_unset=True) == plain.model_dump_json(exclude_unset=True)
        assert type(copied) is DiceToken
    assert token == DiceToken(lane="seat/p1/1", n=1, seen=0)
    assert token.model_copy(deep=True) == token


def test_a_copy_does_not_change_either():
    copied = DiceToken(lane="seat/p1/1", n=1, seen=0).model_copy(update={"n": 2})

    with pytest.raises(ValidationError):
        copied.n = 3  # type: ignore[misc]
    assert hash(copied) == hash(DiceToken(lane="seat/p1/1", n=2, seen=0))


def test_a_trusted_message_is_the_one_that_a_look_at_its_values_makes():
    values: dict[str, Any] = {"n": 7, "lane": "seat/gm/0", "witnesses": 0}

    trusted, checked = RollProof.trusted(**values), RollProof(**values)

    assert trusted == checked
    assert trusted.model_fields_set == checked.model_fields_set
    assert trusted.model_dump_json() == checked.model_dump_json()
    assert list(dict(trusted)) == list(RollProof.model_fields)


# Which ids the server makes, and which a command may choose


@pytest.mark.parametrize("kind", list(Kind))
def test_what_the_server_makes_it_knows_again(kind: Kind) -> None:
    made = [made_id(kind, 1), made_id(kind, 4096), hidden_id(kind, "0123456789ab")]

    assert [thing_id for thing_id in made if not is_server_made(thing_id)] == []


def test_the_clocks_of_things_have_ids_that_the_server_makes() -> None:
    assert is_server_made("bomb" + CLOCK_SUFFIX)
    assert is_server_made("bomb" + THREAT_SUFFIX)


@pytest.mark.parametrize(
    "chosen",
    [
        "fever",
        "countdown",
        "countdown-x",
        "my-countdown-1",
        "gm-roll-7",
        "roll-7-again",
        "gm-roll-0123456789abc",
        "clock",
        "threat",
    ],
)
def test_other_ids_may_be_chosen(chosen: str) -> None:
    assert not is_server_made(chosen)
