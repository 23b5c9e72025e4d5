"""What is not taken back: dice, crises, people, what was shown, and what something else rests on. Ruling E3."""

from typing import Any

import pytest

from dreadclock.wire.errors import Code
from dreadclock.wire.families.base import NoUndo
from dreadclock_server.core.undo import UNDO_KEPT
from kit.families import voids
from kit.tables import ANN, BO, loaded

pytestmark = pytest.mark.rule("E3")

DICE = (Code.CANNOT_BE_VOIDED, "it fixed dice, rolled dice, or used their result")


@pytest.mark.parametrize(
    "order", [{"type": "roll_countdown", "countdown_id": "fever"}, {"type": "roll_dice", "pool": 3}]
)
def test_no_roll_of_the_server_is_taken_back(order: dict[str, Any]):
    table = voids.table_with(voids.FEVER)
    table.do(order, dice=loaded(6, 2, 3))

    assert voids.code_and_why(table, voids.last(table)) == DICE


def test_no_check_or_total_that_was_rolled_is_taken_back_nor_the_number_that_judged_it():
    table = voids.table_with(voids.ADA, voids.LEAP, voids.CLIMB)
    table.do({"type": "roll_check", "check_id": "leap"}, dice=loaded(4, 2))
    assert voids.code_and_why(table, voids.last(table)) == DICE
    table.do({"type": "roll_total", "total_id": "climb"}, dice=loaded(4, 2, 1))
    assert voids.code_and_why(table, voids.last(table)) == DICE
    table.do(voids.REQUIRE)

    assert voids.code_and_why(table, voids.last(table)) == DICE


def test_no_crisis_is_taken_back_nor_what_was_said_of_it():
    table = voids.table_with(voids.ADA, voids.CLIMB, voids.REQUIRE)
    table.do({"type": "roll_total", "total_id": "climb"}, dice=loaded(4, 2, 1))
    table.do({"type": "offer_push", "total_id": "climb", "crisis": "mental"})
    table.do({"type": "push_luck", "total_id": "climb"}, dice=loaded(4))
    pushed = voids.last(table)
    table.do({"type": "describe_crisis", "total_id": "climb", "description": "Fear"})

    crisis = (Code.CANNOT_BE_VOIDED, "a crisis is permanent")
    assert [voids.code_and_why(table, seq) for seq in (pushed, voids.last(table))] == [crisis, crisis]


def test_no_turn_that_rolled_something_is_taken_back():
    table = voids.table_with({**voids.FEVER, "bound_to": "turn"})
    table.do({"type": "end_turn"}, dice=loaded(1, 2, 3))

    assert voids.code_and_why(table, voids.last(table)) == DICE


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ({"type": "rename_seat", "seat_id": ANN.seat_id, "name": "Anna"}, "it was about who is at the table"),
        ({"type": "remove_seat", "seat_id": BO.seat_id}, "it was about who is at the table"),
        ({"type": "open_lane", "anchor": "Q" * 43}, DICE[1]),
        ({"type": "reveal", "thing_id": "tide"}, "it showed everyone what was hidden"),
        (
            {**voids.CLOCK, "visibility": "sealed"},
            "it started something sealed, and an undo would not show what that was",
        ),
        ({**voids.FEVER, "visibility": "sealed"}, DICE[1]),
        ({"type": "tick_clock", "clock_id": "tide", "by": 60}, "it showed everyone what was hidden"),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else None,
)
def test_what_cannot_go_back_stays(order: dict[str, Any], why: str):
    table = voids.table_with({**voids.CLOCK, "id": "tide", "visibility": "sealed"})
    table.do(order)

    assert voids.code_and_why(table, voids.last(table)) == (Code.CANNOT_BE_VOIDED, why)


def test_nothing_is_taken_back_twice_and_no_taking_back_is_taken_back():
    table = voids.table_with(voids.CLOCK, voids.TICK)
    seq = voids.last(table)
    table.do(voids.void(seq))

    assert voids.code_and_why(table, seq) == (Code.CANNOT_BE_VOIDED, "it was taken back before")
    assert voids.code_and_why(table, seq + 1) == (Code.CANNOT_BE_VOIDED, "it took another command back")


def test_in_a_closed_room_nothing_is_taken_back():
    table = voids.table_with(voids.CLOCK, {"type": "close_room"})

    assert table.refused(voids.void(voids.last(table) - 1)).code is Code.ROOM_CLOSED


