"""Faces of real dice that were mistyped are taken back, with all that they brought. Ruling E7."""

from typing import Any

import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.events import CommandVoided
from dreadclock.wire.families.base import NoUndo
from dreadclock.wire.things import CharacterStatus
from kit.families.voids import (
    ADA,
    CLIMB,
    DOOR,
    FEVER,
    LEAP,
    RACE,
    REQUIRE,
    SCENE,
    code_and_why,
    last,
    table_with,
    void,
    voids,
)
from kit.tables import Order, loaded

pytestmark = pytest.mark.rule("E7")

KICK = {**LEAP, "effort": {"challenge_id": "door"}}
ROLL_LEAP = {"type": "roll_check", "check_id": "leap"}
ROLL_CLIMB = {"type": "roll_total", "total_id": "climb"}
OFFER = {"type": "offer_push", "total_id": "climb", "crisis": "physical", "description": "A broken leg"}
PUSH = {"type": "push_luck", "total_id": "climb"}


@pytest.mark.parametrize(
    ("orders", "rolls", "what"),
    [
        ([], {"type": "roll_dice", "pool": 3, "faces": [1, 2, 3]}, "dice_rolled"),
        ([FEVER], {"type": "roll_countdown", "countdown_id": "fever", "faces": [6, 6, 1]}, "countdown_rolled"),
        ([FEVER], {"type": "roll_countdown", "countdown_id": "fever", "faces": [6, 6, 6]}, "countdown_rolled"),
        ([ADA, LEAP], {**ROLL_LEAP, "faces": [1, 1]}, "check_rolled"),
        ([ADA, LEAP], {**ROLL_LEAP, "faces": [6, 6, 3, 2]}, "check_rolled"),
        ([ADA, CLIMB], {**ROLL_CLIMB, "faces": [4, 4, 1]}, "total_rolled"),
        ([ADA, CLIMB, REQUIRE], {**ROLL_CLIMB, "faces": [4, 2, 3]}, "total_rolled"),
        ([ADA, CLIMB, {**ROLL_CLIMB, "faces": [4, 2, 1]}], REQUIRE, "required_set"),
        ([ADA, CLIMB, REQUIRE, {**ROLL_CLIMB, "faces": [4, 2, 1]}, OFFER], {**PUSH, "faces": [4]}, "luck_pushed"),
        ([SCENE, RACE, DOOR, ADA, KICK], {**ROLL_LEAP, "faces": [5, 1]}, "clock_ticked"),
    ],
)
def test_a_command_all_of_whose_dice_were_real_is_taken_back(orders: list[Order], rolls: Order, what: str):
    (event,) = voids(table_with(*orders), rolls)

    assert isinstance(event, CommandVoided)
    assert (event.what, event.physical) == (what, True)


def test_a_third_crisis_by_mistyped_dice_never_happened():
    table = table_with(ADA)
    for number in (1, 2, 3):
        total = f"climb-{number}"
        for order in _crisis(total):
            table.do(order)
    assert table.view.characters["ada"].status is CharacterStatus.DEAD

    table.do(void(last(table)))

    ada = table.view.characters["ada"]
    assert (ada.status, len(ada.crises)) == (CharacterStatus.IN_PLAY, 2)
    table.do({"type": "push_luck", "total_id": "climb-3", "faces": [5]})
    assert table.view.totals["climb-3"].total == 12
    types = [record.event.type for record in table.records]
    assert types.count("character_died") == 1  # the log keeps both


def _crisis(total: str) -> list[dict[str, Any]]:
    return [
        {**CLIMB, "id": total},
        {"type": "set_required", "total_id": total, "required": 12},
        {"type": "roll_total", "total_id": total, "faces": [4, 2, 1]},
        {"type": "offer_push", "total_id": total, "crisis": "physical"},
        {"type": "push_luck", "total_id": total, "faces": [4]},
    ]


def test_a_crisis_of_mistyped_dice_that_was_described_goes_back_step_by_step():
    table = table_with(ADA, CLIMB, REQUIRE, {**ROLL_CLIMB, "faces": [4, 2, 1]})
    for order in ({"type": "offer_push", "total_id": "climb"}, {**PUSH, "faces": [4]}):
        table.do(order)
    pushed = last(table)
    table.do({"type": "describe_crisis", "total_id": "climb", "kind": "mental", "description": "Fear"})
    described = last(table)

    assert code_and_why(table, pushed)[1] == "ada"
    table.do(void(described))
    table.do(void(pushed))

    ada = table.view.characters["ada"]
    assert (ada.crises, ada.crisis_due) == ((), None)


def test_real_dice_stand_once_the_servers_dice_rest_on_them():
    table = table_with(ADA, LEAP, {**ROLL_LEAP, "faces": [6, 6, 3, 2]})
    brought = last(table)
    table.do({**LEAP, "id": "jump"})
    table.do({"type": "roll_check", "check_id": "jump"}, dice=loaded(4, 2))  # with the momentum that they brought

    assert code_and_why(table, brought)[1] == "ada"


def test_a_command_that_threw_one_die_of_the_servers_stands():
    table = table_with(ADA, {"type": "add_character", "id": "bea", "name": "Bea"}, {**LEAP, "score": 1})
    table.do({"type": "oppose_check", "check_id": "leap", "character_id": "bea", "score": 1})
    table.do({"type": "roll_check", "check_id": "leap", "character_id": "bea", "faces": [4]})
    table.do({"type": "roll_check", "check_id": "leap", "character_id": "ada", "faces": [4]}, dice=loaded(3, 5))

    assert code_and_why(table, last(table))[1] == NoUndo.DICE  # their tie was dealt by the server


def test_hidden_real_dice_are_taken_back_in_secret():
    table = table_with({**FEVER, "id": "gm-fever", "visibility": "gm"})
    before = table.room.seq(Channel.PUBLIC)
    table.do({"type": "roll_countdown", "countdown_id": "gm-fever", "faces": [6, 1, 1]})

    (event,) = table.do(void(last(table, Channel.GM), Channel.GM))

    assert isinstance(event, CommandVoided)
    assert table.view.countdowns["gm-fever"].pool == 3
    assert table.room.seq(Channel.PUBLIC) == before
