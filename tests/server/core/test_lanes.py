"""Lanes with tokens: opening them, the slots that commands name, and what refuses a roll without using it up."""

from typing import Any

import pytest

from dreadclock.rules.ledger import LANE_LENGTH, Draws, text32, value32
from dreadclock.rules.limits import MAX_LANES
from dreadclock.wire.base import Channel, DiceToken, RollProof
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckResolved, CountdownRolled, DiceRolled, Event, LaneOpened
from dreadclock.wire.things import Lane
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from kit.dice import lanes
from kit.dice.lanes import opening, tokens
from kit.families import voids
from kit.tables import ANN, BO, CLERK, GM, KEY, ROOM, Order, Table, loaded

ROLL = {"type": "roll_dice", "pool": 3}
FEVER = {"type": "start_countdown", "id": "fever", "name": "F", "bound_to": "nothing", "pool": 3, "owner": "player-1"}
ROLL_FEVER = {"type": "roll_countdown", "countdown_id": "fever"}
BOUND = {"type": "start_countdown", "name": "C", "pool": 1, "bound_to": "turn"}
LANE = "seat/player-1/1"


def dice(n: int = 1, lane: str = LANE, secret: int = 1, **fields: Any) -> dict[str, Any]:
    return lanes.dice(n, lane, secret, **fields)


def opened(*seats: Actor) -> Table:
    """Open a table at which these seats have a lane with tokens, the first with secret 1."""
    table = Table(physical_dice="everyone")
    for secret, seat in enumerate(seats or (ANN,), 1):
        table.do(opening(secret), by=seat)
    return table


def proof_of(event: Event) -> RollProof:
    proof = event.roll.proof if isinstance(event, DiceRolled) else getattr(event, "proof", None)
    assert proof is not None
    return proof


def rolled(table: Table, token: dict[str, Any] | None, by: Actor = ANN) -> RollProof:
    return proof_of(table.write({**ROLL, "dice": token}, by=by, dice=loaded(1, 2, 3))[-1].event)


# Opening


def test_a_lane_with_an_anchor_is_opened_before_everyone_with_the_servers_first_key():
    table = Table()

    assert table.do(opening(), by=ANN) == [
        LaneOpened(lane=Lane(label=LANE, seat_id=ANN.seat_id, anchor=text32(tokens().value(0)), key=KEY))
    ]


def test_a_seat_may_hold_several_lanes():
    table = opened(ANN, ANN, GM)

    assert list(table.view.public.lanes)[-3:] == ["seat/player-1/1", "seat/player-1/2", "seat/gm/1"]


@pytest.mark.parametrize("by", [ANN, BO, GM])
def test_an_anchor_serves_one_lane_of_the_room_for_ever(by: Actor):
    table = opened(ANN)
    table.do({"type": "remove_seat", "seat_id": ANN.seat_id}) if by is not ANN else None

    assert table.refused(opening(), by=by).code is Code.ANCHOR_USED


def test_an_anchor_of_zeros_says_that_there_are_no_tokens_and_is_none():
    assert Table().refused({"type": "open_lane", "anchor": "A" * 43}, by=ANN).code is Code.ANCHOR_USED


def test_a_seat_opens_256_lanes_and_no_more():
    table = Table()
    for number in range(1, MAX_LANES):
        table.do({"type": "open_lane", "anchor": text32(number.to_bytes(32, "big"))}, by=ANN)

    refused = table.refused(opening(), by=ANN)

    assert (refused.code, refused.details["limit"]) == (Code.TOO_MANY, 256)
    assert sum(lane.seat_id == ANN.seat_id for lane in table.view.public.lanes.values()) == 9
    assert table.do(opening(), by=BO)


# Rolling


def test_a_roll_shows_the_token_and_the_key_of_its_slot():
    table = opened()

    assert rolled(table, dice(1)) == RollProof(lane=LANE, n=1, key=KEY, token=dice(1)["token"], witnesses=0)
    assert rolled(table, dice(2)) == RollProof(lane=LANE, n=2, key=KEY, token=dice(2)["token"], witnesses=0)
    assert table.view.public.lanes[LANE].used == 2


