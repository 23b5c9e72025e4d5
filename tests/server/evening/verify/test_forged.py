"""Dice and commands that whoever runs the server made up: their chain holds, and each lie is named."""

from typing import Any

import pytest

from dreadclock.rules.countdown import Speed
from dreadclock.rules.countdown import roll as rolled_down
from dreadclock.wire.base import Faces
from dreadclock_server.core.draft import Slot
from dreadclock_server.dice import Ledger
from kit.cheating.made_up import BOTH, LANE, LEDGER, Fields, lies, place_of, plain, played, record, said
from kit.dice.lanes import dice, opening
from kit.tables import ANN, BO, GM, LOG, ROOM, Table

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


# Secrets and rooms that whoever runs the server made up: their chain holds, and each lie is named


# Secrets


SEALED = {"type": "start_countdown", "id": "gas", "name": "Gas", "pool": 5, "visibility": "sealed"}
ROLL_GAS = {"type": "roll_countdown", "countdown_id": "gas"}
SHOW_GAS = {"type": "reveal", "thing_id": "gas"}
OTHERS = Ledger(ROOM, bytes([7]) * 32)


def test_a_thing_is_sealed_once():
    table = played((GM, SEALED))
    sealed = said(table)[place_of(said(table), "sealed_started")]
    key = OTHERS.key("thing/countdown/gas", None)
    again = {**sealed, "event": {**sealed["event"], "thing": {**sealed["event"]["thing"], "key": key}}}

    assert lies(said(table)) == []
    assert lies([*said(table), again])[0] == "sealed_started: the lane does not begin as lanes do"


def test_the_lane_of_a_hidden_thing_is_opened_once():
    table = played((GM, SEALED))
    records = said(table)
    lane = records[place_of(records, "lane_opened")]
    place = place_of(records, "lane_opened")

    found = lies([*records[: place + 1], lane, *records[place + 1 :]], BOTH)

    assert "lane_opened: the lane does not begin as lanes do" in found


def gas(**changes: Any) -> list[str]:
    """Reveal what was rolled in secret, changed."""
    table = played((GM, SEALED), (GM, ROLL_GAS), (GM, SHOW_GAS), physical_dice="off")
    records = said(table)
    assert lies(records) == []
    records[place_of(records, "revealed")]["event"]["things"]["countdowns"][0].update(changes)
    return lies(records)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"hidden_rolls": [], "last_faces": [], "pool": 5, "rolled_turn": 0}, "it changed 1 times in secret"),
        ({"pool": 60}, "its hidden rolls do not lead to its pool"),
        (
            {"hidden_rolls": [{"faces": [2] * 5, "removed": 0, "physical": True}], "pool": 5, "last_faces": [2] * 5},
            "physical dice were never allowed",
        ),
    ],
    ids=["left out", "grown", "physical"],
)
def test_hidden_rolls_account_for_the_pool(changes: Fields, what: str):
    assert any(each.startswith(f"revealed: {what}") for each in gas(**changes))


def shown(table: Table, kind: str, thing_id: str, **things: Any) -> Fields:
    families = ("challenges", "checks", "clocks", "countdowns", "efforts", "rolls", "scenes", "situations")
    return record(
        table, {"type": "revealed", "kind": kind, "id": thing_id, "things": {**{key: [] for key in families}, **things}}
    )


def test_what_comes_to_light_is_not_there_already():
    table = played((GM, {"type": "start_clock", "id": "tide", "name": "Tide", "size": 6}))
    other = {**plain(table.room.view.clocks["tide"]), "size": 99}

    found = lies([*said(table), shown(table, "clock", "tide", clocks=[other])])

    assert "revealed: it came to light before" in found


def test_a_scene_brings_to_light_only_what_is_in_it():
    table = played((GM, {"type": "start_clock", "id": "tide", "name": "Tide", "size": 6}))
    scene = {"id": "gm-s", "name": "S", "clock_id": "gm-s-clock", "typical": True}
    scene |= {"visibility": "public", "status": "open"}
    clock = {"id": "gm-s-clock", "kind": "scene", "of": "gm-s", "name": "S", "size": 9, "value": 9}
    clock |= {"direction": "down", "visibility": "public"}
    free = {**clock, "id": "gm-free", "kind": "free"}
    del free["of"]

    assert lies([*said(table), shown(table, "scene", "gm-s", scenes=[scene], clocks=[clock])]) == []
    found = lies([*said(table), shown(table, "scene", "gm-s", scenes=[scene], clocks=[clock, free])])
    assert found == ["revealed: something else comes to light with it"]


