"""A reader of a stream of events over HTTP, which can stop reading, or vanish in the middle of a byte of it."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import h11

from dreadclock.wire.streams import STREAM_EVENT
from kit.links.relays import gone
from kit.raw import WITHIN_S
from kit.rooms import Table
from kit.server import Server

SSE, LINES = "text/event-stream", "application/x-ndjson"
_PIECE = 1 << 16


@dataclass(frozen=True)
class Told:
    """One event; `text` is what stood there as its data."""

    kind: str
    id: str | None
    text: str

    @property
    def data(self) -> dict[str, Any]:
        """The data, read."""
        read: dict[str, Any] = json.loads(self.text)
        return read


class EventReader:
    """One stream. `told` holds all events so far but heartbeats, each held against its model, in order."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.told: list[Told] = []
        self.heartbeats = 0
        self.status, self.headers, self.is_over = 0, dict[str, str](), False
        self._reader, self._http, self._rest, self._waiting = reader, h11.Connection(h11.CLIENT), b"", list[Told]()

    def ask(self, path: str, host: str, headers: dict[str, str]) -> None:
        """Send the request."""
        head = [("Host", host), *headers.items()]
        asked = self._http.send(h11.Request(method="GET", target=path, headers=head))
        assert asked is not None
        self.writer.write(asked)

    @property
    def last_id(self) -> str | None:
        """The id to come back with."""
        return next((each.id for each in reversed(self.told) if each.id is not None), None)

    def texts(self, channel: str = "public") -> list[str]:
        """Give the texts of all records of a channel."""
        records = [each.text for each in self.told if each.kind == "record"]
        return [text for text in records if f'"channel":"{channel}"' in text]

    async def take(self, most: int = _PIECE) -> bool:
        """Take at most so many bytes in; tell whether the answer goes on: neither at its end nor cut."""
        data = b"" if self.is_over else await self._reader.read(most)
        if not data:
            return False
        self._http.receive_data(data)
        while (event := self._http.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
            if isinstance(event, h11.Response):
                self.status = event.status_code
                self.headers = {name.decode(): value.decode() for name, value in event.headers}
            elif isinstance(event, h11.Data):
                self._read(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                self.is_over = True
                break
        return not self.is_over

    def _read(self, data: bytes) -> None:
        if self.status != 200:
            self._rest += data
            return
        is_sse = self.headers["content-type"].startswith(SSE)
        *events, self._rest = (self._rest + data).split(b"\n\n" if is_sse else b"\n")
        for each in events:
            if each == (b":" if is_sse else b""):
                self.heartbeats += 1
            else:
                self._waiting.append(_sse(each.decode()) if is_sse else _line(each.decode()))
                self.told.append(self._waiting[-1])

    async def head(self) -> int:
        """Wait for the head of the answer, and return its status."""
        async with asyncio.timeout(WITHIN_S):
            while not self.status and await self.take():
                pass
        return self.status

    async def refusal(self) -> dict[str, Any]:
        """Read an answer that is a refusal."""
        async with asyncio.timeout(WITHIN_S):
            while await self.take():
                pass
        refusal: dict[str, Any] = json.loads(self._rest)
        return refusal

    async def next(self) -> Told:
        """Return the next event. Raises EOFError at the end."""
        async with asyncio.timeout(WITHIN_S):
            while not self._waiting:
                if not await self.take() and not self._waiting:
                    raise EOFError
        return self._waiting.pop(0)

    async def expect(self, kind: str, **fields: object) -> Told:
        """Read until an event is of this kind and its data has these fields."""
        while True:
            told = await self.next()
            if told.kind == kind and all(told.data.get(name) == value for name, value in fields.items()):
                return told

    async def ended(self) -> tuple[int, str]:
        """Read to the end, and return why the server ended it."""
        closing = await self.expect("close")
        async with asyncio.timeout(WITHIN_S):
            while await self.take():
                pass
        assert self.is_over, "the answer was cut"
        return closing.data["code"], closing.data["reason"]

    def vanish(self) -> None:
        """Cut the connection without a word."""
        self.writer.transport.abort()


def _sse(block: str) -> Told:
    fields = dict(line.split(": ", 1) for line in block.split("\n"))
    assert list(fields) in (["id", "event", "data"], ["event", "data"])
    return _checked(Told(fields["event"], fields.get("id"), fields["data"]))


def _line(line: str) -> Told:
    fields = json.loads(line)
    text = line[line.index('"data":') + len('"data":') : -1]
    return _checked(Told(fields["event"], fields.get("id"), text))


def _checked(told: Told) -> Told:
    id_ = f'"id":"{told.id}",' if told.id is not None else ""
    STREAM_EVENT.validate_json(f'{{"event":"{told.kind}",{id_}"data":{told.text}}}')
    return told


@asynccontextmanager
async def event_reader(
    table: Table,
    name: str,
    form: str = SSE,
    last_id: str | None = None,
    *,
    server: Server | None = None,
    sock: socket.socket | None = None,
    **headers: str,
) -> AsyncIterator[EventReader]:
    """Ask for a room's events as somebody."""
    to = {"sock": sock} if sock is not None else {"host": "127.0.0.1", "port": (server or table.server).port}
    reader, writer = await asyncio.open_connection(limit=_PIECE, **to)
    client = EventReader(reader, writer)
    asked = {"Authorization": f"Bearer {table.token(name)}", "Accept": form, **headers}
    if last_id is not None:
        asked["Last-Event-ID"] = last_id
    try:
        client.ask(table.path("/events"), "127.0.0.1", asked)
        yield client
    finally:
        await gone(writer)
