"""The lanes of hidden things: what witnesses them, and what that tells. Ruling E4."""

from collections.abc import Sequence

import pytest

from dreadclock.rules.ledger import ZERO, Draws, text32, value32, witnessed
from dreadclock.wire.base import Channel, Kind, RollProof, Value32
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckResolved, CheckRolled, CountdownRolled, Revealed
from dreadclock.wire.things import HiddenRoll, Lane
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from kit.dice.lanes import dice, opening, tokens
from kit.tables import ANN, BO, CLERK, GM, ROOM, Order, Table

PUBLIC, HIDDEN = Channel.PUBLIC, Channel.GM
LEDGER = Ledger(ROOM, bytes(32))
LANE = "thing/countdown/gas"
GAS = {"type": "start_countdown", "id": "gas", "name": "Gas", "bound_to": "nothing", "pool": 12, "visibility": "sealed"}
MOLE = {**GAS, "id": "gm-mole", "visibility": "gm"}
ROLL_GAS = {"type": "roll_countdown", "countdown_id": "gas"}
SEATS: dict[str, tuple[Actor, int]] = {"seat/player-1/1": (ANN, 1), "seat/player-2/1": (BO, 2), "seat/gm/1": (GM, 3)}


class Room:
    """A table at which Ann, Bo and the gm roll with tokens, and something is hidden."""

    def __init__(self, *hidden: Order) -> None:
        self.table = Table(dice=LEDGER, physical_dice="everyone", check_approval="open")
        self._used = dict.fromkeys(SEATS, 0)
        for by, secret in SEATS.values():
            self.table.write(opening(secret), by=by, dice=LEDGER)
        for order in hidden or (GAS,):
            self.table.write(order, dice=LEDGER)

    def show(self, lane: str) -> bytes:
        """Let a seat roll in public, and return the token that it shows."""
        (by, secret), n = SEATS[lane], self._used[lane] + 1
        self._used[lane] = n
        order = {"type": "roll_dice", "pool": 1, "dice": dice(n, lane, secret)}
        self.table.write(order, by=by, dice=LEDGER)
        return tokens(secret).value(n)

    def roll(self, order: Order = ROLL_GAS) -> tuple[Sequence[int], RollProof]:
        """Roll what is hidden, and return its faces and their proof."""
        [event] = [each.event for each in self.table.write(order, dice=LEDGER) if _is_roll(each.event)]
        if isinstance(event, CheckRolled) and event.part.roll and event.part.roll.proof:
            return event.part.roll.faces, event.part.roll.proof
        assert isinstance(event, CountdownRolled)
        assert event.proof
        return event.faces, event.proof

    @property
    def lane(self) -> Lane:
        """The sealed thing's lane as everyone sees it."""
        return self.table.view_as(ANN).public.lanes[LANE]


def _is_roll(event: object) -> bool:
    return isinstance(event, CountdownRolled | CheckRolled)


def faces_of(proof: RollProof, count: int, *shown: bytes) -> tuple[int, ...]:
    """Work faces out as the page of the dice says, from the tokens in the witness."""
    witness = ZERO
    for token in shown:
        witness = witnessed(witness, token)
    assert proof.witnesses == len(shown)
    assert proof.key
    return Draws(value32(proof.key), ZERO, witness).take(count)


def texts(*values: bytes) -> tuple[Value32, ...]:
    return tuple(map(text32, values))


# What witnesses them


def test_a_sealed_thing_is_rolled_with_the_tokens_that_stood_before_its_last_roll():
    room = Room()
    ann = room.show("seat/player-1/1")
    first, proof_1 = room.roll()
    bo = room.show("seat/player-2/1")
    second, proof_2 = room.roll()
    third, proof_3 = room.roll()

    assert first == faces_of(proof_1, 12)
    assert second == faces_of(proof_2, len(second), ann)
    assert third == faces_of(proof_3, len(third), ann, bo)


def test_only_the_first_token_of_each_seat_counts_and_none_of_the_seat_that_sealed_it():
    room = Room()
    shown = [room.show(lane) for lane in ("seat/gm/1", "seat/player-2/1", "seat/player-2/1", "seat/player-1/1")]
    room.roll()

    assert room.roll()[1].witnesses == 2
    assert (room.lane.witnesses, room.lane.tokens) == (2, texts(shown[1], shown[3]))
    assert room.lane.started_by == "gm"


def test_what_was_shown_before_it_was_sealed_is_no_witness_and_the_same_seats_next_token_is():
    room = Room(MOLE)
    room.show("seat/player-1/1")
    room.table.write(GAS, dice=LEDGER)
    later = room.show("seat/player-2/1")
    room.show("seat/player-1/1")

    assert room.lane.tokens is not None
    assert room.lane.tokens[0] == text32(later)
    assert room.lane.witnesses == 2


def test_a_turn_that_somebody_else_ends_rolls_it_with_the_witnesses_that_there_were():
    room = Room({**GAS, "bound_to": "turn"})
    room.show("seat/player-1/1")

    room.table.write({"type": "end_turn"}, by=CLERK, dice=LEDGER)
    room.show("seat/player-2/1")
    room.table.write({"type": "end_turn"}, by=CLERK, dice=LEDGER)

    rolls = room.table.view.countdowns["gas"].hidden_rolls
    assert [each.proof and each.proof.witnesses for each in rolls] == [0, 1]


