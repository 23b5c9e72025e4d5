"""Telling what happens without dice, and notes that no event carries. Ruling E8."""

import pytest

from dreadclock.wire.base import Channel, Scope
from dreadclock.wire.errors import Code
from dreadclock.wire.events import Narrated, PolicySet
from dreadclock.wire.families.narrating import NarratedOutcome
from dreadclock_server.core.draft import Actor
from kit.tables import ANN, BOT, GM, Table

pytestmark = pytest.mark.rule("E8")
TELL = {"type": "narrate", "text": "The bridge has burnt down.", "outcome": "failure"}
GAS = {"type": "start_clock", "id": "gm-gas", "name": "Gas", "size": 1, "visibility": "gm"}
CONFIDANT = Actor(BOT.seat_id, BOT.role, (Scope.NARRATE, Scope.SECRETS))


@pytest.mark.parametrize("by", [GM, ANN], ids=["the gm", "a player"])
def test_who_plays_may_tell_what_happens(by: Actor):
    table = Table()

    (record,) = table.write(TELL, by=by)

    assert record.event == Narrated(text="The bridge has burnt down.", outcome=NarratedOutcome.FAILURE)
    assert (record.channel, record.by) == (Channel.PUBLIC, by.seat_id)


def test_the_gm_alone_may_tell_something_to_herself():
    table = Table()

    (record,) = table.write({**TELL, "channel": "gm"})

    assert record.channel is Channel.GM
    for other in (ANN, CONFIDANT):
        assert table.refused({**TELL, "channel": "gm"}, by=other).code is Code.NOT_ALLOWED


def test_a_note_goes_where_the_most_secret_thing_is_told_of():
    table = Table()
    table.do(GAS)
    table.do({"type": "tick_clock", "clock_id": "gm-gas"})

    (record,) = table.write({"type": "tick_clock", "clock_id": "gm-gas", "note": "They hear it hiss."})

    assert record.event == Narrated(text="They hear it hiss.")
    assert record.channel is Channel.GM


SEALED = {**GAS, "id": "gas", "visibility": "sealed", "size": 2}


def test_a_note_beside_nothing_but_a_hint_is_the_gms():
    table = Table()
    table.do({**SEALED, "direction": "up"})
    table.do({"type": "amend_clock", "clock_id": "gas", "value": 1, "reason": "so"})

    records = table.write({"type": "amend_clock", "clock_id": "gas", "value": 1, "reason": "so", "note": "Hush."})

    told = [(each.channel, each.event.type) for each in records]
    assert (Channel.PUBLIC, "narrated") not in told
    assert any(each.event.note == "Hush." or getattr(each.event, "text", None) == "Hush." for each in records)


def test_a_note_with_an_event_is_told_once():
    table = Table()

    (event,) = table.do({"type": "set_policy", "physical_dice": "gm", "note": "Tonight"})

    assert isinstance(event, PolicySet)
    assert event.note == "Tonight"
