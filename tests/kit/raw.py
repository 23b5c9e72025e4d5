"""A websocket without the SDK, which keeps every frame as it came."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

WITHIN_S = 10.0
Frame = dict[str, Any]


class RawClient:
    """One connection. `frames` holds all texts received so far, in order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self.welcome: Frame = {}
        self._last_n = 0

    async def hello(self, token: str, **more: object) -> Frame:
        """Say hello and return the welcome."""
        await self.send({"type": "hello", "v": 1, "token": token, **more})
        self.welcome = await self.expect("welcome")
        return self.welcome

    async def send(self, frame: Mapping[str, object] | str | bytes) -> None:
        """Send one frame; a mapping goes out as JSON."""
        await self.socket.send(json.dumps(frame, ensure_ascii=False) if isinstance(frame, Mapping) else frame)

    async def order(self, command: Mapping[str, object], n: int | None = None) -> int:
        """Send a command without waiting, numbered after the last one unless told, and return its number."""
        self._last_n = self._last_n + 1 if n is None else n
        await self.send({"type": "command", "n": self._last_n, "command": command})
        return self._last_n

    async def reply(self, n: int) -> Frame:
        """Wait for a command's final reply."""
        while True:
            frame = await self.next()
            if frame["type"] in ("ack", "refused") and frame["n"] == n:
                return frame

    async def do(self, command: Mapping[str, object], n: int | None = None) -> Frame:
        """Send a command and wait for its final reply."""
        return await self.reply(await self.order(command, n))

    async def next(self) -> Frame:
        """Read one frame. Raises ConnectionClosed once the server has closed."""
        async with asyncio.timeout(WITHIN_S):
            text = await self.socket.recv()
        assert isinstance(text, str)
        self.frames.append(text)
        return parsed(text)

    async def expect(self, type_: str, **fields: object) -> Frame:
        """Read frames until one is of this type and has these fields."""
        while True:
            frame = await self.next()
            if frame["type"] == type_ and all(frame.get(name) == value for name, value in fields.items()):
                return frame

    async def ended(self) -> tuple[int, str]:
        """Read on until the server closes, and return its close code and reason."""
        closed: ConnectionClosed | None = None
        while closed is None:
            try:
                await self.next()
            except ConnectionClosed as error:
                closed = error
        frame = closed.rcvd
        assert frame is not None, "the connection was cut without a close frame"
        return frame.code, frame.reason

    def parsed_frames(self) -> list[Frame]:
        """Give all frames received so far, read."""
        return [parsed(text) for text in self.frames]

    def texts(self, channel: str = "public") -> list[str]:
        """Give the canonical texts of all records of a channel received so far."""
        return [text for frame in self.frames for text in frame.split("\n")[1:] if f'"channel":"{channel}"' in text]

    def records(self, channel: str = "public") -> list[Frame]:
        """Give all records of a channel received so far."""
        return [json.loads(text) for text in self.texts(channel)]

    def positions(self) -> dict[str, Frame]:
        """Give where each channel stands, as a hello takes it."""
        positions: dict[str, Frame] = dict(self.welcome["positions"])
        for text in self.frames:
            positions |= json.loads(text.split("\n")[0]).get("heads", {})
        return positions


def parsed(text: str) -> Frame:
    """Read a frame; that of events gets its `records`."""
    header, *lines = text.split("\n")
    frame: Frame = json.loads(header)
    if frame["type"] == "events":
        frame["records"] = [json.loads(line) for line in lines]
    return frame


@asynccontextmanager
async def raw_client(url: str, **more: Any) -> AsyncIterator[RawClient]:
    """Connect to a websocket address."""
    async with connect(
        url, compression=None, max_size=None, ping_interval=None, open_timeout=WITHIN_S, close_timeout=2, **more
    ) as socket:
        yield RawClient(socket)
