"""Receivers of HTTP calls on the loopback, which answer as they are told to: well, slowly, endlessly or not at all."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus

from kit.links.relays import gone


@dataclass(frozen=True)
class Call:
    """What somebody asked, and when by the loop's time."""

    method: str
    path: str  # with the query
    headers: Mapping[str, str]  # by lower-case names
    body: bytes
    at: float


@dataclass(frozen=True)
class Reply:
    """What it is answered; a body of `endless` bytes is sent as far as it is read."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    endless: int = 0


Answering = Callable[[Call], Awaitable[Reply]]


async def fine(_: Call) -> Reply:
    """Take everything."""
    return Reply()


def in_turn(*replies: Reply) -> Answering:
    """Answer the first calls with these, and take all others."""
    left = deque(replies)

    async def answer(_: Call) -> Reply:
        return left.popleft() if left else Reply()

    return answer


class Stub:
    """Listens on the loopback; `answering` may be replaced at any time."""

    def __init__(self, answering: Answering = fine) -> None:
        self.answering = answering
        self.calls: list[Call] = []
        self.sent = 0  # bytes of endless bodies
        self.url = ""
        self._serving: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["Stub"]:
        """Listen for as long as the block lasts."""
        server = await asyncio.start_server(self._take_in, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in self._serving:
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)

    def _take_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                while (call := await _read(reader)) is not None:
                    self.calls.append(call)
                    await self._reply(writer, await self.answering(call))
        finally:
            await gone(writer)

    async def _reply(self, writer: asyncio.StreamWriter, reply: Reply) -> None:
        headers = {"Content-Length": str(reply.endless or len(reply.body)), **reply.headers}
        lines = [f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + reply.body)
        await writer.drain()
        while self.sent < reply.endless:
            writer.write(bytes(64 * 1024))
            await writer.drain()
            self.sent += 64 * 1024


async def _read(reader: asyncio.StreamReader) -> Call | None:
    """Read one call; None if there is no other."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n") if not reader.at_eof() else []
    if not head:
        return None
    method, path, _ = head[0].split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:-2])}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Call(method, path, headers, body, asyncio.get_running_loop().time())
