"""The book of one room: every command that somebody sent, and what became of it."""

import time
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import Any

from dreadclock import Acknowledged, Refused
from dreadclock.wire.base import Channel
from dreadclock.wire.records import text_of
from kit.history.recorded import Denied, Done, Operation, spans_of

Order = Mapping[str, Any]
Outcome = Done | Denied | None
"""What became of a command; None if nobody learned it."""


class Book:
    """Gives each command a name that its records carry as their note, and writes down how it went."""

    def __init__(self, pause_s: float = 0.0) -> None:
        self.pause_s = pause_s  # at most so long each writer pauses after a command
        self.operations: list[Operation] = []
        self.acked = 0
        self.stopped = False
        self._numbers = count(1)

    def name(self, client: str) -> str:
        """Make a name for a command."""
        return f"{client}/{next(self._numbers)}"

    async def perform(self, client: str, order: Order, submit: Callable[[Order], Awaitable[Acknowledged]]) -> Outcome:
        """Submit a command with the SDK, write down its outcome, and return it."""
        command, start = self.name(client), time.monotonic()
        outcome: Outcome = None
        try:
            outcome = done_of(await submit({**order, "note": command}))
        except Refused as refused:
            outcome = Denied(refused.code)
        finally:
            self.note(client, command, start, outcome)
        return outcome

    def note(self, client: str, command: str, start: float, outcome: Outcome) -> None:
        """Write down what became of a command."""
        if outcome is None:
            self.operations.append(Operation(client, command, start))
            return
        self.acked += isinstance(outcome, Done)
        self.operations.append(Operation(client, command, start, time.monotonic(), outcome))


def settled_by(reply: Mapping[str, Any]) -> Done | Denied:
    """Say what a final reply holds, as a frame."""
    if reply["type"] == "refused":
        return Denied(reply["code"])
    positions = {Channel(name): seq for name, seq in reply["positions"].items()}
    return Done(positions, {Channel(name): (first, last) for name, (first, last) in reply["events"].items()})


def done_of(done: Acknowledged) -> Done:
    """Say what an acknowledgement of the SDK's holds."""
    if not done.complete:
        return Done(done.positions, None)
    return Done(done.positions, spans_of(done.records), [text_of(record) for record in done.records])
