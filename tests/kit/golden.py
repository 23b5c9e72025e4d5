"""Stored entries of rooms that were played under earlier versions: `python -m kit.golden` writes the latest of them.

A file holds a line `{"log_id", "room"}`, then the entries as they were stored, each followed by an empty line.
A file is never written again: what a later version stores goes into a file of its own.
"""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from dreadclock.wire.base import Role
from dreadclock.wire.errors import Refused
from dreadclock.wire.things import Origin, Policy
from dreadclock_server.core.decide import decide
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.continuing import Continue
from dreadclock_server.core.families.room import JoinSeat, Open
from dreadclock_server.core.room import Room, empty_room
from dreadclock_server.core.sessions import Answer, No
from dreadclock_server.dice import Ledger
from dreadclock_server.rooms.answers import done, to_json
from dreadclock_server.store.codec import Entry, encode
from kit import golden_rolls
from kit.lanes import dice, opening
from kit.prepared import secret_evening
from kit.tables import ANN, BO, GM, LOG, ROOM, Order, command_of

FOLDER = Path(__file__).parent.parent / "golden"


class Golden(NamedTuple):
    """A room as it was stored."""

    room: Room  # before its first entry
    entries: list[bytes]


def read_golden(path: Path) -> Golden:
    """Read a golden file."""
    head, _, rest = path.read_bytes().partition(b"\n")
    names = json.loads(head)
    return Golden(empty_room(names["room"], names["log_id"]), rest.removesuffix(b"\n\n").split(b"\n\n"))


def golden_files() -> list[Path]:
    """List the golden files."""
    return sorted(FOLDER.glob("entry-*.txt"))


def play(orders: list[tuple[Actor, Order]]) -> Iterator[bytes]:
    """Decide commands one after the other, and give the entry that stores each."""
    room, ledger, numbers = empty_room(ROOM, LOG), Ledger(ROOM, bytes(range(32))), count(1)
    for n, (by, order) in enumerate(orders, 1):
        at_ms, texts = 1_700_000_000_000 + n, list[str]()
        try:
            command = command_of(order)
            decision = decide(room, command, by=by, dice=ledger, now_ms=at_ms, fresh=lambda: f"{next(numbers):012x}")
        except Refused as refused:
            answer = Answer(by.seat_id, f"session-of-{by.seat_id}", n, No(refused.code, refused.details))
        else:
            room, texts = decision.room, [each.text for each in decision.written]
            answer = Answer(by.seat_id, f"session-of-{by.seat_id}", n, done(decision))
        counts = [len(texts)] if texts else []
        yield encode(Entry(f"{n:032x}", at_ms, [to_json(answer)], room.positions, texts, counts))


def evening() -> list[tuple[Actor, Order]]:
    """Give commands that bring about every event that version 1 knows, and a refusal."""
    return [*_opening(), *_countdowns(), *_race(), *_clocks_and_slips(), *_secrets(), *_closing()]


def second_evening() -> list[tuple[Actor, Order]]:
    """Give commands that bring about the events that came after the first evening was stored."""
    return [
        (GM, Open("Das Verlies", Policy())),
        (GM, JoinSeat(Role.PLAYER, "Ann")),
        (GM, JoinSeat(Role.PLAYER, "Bo")),
        *_hidden_situations(),
        *golden_rolls.rolls(),
        (GM, {"type": "close_room"}),
    ]


