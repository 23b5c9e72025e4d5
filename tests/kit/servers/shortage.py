"""A server that takes no writes for a while: what it says then, what can be read, and who plays on meanwhile."""

import asyncio
from dataclasses import dataclass, field

import httpx

from dreadclock import Refused
from dreadclock.wire.errors import Code
from kit.links.listeners import Listener, outcome
from kit.rooms import Table, http_client
from kit.server import Server


async def is_ready(server: Server) -> bool:
    """Ask whether it takes writes."""
    async with http_client(server) as http:
        try:
            return (await http.get("/readyz")).is_success
        except httpx.TransportError:
            return False


async def is_not_ready(server: Server) -> bool:
    """Ask whether it takes none."""
    return not await is_ready(server)


def roll(note: str) -> dict[str, object]:
    """Make a command that can be found again by its note."""
    return {"type": "roll_dice", "pool": 1, "note": note}


async def can_be_read(table: Table) -> None:
    """See that rooms can be joined, come back to, and read."""
    async with table.connected("eve") as eve:
        assert eve.welcome["view"] is not None
        positions = eve.positions()
    async with table.connected("eve", positions=positions) as eve:
        assert eve.welcome["resumed"] is True
    await table.view("ben")
    assert len(await table.log("gm")) > 0


@dataclass
class Player:
    """Somebody who rolls without pause, every roll with a note of its own."""

    listener: Listener
    acked: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    stopped: bool = False

    async def play(self) -> None:
        """Roll until stopped."""
        async with asyncio.TaskGroup() as group:
            for lane in range(4):
                group.create_task(self._roll_on(f"{self.listener.name} {lane}"))

    async def _roll_on(self, name: str) -> None:
        while not self.stopped:
            note = f"{name} {len(self.acked) + len(self.refused)}"
            answer = await outcome(self.listener.room, roll(note))
            if isinstance(answer, Refused):
                assert answer.code is Code.UNAVAILABLE
                self.refused.append(note)
                await asyncio.sleep(0.01)  # as a person would
            else:
                self.acked.append(note)
