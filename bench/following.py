"""What consequences cost: a command that brings many about beside a plain roll, and what looking for none takes.

One room holds much, and all commands take turns in it, so that what else the machine does meets all of them alike. They
come by REST, are decided, stored and fsynced; CPU time of the server and its store. What hidden ones take is
what the time of a command may tell of them. What looking for none takes is too little for that: it is
measured where commands are decided, in this process, beside a server that does not look.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from figures import Bar, Work
from growth import Found
from ours import Ours, cpu_us, running
from rooms import ROLL, BenchRoom, Calls

CHARACTERS, SCENES, SITUATIONS, CONSEQUENCES, BROUGHT = 64, 4, 32, 200, 30
ROUNDS, ROLLS = 20, 5  # of a run; plain rolls of a round
MOST_ROUNDS = 90  # as far as the wheels go
DECIDED = 400  # times a run
AT_MOST, LOOKING = 10.0, 1.05  # times a plain roll; times a command that looks for nothing
HIDDEN = {"visibility": "gm"}
BELLS = ("none", "public", "hidden")  # what a bell brings about
Order = dict[str, Any]
COUNT: Order = {"type": "roll_countdown", "countdown_id": "fever"}


def _table() -> Iterator[Order]:
    """Fill a room with all that it may hold of characters and situations, and with some clocks."""
    for n in range(CHARACTERS):
        yield {"type": "add_character", "id": f"who-{n}", "name": f"Who {n}"}
    for n in range(SCENES):
        yield {"type": "open_scene", "id": f"scene-of-{n}", "name": "Scene", "clock": 8}
    for n in range(SITUATIONS):
        within = {"scene_id": f"scene-of-{n % SCENES}", "clock": 2, "kind": "standard", "content": "social"}
        yield {"type": "start_situation", "id": f"talk-{n}", "name": "Talk", **within}
    for n in range(BROUGHT):
        yield {"type": "start_clock", "id": f"wheel-{n}", "name": "Wheel", "size": 99}
        yield {"type": "start_clock", "id": f"gm-wheel-{n}", "name": "Wheel", "size": 99, **HIDDEN}
    for name in BELLS:
        yield {"type": "start_clock", "id": name, "name": name, "size": 2}
    yield {
        "type": "start_countdown",
        "id": "fever",
        "name": "Fever",
        "pool": 60,
        "bound_to": "nothing",
        "speed": "slow",
    }


def _attached() -> Iterator[Order]:
    """Attach as many as are brought about to each bell but one, in public and hidden; the others wait for something."""
    for n in range(BROUGHT):
        yield _when("public", f"wheel-{n}")
        yield {**_when("hidden", f"gm-wheel-{n}"), **HIDDEN}
    for n in range(CONSEQUENCES - 2 * BROUGHT):
        yield _when(f"wheel-{n % BROUGHT}", f"wheel-{(n + 1) % BROUGHT}")


def _when(ends: str, moves: str) -> Order:
    of = {"kind": "clock", "id": ends}
    do = [{"does": "tick", "thing_id": moves, "by": 1}]
    return {"type": "attach_consequence", "of": of, "when": {"when": "end"}, "do": do}


def _rung(bell: str) -> Order:
    return {"type": "tick_clock", "clock_id": bell, "by": 2}


class _Room:
    """A room by REST, and what a command in it costs."""

    def __init__(self, ours: Ours) -> None:
        self._ours, self._calls = ours, Calls(ours.port)
        self._room: BenchRoom = self._calls.open_room(spectators=False)
        for order in (*_table(), *_attached()):
            self.give(order)

    def give(self, order: Order) -> float:
        """Give a command; return the CPU time in us that it takes."""
        before = cpu_us(self._ours.pid)
        self._calls.post(f"/api/rooms/{self._room.room_id}/commands", order, self._room.gm)
        return cpu_us(self._ours.pid) - before

    def ring(self, bell: str) -> float:
        """Let a bell ring, and set it back for the next time, which is not measured."""
        cost = self.give(_rung(bell))
        self.give({"type": "amend_clock", "clock_id": bell, "value": 1, "reason": "Again"})
        return cost


def brought(runs: int, size: float) -> Work:
    """Let one command bring about as many as it may, in public or hidden."""
    found, decided = Found(), _Decided((*_table(), *_attached()))
    with running() as ours:
        room = _Room(ours)
        for bell in BELLS:
            room.ring(bell)
        for _ in range(max(5, min(MOST_ROUNDS, int(ROUNDS * runs * size)))):
            for _ in range(ROLLS):
                found.note("a plain roll", "us", room.give(ROLL))
            found.note("a plain roll", "us to decide", decided.us("roll_dice"))
            for bell in BELLS:
                found.note(_named(bell), "us", room.ring(bell))
                found.note(_named(bell), "us to decide", decided.us(bell))
    rows = found.medians()
    roll, nothing = rows["a plain roll"]["us"], rows[_named("none")]["us"]
    for bell in BELLS[1:]:
        row = rows[_named(bell)]
        row["us/consequence"] = (row["us"] - nothing) / BROUGHT
        row["rolls/consequence"] = row["us/consequence"] / roll
    bars = [Bar(f"{_named(bell)} to a plain roll", rows[_named(bell)]["us"] / roll, AT_MOST) for bell in BELLS[1:]]
    title = f"a room of {CHARACTERS} characters, {SITUATIONS} situations and {CONSEQUENCES} consequences"
    return Work("following-brought", title, rows, bars)


def _named(bell: str) -> str:
    return "a clock's end, nothing follows" if bell == "none" else f"a clock's end, {BROUGHT} {bell} ones follow"


# Where there are none


def none(runs: int, size: float) -> Work:
    """Decide commands in a room without consequences, with and without a look for some."""
    found, decided = Found(), _Decided(_table())
    for turn in range(max(20, int(DECIDED * runs * size))):
        for name in ("roll_dice", "roll_countdown"):
            ways = [("looking", True), ("not looking", False)]
            for way, looks in ways[:: -1 if turn % 2 else 1]:
                found.note(f"{name}, {way}", "us", decided.us(name, looks=looks))
    rows = found.medians()
    pairs = [
        (name, rows[f"{name}, looking"]["us"], rows[f"{name}, not looking"]["us"])
        for name in ("roll_dice", "roll_countdown")
    ]
    bars = [Bar(f"{name}: looking to not looking", one / other, LOOKING) for name, one, other in pairs]
    return Work("following-none", "commands decided in such a room without any consequences", rows, bars)


class _Decided:
    """The same room in this process, in which commands are decided, and nothing comes of it."""

    def __init__(self, orders: Iterable[Order]) -> None:
        from dreadclock.wire.base import Role
        from dreadclock.wire.commands import COMMAND
        from dreadclock.wire.things import Policy
        from dreadclock_server.core import decide
        from dreadclock_server.core.draft import Actor
        from dreadclock_server.core.families.room import Open
        from dreadclock_server.core.room import empty_room
        from dreadclock_server.dice import Ledger

        room_id = "a" * 26
        self._module, self._gm, self._dice = decide, Actor("gm", Role.GM), Ledger(room_id, bytes(32))
        self._numbers, self._bring = count(1), decide.consequences.bring
        orders_of = {"roll_dice": ROLL, "roll_countdown": COUNT, **{bell: _rung(bell) for bell in BELLS}}
        self._commands = {name: COMMAND.validate_python(order, strict=False) for name, order in orders_of.items()}
        self._room = self._after(empty_room(room_id, "0" * 32), Open("Bench", Policy()))
        for order in (*orders, ROLL):
            self._room = self._after(self._room, COMMAND.validate_python(order, strict=False))

    def _after(self, room: Any, command: Any) -> Any:
        fresh = f"{next(self._numbers):012x}"
        decision = self._module.decide(room, command, by=self._gm, dice=self._dice, now_ms=1_000, fresh=lambda: fresh)
        return decision.room

    def us(self, name: str, *, looks: bool = True) -> float:
        """Return the CPU time in us that the decision of a command takes."""
        self._module.consequences.bring = self._bring if looks else lambda draft: None
        start = time.process_time_ns()
        for _ in range(ROLLS):
            self._after(self._room, self._commands[name])
        spent = time.process_time_ns() - start
        self._module.consequences.bring = self._bring
        return spent / 1000 / ROLLS


WORKS = {"following-brought": brought, "following-none": none}
