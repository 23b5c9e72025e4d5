"""Those who come and go, without the SDK: some resume where they left off, some do not wait for an answer."""

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

from websockets.exceptions import WebSocketException

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.records import Head, Positions
from kit.history.recorded import Denied, Stands
from kit.history.recorded import Stream as Heard
from kit.raw import Frame, RawClient, raw_client
from kit.rooms import Table
from kit.workload.book import Book, settled_by

LOST = (OSError, TimeoutError, WebSocketException)
_LONGEST_VISIT = 40  # frames
_PAUSE_S = 0.02
_NOT_NOW = ("unavailable", "rate_limited", "out_of_order")


class Resumer:
    """Looks on for a while, is gone without a word, and comes back where it left off."""

    def __init__(self, table: Table, name: str, url: str, book: Book, chance: Random) -> None:
        self.heard = Heard(f"{name} (resuming)")
        self.resumed = 0
        self._table, self._name, self._url = table, name, url
        self._book, self._chance = book, chance
        self.positions: Positions = {}

    async def look_on(self) -> None:
        """Come and go until the book is closed."""
        while not self._book.stopped:
            await self.visit(self._chance.randrange(_LONGEST_VISIT))
            await asyncio.sleep(_PAUSE_S)

    async def visit(self, frames: int) -> None:
        """Come back and take so many frames, or fewer if something is in the way."""
        with suppress(*LOST):
            async with raw_client(f"{self._url}/ws/{self._table.id}".replace("http", "ws", 1)) as client:
                try:
                    await self._take_part(client, frames)
                finally:
                    self._take(client.frames)
                    client.socket.transport.abort()

    async def _take_part(self, client: RawClient, frames: int) -> None:
        known = {channel: head.model_dump() for channel, head in self.positions.items()}
        await client.hello(self._table.token(self._name), **({"positions": known} if known else {}))
        self.resumed += client.welcome["resumed"]
        for _ in range(frames):
            await client.next()

    def _take(self, texts: Sequence[str]) -> None:
        for text in texts:
            first, *lines = text.split("\n")
            self._take_frame(json.loads(first), lines)

    def _take_frame(self, frame: Frame, lines: Sequence[str]) -> None:
        if frame["type"] == "events":
            self.heard.steps += lines
            self._stand(frame["heads"], None)
        elif frame["type"] == "reset":
            self._stand(frame["positions"], ResetReason(frame["reason"]))
        elif frame["type"] == "welcome" and frame.get("view") is not None:
            self._stand(frame["positions"], ResetReason.TOO_OLD if self.positions else None)

    def _stand(self, heads: dict[str, Any], anew: ResetReason | None) -> None:
        told = {Channel(name): Head(**head) for name, head in heads.items()}
        self.heard.steps.append(Stands(told, anew))
        self.positions = {**self.positions, **told}


class Hasty:
    """Sends commands and is gone before the answers, or comes back with the same numbers to another server."""

    def __init__(self, table: Table, name: str, url: str, book: Book, chance: Random) -> None:
        self.repeated = 0
        self._table, self._client, self._token = table, f"{name} (hasty)", table.token(name)
        self._url = f"{url}/ws/{table.id}".replace("http", "ws", 1)
        self._book, self._chance = book, chance
        self._open: dict[int, tuple[str, float]] = {}  # by number: the commands without a reply

    async def come_and_go(self) -> None:
        """Send until the book is closed."""
        while not self._book.stopped:
            await self._two_visits()
            await asyncio.sleep(_PAUSE_S)

    async def _two_visits(self) -> None:
        """Send a few commands, then perhaps the unanswered ones again; what stays without a reply is unknown."""
        try:
            session = await self._visit(None, self._chance.randint(1, 3))
            if session is not None and self._chance.random() < 0.7:
                await self._visit(session, 0)
        finally:
            for command, start in self._open.values():
                self._book.note(self._client, command, start, None)
            self._open = {}

    async def _visit(self, session: str | None, count: int) -> str | None:
        """Come and send; returns the session, None if there was no welcome."""
        with suppress(*LOST):
            async with raw_client(self._url) as client:
                try:
                    return await self._send(client, session, count)
                finally:
                    client.socket.transport.abort()
        return session

    async def _send(self, client: RawClient, session: str | None, count: int) -> str | None:
        await client.hello(self._token, **({"session": session} if session else {}))
        given = str(client.welcome["session"])
        if session is not None and given != session:
            self._forgotten()
            return given
        for n in range(1, count + 1):
            self._open[n] = (self._book.name(self._client), time.monotonic())
        orders = dict(self._open)
        with suppress(*LOST):
            for n, (command, _) in orders.items():
                self.repeated += session is not None
                await client.order({"type": "roll_dice", "pool": 1, "faces": [6], "note": command}, n)
            waits_for = len(orders) if session else self._chance.randint(0, len(orders))
            for n in list(orders)[:waits_for]:
                self._settle(n, await client.reply(n), again=session is not None)
        return given

    def _forgotten(self) -> None:
        """Note that the server does not go on with a session, as the SDK tells it."""
        for command, start in self._open.values():
            self._book.note(self._client, command, start, Denied(Code.SESSION_EXPIRED))
        self._open = {}

    def _settle(self, n: int, reply: Frame, *, again: bool) -> None:
        """Note a reply. One that says "not now" settles nothing for a command that was sent before."""
        if again and reply.get("code") in _NOT_NOW:
            return
        command, start = self._open.pop(n)
        self._book.note(self._client, command, start, settled_by(reply))