def third_evening() -> list[tuple[Actor, Order]]:
    """Give commands that roll in lanes with tokens, which came after the second evening was stored."""
    roll = {"type": "roll_dice", "pool": 3}
    return [
        (GM, Open("Das Verlies", Policy())),
        (GM, JoinSeat(Role.PLAYER, "Ann")),
        (GM, JoinSeat(Role.PLAYER, "Bo")),
        *((by, opening(secret)) for secret, by in enumerate((GM, ANN, BO), 1)),
        (ANN, {**roll, "dice": dice(1, "seat/player-1/1", 2)}),
        (BO, {**roll, "dice": dice(1, "seat/player-2/1", 3)}),
        (GM, {"type": "start_countdown", "name": "C", "pool": 2, "bound_to": "turn"}),
        (GM, {"type": "start_countdown", "name": "D", "pool": 2, "bound_to": "turn"}),
        (GM, {"type": "end_turn", "dice": dice(1, "seat/gm/1", 1)}),
        (ANN, {**roll, "dice": dice(2, "seat/player-1/1", 2)}),
        (ANN, {**roll, "dice": dice(2, "seat/player-1/1", 2)}),
        (GM, {"type": "roll_dice", "pool": 2, "visibility": "sealed"}),
        (ANN, {**roll, "dice": dice(3, "seat/player-1/1", 2)}),
    ]


def fourth_evening() -> list[tuple[Actor, Order]]:
    """Give commands that are taken back, and rolls of a sealed thing with witnesses: both came after the third."""
    return [
        (GM, Open("Die Gruft", Policy())),
        (GM, JoinSeat(Role.PLAYER, "Ann")),
        (ANN, opening(2)),
        (GM, _countdown("gas", visibility="sealed")),
        (ANN, {"type": "roll_dice", "pool": 3, "dice": dice(1, "seat/player-1/1", 2)}),
        *((GM, {"type": "roll_countdown", "countdown_id": "gas"}) for _ in range(2)),
        (GM, {"type": "start_clock", "id": "guards", "name": "Guards", "size": 4}),
        (GM, {"type": "tick_clock", "clock_id": "guards", "by": 3, "note": "Slowly."}),
        (GM, {"type": "void_command", "seq": 12, "reason": "Ein Klick zu viel.", "note": "Sorry."}),
        (GM, {"type": "tick_clock", "clock_id": "guards"}),
        (GM, {"type": "open_scene", "id": "gm-den", "name": "Den", "clock": 8, "visibility": "gm"}),
        (GM, {"type": "void_command", "seq": 6, "channel": "gm", "reason": "Falsche Szene."}),
        (GM, {"type": "void_command", "seq": 1, "reason": "Alles."}),
        (GM, {"type": "reveal", "thing_id": "gas"}),
    ]


def fifth_evening() -> list[tuple[Actor, Order]]:
    """Give commands in a room that goes on from a secret evening, which came after the fourth."""
    old = secret_evening()
    origins = {
        channel: Origin(room=ROOM, log_id=LOG, seq=head.seq, hash=head.hash) for channel, head in old.positions.items()
    }
    return [
        (GM, Continue("Der nächste Abend", old.view, origins)),
        (GM, {"type": "roll_countdown", "countdown_id": "gas"}),
        (GM, {"type": "tick_clock", "clock_id": "guards"}),
    ]


