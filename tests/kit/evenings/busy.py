"""A busy evening: what is played, the secrets that the gm keeps, and what must hold of it all."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from dreadclock import Acknowledged, Refused
from dreadclock.wire.records import Record
from kit.families.races import RACE
from kit.links.listeners import Listener, outcome
from kit.rooms import Table

SECRET_NAME, SECRET_EFFECT, SECRET_ENDING, SECRET_NOTE = "Måne-Xylophon", "Quodlibetum", "Zwergenaufstand", "Fjordpferd"
SECRETS = (SECRET_NAME, SECRET_EFFECT, SECRET_ENDING, SECRET_NOTE, "gm-xylophon", "gm-clavichord")

ROLLING = ("roll_dice", "roll_countdown", "end_turn")

Command = dict[str, Any]


def commands_of(one: Listener, count: int, chance: random.Random) -> list[Command]:
    """Make up what somebody wants at a busy table, each wish with a note of its own; not all of it is allowed."""
    started = [f"of-{one.name}-0"]
    commands: list[Command] = []
    for number in range(count):
        fresh = f"of-{one.name}-{number}"
        wishes: list[Command] = [
            {"type": "roll_dice", "pool": chance.randint(1, 9)},
            {"type": "start_countdown", "id": fresh, "name": f"Of {one.name}", "pool": chance.randint(1, 4)}
            | {"bound_to": "nothing"},
            {"type": "roll_countdown", "countdown_id": chance.choice(started)},
            {"type": "tick_clock", "clock_id": f"{one.name}-tide"},
            {"type": "attempt_effort", "challenge_id": "door"},
            {"type": "end_turn"},
            {"type": "roll_countdown", "countdown_id": "gm-none"},
            {"type": "remove_seat", "seat_id": "gm"},
        ]
        (wish,) = chance.choices(wishes, weights=[8, 2, 4, 2, 2, 1, 1, 1])
        if wish["type"] == "start_countdown":
            started.append(fresh)
        commands.append({**wish, "note": f"{one.room.seat}/{number}/"})
    return commands


async def prepare(table: Table, gm: Listener) -> None:
    """Set the table: a scene with a door, three clocks, and a countdown that only the gm knows."""
    await gm.room.submit({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 10})
    for command in (
        {**RACE, "clock": 9, "level": 7, "content": "combat", "difficulty": "easy"},
        {"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier", "clock": 99},
    ):
        await gm.room.submit(command)
    for name, owner in (("gm", "gm"), ("ann", table.seat("ann")), ("ben", table.seat("ben"))):
        await gm.room.submit({"type": "add_character", "id": f"own-of-{name}", "name": "Own", "owner": owner})
        clock = {"type": "start_clock", "id": f"{name}-tide", "name": "Tide", "size": 99, "owner": owner}
        await gm.room.submit(clock if name != "gm" else clock | {"visibility": "gm"})
    await keep_a_secret(gm)


async def keep_a_secret(gm: Listener) -> None:
    await gm.room.submit(
        {"type": "start_countdown", "id": "gm-xylophon", "name": SECRET_NAME, "pool": 40, "bound_to": "turn"}
        | {"stages": [{"at": at, "effect": f"{SECRET_EFFECT} {at}"} for at in range(20, 40)], "ending": SECRET_ENDING}
        | {"visibility": "gm", "note": SECRET_NOTE}
    )


async def keep_rolling_it(gm: Listener) -> None:
    """Meanwhile the gm turns a second secret over and over."""
    for command in (
        {"type": "roll_countdown", "countdown_id": "gm-xylophon"},
        {"type": "start_clock", "id": "gm-clavichord", "name": SECRET_NAME, "size": 9, "visibility": "gm"},
        {"type": "tick_clock", "clock_id": "gm-clavichord", "note": SECRET_NOTE},
        {"type": "roll_dice", "pool": 5, "name": SECRET_NAME, "note": SECRET_NOTE, "visibility": "gm"},
        {"type": "cancel_countdown", "countdown_id": "gm-xylophon", "reason": SECRET_EFFECT},
    ):
        await outcome(gm.room, command)


async def submit_at_once(one: Listener, commands: Sequence[Command]) -> list[tuple[Command, Acknowledged | Refused]]:
    """Submit commands all at once, and return what became of each, in the order submitted."""
    outcomes = await asyncio.gather(*(outcome(one.room, command) for command in commands))
    return list(zip(commands, outcomes, strict=True))


def done_once_or_refused(
    log: Sequence[Record], results: Sequence[tuple[Command, Acknowledged | Refused]]
) -> Counter[str]:
    """Hold the log against one seat's replies, and count these.

    An acknowledged command is in the log once, a refused one never. Those that may roll stand in the order submitted,
    each after the last one's answer, and so do all others, which need not wait for them.
    """
    done = [command for command, result in results if isinstance(result, Acknowledged) and result.events]
    seat = results[0][0]["note"].partition("/")[0]
    notes = [note for record in log if (note := record.event.note) is not None and note.startswith(f"{seat}/")]
    rolled = [command["note"] for command in done if command["type"] in ROLLING]
    assert [note for note in notes if note in rolled] == rolled
    assert [note for note in notes if note not in rolled] == [
        command["note"] for command in done if command["type"] not in ROLLING
    ]
    return Counter(str(result.code) if isinstance(result, Refused) else "done" for _, result in results)


def secrets_stay_with(gm: Listener, others: Iterable[Listener]) -> None:
    """Search all that the server has sent for anything of the gm's secrets."""
    for secret in SECRETS:
        assert gm.tap is not None
        assert gm.tap.holds(secret), secret
        for each in others:
            assert each.tap is not None
            assert b'"welcome"' in each.tap.bytes
            assert not each.tap.holds(secret), f"{each.name} was sent {secret}"
