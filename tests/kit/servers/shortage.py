"""A server that takes no writes for a while: what it says then, what can be read, and who plays on meanwhile."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from dreadclock import Refused
from dreadclock.narration import Narrator
from dreadclock.wire.errors import Code
from kit.links.listeners import Listener, all_agree, listener, outcome
from kit.rooms import Table, http_client, open_table
from kit.server import Server
from kit.waiting import until

SOON_S = 30.0


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


async def refuses_writes(table: Table, sentence: str, german: str, reason: str) -> None:
    """See that writes are refused with words that begin like these, and that /readyz says the reason."""
    async with table.connected("ben") as ben:
        refused = await ben.do(roll("refused"))
    assert (refused["type"], refused["code"]) == ("refused", "unavailable")
    assert refused["sentence"].startswith(sentence)
    told = Narrator("de").refusal(refused["code"], refused["details"], refused["sentence"])
    assert told.startswith(german)
    async with http_client(table.server) as http:
        assert (await http.get("/readyz")).text == f"{reason}\n"
        answer = (await http.post("/api/rooms", json={"title": "One more"})).json()
    assert (answer["code"], answer["detail"]) == ("unavailable", refused["sentence"])


@asynccontextmanager
async def played_on(server: Server) -> AsyncIterator[tuple[Table, Callable[[], Awaitable[None]], list[str]]]:
    """Let two people roll; give their table, what waits for 50 rolls more, and the notes that were acknowledged.

    In the end, what was refused is not in the log, and what was acknowledged is there once.
    """
    table, acked = await open_table(server), list[str]()
    async with listener(table, "gm") as gm, listener(table, "ann") as ann, asyncio.TaskGroup() as group:
        players = [Player(gm, acked), Player(ann, acked)]

        async def rolls_on() -> None:
            goal = len(acked) + 50
            await until(lambda: len(acked) >= goal, SOON_S)

        playing = [group.create_task(each.play()) for each in players]
        yield table, rolls_on, acked
        await rolls_on()
        for each in players:
            each.stopped = True
        await asyncio.gather(*playing)
        log = await all_agree(table, [gm, ann], [server])
    assert Counter(each.event.note for each in log if each.event.note) == Counter(acked)


@dataclass
class Player:
    """Somebody who rolls without pause, every roll with a note of its own."""

    listener: Listener
    acked: list[str]
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
