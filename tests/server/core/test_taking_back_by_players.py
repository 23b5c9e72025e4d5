"""Players take back what they did themselves, and learn nothing by it of what only the gm knows. Ruling E3 and E7."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.undo import UNDO_KEPT
from kit.examples import examples
from kit.families.voids import ADA, CLIMB, HIDDEN, PUBLIC, REQUIRE, RUN, SCENE, last, table_with, void
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, BO, BOT, CLERK, GM, WATCHER, Order, Table, loaded, undoable

CLOCK = {"type": "start_clock", "id": "tide", "name": "Tide", "size": 3, "owner": ANN.seat_id}
TICK = {"type": "tick_clock", "clock_id": "tide", "by": 3}
SECRET = {"type": "start_clock", "id": "gm-gas", "name": "Gas", "size": 6, "visibility": "gm"}
DOES = ({"does": "tick", "thing_id": "gm-gas", "by": 1}, {"does": "roll", "thing_id": "gm-fuse"})
Step = tuple[str, Any]


def follows(clock: str, does: Mapping[str, Any]) -> Step:
    """Let the gm decide in secret what comes of the end of a clock that all see."""
    about = {"of": {"kind": "clock", "id": clock}, "when": {"when": "end"}, "do": [does]}
    return "secret", {"type": "attach_consequence", "visibility": "gm", **about}


_, FOLLOWS = follows("tide", DOES[0])


def offered(table: Table, by: Actor) -> list[tuple[Channel, int]]:
    """Return what a seat is told that it may take back."""
    return [(each.channel, each.first) for each in undoable(table.room, by)]


def gm_alone(table: Table, by: Actor = ANN) -> bool:
    """Tell whether the latest command is refused to a seat as the gm's to take back, and is not offered to it."""
    refused = table.refused(void(last(table)), by=by)
    is_offered = (PUBLIC, last(table)) in offered(table, by)
    return (refused.code, refused.details, is_offered) == (Code.NOT_ALLOWED, {"allowed": "the gm"}, False)


def test_each_takes_back_their_own_and_the_gm_takes_back_anything():
    table = table_with()
    table.do(CLOCK, by=ANN)
    table.do({**TICK, "by": 1}, by=ANN)
    tick = last(table)

    assert offered(table, ANN) == [(PUBLIC, tick)]
    assert offered(table, BO) == []
    assert (PUBLIC, tick) in offered(table, GM)
    assert table.refused(void(tick), by=BO).code is Code.NOT_ALLOWED
    [event] = table.do(void(tick), by=ANN)
    assert isinstance(event, e.CommandVoided)
    assert event.what == "clock_ticked"
    assert offered(table, ANN) == []
    assert table.refused(void(tick), by=ANN).code is Code.CANNOT_BE_VOIDED


@pytest.mark.parametrize("hidden", [False, True])
def test_what_was_made_stays_the_gms_to_take_back_whatever_rests_on_it(hidden: bool):
    table = table_with(SECRET)
    table.do(CLOCK, by=ANN)
    if hidden:
        table.do(FOLLOWS)

    assert gm_alone(table)
    assert (PUBLIC, last(table)) in offered(table, GM)


@pytest.mark.parametrize("order", [{"type": "end_turn"}, {"type": "end_round", "situation_id": "run"}], ids=str)
def test_time_that_passed_stays_the_gms_to_take_back(order: Order):
    table = table_with(SCENE, {**RUN, "scene_id": "bomb"})
    table.do(order, by=CLERK)

    assert gm_alone(table, CLERK)
    table.do(void(last(table)))


def test_a_total_whose_number_is_secret_stays_withdrawn_unless_the_gm_takes_that_back():
    table = table_with({**ADA, "owner": ANN.seat_id}, CLIMB, {**REQUIRE, "secret": True})
    table.do({"type": "withdraw_total", "total_id": "climb"}, by=ANN)

    assert gm_alone(table)
    table.do(void(last(table)))


def test_real_dice_stay_the_gms_to_take_back():
    table = table_with()
    table.do({"type": "roll_dice", "pool": 1, "faces": [3]}, by=ANN)

    assert offered(table, ANN) == []
    assert table.refused(void(last(table)), by=ANN).code is Code.NOT_ALLOWED
    assert offered(table, GM) != []


@pytest.mark.parametrize("went_on", [False, True])
def test_what_a_hidden_consequence_did_stays_whatever_became_of_it_since(went_on: bool):
    table = table_with(SECRET)
    table.do(CLOCK, by=ANN)
    table.do(FOLLOWS)
    table.do(TICK, by=ANN)
    tick = last(table)
    if went_on:
        table.do({"type": "tick_clock", "clock_id": "gm-gas"})
    gas = table.view.clocks["gm-gas"].value

    assert offered(table, ANN)[0] == (PUBLIC, tick)
    [written] = table.write(void(tick), by=ANN)

    assert written.channel is PUBLIC
    assert table.view.clocks["tide"].value == 3
    assert table.view.clocks["gm-gas"].value == gas


def test_hidden_dice_of_a_hidden_consequence_bar_nobody_but_the_gm():
    fuse = {"type": "start_countdown", "id": "gm-fuse", "name": "Fuse", "pool": 3, "visibility": "gm"}
    table = table_with(fuse)
    table.do(CLOCK, by=ANN)
    table.do({**FOLLOWS, "do": [DOES[1]]})
    table.do(TICK, by=ANN, dice=loaded(2, 3, 4))
    tick = last(table)

    assert table.refused(void(tick)).code is Code.CANNOT_BE_VOIDED
    assert [type(each) for each in table.do(void(tick), by=ANN)] == [e.CommandVoided]
    assert table.view.clocks["tide"].value == 3


