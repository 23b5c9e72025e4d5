"""Stretches of TCP between clients and servers on this machine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Passage:
    """Listens under `url`, and carries every connection to somewhere else; heirs say how."""

    port = 0

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Where those connect who speak HTTP."""
        return f"http://127.0.0.1:{self.port}"

    async def carry(self, near: Ends) -> None:
        """Carry one connection until it ends."""
        raise NotImplementedError

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection, for whose end `finish` waits."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        with suppress(asyncio.CancelledError):  # by `drop`
            await self.carry((reader, writer))

    def drop(self) -> None:
        """Break off all connections: one whose packets are dropped never ends by itself."""
        for task in self._tasks:
            task.cancel()

    async def finish(self) -> None:
        """Return once all connections are closed."""
        if self._tasks:
            await asyncio.wait(self._tasks)


_Passage = TypeVar("_Passage", bound=Passage)


@asynccontextmanager
async def listening(passage: _Passage) -> AsyncIterator[_Passage]:
    """Let a passage listen for as long as the block lasts."""
    server = await asyncio.start_server(passage.accept, "127.0.0.1", 0)
    passage.port = server.sockets[0].getsockname()[1]
    try:
        yield passage
    finally:
        server.close()
        await passage.finish()
        await server.wait_closed()


class Relay(Passage):
    """A way in to several servers, as a load balancer is: each new connection goes to the first that takes it.

    `bytes` is all that came from the servers, and `taken` counts the connections that each port took.
    """

    def __init__(self, *ports: int) -> None:
        super().__init__()
        self.bytes = bytearray()
        self.taken = dict.fromkeys(ports, 0)

    async def carry(self, near: Ends) -> None:
        far = await self._first()
        if far is None:
            near[1].close()
            return
        try:
            await asyncio.gather(_pass(near[0], far[1], bytearray()), _pass(far[0], near[1], self.bytes))
        except asyncio.CancelledError:
            for _, writer in (near, far):
                writer.close()
                writer.transport.abort()

    async def _first(self) -> Ends | None:
        for port in self.taken:
            with suppress(OSError):
                ends = await asyncio.open_connection("127.0.0.1", port)
                self.taken[port] += 1
                return ends
        return None


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kept: bytearray) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            kept += data
            writer.write(data)
            await writer.drain()
    await gone(writer)


async def gone(writer: asyncio.StreamWriter) -> None:
    """Close an end, and return once that is done."""
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
