"""Players take back what they did themselves, and learn nothing by it of what only the gm knows. Ruling E3 and E7."""

import pytest

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.undoable import undoable
from kit.families.voids import HIDDEN, PUBLIC, last, table_with, void
from kit.tables import ANN, BO, GM, Table

CLOCK = {"type": "start_clock", "id": "tide", "name": "Tide", "size": 3, "owner": ANN.seat_id}
TICK = {"type": "tick_clock", "clock_id": "tide", "by": 3}
SECRET = {"type": "start_clock", "id": "gm-gas", "name": "Gas", "size": 6, "visibility": "gm"}
FOLLOWS = {
    "type": "attach_consequence",
    "of": {"kind": "clock", "id": "tide"},
    "when": {"when": "end"},
    "do": [{"does": "tick", "thing_id": "gm-gas", "by": 1}],
    "visibility": "gm",
}


def offered(table: Table, by: Actor) -> list[tuple[Channel, int]]:
    """Return what a seat is told that it may take back."""
    return [(each.channel, each.first) for each in undoable(table.room, by)]


def test_each_takes_back_their_own_and_the_gm_takes_back_anything():
    table = table_with()
    table.do(CLOCK, by=ANN)
    clock = last(table)

    assert (PUBLIC, clock) in offered(table, ANN)
    assert offered(table, BO) == []
    assert (PUBLIC, clock) in offered(table, GM)
    assert table.refused(void(clock), by=BO).code is Code.NOT_ALLOWED
    [event] = table.do(void(clock), by=ANN)
    assert isinstance(event, e.CommandVoided)
    assert event.what == "clock_started"
    assert (PUBLIC, clock) not in offered(table, ANN)


def test_real_dice_stay_the_gms_to_take_back():
    table = table_with()
    table.do({"type": "roll_dice", "pool": 1, "faces": [3]}, by=ANN)

    assert offered(table, ANN) == []
    assert table.refused(void(last(table)), by=ANN).code is Code.NOT_ALLOWED
    assert offered(table, GM) != []


@pytest.mark.parametrize("went_on", [False, True])
def test_what_a_hidden_consequence_did_goes_back_or_stays_without_a_word_of_it(went_on: bool):
    table = table_with(SECRET)
    table.do(CLOCK, by=ANN)
    table.do(FOLLOWS)
    table.do(TICK, by=ANN)
    tick = last(table)
    assert table.view.clocks["gm-gas"].value == 5
    if not went_on:
        assert offered(table, ANN)[0] == (PUBLIC, tick)
        table.do(void(tick), by=ANN)
        assert table.view.clocks["gm-gas"].value == 6
        return

    table.do({"type": "tick_clock", "clock_id": "gm-gas"})

    refused = table.refused(void(tick), by=ANN)
    assert (refused.code, refused.details) == (Code.NOT_ALLOWED, {"allowed": "the gm"})
    assert table.refused(void(tick)).details["id"] == "gm-gas"
    assert (PUBLIC, tick) not in offered(table, ANN)


def test_the_gms_channel_is_no_place_to_look_for_ones_own():
    table = table_with(SECRET)

    answers = [table.refused(void(seq, HIDDEN), by=ANN) for seq in (1, last(table, HIDDEN), 10**6)]

    assert len({(each.code, str(each.details)) for each in answers}) == 1