@pytest.mark.parametrize(
    ("by", "problem"), [("spectator-3", "nothing before it leads to it"), ("nobody", "there is no such seat")]
)
def test_no_clock_ticks_for_what_is_hidden_from_one_who_only_looks_on(by: str, problem: str):
    table = played((GM, {"type": "open_scene", "id": "cave", "name": "Cave", "clock": 10}))
    tick = {"type": "clock_ticked", "clock_id": "cave-clock", "kind": "scene", "cause": "hidden", "value": 9}

    assert lies([*said(table), record(table, tick)]) == []
    assert lies([*said(table), record(table, tick, by)]) == [f"clock_ticked: {problem}"]


# Rooms that go on from others


CARRIED: Fields = {
    key: [] for key in ("challenges", "characters", "checks", "clocks", "countdowns", "efforts", "rolls")
}
CARRIED |= {key: [] for key in ("scenes", "secrets", "situations", "taken", "totals")}
ORIGIN = {"room": ROOM, "log_id": LOG, "seq": 1, "hash": "0" * 64}
CONTINUED = {"type": "room_continued", "turn": 9, "origin": ORIGIN, "carried": {**CARRIED, "made": {"seat": 7}}}


def test_a_room_goes_on_from_another_only_as_it_opens_however_many_lanes_came_since():
    table = played((GM, {"type": "start_clock", "id": "tide", "name": "Tide", "size": 6}))
    for secret in range(10, 35):
        table.write(opening(secret), by=BO, dice=LEDGER)

    assert lies([*said(table), record(table, CONTINUED)]) == ["room_continued: nothing before it leads to it"]


def opened(*seats: Fields, times: int = 1) -> list[Fields]:
    """Write a room that goes on from another one, with seats beside the gm's."""
    table = Table(dice=LEDGER)
    first = [dict(each) for each in said(table)[:3]]
    for seat in seats:
        label = f"seat/{seat['id']}/0"
        lane = {"label": label, "seat_id": seat["id"], "key": LEDGER.key(label, None)}
        events = [{"type": "seat_joined", "seat": seat}, {"type": "lane_opened", "lane": lane}]
        first += [{**first[0], "event": event} for event in events]
    return [*first, *([{**first[0], "event": CONTINUED}] * times)]


def test_a_room_that_goes_on_has_one_gm_and_seats_of_its_roles():
    assert lies(opened({"id": "player-4", "role": "player", "name": "P"})) == []
    for seat in (
        {"id": "evil", "role": "gm", "name": "E"},
        {"id": "bo", "role": "player", "name": "P"},
        {"id": "player-8", "role": "player", "name": "P"},
        {"id": "player-4", "role": "player", "name": "P", "scopes": ["turns"]},
    ):
        assert lies(opened(seat))[0].startswith("room_opened: the server refuses it: "), seat


def test_a_room_goes_on_from_one_other():
    assert lies(opened()) == []
    assert lies(opened(times=2)) == ["room_continued: nothing before it leads to it"]


def test_its_channels_go_on_in_one_order_and_none_without_the_public_one():
    *first, public = opened()
    gm = {**public, "channel": "gm"}

    assert lies([*first, public, gm], BOTH) == []
    for others in ([gm, public], [gm, public, gm], [gm], [gm, gm]):
        assert lies([*first, *others], BOTH)[0].startswith("room_continued: ")


def test_what_was_rolled_in_secret_is_proven_in_a_room_that_goes_on_too():
    table = played((GM, SEALED), (GM, ROLL_GAS), (GM, SHOW_GAS))
    records = said(table)
    seats = place_of(records[:20], "seat_joined") + 2
    records = [*records[:seats], {**records[0], "event": CONTINUED}, *records[seats:]]
    bare = records[place_of(records, "revealed")]["event"]["things"]["countdowns"][0]["hidden_rolls"][0]
    bare.pop("proof")

    assert any("it has no proof of its faces" in each for each in lies(records))


# Logs that are too much


def test_a_log_with_more_seats_than_a_room_has_is_not_read_to_its_end():
    table = Table(dice=LEDGER)
    watchers = [
        record(table, {"type": "seat_joined", "seat": {"id": f"spectator-{n}", "role": "spectator", "name": "W"}})
        for n in range(7, 400)
    ]

    found = lies([*said(table), *watchers])

    assert "seat_joined: no room holds so many seats; nothing after it was checked" in found
    assert len(found) == 2


def test_no_more_than_a_hundred_broken_rules_are_told():
    table = Table(dice=LEDGER)
    wrong = record(table, {"type": "turn_ended", "turn": 99}, by="nobody")

    assert len(lies([*said(table), *[wrong] * 150])) == 100


def test_no_more_than_a_thousand_faults_are_told():
    table = Table(dice=LEDGER)
    records = [{**record(table, {"type": "turn_ended", "turn": 99}), "at": at} for at in range(3_000, 0, -1)]

    assert len(lies([*said(table), *records])) == 1_000
