"""Twins of a room that differ only in what the gm keeps to herself: nobody else may tell them apart by `/undoable`."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from dreadclock.wire.errors import Refused
from dreadclock_server.core.draft import Actor
from kit.examples import examples
from kit.families.voids import void
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, BO, BOT, CLERK, GM, WATCHER, Table, undoable

CLOCKS = ("tide", "storm", "guards")
OUTSIDERS = (ANN, BO, BOT, CLERK, WATCHER)
SECRETS: tuple[Mapping[str, Any], ...] = (
    {"type": "start_clock", "id": "gm-gas", "name": "Gas", "size": 99, "visibility": "gm"},
    {"type": "start_countdown", "id": "gm-fuse", "name": "Fuse", "pool": 40, "visibility": "gm"},
)
DOES: tuple[Mapping[str, Any], ...] = (
    {"does": "tick", "thing_id": "gm-gas", "by": 1},
    {"does": "roll", "thing_id": "gm-fuse"},
)
Step = tuple[str, Any]


def follows(clock: str, does: Mapping[str, Any]) -> Step:
    """Let the gm decide in one of the twins alone what comes of the end of a clock that all see."""
    about = {"of": {"kind": "clock", "id": clock}, "when": {"when": "end"}, "do": [does]}
    return "secret", {"type": "attach_consequence", "visibility": "gm", **about}


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
