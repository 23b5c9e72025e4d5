"""Who may do what: every cell of the one table."""

import sys
from collections import Counter
from functools import cache
from types import FrameType
from typing import get_args

import pytest

from dreadclock.wire.base import Role, Scope
from dreadclock.wire.commands import Command, CommandBase, EndTurn
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core import find
from dreadclock_server.core.access import ACCESS, OWN_HAND
from dreadclock_server.core.decide import decide
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.core.rights import Access, Who
from dreadclock_server.dice import Ledger
from kit.tables import ANN, BO, BOT, CLERK, GM, ROOM, WATCHER, Order, Table, command_of, loaded

# What the protocol promises. G the gm, O the owner, P any player, I an integration that may end turns, N one that may
# narrate, K one that may move clocks, D countdowns, S one that may write on sheets, R one that may roll, A anyone.
RIGHTS = {
    "set_policy": "G",
    "rename_seat": "GO",
    "remove_seat": "G",
    "leave_seat": "A",
    "lend_seat": "P",
    "take_back_seat": "P",
    "close_room": "G",
    "reopen_room": "G",
    "void_command": "GO",
    "narrate": "GPN",
    "add_character": "GPS",
    "update_character": "GOS",
    "approve_sheet": "G",
    "take_out_of_play": "G",
    "return_to_play": "G",
    "give_state": "GOS",
    "drop_state": "GOS",
    "set_track": "GOS",
    "move_track": "GOS",
    "drop_track": "GOS",
    "roll_dice": "GOR",
    "reveal": "G",
    "open_lane": "GP",
    "start_countdown": "GPD",
    "roll_countdown": "GOD",
    "stabilize_countdown": "GOPD",  # as the policy `care` has it
    "resume_countdown": "GOPD",
    "replenish_countdown": "GOPD",
    "cancel_countdown": "G",
    "amend_countdown": "G",
    "end_turn": "GI",
    "open_scene": "G",
    "start_situation": "G",
    "begin_situation": "G",
    "set_scene_aside": "G",
    "take_up_scene": "G",
    "add_challenge": "G",
    "attempt_effort": "GOR",
    "rule_effort": "G",
    "overcome_challenge": "G",
    "resolve_situation": "G",
    "fail_situation": "G",
    "end_round": "GI",
    "travel": "G",
    "rest": "G",
    "end_scene": "G",
    "introduce_complication": "G",
    "start_clock": "GPK",
    "tick_clock": "GOK",
    "amend_clock": "GK",
    "enlarge_clock": "G",
    "cancel": "G",
    "propose_check": "GOR",
    "adjust_check": "G",
    "help_check": "GOR",
    "oppose_check": "GOR",
    "roll_check": "GOR",
    "withdraw_check": "GOR",
    "choose_effect": "GOR",
    "set_effects": "G",
    "propose_cost": "GOR",
    "answer_cost": "G",
    "settle_failure": "GOR",
    "propose_total": "GOR",
    "adjust_total": "G",
    "withdraw_total": "GOR",
    "set_required": "G",
    "judge_total": "G",
    "roll_total": "GOR",
    "offer_push": "G",
    "push_luck": "GOR",
    "stop_pushing": "GOR",
    "describe_crisis": "G",
    "attach_consequence": "G",
    "detach_consequence": "G",
}