@pytest.mark.rule("F1")
def test_once_it_is_open_again_what_came_before_its_closing_is_taken_back_and_neither_of_the_two_is():
    table = voids.table_with(voids.CLOCK)
    before = table.view.clocks
    table.do(voids.TICK)
    seq = voids.last(table)
    table.do({"type": "close_room"})
    table.do({"type": "reopen_room"})

    assert voids.code_and_why(table, seq + 1) == (Code.CANNOT_BE_VOIDED, NoUndo.ROOM)
    assert voids.code_and_why(table, seq + 2) == (Code.CANNOT_BE_VOIDED, NoUndo.ROOM)
    table.do(voids.void(seq))
    assert table.view.clocks == before


def test_what_changed_since_is_named():
    table = voids.table_with(voids.CLOCK, voids.TICK)

    assert voids.code_and_why(table, voids.last(table) - 1) == (Code.CHANGED_SINCE, "guards")


def test_so_is_what_was_put_into_it_since():
    table = voids.table_with(voids.SCENE)
    seq = voids.last(table)
    table.do({**voids.RUN, "id": "gm-plot", "visibility": "gm"})
    table.do({"type": "travel", "scene_id": "bomb"})
    travelled = voids.last(table)

    assert voids.code_and_why(table, seq) == (Code.CHANGED_SINCE, "bomb-clock")
    table.do(voids.void(travelled))
    assert voids.code_and_why(table, seq) == (Code.CHANGED_SINCE, "gm-plot")


@pytest.mark.parametrize(
    ("made", "later", "named"),
    [
        (voids.ADA, voids.LEAP, "leap"),
        (voids.ADA, voids.CLIMB, "climb"),
        (voids.CLOCK, {"type": "cancel", "thing_id": "guards", "reason": "no"}, "guards"),
        (voids.POLICY, {"type": "set_policy", "physical_dice": "off"}, "what the house rules are"),
        ({"type": "end_turn"}, {"type": "end_turn"}, "the turn"),
    ],
    ids=["a check of it", "a total of it", "its end", "the policy", "the turn"],
)  # fmt: skip
def test_of_whatever_rests_on_it(made: dict[str, Any], later: dict[str, Any], named: str):
    table = voids.table_with(made)
    seq = voids.last(table)
    table.do(later)

    assert voids.code_and_why(table, seq) == (Code.CHANGED_SINCE, named)


def test_a_challenge_does_not_come_back_into_a_situation_that_is_lost():
    table = voids.table_with(voids.SCENE, voids.RUN, voids.DOOR, {"type": "cancel", "thing_id": "door", "reason": "no"})
    seq = voids.last(table)
    table.do({"type": "fail_situation", "situation_id": "run", "reason": "retreated"})

    assert voids.code_and_why(table, seq) == (Code.CHANGED_SINCE, "door")


def test_a_turn_does_not_go_back_behind_a_roll_that_was_made_in_it():
    table = voids.table_with({**voids.FEVER, "bound_to": "turn"})
    table.do({"type": "roll_countdown", "countdown_id": "fever"}, dice=loaded(1, 2, 3))
    table.do({"type": "end_turn"})
    seq = voids.last(table)
    table.do({"type": "roll_countdown", "countdown_id": "fever"}, dice=loaded(1, 2, 3))

    assert voids.code_and_why(table, seq) == (Code.CHANGED_SINCE, "fever")


def test_no_more_comes_back_than_a_room_holds():
    table = voids.table_with(*({**voids.SCENE, "id": f"s-{n}"} for n in range(16)))
    table.do({"type": "cancel", "thing_id": "s-3", "reason": "no"})
    seq = voids.last(table)
    table.do(voids.SCENE)

    refused = table.refused(voids.void(seq))

    assert (refused.code, refused.details["limit"]) == (Code.TOO_MANY, 16)


def test_only_the_latest_64_commands_are_taken_back():
    table = voids.table_with(voids.CLOCK, voids.SCENE)
    seq = voids.last(table)
    for _ in range(UNDO_KEPT - 2):
        table.do({"type": "roll_dice", "pool": 1}, dice=loaded(1))
    assert [len(log) for log in (table.room.undo_logs.all, table.room.undo_logs.public)] == [UNDO_KEPT] * 2
    edge = table.room

    table.do(voids.void(seq - 1))
    table.room = edge
    table.do({"type": "roll_dice", "pool": 1}, dice=loaded(1))

    assert table.refusal(voids.void(seq - 1)) == (Code.LONG_AGO, {"limit": 64, "seq": seq - 1})
    assert [len(log) for log in (table.room.undo_logs.all, table.room.undo_logs.public)] == [UNDO_KEPT] * 2


def test_a_record_that_is_not_there_is_unknown():
    table = voids.table_with(voids.CLOCK)

    assert [table.refused(voids.void(voids.last(table) + 1)).code, table.refused(voids.void(1, voids.HIDDEN)).code] == [
        Code.UNKNOWN
    ] * 2