def test_the_deals_that_end_a_sealed_contest_go_on_in_the_slot_of_its_last_part():
    label = "thing/check/duel"
    drawn = LEDGER.slot(Lane(label=label, key=LEDGER.key(label, None)), 1, None).take(1)
    room = Room(
        *({"type": "add_character", "id": name, "name": name, "reflex": 0} for name in ("ada", "bea")),
        {"type": "propose_check", "id": "duel", "character_id": "ada", "score": 1, "visibility": "sealed"},
        {"type": "oppose_check", "check_id": "duel", "character_id": "bea", "score": 1},
        {"type": "roll_check", "check_id": "duel", "character_id": "ada", "faces": drawn},
    )

    records = room.table.write({"type": "roll_check", "check_id": "duel", "character_id": "bea"}, dice=LEDGER)

    [rolled] = [each.event.part.roll for each in records if isinstance(each.event, CheckRolled)]
    [result] = [each.event.result for each in records if isinstance(each.event, CheckResolved)]
    assert rolled
    assert rolled.proof
    assert result.proof == RollProof(lane=label, n=1, start=len(rolled.faces))
    assert len(result.deals) >= 2
    drawn = faces_of(rolled.proof, len(rolled.faces) + len(result.deals))
    assert drawn == (*rolled.faces, *result.deals)


def test_each_part_of_a_sealed_check_is_a_roll_of_its_own():
    room = Room(
        *({"type": "add_character", "id": name, "name": name} for name in ("ada", "bea")),
        {"type": "propose_check", "id": "duel", "character_id": "ada", "score": 2, "visibility": "sealed"},
        {"type": "help_check", "check_id": "duel", "character_id": "bea", "score": 2},
    )
    ann = room.show("seat/player-1/1")
    (one, proof_1), (two, proof_2) = (
        room.roll({"type": "roll_check", "check_id": "duel", "character_id": name}) for name in ("ada", "bea")
    )

    assert (proof_1.n, proof_2.n) == (1, 2)
    assert one == faces_of(proof_1, len(one))
    assert two == faces_of(proof_2, len(two), ann)


@pytest.mark.rule("E4")
def test_what_only_the_gm_knows_has_no_witnesses_and_no_lane_in_public():
    room = Room(MOLE)
    roll = {**ROLL_GAS, "countdown_id": "gm-mole"}
    for lane in SEATS:
        room.show(lane)
    room.roll(roll)
    faces, proof = room.roll(roll)

    assert faces == faces_of(proof, len(faces))
    assert [label for label in room.table.view.public.lanes if label.startswith("thing/")] == []


def test_its_lane_is_no_seats_own():
    room = Room()

    refused = room.table.refused(
        {"type": "roll_dice", "pool": 1, "dice": {"lane": LANE, "n": 1, "seen": 99}}, dice=LEDGER
    )

    assert refused.code is Code.UNKNOWN
    room.table.write({"type": "roll_dice", "pool": 1}, dice=LEDGER)
    assert (room.lane.used, room.table.view.public.lanes["seat/gm/0"].used) == (0, 1)


# What that tells


@pytest.mark.rule("E4")
def test_before_it_is_revealed_its_lane_in_public_tells_nothing_of_its_rolls():
    rolled, idle = Room(), Room()
    for room in (rolled, idle):
        for lane in SEATS:
            room.show(lane)
            if room is rolled:
                room.roll()
                room.table.write({**ROLL_GAS, "faces": None}, dice=LEDGER)

    assert rolled.lane == idle.lane


@pytest.mark.rule("E4")
def test_one_reveal_says_nothing_of_another():
    room = Room(GAS, {**GAS, "id": "rot"})
    room.show("seat/player-1/1")
    room.roll()
    before = room.table.view.public.lanes["thing/countdown/rot"]

    room.table.write({"type": "reveal", "thing_id": "gas"}, dice=LEDGER)

    assert room.table.view.public.lanes["thing/countdown/rot"] == before
    assert LANE not in room.table.view.public.lanes
    assert room.table.room.witnesses == {}


def test_revealed_rolls_are_proven_by_what_was_public_before():
    room = Room()
    shown = [room.show("seat/player-2/1")]
    room.roll()
    shown.append(room.show("seat/player-1/1"))
    room.roll()
    room.roll()

    event = room.table.write({"type": "reveal", "thing_id": "gas"}, dice=LEDGER)[-1].event

    assert isinstance(event, Revealed)
    rolls: Sequence[HiddenRoll] = event.things.countdowns[0].hidden_rolls
    assert [each.proof and each.proof.n for each in rolls] == [1, 2, 3]
    for each in rolls:
        assert each.proof
        assert each.proof.witnesses is not None
        assert each.faces == faces_of(each.proof, len(each.faces), *shown[: each.proof.witnesses])


def test_a_cancelled_countdown_takes_its_lane_along():
    room = Room()
    room.table.write({"type": "cancel_countdown", "countdown_id": "gas"}, dice=LEDGER)

    assert LANE not in room.table.view.public.lanes


def test_sealed_rolls_that_are_forgotten_take_their_lanes_along():
    room = Room()
    for _ in range(40):
        room.table.write({"type": "roll_dice", "pool": 1, "visibility": "sealed"}, dice=LEDGER)

    public = room.table.view.public
    lanes = [label for label in public.lanes if label.startswith("thing/roll/")]
    assert lanes == [thing.lane for thing in public.sealed.values() if thing.kind is Kind.ROLL]
    assert len(lanes) == 32
    room.show("seat/player-1/1")
    assert room.table.room.witnesses.keys() <= {*lanes, LANE}