# One command of each kind, about what Ann owns.
MINIMAL: dict[str, dict[str, object]] = {
    "set_policy": {"player_countdowns": True},
    "rename_seat": {"seat_id": ANN.seat_id, "name": "Anna"},
    "remove_seat": {"seat_id": ANN.seat_id},
    "leave_seat": {},
    "lend_seat": {"to": "integration-7"},
    "take_back_seat": {},
    "close_room": {},
    "reopen_room": {},
    "void_command": {"seq": 24, "reason": "x"},
    "narrate": {"text": "It rains."},
    "add_character": {"name": "Bea"},
    "update_character": {"character_id": "ada", "name": "Adah"},
    "approve_sheet": {"character_id": "ada"},
    "take_out_of_play": {"character_id": "ada", "fate": "leaves"},
    "return_to_play": {"character_id": "gone"},
    "give_state": {"character_id": "ada", "state": "calm"},
    "drop_state": {"character_id": "ada", "state": "tired"},
    "set_track": {"character_id": "ada", "track": "Wits", "most": 3},
    "move_track": {"character_id": "ada", "track": "Hits", "by": -1},
    "drop_track": {"character_id": "ada", "track": "Hits"},
    "roll_dice": {"pool": 1, "character_id": "ada"},
    "reveal": {"thing_id": "gas"},
    "open_lane": {"anchor": "Q" * 43},
    "start_countdown": {"name": "Doom", "pool": 1},
    "roll_countdown": {"countdown_id": "fever"},
    "stabilize_countdown": {"countdown_id": "fever"},
    "resume_countdown": {"countdown_id": "calm"},
    "replenish_countdown": {"countdown_id": "fever", "dice": 1},
    "cancel_countdown": {"countdown_id": "fever"},
    "amend_countdown": {"countdown_id": "fever", "speed": "fast", "reason": "x"},
    "end_turn": {},
    "open_scene": {"name": "Heist", "clock": 1},
    "start_situation": {"scene_id": "bomb", "name": "R", "kind": "standard", "content": "social", "clock": 1},
    "begin_situation": {"situation_id": "gm-den"},
    "set_scene_aside": {"scene_id": "bomb"},
    "take_up_scene": {"scene_id": "hunt"},
    "add_challenge": {"situation_id": "run", "name": "Lock", "kind": "puzzle"},
    "attempt_effort": {"challenge_id": "door", "character_id": "ada"},
    "rule_effort": {"effort_id": "kick", "success": True},
    "overcome_challenge": {"challenge_id": "door"},
    "resolve_situation": {"situation_id": "run", "how": "They talk."},
    "fail_situation": {"situation_id": "run", "reason": "defeated"},
    "end_round": {"situation_id": "run"},
    "travel": {"scene_id": "bomb"},
    "rest": {"scene_id": "bomb"},
    "end_scene": {"scene_id": "bomb"},
    "introduce_complication": {"situation_id": "run", "text": "Fog."},
    "start_clock": {"name": "Tide", "size": 1},
    "tick_clock": {"clock_id": "guards"},
    "enlarge_clock": {"clock_id": "guards"},
    "amend_clock": {"clock_id": "guards", "value": 1, "reason": "x"},
    "cancel": {"thing_id": "guards", "reason": "x"},
    "propose_check": {"character_id": "ada", "score": 1},
    "adjust_check": {"check_id": "leap", "penalty": 1},
    "help_check": {"check_id": "guess", "character_id": "ada", "score": 1},
    "oppose_check": {"check_id": "guess", "character_id": "ada", "score": 1},
    "roll_check": {"check_id": "leap"},
    "withdraw_check": {"check_id": "leap"},
    "choose_effect": {"check_id": "slip", "character_id": "ada", "effect": "interference"},
    "set_effects": {"thing_id": "ada", "stunts": ["somersault"]},
    "propose_cost": {"check_id": "miss", "cost": "A scar"},
    "answer_cost": {"check_id": "slump", "answer": "accept"},
    "settle_failure": {"check_id": "miss", "apply": False},
    "propose_total": {"character_id": "ada", "attribute": 3},
    "adjust_total": {"total_id": "climb", "attribute": 2},
    "withdraw_total": {"total_id": "climb"},
    "set_required": {"total_id": "climb", "required": 9},
    "judge_total": {"total_id": "open", "enough": False},
    "roll_total": {"total_id": "climb"},
    "offer_push": {"total_id": "short", "crisis": "mental"},
    "push_luck": {"total_id": "brink"},
    "stop_pushing": {"total_id": "brink"},
    "describe_crisis": {"total_id": "ruin", "description": "A limp"},
    "attach_consequence": {
        "of": {"kind": "clock", "id": "guards"},
        "when": {"when": "end"},
        "do": [{"does": "tell", "text": "A cry."}],
    },
    "detach_consequence": {"consequence_id": "woken"},
}

