"""A way in to several servers at once, as a load balancer is: each new connection goes to the first that takes it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Switch:
    """Listens under `url`; `taken` counts the connections that each port took."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.taken = dict.fromkeys(ports, 0)
        self.url = ""
        self._tasks: set[asyncio.Task[None]] = set()

    async def accept(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        """Pass one connection on until either side closes it."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        server = await self._first()
        if server is None:
            to_client.close()
            return
        await asyncio.gather(_pass(from_client, server[1]), _pass(server[0], to_client))

    async def _first(self) -> Ends | None:
        for port in self.taken:
            with suppress(OSError):
                ends = await asyncio.open_connection("127.0.0.1", port)
                self.taken[port] += 1
                return ends
        return None

    async def finish(self) -> None:
        """Return once all connections are closed."""
        if self._tasks:
            await asyncio.wait(self._tasks)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def switched(*ports: int) -> AsyncIterator[Switch]:
    """Put a switch before servers on this machine."""
    switch = Switch(ports)
    listening = await asyncio.start_server(switch.accept, "127.0.0.1", 0)
    switch.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield switch
    finally:
        listening.close()
        await switch.finish()
        await listening.wait_closed()
