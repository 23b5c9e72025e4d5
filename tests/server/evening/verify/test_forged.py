"""Dice and commands that whoever runs the server made up: their chain holds, and each lie is named."""

from typing import Any

import pytest

from dreadclock.rules.countdown import Speed
from dreadclock.rules.countdown import roll as rolled_down
from dreadclock.wire.base import Faces
from dreadclock_server.core.draft import Slot
from kit.cheating.made_up import LANE, LEDGER, Fields, lies, place_of, plain, played, record, said
from kit.dice.lanes import dice
from kit.tables import ANN, GM, Table

# Dice that nobody wants, rolled first


class Burning:
    """The room's dice, of whose next slot the first few are not used."""

    def __init__(self, count: int) -> None:
        self._count = count
        self.burnt: Faces = ()

    def key(self, label: str, anchor: str | None) -> str:
        return LEDGER.key(label, anchor)

    def slot(self, lane: Any, n: int, token: str | None) -> Slot:
        slot = LEDGER.slot(lane, n, token)
        self.burnt = slot.take(self._count)
        return slot


CHECK = (
    (ANN, {"type": "add_character", "id": "ada", "name": "Ada"}),
    (ANN, {"type": "propose_check", "id": "leap", "character_id": "ada", "score": 3}),
)


def test_a_roll_that_only_uses_up_dice_before_a_check_is_named():
    table, burning = played(*CHECK), Burning(7)
    before = said(table)
    table.write({"type": "roll_check", "check_id": "leap", "dice": dice(2, LANE)}, by=ANN, dice=burning)
    check = said(table)[len(before)]
    part = check["event"]["part"]["roll"]
    proof, part["proof"] = part["proof"], {"lane": LANE, "n": 2, "start": 7}
    unwanted: Fields = {"id": "roll-3", "seat_id": "player-1", "faces": list(burning.burnt), "purpose": "other"}
    unwanted |= {"paid": 0, "visibility": "public", "physical": False, "proof": {**proof, "start": 0}}
    dummy = {**check, "event": {"type": "dice_rolled", "roll": unwanted}}

    found = lies([*before, dummy, check, *said(table)[len(before) + 1 :]])

    assert any(each.startswith("check_rolled: it does not go on") for each in found)


@pytest.mark.parametrize("bound_to", ["nothing", "turn"])
def test_two_countdowns_that_are_rolled_from_one_slot_outside_a_turns_end_are_named(bound_to: str):
    start = {"type": "start_countdown", "name": "F", "pool": 6, "bound_to": bound_to}
    roll = {"type": "roll_countdown", "countdown_id": "one"}
    table = played((GM, {**start, "id": "one"}), (GM, {**start, "id": "two"}))
    slot = LEDGER.slot(table.room.view.public.lanes["seat/gm/0"], 1, None)
    _, faces = slot.take(6), slot.take(6)
    table.write(roll, dice=LEDGER)
    one = said(table)[place_of(said(table), "countdown_rolled")]
    left = rolled_down(Speed.MEDIUM, faces)
    changes = {"countdown_id": "two", "faces": list(faces), "removed": left.removed, "remaining": left.remaining}
    two = {**one, "event": {**one["event"], **changes, "proof": {"lane": "seat/gm/0", "n": 1, "start": 6}}}

    assert lies(said(table)) == []
    assert lies([*said(table), two]) != []


# Commands that are taken back in part


def void(table: Table, place: int, **restored: Any) -> Fields:
    """Take back one record alone."""
    one = said(table)[place]
    empty: Fields = {key: [] for key in ("characters", "countdowns", "clocks", "scenes", "situations", "challenges")}
    empty |= {key: [] for key in ("efforts", "checks", "totals", "secrets")}
    event = {"first": one["seq"], "last": one["seq"], "what": one["event"]["type"], "reason": "oops"}
    event |= {"type": "command_voided", "restored": {**empty, "removed": {}, "places": {}, **restored}}
    return record(table, event)


def test_an_end_that_followed_from_dice_cannot_be_taken_back_alone():
    table = played((GM, {"type": "start_countdown", "id": "fuse", "name": "F", "pool": 1, "speed": "fast"}))
    before = table.room.view.countdowns["fuse"]
    while table.room.view.countdowns["fuse"].pool:
        table.now_ms += 10
        table.write({"type": "roll_countdown", "countdown_id": "fuse"}, dice=LEDGER)
    rolled = said(table)[place_of(said(table), "countdown_rolled")]["event"]
    running = {**plain(before), "pool": 0, "last_faces": rolled["faces"], "rolled_turn": rolled["turn"]}

    found = lies([*said(table), void(table, place_of(said(table), "countdown_expired"), countdowns=[running])])

    assert len(found) == 1
    assert found[0].startswith("command_voided: the server refuses it: ")


def test_a_threat_that_ticked_for_an_effort_cannot_be_taken_back_alone():
    race = {"type": "start_situation", "id": "si", "scene_id": "cave", "name": "R", "kind": "race"}
    table = played(
        (GM, {"type": "open_scene", "id": "cave", "name": "C", "clock": 10}),
        (GM, {**race, "content": "combat", "clock": 3, "level": 3, "difficulty": "normal"}),
        (GM, {"type": "add_challenge", "id": "ch", "situation_id": "si", "name": "x", "kind": "barrier", "clock": 5}),
        CHECK[0],
        (ANN, {**CHECK[1][1], "effort": {"challenge_id": "ch"}}),
    )
    threat, start = plain(table.room.view.clocks["cave-threat"]), len(said(table))
    table.write({"type": "roll_check", "check_id": "leap", "dice": dice(2, LANE)}, by=ANN, dice=LEDGER)
    assert said(table)[start]["event"]["type"] == "clock_ticked"

    found = lies([*said(table), void(table, start, clocks=[threat])])

    assert len(found) == 1
    assert found[0].startswith("command_voided: the server refuses it: ")


@pytest.mark.parametrize(("first", "last"), [(1, 10**14), (5, 4), (1, 900)])
def test_records_to_take_back_that_cannot_be_there_cost_nothing(first: int, last: int):
    table = played()
    event = void(table, 3)["event"]

    found = lies([*said(table), record(table, {**event, "first": first, "last": last})])

    assert len(found) == 1
    assert found[0].startswith("command_voided: the server refuses it: ")