BARD, CLOCKMAKER, NURSE, SCRIBE, DICE_BOT = (
    Actor(CLERK.seat_id, Role.INTEGRATION, (scope,))
    for scope in (Scope.NARRATE, Scope.CLOCKS, Scope.COUNTDOWNS, Scope.CHARACTERS, Scope.ROLLS)
)
PROXY = Actor("integration-7", Role.INTEGRATION, (Scope.ACT_FOR,))  # to which Ann lent her seat
SEATS = {
    "the gm": GM,
    "the owner": ANN,
    "another player": BO,
    "a spectator": WATCHER,
    "a bot": BOT,
    "a clerk": CLERK,
    "a bard": BARD,
    "a clockmaker": CLOCKMAKER,
    "a nurse": NURSE,
    "a scribe": SCRIBE,
    "a dice bot": DICE_BOT,
    "a proxy": PROXY,
}
OPEN_TO = {
    "G": {"the gm"},
    "O": {"the owner"},
    "P": {"the owner", "another player"},
    "I": {"a clerk"},
    "N": {"a bard"},
    "K": {"a clockmaker"},
    "D": {"a nurse"},
    "S": {"a scribe"},
    "R": {"a dice bot"},
    "A": set(SEATS),
}
# Refusals of commands that the sender may well give.
NOT_FOR_ACCESS = {
    ("leave_seat", "the gm"): Code.GM_STAYS,
    ("reopen_room", "the gm"): Code.ROOM_OPEN,
    ("void_command", "the owner"): Code.NOT_ALLOWED,  # what she made is the gm's to take back
}


