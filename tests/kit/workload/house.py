"""A house of tables: one Valkey, servers on it, and all the wires between them and those who play."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

from kit.links.announced import Town
from kit.links.faulty_links import Address, Wire, wired
from kit.server import Server, running_server
from kit.servers.own_valkey import OwnValkey, own_valkey

# What is half open counts until it is noticed, and everybody here comes from one address.
_MANY = {"DREADCLOCK_MAX_CONNECTIONS_PER_ADDRESS": "1500", "DREADCLOCK_MAX_CONNECTIONS_PER_SEAT": "500"}


class House:
    """What is there. `front`: the wire between clients and servers; `backs`: those between a server and Valkey.

    `town`: what announcements pass through on their way to the servers.
    """

    def __init__(self, valkey: OwnValkey, servers: list[Server], front: Wire, backs: list[Wire], town: Town) -> None:
        self.valkey, self.servers, self.front, self.backs, self.town = valkey, servers, front, backs, town

    @property
    def wires(self) -> list[Wire]:
        """All wires."""
        return [self.front, *self.backs]

    async def mend(self) -> None:
        """Let everything run again that does not, and everything pass."""
        self.town.odds = {}
        if not self.valkey.is_running:
            await self.valkey.start()
        for server in self.servers:
            if server.ended_with is not None:
                await server.start()
        for wire in self.wires:
            wire.counts.clear()
        self.town.counts.clear()

    async def kill(self, *victims: Server) -> None:
        """Kill servers in one breath."""
        await _all(each.kill() for each in victims)

    async def revive(self, *victims: Server) -> None:
        """Start servers again."""
        await _all(each.start() for each in victims)


@asynccontextmanager
async def opened_house(folder: Path, servers: int) -> AsyncIterator[House]:
    """Open a house with so many servers."""
    chance, town = Random(servers), Town(Random(servers), {})
    async with AsyncExitStack() as stack:
        valkey = await stack.enter_async_context(own_valkey(folder / "valkey"))

        def store() -> list[Address]:
            return [("127.0.0.1", valkey.port)]

        backs = [await stack.enter_async_context(wired(store, chance, town.crier)) for _ in range(servers)]
        contexts = [
            running_server(folder / f"server-{place}", store=back.store_url, environment=_MANY, is_supervised=True)
            for place, back in enumerate(backs)
        ]
        running = [await stack.enter_async_context(each) for each in contexts]

        def fronts() -> list[Address]:
            return [("127.0.0.1", server.port) for server in running]

        yield House(valkey, running, await stack.enter_async_context(wired(fronts, chance)), backs, town)


async def _all(work: Iterable[Awaitable[None]]) -> None:
    await asyncio.gather(*work)