def test_faces_follow_from_the_key_the_token_and_the_witness_that_are_shown():
    table, ledger = Table(), Ledger(ROOM, bytes(32))
    for secret, seat in enumerate((ANN, BO), 1):
        table.write(opening(secret), by=seat, dice=ledger)

    def roll(n: int, seat: Actor, lane: str, secret: int) -> tuple[tuple[int, ...], RollProof]:
        order = {**ROLL, "dice": dice(n, lane, secret)}
        event = table.write(order, by=seat, dice=ledger)[-1].event
        assert isinstance(event, DiceRolled)
        return event.roll.faces, proof_of(event)

    roll(1, BO, "seat/player-2/1", 2)
    roll(1, ANN, LANE, 1)
    witness = table.view.public.lanes[LANE].witness
    faces, proof = roll(2, ANN, LANE, 1)

    assert proof.witnesses == 1
    assert proof.key is not None
    assert witness is not None
    assert faces == Draws(value32(proof.key), tokens(1).value(2), value32(witness)).take(3)


def test_a_roll_counts_the_witnesses_that_there_were_at_the_lanes_last_roll():
    table = opened(ANN, BO, GM)

    assert rolled(table, dice(1, "seat/player-2/1", 2), BO).witnesses == 0
    assert rolled(table, dice(1)).witnesses == 0  # Bo's token came before it, and not before the roll before it
    assert rolled(table, dice(1, "seat/gm/1", 3), GM).witnesses == 0
    assert rolled(table, dice(2)).witnesses == 1
    assert rolled(table, dice(3)).witnesses == 2


def test_rolls_with_tokens_have_ids_of_their_own():
    table = opened()
    for n in (1, 2, 3):
        rolled(table, dice(n))

    assert list(table.view.rolls) == ["roll-1", "roll-2", "roll-3"]


def test_without_dice_a_command_rolls_in_the_lane_without_tokens():
    assert rolled(opened(), None) == RollProof(lane="seat/player-1/0", n=1, key=KEY, witnesses=0)


def test_a_lane_without_tokens_may_be_named_too():
    table = opened()
    named = {"lane": "seat/player-1/0", "n": 1, "seen": 1_000}

    assert rolled(table, named) == RollProof(lane="seat/player-1/0", n=1, key=KEY, witnesses=0)
    assert table.refused({**ROLL, "dice": named}, by=ANN).code is Code.SLOT_TAKEN
    assert table.refused({**ROLL, "dice": dice(2, "seat/player-1/0")}, by=ANN).code is Code.BAD_TOKEN


def test_a_turn_uses_one_slot_with_one_token():
    table = opened(GM)
    table.do(BOUND)
    table.do(BOUND)

    order = {"type": "end_turn", "dice": dice(1, "seat/gm/1")}
    first, second = [proof_of(each.event) for each in table.write(order, dice=loaded(1, 2))[:2]]

    assert first == RollProof(lane="seat/gm/1", n=1, key=KEY, token=dice(1)["token"], witnesses=0)
    assert second == RollProof(lane="seat/gm/1", n=1, start=1)


def test_the_deal_of_a_contest_comes_from_the_slot_of_the_command_that_completes_it_even_if_its_dice_are_physical():
    table = opened(GM)
    for name in ("ada", "bea"):
        table.do({"type": "add_character", "id": name, "name": name})
    table.do({"type": "propose_check", "id": "duel", "character_id": "ada", "score": 1, "contest": True})
    table.do({"type": "oppose_check", "check_id": "duel", "character_id": "bea", "score": 1})
    roll = {"type": "roll_check", "check_id": "duel", "faces": [5]}
    table.do({**roll, "character_id": "ada"})

    events = table.write({**roll, "character_id": "bea", "dice": dice(1, "seat/gm/1")}, dice=loaded(6, 2))

    resolved = events[-1].event
    assert isinstance(resolved, CheckResolved)
    assert resolved.result.proof == RollProof(lane="seat/gm/1", n=1, key=KEY, token=dice(1)["token"], witnesses=0)