def _hidden_situations() -> list[tuple[Actor, Order]]:
    return [
        (GM, {"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 8}),
        (GM, _situation("parley", visibility="sealed")),
        (GM, _situation("gm-plot", visibility="gm")),
        (GM, {"type": "end_scene", "scene_id": "bomb"}),
    ]


def _opening() -> list[tuple[Actor, Order]]:
    return [
        (GM, Open("Die Bombe 💣", Policy())),
        (GM, JoinSeat(Role.PLAYER, "Ann")),
        (GM, JoinSeat(Role.PLAYER, "Bo")),
        (GM, {"type": "set_policy", "physical_dice": "everyone"}),
        (ANN, {"type": "rename_seat", "seat_id": "player-1", "name": "Änn"}),
        (ANN, {"type": "add_character", "id": "ada", "name": "Ada", "attributes": {"Brawn": 3}, "reflex": 2}),
        (GM, {"type": "update_character", "character_id": "ada", "specials": [{"name": "Climber", "starred": True}]}),
        (BO, {"type": "roll_dice", "pool": 3, "name": "Axe", "purpose": "damage", "note": "For Ada!"}),
        (BO, {"type": "close_room"}),
    ]


def _countdown(countdown_id: str, **fields: Any) -> Order:
    stages = [{"at": 2, "effect": "She coughs."}]
    names = {"id": countdown_id, "name": countdown_id.capitalize(), "pool": 3, "stages": stages, "ending": "She dies."}
    return {"type": "start_countdown", **names, "stabilizable": True, "replenishable": True, **fields}


def _roll(*faces: int) -> Order:
    return {"type": "roll_countdown", "countdown_id": "fever", "faces": faces}


def _countdowns() -> list[tuple[Actor, Order]]:
    return [
        (ANN, _countdown("fever", bound_to="turn")),
        (ANN, _roll(6, 1, 1)),
        (ANN, {"type": "replenish_countdown", "countdown_id": "fever", "dice": 1}),
        (ANN, {"type": "stabilize_countdown", "countdown_id": "fever"}),
        (ANN, {"type": "resume_countdown", "countdown_id": "fever"}),
        (GM, {"type": "end_turn"}),
        (GM, {"type": "set_policy", "check_approval": "open"}),
        (GM, _countdown("doomed", speed="fast")),
        (GM, {"type": "roll_countdown", "countdown_id": "doomed", "faces": [4, 5, 6]}),
        (GM, _countdown("slip")),
        (GM, {"type": "cancel_countdown", "countdown_id": "slip", "reason": "A slip."}),
    ]


def _situation(situation_id: str, kind: str = "standard", **fields: Any) -> Order:
    names = {"id": situation_id, "scene_id": "bomb", "name": situation_id.capitalize(), "content": "exploration"}
    return {"type": "start_situation", **names, "kind": kind, "clock": 1, **fields}


def _race() -> list[tuple[Actor, Order]]:
    door = {"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier"}
    complication = {"type": "introduce_complication", "situation_id": "run", "text": "Fog."}
    return [
        (GM, {"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 8}),
        (GM, _situation("run", "race", level=3, difficulty="hard")),
        (GM, door),
        (ANN, {"type": "attempt_effort", "challenge_id": "door", "character_id": "ada"}),
        (GM, {"type": "end_round", "situation_id": "run"}),
        (GM, {**complication, "clock": {"clock_id": "bomb-threat", "by": 1}}),
        (GM, {"type": "rule_effort", "effort_id": "effort-1", "success": True}),
        (GM, _situation("talk")),
        (GM, {"type": "resolve_situation", "situation_id": "talk", "how": "They talk."}),
        (GM, _situation("fight")),
        (GM, {"type": "fail_situation", "situation_id": "fight", "reason": "retreated"}),
        (GM, {"type": "travel", "scene_id": "bomb"}),
    ]


def _clocks_and_slips() -> list[tuple[Actor, Order]]:
    return [
        (ANN, {"type": "start_clock", "id": "guards", "name": "Guards", "size": 4, "direction": "up"}),
        (ANN, {"type": "tick_clock", "clock_id": "guards", "by": 3}),
        (GM, {"type": "amend_clock", "clock_id": "guards", "value": 2, "reason": "A slip."}),
        (GM, {"type": "cancel", "thing_id": "guards", "reason": "Another."}),
    ]


def _secrets() -> list[tuple[Actor, Order]]:
    return [
        (GM, _countdown("gas", visibility="sealed", bound_to="turn")),
        (GM, _countdown("gm-mole", visibility="gm", bound_to="turn")),
        (GM, {"type": "end_turn", "note": "Tick."}),
        (GM, {"type": "reveal", "thing_id": "gm-mole"}),
        (GM, {"type": "roll_dice", "pool": 2, "visibility": "sealed"}),
    ]


def _closing() -> list[tuple[Actor, Order]]:
    return [
        (GM, {"type": "end_scene", "scene_id": "bomb"}),
        (BO, {"type": "leave_seat"}),
        (GM, {"type": "close_room"}),
    ]


if __name__ == "__main__":
    entries = b"".join(entry + b"\n\n" for entry in play(fifth_evening()))
    header = json.dumps({"log_id": LOG, "room": ROOM}).encode()
    (FOLDER / "entry-v1e.txt").write_bytes(header + b"\n" + entries)
