"""A table behind real websockets, which loses connections and keeps silent when told to."""

import asyncio
import json
from collections import deque
from typing import Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from dreadclock.wire.base import Channel
from dreadclock.wire.events import Event, UnknownEvent
from dreadclock.wire.records import Record
from kit.table import Table


class TableServer:
    """Serves a table under `url`; `table` may be replaced, as if the server had lost its log."""

    def __init__(self, *channels: Channel) -> None:
        self.table = Table(*channels)
        self.url = ""
        self.turned_away: deque[tuple[int, str]] = deque()  # close codes that the next hellos get
        self.not_upgraded: deque[tuple[int, str]] = deque()  # statuses that the next handshakes get, with a Retry-After
        self.garbled: deque[str | bytes] = deque()  # frames that the next hellos get instead of a welcome
        self.limit: int | None = None  # the status that turns away all websockets, and plain requests at their address
        self.retry_after: str | None = "7"  # seconds that it says with that
        self.is_blocked = False  # whether something on the way stops websockets
        self.asked = 0  # whether it is alive
        self.paths: list[str] = []
        self.said: list[dict[str, object]] = []  # hellos, also those that were turned away
        self.closed_with: list[int | None] = []  # by the clients
        self.commands = 0
        self._listening: Server | None = None
        self._port = 0
        self._connections: dict[ServerConnection, str] = {}
        self._forsaken: set[ServerConnection] = set()
        self._speaking = asyncio.Event()
        self._speaking.set()
        self._welcoming = asyncio.Event()
        self._welcoming.set()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen, on the same port as before."""
        self._listening = await serve(
            self._serve, "127.0.0.1", self._port, process_request=self._at_the_door, ping_interval=None, close_timeout=1
        )
        self._port = next(iter(self._listening.sockets)).getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"

    def _at_the_door(self, connection: ServerConnection, request: Request) -> Response | None:
        if request.path == "/healthz":
            self.asked += 1
            return connection.respond(200, "ok\n")
        if self.limit is not None or (self.is_blocked and "Upgrade" in request.headers):
            response = connection.respond(self.limit or 502, "")
            if self.retry_after is not None:
                response.headers["Retry-After"] = self.retry_after
            return response
        if not self.not_upgraded:
            return None
        status, retry_after = self.not_upgraded.popleft()
        response = connection.respond(status, "")
        response.headers["Retry-After"] = retry_after
        return response

    async def stop(self) -> None:
        """Cut all connections and listen no more."""
        self.speak()
        self.welcome()  # a test that fails may have kept somebody waiting, for whom the end would wait
        self.cut()
        if self._listening is not None:
            self._listening.close()
            await self._listening.wait_closed()

    async def listen_no_more(self) -> None:
        """Turn new connections away; those that are there stay."""
        assert self._listening is not None
        self._listening.close(close_connections=False)

    @property
    def connected(self) -> int:
        """How many connections have been greeted and are still there."""
        return len(self._connections)

    def keep_silent(self) -> None:
        """Take commands, but let no reply and no event out until `speak`."""
        self._speaking.clear()

    def speak(self) -> None:
        """Say what was held back, to those who are still there."""
        self._speaking.set()

    def keep_waiting(self) -> None:
        """Take hellos, but welcome nobody until `welcome`."""
        self._welcoming.clear()

    def welcome(self) -> None:
        """Welcome those who wait, and whoever comes."""
        self._welcoming.set()

    def forsake(self) -> None:
        """Let the connections that are there look open, while nothing gets through them any more."""
        self._forsaken |= set(self._connections)
        self._connections.clear()

    def cut(self) -> None:
        """Cut all connections without a word."""
        for connection in self._connections:
            connection.transport.abort()

    async def close(self, code: int, reason: str = "") -> None:
        """Close all connections with a code."""
        await asyncio.gather(*(connection.close(code, reason) for connection in list(self._connections)))

    async def happen(self, event: Event | UnknownEvent, channel: Channel = Channel.PUBLIC) -> Record:
        """Let something happen without a command."""
        record = self.table.log.write(event, channel)
        await self.tell(self.table.log.frame(channel, record.seq - 1))
        return record

    async def tell(self, frame: str | bytes) -> None:
        """Send a frame to everyone."""
        await asyncio.gather(*(self._send(connection, frame) for connection in list(self._connections)))

    async def _serve(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        self.paths.append(connection.request.path)
        try:
            hello = await connection.recv()
            self.said.append(json.loads(hello))
            if self.turned_away:
                return await connection.close(*self.turned_away.popleft())
            if self.garbled:
                await connection.send(self.garbled.popleft())
                return await connection.wait_closed()
            await self._converse(connection, str(hello))
        except ConnectionClosed as closed:
            self.closed_with.append(closed.rcvd.code if closed.rcvd else None)
        finally:
            self._connections.pop(connection, None)

    async def _converse(self, connection: ServerConnection, hello: str) -> None:
        session, greeting = self.table.greet(hello)
        await self._welcoming.wait()
        for frame in greeting:
            await connection.send(frame)
        self._connections[connection] = session
        while True:
            text = str(await connection.recv())
            if connection in self._forsaken:
                continue
            self.commands += 1
            events, reply = self.table.take(session, text)
            await self._speaking.wait()
            for frame in events:
                await self.tell(frame)
            await connection.send(reply)

    async def _send(self, connection: ServerConnection, frame: str | bytes) -> None:
        try:
            await connection.send(frame)
        except ConnectionClosed:
            self._connections.pop(connection, None)
