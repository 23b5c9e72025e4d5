"""A stretch of TCP that keeps every byte that a server sends through it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Tap:
    """Listens under `url`, and passes everything on to a server and back; `bytes` is what came from the server."""

    def __init__(self, port: int) -> None:
        self.bytes = bytearray()
        self.url = ""
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()

    def holds(self, text: str) -> bool:
        """Tell whether the server has sent this text, as it is or with its characters escaped."""
        escaped = text.encode("ascii", "backslashreplace")
        return text.encode() in self.bytes or escaped in self.bytes

    async def accept(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        """Pass one connection on until either side closes it."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(
            self._pass(from_client, to_server, bytearray()), self._pass(from_server, to_client, self.bytes)
        )

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kept: bytearray) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                kept += data
                writer.write(data)
                await writer.drain()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    async def finish(self) -> None:
        """Return once all connections are closed."""
        if self._tasks:
            await asyncio.wait(self._tasks)


@asynccontextmanager
async def tapped(port: int) -> AsyncIterator[Tap]:
    """Put a tap before a server on this machine."""
    tap = Tap(port)
    listening = await asyncio.start_server(tap.accept, "127.0.0.1", 0)
    tap.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield tap
    finally:
        listening.close()
        await tap.finish()
        await listening.wait_closed()
