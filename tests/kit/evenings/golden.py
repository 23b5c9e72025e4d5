"""Stored entries of rooms that were played under earlier versions: `python -m kit.evenings.golden` writes the latest.

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
from kit.evenings.prepared import secret_evening
from kit.tables import ANN, BO, GM, LOG, ROOM, Order, command_of

FOLDER = Path(__file__).parents[2] / "golden"


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


def play(orders: list[tuple[Actor, Order]], room: Room | None = None, after: int = 0) -> Iterator[bytes]:
    """Decide commands one after the other, in a new room unless one is given, and give the entry that stores each."""
    room, ledger, numbers = room or empty_room(ROOM, LOG), Ledger(ROOM, bytes(range(32))), count(1)
    for n, (by, order) in enumerate(orders, after + 1):
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
    """Give commands that bring about every event that version 1 knew at first, and a refusal."""
    return _commands("Die Bombe 💣", "commands-v1.jsonl")


def second_evening() -> list[tuple[Actor, Order]]:
    """Give commands that bring about the events that came after the first evening was stored."""
    return _commands("Das Verlies", "commands-v1b.jsonl")


def as_meant_then(command: dict[str, Any]) -> dict[str, Any]:
    """Spell out what absent fields of a golden file's command meant when it was written."""
    kind = command["type"]
    if kind in ("propose_check", "help_check", "oppose_check"):
        return {"claim": True, **command}
    return {"bound_to": "nothing", **command} if kind == "start_countdown" else command


def _commands(title: str, name: str) -> list[tuple[Actor, Order]]:
    seats = {actor.seat_id: actor for actor in (GM, ANN, BO)}
    rows = map(json.loads, (FOLDER / name).read_text(encoding="utf-8").splitlines())
    opening: list[Order] = [Open(title, Policy()), JoinSeat(Role.PLAYER, "Ann"), JoinSeat(Role.PLAYER, "Bo")]
    return [*((GM, order) for order in opening), *((seats[row["by"]], as_meant_then(row["command"])) for row in rows)]


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


def ninth_evening() -> list[tuple[Actor, Order]]:
    """Give commands whose events older servers wrote in another form: see `core/forms.py`."""
    fire: dict[str, Any] = {"type": "start_countdown", "name": "Feuer", "pool": 3, "id": "fire", "stages": [STAGE]}
    alarm = {"does": "tell", "text": "Alarm!"}
    return [
        (GM, Open("Wer es war", Policy())),
        (GM, JoinSeat(Role.PLAYER, "Ann")),
        (ANN, {"type": "start_clock", "name": "Flut", "size": 4, "id": "flood"}),
        (ANN, {"type": "add_character", "name": "Ada", "id": "ada", "attributes": {"Mut": 3}}),
        (ANN, {"type": "propose_check", "id": "leap", "character_id": "ada", "attribute": "Mut"}),
        (GM, {**fire, "at_start": [alarm]}),
        (GM, {"type": "open_scene", "name": "Damm", "clock": 9, "sixes_add": True, "note": "Es beginnt."}),
        (ANN, {"type": "tick_clock", "clock_id": "flood"}),
        (ANN, {"type": "void_command", "seq": 15, "reason": "verklickt"}),
    ]


STAGE = {"at": 3, "effect": "Rauch"}

if __name__ == "__main__":
    entries = b"".join(entry + b"\n\n" for entry in play(ninth_evening()))
    header = json.dumps({"log_id": LOG, "room": ROOM}).encode()
    (FOLDER / "entry-v2d.txt").write_bytes(header + b"\n" + entries)
