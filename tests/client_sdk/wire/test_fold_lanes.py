"""Lanes of the dice in a view: how many rolls were made, and which tokens of other seats are folded in."""

import hashlib
from typing import Any

import pytest

from dreadclock.rules.ledger import LANE_LENGTH, text32
from dreadclock.rules.limits import LANES_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Role, RollProof
from dreadclock.wire.things import Lane, Roll, Sealed, Seat, Things
from kit.folds import after

KEY = "Q" * 43


def token(name: int) -> bytes:
    return bytes([name]) * 32


def opened(label: str, seat_id: str | None = None, anchor: str | None = KEY) -> e.LaneOpened:
    return e.LaneOpened(lane=Lane(label=label, seat_id=seat_id, anchor=anchor, key=KEY))


def shown(label: str, n: int, name: int | None = None, **fields: Any) -> e.DiceRolled:
    """Roll in a lane, showing a token by its name."""
    shows = text32(token(name)) if name is not None else None
    proof = RollProof(lane=label, n=n, key=KEY, token=shows, witnesses=0)
    return e.DiceRolled(roll=Roll(id=label.replace("/", "-") + f"-{n}", seat_id="x", faces=(1,), proof=proof, **fields))


def witness_of(*names: int) -> str:
    witness = bytes(32)
    for name in names:
        witness = hashlib.sha256(b"dice1/witness\0" + witness + token(name)).digest()
    return text32(witness)


ANN, BO, CY = opened("seat/ann/1", "ann"), opened("seat/bob/1", "bob"), opened("seat/cyd/1", "cyd")


def test_a_lane_is_opened_without_a_witness():
    lane = after(ANN).lanes["seat/ann/1"]

    assert lane == ANN.lane
    assert (lane.witness, lane.witnesses, lane.next_witness, lane.next_witnesses) == (None, 0, None, 0)


def test_a_token_witnesses_the_lanes_of_all_other_seats_and_none_of_its_own():
    own = opened("seat/ann/2", "ann")

    lanes = after(ANN, own, BO, CY, shown("seat/ann/1", 1, 7)).lanes

    assert (lanes["seat/bob/1"].witness, lanes["seat/bob/1"].witnesses) == (witness_of(7), 1)
    assert (lanes["seat/cyd/1"].witness, lanes["seat/cyd/1"].witnesses) == (witness_of(7), 1)
    assert (lanes["seat/ann/1"].witness, lanes["seat/ann/2"].witness) == (None, None)


def test_a_lane_without_tokens_is_witnessed_too_and_witnesses_none():
    bare = opened("seat/bob/0", "bob", None)

    lanes = after(ANN, bare, shown("seat/bob/0", 1), shown("seat/ann/1", 1, 7)).lanes

    assert lanes["seat/bob/0"].witness == witness_of(7)
    assert lanes["seat/ann/1"].witness is None


def test_of_each_seat_only_the_first_token_counts_in_the_order_of_the_log():
    lanes = after(
        ANN, BO, CY, shown("seat/cyd/1", 1, 5), shown("seat/bob/1", 1, 6), shown("seat/cyd/1", 2, 8)
    ).lanes  # fmt: skip

    assert (lanes["seat/ann/1"].witness, lanes["seat/ann/1"].witnesses) == (witness_of(5, 6), 2)


def test_a_token_of_another_lane_of_the_same_seat_does_not_count_again():
    lanes = after(ANN, BO, opened("seat/bob/2", "bob"), shown("seat/bob/1", 1, 5), shown("seat/bob/2", 1, 6)).lanes

    assert lanes["seat/ann/1"].witness == witness_of(5)


def test_a_lane_hears_only_of_tokens_that_are_shown_after_it_was_opened():
    lanes = after(ANN, BO, shown("seat/bob/1", 1, 5), opened("seat/ann/2", "ann"), shown("seat/bob/1", 2, 6)).lanes

    assert lanes["seat/ann/1"].witness == witness_of(5)
    assert lanes["seat/ann/2"].witness == witness_of(6)


def test_a_roll_uses_the_witness_as_it_stood_at_the_roll_before_it():
    events = (ANN, BO, CY, shown("seat/bob/1", 1, 5), shown("seat/ann/1", 1, 1))

    first, second = after(*events[:4]).lanes["seat/ann/1"], after(*events).lanes["seat/ann/1"]
    later = after(*events, shown("seat/cyd/1", 1, 6)).lanes["seat/ann/1"]

    assert (first.next_witness, first.next_witnesses, first.witnesses) == (None, 0, 1)
    assert (second.next_witness, second.next_witnesses, second.witnesses) == (witness_of(5), 1, 1)
    assert (later.next_witness, later.next_witnesses, later.witnesses) == (witness_of(5), 1, 2)