def test_what_a_hidden_consequence_does_that_everyone_sees_bars_a_player_too():
    table = table_with(ADA)
    table.do(CLOCK, by=ANN)
    table.do({**FOLLOWS, "do": [{"does": "give_token", "thing_id": "ada", "token": "momentum"}]})
    table.do(TICK, by=ANN)

    assert offered(table, ANN) == []
    assert table.refused(void(last(table)), by=ANN).code is Code.CANNOT_BE_VOIDED


def test_what_stayed_still_stands_in_the_way_of_what_the_gm_takes_back():
    table = table_with(SECRET)
    table.do(CLOCK, by=ANN)
    table.do(FOLLOWS)
    table.do({"type": "tick_clock", "clock_id": "gm-gas"})
    amended = last(table, HIDDEN)
    table.do(TICK, by=ANN)
    table.do(void(last(table)), by=ANN)

    refused = table.refused(void(amended, HIDDEN))

    assert (refused.code, refused.details["id"]) == (Code.CHANGED_SINCE, "gm-gas")


def test_how_long_ones_own_commands_are_remembered_does_not_count_what_is_hidden():
    table = table_with(SECRET)
    table.do(CLOCK, by=ANN)
    table.do({**TICK, "by": 1}, by=ANN)
    tick = last(table)
    for value in range(2 * UNDO_KEPT):
        table.do({"type": "amend_clock", "clock_id": "gm-gas", "value": 1 + value % 5, "reason": "x"})

    assert offered(table, ANN) == [(PUBLIC, tick)]
    assert offered(table, GM)[-1][0] is HIDDEN
    table.do(void(tick), by=ANN)
    assert table.view.clocks["tide"].value == 3


def test_the_gms_channel_is_no_place_to_look_for_ones_own():
    table = table_with(SECRET)

    answers = [table.refused(void(seq, HIDDEN), by=ANN) for seq in (1, last(table, HIDDEN), 10**6)]

    assert len({(each.code, str(each.details)) for each in answers}) == 1


# Twins of a room that differ only in what the gm keeps to herself: nobody else may tell them apart by `/undoable`


CLOCKS = ("tide", "storm", "guards")
OUTSIDERS = (ANN, BO, BOT, CLERK, WATCHER)
SECRETS: tuple[Mapping[str, Any], ...] = (
    {"type": "start_clock", "id": "gm-gas", "name": "Gas", "size": 99, "visibility": "gm"},
    {"type": "start_countdown", "id": "gm-fuse", "name": "Fuse", "pool": 40, "visibility": "gm"},
)


def secret_steps() -> st.SearchStrategy[Step]:
    """Draw what the gm does in one of the twins alone: a consequence of what all see, or something by itself."""
    alone: Step = ("secret", {"type": "tick_clock", "clock_id": "gm-gas"})
    return st.builds(follows, st.sampled_from(CLOCKS), st.sampled_from(DOES)) | st.just(alone)


def shared_steps() -> st.SearchStrategy[Step]:
    """Draw what happens in both."""
    tick = st.builds(
        lambda clock, by: {"type": "tick_clock", "clock_id": clock, "by": by},
        st.sampled_from(CLOCKS),
        st.integers(1, 2),
    )
    said = st.just({"type": "narrate", "text": "It rains."})
    done = st.tuples(st.just("shared"), st.tuples(st.sampled_from((ANN, ANN, ANN, BO, GM)), tick | said))
    return done | st.tuples(st.just("back"), st.sampled_from((ANN, ANN, BO)))


def seated() -> Table:
    table = Table()
    for clock in CLOCKS:
        table.do({"type": "start_clock", "id": clock, "name": clock, "size": 2, "owner": ANN.seat_id})
    return table


def attempt(table: Table, order: Mapping[str, Any], by: Actor) -> str:
    """Do a command with real dice, and tell whether it was done."""
    try:
        table.do(order, by=by, dice=LEDGER)
    except Refused as refused:
        return f"{refused.code} {refused.details}"
    return "done"


def ends(clock: str) -> Step:
    """Let Ann bring a clock to its end."""
    return "shared", (ANN, {"type": "tick_clock", "clock_id": clock, "by": 2})


@pytest.mark.rule("E3", "E4")
@example([follows("tide", DOES[0]), follows("storm", DOES[0])], [ends("tide"), ends("storm")])  # which meet in secret
@examples(30)
@given(st.lists(secret_steps(), max_size=4), st.lists(secret_steps() | shared_steps(), min_size=4, max_size=16))
def test_twins_offer_everyone_but_the_gm_the_same_to_take_back(first: list[Step], then: list[Step]):
    without, within = seated(), seated()
    for order in SECRETS:
        within.do(order)
    for kind, what in (*first, *then):
        if kind == "secret":
            event(f"kept secret: {what['type']} {attempt(within, what, GM)[:8]}")
        elif kind == "shared":
            assert attempt(without, what[1], what[0]) == attempt(within, what[1], what[0])
        elif names := undoable(without.room, what):
            event("taken back")
            orders = [void(each.first) for each in names]
            assert attempt(without, orders[0], what) == attempt(within, orders[0], what) == "done"
        for seat in OUTSIDERS:
            assert undoable(within.room, seat) == undoable(without.room, seat)