@cache
def world() -> Table:
    table = Table()
    countdown = {"type": "start_countdown", "name": "C", "pool": 4, "stabilizable": True, "replenishable": True}
    orders: list[tuple[Actor, Order]] = [
        (ANN, {"type": "add_character", "id": "ada", "name": "Ada"}),
        (ANN, {**countdown, "id": "fever"}),
        (ANN, {**countdown, "id": "calm"}),
        (GM, {"type": "stabilize_countdown", "countdown_id": "calm"}),
        (GM, {**countdown, "id": "gas", "visibility": "sealed"}),
        (GM, {"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 8}),
        (GM, {"type": "start_situation", **MINIMAL["start_situation"], "id": "run", "clock": 3}),
        (GM, {"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier"}),
        (ANN, {"type": "attempt_effort", "id": "kick", "challenge_id": "door"}),
        (ANN, {"type": "start_clock", "id": "guards", "name": "Guards", "size": 3}),
        (GM, {"type": "set_policy", "care": "players"}),
        (GM, {"type": "start_situation", **MINIMAL["start_situation"], "id": "gm-den", "prepared": True}),
        (GM, {"type": "open_scene", "id": "hunt", "name": "Hunt", "clock": 8}),
        (GM, {"type": "set_scene_aside", "scene_id": "hunt"}),
    ]
    for seat, order in orders:
        table.do(order, by=seat)
    table.do({"type": "attach_consequence", **MINIMAL["attach_consequence"], "id": "woken"})
    table.do({"type": "add_character", "id": "bea", "name": "Bea", "owner": BO.seat_id})
    table.do({"type": "propose_check", "id": "guess", "character_id": "bea", "score": 2})
    for check_id in ("leap", "slip", "miss", "slump"):
        table.do({"type": "propose_check", "id": check_id, "character_id": "ada", "score": 2})
    for total_id in ("climb", "short", "brink", "ruin"):
        table.do({"type": "propose_total", "id": total_id, "character_id": "ada", "attribute": 1})
        table.do({"type": "set_required", "total_id": total_id, "required": 9, "crisis": "physical"})
    _roll_some(table)
    return table


def _roll_some(table: Table) -> None:
    """Roll what commands are about: a fumble to choose of, failures to bargain over, pushes and a crisis."""
    rolled: list[tuple[Order, tuple[int, ...]]] = [
        ({"type": "adjust_check", "check_id": "slip", "fumble_effects": ["Down"], "or_interference": ["Down"]}, ()),
        ({"type": "roll_check", "check_id": "miss"}, (2, 3)),
        ({"type": "roll_check", "check_id": "slump"}, (2, 3)),
        ({"type": "propose_cost", "check_id": "slump", "cost": "A scar"}, ()),
        *(({"type": "roll_total", "total_id": total_id}, (4,)) for total_id in ("short", "brink", "ruin")),
        ({"type": "offer_push", "total_id": "brink"}, ()),
        ({"type": "offer_push", "total_id": "ruin"}, ()),
        ({"type": "push_luck", "total_id": "ruin"}, (4,)),
        ({"type": "roll_check", "check_id": "slip"}, (1, 1)),
    ]
    for order, faces in rolled:
        table.do(order, dice=loaded(*faces))
    table.do({"type": "propose_total", "id": "open", "character_id": "bea", "attribute": 1})
    table.do({"type": "roll_total", "total_id": "open"}, dice=loaded(4))
    table.do({"type": "give_state", "character_id": "ada", "state": "tired"})
    table.do({"type": "set_track", "character_id": "ada", "track": "Hits", "most": 3})
    table.do({"type": "add_character", "id": "gone", "name": "Gone"})
    table.do({"type": "take_out_of_play", "character_id": "gone", "fate": "leaves"})
    table.do(JoinSeat(Role.INTEGRATION, "Proxy", (Scope.ACT_FOR,)))
    table.do({"type": "lend_seat", "to": PROXY.seat_id}, by=ANN)


def answer(name: str, seat: Actor, **fields: object) -> Code | None:
    """Return the code with which a command is refused, None if it is done."""
    command = command_of({"type": name, **MINIMAL[name], **fields})
    try:
        decide(world().room, command, by=seat, dice=Ledger(ROOM, bytes(32)), now_ms=0, fresh=world().fresh)
    except Refused as refused:
        return refused.code
    return None


def every_command() -> dict[str, type[CommandBase]]:
    union = get_args(get_args(Command)[0])
    return {command.model_fields["type"].default: command for command in union}


def test_every_command_has_a_row():
    assert ACCESS.keys() == set(every_command().values())
    assert MINIMAL.keys() == RIGHTS.keys() == every_command().keys()


@pytest.mark.rule("roles")
@pytest.mark.parametrize("name", RIGHTS)
def test_a_command_is_open_to_those_in_its_row_and_to_nobody_else(name: str):
    allowed = set().union(*(OPEN_TO[letter] for letter in RIGHTS[name]))

    codes = {seat: answer(name, SEATS[seat]) for seat in SEATS}

    assert codes == {seat: NOT_FOR_ACCESS.get((name, seat)) if seat in allowed else Code.NOT_ALLOWED for seat in SEATS}


@pytest.mark.parametrize("name", [name for name, rights in RIGHTS.items() if "O" in rights])
def test_what_a_command_is_about_is_looked_up_once_for_rights_and_decision(name: str):
    searched = Counter[object]()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is find.find.__code__:
            searched[frame.f_locals["thing_id"]] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        answer(name, GM)
    finally:
        sys.setprofile(before)

    named = [value for field, value in MINIMAL[name].items() if field.endswith("_id")]
    assert [searched[thing_id] for thing_id in named if searched[thing_id] > 1] == []


@pytest.mark.rule("roles")
@pytest.mark.parametrize("name", RIGHTS)
def test_who_acts_for_a_player_may_what_the_player_may_but_for_what_is_done_by_ones_own_hand(name: str):
    hers = answer(name, ANN)

    theirs = answer(name, PROXY, act_for=ANN.seat_id)

    assert theirs == (Code.NOT_ALLOWED if every_command()[name] in OWN_HAND else hers)


@pytest.mark.rule("roles")
@pytest.mark.parametrize("seat", SEATS)
def test_nobody_acts_for_a_seat_that_was_not_lent_to_them(seat: str):
    lent_to_it = {ANN.seat_id} if seat == "a proxy" else set()

    for other in ("gm", ANN.seat_id, BO.seat_id, WATCHER.seat_id, CLERK.seat_id, "player-99"):
        code = answer("roll_countdown", SEATS[seat], act_for=other)

        assert code == (None if other in lent_to_it else Code.NOT_LENT)


@pytest.mark.parametrize("name", RIGHTS)
def test_a_seat_that_left_may_do_nothing(name: str):
    assert answer(name, Actor("player-99", ANN.role)) is Code.NOT_ALLOWED


def test_a_refusal_names_those_to_whom_the_command_is_open():
    assert ACCESS[EndTurn].allowed_for(Role.INTEGRATION) == "the gm or an integration that may end turns"
    assert Access(frozenset(Who)).allowed_for(Role.INTEGRATION).startswith("the gm or the owner or a player")
    assert ACCESS[EndTurn].allowed_for(Role.PLAYER) == "the gm"