def test_a_lane_remembers_the_token_that_it_showed_last_through_the_later_rolls_of_its_slot():
    later = shown("seat/ann/1", 1).roll.model_copy(update={"proof": RollProof(lane="seat/ann/1", n=1, start=1)})

    lane = after(ANN, shown("seat/ann/1", 1, 1), e.DiceRolled(roll=later)).lanes["seat/ann/1"]

    assert (lane.used, lane.token) == (1, text32(token(1)))


def test_a_seat_that_goes_takes_its_lanes_along_and_what_it_has_witnessed_stays():
    part = after(ANN, BO, shown("seat/bob/1", 1, 5), e.SeatRemoved(seat_id="bob", reason=e.Departure.LEFT))

    assert list(part.lanes) == ["seat/ann/1"]
    assert part.lanes["seat/ann/1"].witness == witness_of(5)
    assert part.shown == {}


def test_what_happens_in_the_lane_of_a_hidden_thing_is_no_witness():
    lanes = after(opened("thing/a/one"), opened("thing/b/two"), shown("thing/a/one", 1, 5), channel=Channel.GM).lanes

    assert (lanes["thing/b/two"].witness, lanes["thing/b/two"].tokens_before) == (None, 0)


@pytest.mark.parametrize(("anchor", "kept"), [(KEY, LANES_KEPT), (None, LANES_KEPT + 1)])
def test_a_seats_oldest_lane_with_tokens_is_closed_for_a_ninth(anchor: str | None, kept: int):
    bare = opened("seat/ann/0", "ann", None)
    eight = [opened(f"seat/ann/{number}", "ann") for number in range(1, LANES_KEPT + 1)]

    lanes = after(bare, BO, *eight, opened("seat/ann/9", "ann", anchor)).lanes

    assert ("seat/ann/1" in lanes) is (anchor is None)
    assert {"seat/ann/0", "seat/bob/1", "seat/ann/2", "seat/ann/9"} <= lanes.keys()
    assert sum(lane.seat_id == "ann" for lane in lanes.values()) == kept + 1


def test_a_used_up_lane_goes_when_its_seat_opens_another():
    part = after(ANN, BO, shown("seat/ann/1", LANE_LENGTH, 1), opened("seat/ann/2", "ann"))

    assert list(part.lanes) == ["seat/bob/1", "seat/ann/2"]
    assert part.made["lane/ann"] == 2


def test_a_roll_with_a_token_is_counted_as_a_roll_and_as_a_token():
    part = after(ANN, *(shown("seat/ann/1", n, n) for n in (1, 2, 3)))

    assert (part.made["roll"], part.made["token"]) == (3, 3)


# Lanes of sealed things


def sealed(name: str = "gas", **fields: Any) -> e.SealedStarted:
    lane = f"thing/countdown/{name}"
    stub = {"kind": Kind.COUNTDOWN, "id": name, "name": name, "seat_id": "ann", "lane": lane, "key": KEY}
    return e.SealedStarted(thing=Sealed(**{**stub, **fields}))


GAS = "thing/countdown/gas"


def test_a_sealed_thing_has_a_lane_from_its_start():
    assert after(ANN, shown("seat/ann/1", 1, 1), sealed()).lanes[GAS] == Lane(
        label=GAS, started_by="ann", key=KEY, tokens_before=1, tokens=()
    )


def test_a_sealed_thing_that_is_not_rolled_has_none_nor_has_one_of_before_there_were_any():
    view = after(sealed(lane=None, key=None), sealed("rot", seat_id=None))

    assert view.lanes == {}
    assert list(view.sealed) == ["gas", "rot"]


def test_its_lane_keeps_the_first_tokens_of_all_seats_but_the_one_that_started_it():
    events = [
        shown("seat/bob/1", 1, 1),
        shown("seat/ann/1", 1, 2),
        shown("seat/bob/1", 2, 3),
        shown("seat/cyd/1", 1, 4),
    ]

    lane = after(ANN, BO, CY, sealed(), *events).lanes[GAS]

    assert (lane.witness, lane.witnesses) == (witness_of(1, 4), 2)
    assert lane.tokens == tuple(text32(token(name)) for name in (1, 4))
    assert (lane.used, lane.next_witness, lane.next_witnesses) == (0, None, 0)


def test_its_lane_goes_when_everyone_sees_it():
    revealed = e.Revealed(kind=Kind.COUNTDOWN, id="gas", things=Things())

    assert list(after(sealed(), sealed("rot"), revealed).lanes) == ["thing/countdown/rot"]


def test_its_lane_stays_when_a_seat_leaves():
    view = after(e.SeatJoined(seat=Seat(id="ann", role=Role.GM, name="Ann")), sealed(), gone("ann"))

    assert list(view.lanes) == [GAS]


def gone(seat_id: str) -> e.SeatRemoved:
    return e.SeatRemoved(seat_id=seat_id, reason=e.Departure.LEFT)
