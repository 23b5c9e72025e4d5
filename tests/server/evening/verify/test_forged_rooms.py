"""Secrets and rooms that whoever runs the server made up: their chain holds, and each lie is named."""

from typing import Any

import pytest

from dreadclock_server.dice import Ledger
from kit.cheating.made_up import BOTH, LEDGER, Fields, lies, place_of, plain, played, record, said
from kit.dice.lanes import opening
from kit.tables import BO, GM, LOG, ROOM, Table

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
