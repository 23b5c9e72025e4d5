"""Rooms of an earlier edition of the rules: they go on by this one, and only what came about by it is judged."""

import json

import pytest

from dreadclock.cli.verify import sentences
from dreadclock.dice.audit import FaultKind
from dreadclock.export import write_export
from dreadclock.rules.limits import EDITION
from dreadclock.wire.base import Channel
from dreadclock_server.core.decide import decide
from dreadclock_server.core.room import Room, read
from dreadclock_server.dice import Ledger
from dreadclock_server.evening.verify import verify
from dreadclock_server.store.codec import decode
from kit.cheating.forging import changed, find
from kit.evenings.audited import BOTH
from kit.evenings.golden import golden_files, read_golden
from kit.tables import GM, Order, command_of, evolve

STORED = read_golden(next(path for path in golden_files() if path.name == "entry-v1d.txt"))
TEXTS = [text for entry in STORED.entries for text in decode(entry).texts]


def old_room() -> Room:
    """Return a room as it was stored by the first edition."""
    room = STORED.room
    for text in TEXTS:
        room = evolve(room, read(room, text))
    return room


def told(room: Room, order: Order) -> tuple[Room, list[str]]:
    """Return the room after a command, and the records of it."""
    ledger = Ledger(room.room_id, bytes(range(32)))
    decision = decide(room, command_of(order), by=GM, dice=ledger, now_ms=room.at + 1, fresh=lambda: "0" * 12)
    return decision.room, [each.text for each in decision.written]


START = {"type": "start_clock", "id": "flood", "name": "The flood", "size": 6, "note": "At last"}


def test_the_first_command_in_a_room_of_before_says_that_it_is_played_by_this_edition():
    room, first = told(old_room(), START)
    _, second = told(room, {"type": "tick_clock", "clock_id": "flood"})

    events = [json.loads(text)["event"] for text in first]
    assert [event["type"] for event in events] == ["edition_changed", "clock_started"]
    assert events[0]["edition"] == EDITION == room.view.public.edition
    assert "note" not in events[0]
    assert events[1]["note"] == "At last"
    assert [json.loads(text)["event"]["type"] for text in second] == ["clock_ticked"]


def test_a_command_that_comes_to_nothing_leaves_a_room_of_before_as_it_is():
    room = old_room()

    after, texts = told(room, {"type": "set_policy", "physical_dice": room.view.policy.physical_dice})

    assert (texts, after) == ([], room)


def test_the_first_command_is_taken_back_like_any_other():
    room, _ = told(old_room(), START)
    seq = room.seq(Channel.PUBLIC)

    after, texts = told(room, {"type": "void_command", "seq": seq, "reason": "A slip"})

    assert json.loads(texts[0])["event"]["what"] == "clock_started"
    assert "flood" not in after.view.clocks
    assert after.view.public.edition == EDITION


DOOM = {"type": "start_countdown", "id": "fever-2", "name": "Fever", "pool": 4, "speed": "slow"}
ROLL = {"type": "roll_countdown", "countdown_id": "fever-2"}


@pytest.mark.parametrize("edition", [1, EDITION])
def test_the_referee_judges_what_came_about_by_its_own_edition(edition: int):
    room, started = told(old_room(), DOOM)
    _, rolled = told(room, ROLL)
    texts = [*TEXTS, *started, *rolled]
    place = find(TEXTS, "countdown_rolled") if edition == 1 else find(texts, "edition_changed") + 2

    forged = changed(texts, place, lambda record: record["event"].update(removed=record["event"]["removed"] + 1))
    report = verify(export(forged))

    assert verify(export(texts)).sound
    rules = [str(fault) for fault in report.faults if fault.kind is FaultKind.RULES]
    assert bool(rules) is (edition == EDITION), rules


def test_an_audit_says_what_it_did_not_judge():
    _room, started = told(old_room(), DOOM)

    report = verify(export([*TEXTS, *started]))

    assert report.unjudged == len(TEXTS)
    assert report.records == len(TEXTS) + 2
    assert any(f"{len(TEXTS)} records came about by another edition" in each for each in sentences(report))


def export(texts: list[str]) -> bytes:
    return "".join(write_export(STORED.room.room_id, STORED.room.log_id, BOTH, texts)).encode()
