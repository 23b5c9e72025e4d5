"""Those who stay: clients of the SDK who write without pause, and whose every record is written down."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import dreadclock
from dreadclock import Backoff, ViewReplaced
from dreadclock.client.streams import Stream
from dreadclock.wire.records import Record, text_of
from kit.history.recorded import Done, Stands
from kit.history.recorded import Stream as Heard
from kit.rooms import Table
from kit.workload.book import Book, Order

AT_ONCE = 3  # commands that each has under way
RETRY_FOR_S = 600.0  # longer than any fault
QUICK = Backoff(longest_s=0.5)


class Recorder(Stream[Record]):
    """Writes down what a client of the SDK takes in, at the moment in which it does."""

    def __init__(self, name: str, room: dreadclock.Room) -> None:
        super().__init__(lambda record: record)
        self.heard = Heard(name, [Stands(room.positions)])
        self._room = room

    def put(self, item: Record | ViewReplaced) -> None:
        """Write down what happened; with the last record of a frame, where its channel stands after it."""
        positions = self._room.positions
        if isinstance(item, ViewReplaced):
            self.heard.steps.append(Stands(positions, item.reason))
            return
        self.heard.steps.append(text_of(item))
        head = positions[item.channel]
        if head.seq == item.seq:
            self.heard.steps.append(Stands({item.channel: head}))


class Steady:
    """A client of the SDK. One who writes has several commands under way at any time."""

    def __init__(self, name: str, room: dreadclock.Room, book: Book, chance: Random) -> None:
        self.name, self.room = name, room
        self.recorder = Recorder(name, room)
        self.acked_at = 0.0
        self._book, self._chance = book, chance
        room._streams.add(self.recorder)

    async def write(self) -> None:
        """Write until the book is closed; what is under way then is waited for."""
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(self._write_on())

    async def _write_on(self) -> None:
        while not self._book.stopped:
            if isinstance(await self._book.perform(self.name, self._order(), self.room.submit), Done):
                self.acked_at = time.monotonic()
            await asyncio.sleep(self._chance.uniform(0.0, self._book.pause_s))

    def _order(self) -> Order:
        """Draw a command: physical dice, dice of the server's, a gm's secret ones, or what must be refused."""
        drawn = self._chance.randrange(100)
        if drawn < 2:
            return {"type": "tick_clock", "clock_id": "nowhere"}
        if drawn < 20:
            return {"type": "roll_dice", "pool": 2}
        faces: dict[str, Any] = {"type": "roll_dice", "pool": 2, "faces": [self._chance.randint(1, 6) for _ in "12"]}
        return {**faces, "visibility": "gm"} if self.name == "gm" and drawn < 50 else faces


@asynccontextmanager
async def steady(table: Table, name: str, url: str, book: Book, chance: Random) -> AsyncIterator[Steady]:
    """Connect with the SDK."""
    token = table.token(name)
    async with dreadclock.connect(url, table.id, token, backoff=QUICK, retry_for_s=RETRY_FOR_S) as room:
        yield Steady(name, room, book, chance)
