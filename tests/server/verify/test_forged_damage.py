"""Damage to which sixes add dice: an honest log says nothing, and each other number of dice is named. Ruling C27."""

from collections.abc import Callable
from typing import Any

import pytest

from kit.cheating.made_up import BOTH, PUBLIC, Fields, lies, place_of, played, said
from kit.tables import ANN, GM

pytestmark = pytest.mark.rule("C27")

DAMAGE: dict[str, Any] = {"type": "roll_dice", "pool": 2, "purpose": "damage"}
PIT, HALL = (
    {"type": "open_scene", "id": each, "name": each, "clock": 8, "sixes_add": each == "pit"} for each in ("pit", "hall")
)


def evening(*faces: int, within_id: str | None = "pit") -> list[Fields]:
    """Return the records of an evening that ends with damage in one of two scenes."""
    order = {**DAMAGE, "faces": list(faces), "within_id": within_id}
    return said(played((GM, PIT), (GM, HALL), (ANN, order)))


def forged(records: list[Fields], kind: str, change: Callable[[Fields], object]) -> list[str]:
    """Return what is said of a log in which the last record of a type is another."""
    change(records[place_of(records, kind)]["event"])
    return lies(records)


def roll(**fields: Any) -> Callable[[Fields], object]:
    """Return what changes a plain roll; None takes a field away."""

    def change(event: Fields) -> None:
        event["roll"] = {name: value for name, value in {**event["roll"], **fields}.items() if value is not None}

    return change


@pytest.mark.parametrize("channels", [PUBLIC, BOTH])
@pytest.mark.parametrize(
    ("faces", "within_id"), [((6, 3, 6, 1), "pit"), ((5, 3), "pit"), ((6, 6), "hall"), ((6, 6), None)], ids=str
)
def test_an_honest_roll_is_in_order(faces: tuple[int, ...], within_id: str | None, channels: Any):
    assert lies(evening(*faces, within_id=within_id), channels) == []


def test_the_usual_place_is_in_order_without_being_named():
    assert lies(said(played((GM, PIT), (ANN, {**DAMAGE, "faces": [6, 2, 6, 1]})))) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"faces": [6, 3]},
        {"faces": [6, 3], "added": None},
        {"faces": [6, 3, 1, 1]},
        {"added": 1},
        {"added": None},
        {"within_id": "hall"},
        {"within_id": None},
        {"within_id": "attic"},
        {"purpose": "other"},
    ],
    ids=str,
)
def test_damage_with_other_dice_or_elsewhere_is_named(fields: Fields):
    [fault] = forged(evening(6, 3, 6, 1), "dice_rolled", roll(**fields))

    assert fault.startswith("dice_rolled: ")


def test_dice_that_were_kept_back_in_the_only_scene_are_named():
    records = said(played((GM, PIT), (ANN, {**DAMAGE, "faces": [6, 2, 1]})))

    [fault] = forged(records, "dice_rolled", roll(faces=[6, 2], added=None, within_id=None))

    assert fault.startswith("dice_rolled: the server refuses it: Faces needed: 3, given: 2")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda event: event.update(sixes_add=True), "it changes nothing"),
        (lambda event: event.pop("sixes_add"), "it changes nothing"),
        (lambda event: event.update(kind="character", id="ada"), "the server refuses it: "),
    ],
)
def test_a_switch_that_turns_nothing_is_named(change: Callable[[Fields], object], sentence: str):
    ada = {"type": "add_character", "id": "ada", "name": "Ada"}
    off = {"type": "set_effects", "thing_id": "pit", "sixes_add": False}
    records = said(played((ANN, ada), (GM, PIT), (GM, off)))
    assert lies(said(played((ANN, ada), (GM, PIT), (GM, off)))) == []

    [fault] = forged(records, "effects_set", change)
    assert fault.startswith(f"effects_set: {sentence}")