@pytest.mark.parametrize("order", [{**ROLL, "faces": [1, 2, 3]}, {**ROLL, "visibility": "gm"}], ids=["physical", "gm"])
def test_a_command_that_rolls_nothing_of_its_own_in_public_leaves_the_slot_and_its_token(order: dict[str, Any]):
    table = opened(GM)
    own = dice(1, "seat/gm/1")

    shown = table.write({**order, "dice": own}, dice=loaded(*(() if "faces" in order else (1, 2, 3))))

    assert own["token"] not in str(shown)
    assert table.view.public.lanes["seat/gm/1"].used == 0
    assert rolled(table, own, GM).n == 1


# Refusals


@pytest.mark.parametrize("lane", ["seat/player-2/1", "seat/player-1/9", "thing/roll/x", ""])
def test_a_lane_must_be_the_senders_own_and_open(lane: str):
    table = opened(ANN, BO)

    assert table.refused({**ROLL, "dice": dice(1, lane)}, by=ANN).code is Code.UNKNOWN


def test_a_closed_lane_cannot_be_rolled_in():
    table = opened(*[ANN] * 9)

    assert table.refused({**ROLL, "dice": dice(1)}, by=ANN).code is Code.UNKNOWN


@pytest.mark.parametrize("n", [1, 3, LANE_LENGTH])
def test_a_slot_that_is_not_the_next_is_refused(n: int):
    table = opened()
    rolled(table, dice(1))

    assert table.refusal({**ROLL, "dice": dice(n)}, by=ANN) == (Code.SLOT_TAKEN, {"lane": LANE, "n": n})


@pytest.mark.parametrize(
    "token",
    [None, text32(tokens(1).value(1)), text32(tokens(1).value(3)), text32(tokens(2).value(2)), "A" * 43],
    ids=["none", "the last one again", "a later one", "another chain's", "zeros"],
)
def test_a_token_that_does_not_fit_is_refused_and_uses_nothing_up(token: str | None):
    table = opened()
    rolled(table, dice(1))

    assert table.refusal({**ROLL, "dice": dice(2, token=token)}, by=ANN) == (Code.BAD_TOKEN, {"lane": LANE, "n": 2})
    assert rolled(table, dice(2)).n == 2


def test_the_first_token_must_lead_to_the_anchor():
    table = opened(ANN)

    assert table.refused({**ROLL, "dice": dice(1, secret=2)}, by=ANN).code is Code.BAD_TOKEN


def test_a_lane_with_no_roll_left_is_refused():
    table = opened()
    part = table.view.public
    used_up = {**part.lanes, LANE: part.lanes[LANE].model_copy(update={"used": LANE_LENGTH})}
    channels = {**table.view.channels, Channel.PUBLIC: part.model_copy(update={"lanes": used_up})}
    object.__setattr__(table.room, "view", table.view.model_copy(update={"channels": channels}))

    assert table.refused({**ROLL, "dice": dice(LANE_LENGTH)}, by=ANN).code is Code.LANE_USED_UP


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ({**ROLL_FEVER, "countdown_id": "ghost"}, Code.UNKNOWN),
        ({**ROLL, "faces": [1]}, Code.WRONG_FACES),
        ({"type": "end_turn"}, Code.NOT_ALLOWED),
    ],
)
def test_a_roll_that_is_refused_for_another_reason_leaves_its_slot(order: dict[str, object], code: Code):
    table = opened()

    assert table.refused({**order, "dice": dice(1)}, by=ANN).code is code
    assert rolled(table, dice(1)).n == 1


def test_dice_are_looked_at_only_where_the_sender_may_roll():
    table = opened()
    table.do(FEVER)

    assert table.refused({**ROLL_FEVER, "dice": dice(5)}, by=BO).code is Code.NOT_ALLOWED


# What has changed


def seq(table: Table) -> int:
    return table.room.seq(Channel.PUBLIC)


def test_a_roll_of_a_thing_that_has_changed_since_it_was_seen_is_refused():
    table = opened()
    table.do({**FEVER, "replenishable": True})
    seen = seq(table)
    table.do({"type": "replenish_countdown", "countdown_id": "fever", "dice": 1})

    assert table.refusal({**ROLL_FEVER, "dice": dice(1, seen=seen)}, by=ANN) == (Code.CHANGED, {"id": "fever"})
    assert table.do({**ROLL_FEVER, "dice": dice(1, seen=seq(table))}, by=ANN, dice=loaded(1, 2, 3, 4))


def test_what_happened_to_other_things_since_then_does_not_matter():
    table = opened()
    table.do(FEVER)
    seen = seq(table)
    table.do({**FEVER, "id": "other"})
    table.do({"type": "roll_countdown", "countdown_id": "other"}, dice=loaded(6, 6, 6))
    table.do({"type": "end_turn"})

    [event] = table.do({**ROLL_FEVER, "dice": dice(1, seen=seen)}, by=ANN, dice=loaded(1, 1, 1))[:1]

    assert isinstance(event, CountdownRolled)


@pytest.mark.parametrize("order", [ROLL_FEVER, {**ROLL_FEVER, "dice": dice(1)}], ids=["without", "with tokens"])
def test_a_roll_is_a_change_too_so_that_a_second_click_is_refused(order: dict[str, object]):
    table = opened()
    table.do(FEVER)
    seen = seq(table)
    table.do(order, by=ANN, dice=loaded(1, 1, 1))

    own = dice(2 if "dice" in order else 1, seen=seen)

    assert table.refused({**ROLL_FEVER, "dice": own}, by=ANN).code is Code.CHANGED


def change_character(table: Table) -> Order:
    table.do({"type": "update_character", "character_id": "ada", "level": 2})
    return {**ROLL, "character_id": "ada"}


def change_check(table: Table) -> Order:
    table.do({"type": "adjust_check", "check_id": "leap", "penalty": 1})
    return {"type": "roll_check", "check_id": "leap"}


def change_total(table: Table) -> Order:
    table.do({"type": "set_required", "total_id": "climb", "required": 9})
    return {"type": "roll_total", "total_id": "climb"}


@pytest.mark.parametrize("change", [change_character, change_check, change_total])
def test_characters_checks_and_totals_are_things_that_change(change: Any):
    table = opened()
    table.do({"type": "add_character", "id": "ada", "name": "Ada"}, by=ANN)
    table.do({"type": "propose_check", "id": "leap", "character_id": "ada", "score": 2})
    table.do({"type": "propose_total", "id": "climb", "character_id": "ada", "attribute": 2})
    seen = seq(table)
    order = change(table)

    assert table.refused({**order, "dice": dice(1, seen=seen)}, by=ANN).code is Code.CHANGED
    assert table.do({**order, "dice": dice(1, seen=seq(table))}, by=ANN, dice=loaded(*[3] * table_dice(order)))


def table_dice(order: Order) -> int:
    assert isinstance(order, dict)
    return {"roll_dice": 3, "roll_check": 1, "roll_total": 2}[order["type"]]


@pytest.mark.parametrize("bound", [{}, {"bound_to": "rounds", "bound_id": "run"}])
def test_a_turn_or_a_round_is_about_every_countdown_that_is_bound_to_it(bound: dict[str, str]):
    table = opened(GM)
    for order in (voids.SCENE, voids.RUN, {**BOUND, **bound}):
        table.do(order)
    seen = seq(table)
    table.do({**BOUND, **bound})
    turn: Any = {"type": "end_round", "situation_id": "run"} if bound else {"type": "end_turn"}
    turn["dice"] = dice(1, "seat/gm/1", seen=seen)

    assert table.refused(turn).code is Code.CHANGED
    turn["dice"] = dice(1, "seat/gm/1", seen=seq(table))
    assert table.do(turn, dice=loaded(1, 1))


def test_a_turn_may_also_end_in_the_lane_of_an_integration_that_has_no_tokens():
    table = opened()
    table.do(BOUND)
    named = DiceToken(lane="seat/integration-5/0", n=1, seen=seq(table)).model_dump(exclude_none=True)

    assert table.do({"type": "end_turn", "dice": named}, by=CLERK, dice=loaded(1))
    assert table.refused(opening(7), by=CLERK).code is Code.NOT_ALLOWED


def test_what_only_the_gm_knows_never_shows_in_whether_a_roll_is_refused():
    table = opened()
    table.do(BOUND)
    seen = seq(table)
    table.do({**BOUND, "id": "gm-x", "visibility": "gm"})
    named = {"lane": "seat/integration-5/0", "n": 1, "seen": seen}

    assert table.do({"type": "end_turn", "dice": named}, by=CLERK, dice=loaded(1, 2))
