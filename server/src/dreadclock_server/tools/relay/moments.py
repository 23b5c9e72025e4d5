"""Targets that show the moment: what happens now, and never what happened while they were away."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from dreadclock.client.outcomes import ViewReplaced
from dreadclock.client.room import Room
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record
from dreadclock.wire.views import View
from dreadclock_server.tools.relay.feed import seen

FRESH_S = 30.0  # afterwards a moment is over
MOST = 256  # moments that wait; of more the oldest are over, too

Shown = TypeVar("Shown")
_log = logging.getLogger("dreadclock.relay")


class Moments(Generic[Shown]):
    """What happens in a room, as far as a target may know of it and makes something of it."""

    def __init__(self, room: Room, channels: Sequence[Channel], make: Callable[[Record, View, View], Shown | None]):
        self._room, self._channels, self._make = room, channels, make
        self._waiting: deque[tuple[float, Shown]] = deque(maxlen=MOST)
        self._news = asyncio.Event()
        self._time = asyncio.get_running_loop().time

    async def listen(self) -> None:
        """Take in what happens until the room is over: raises ConnectionEnded then."""
        records, before = self._room.records(), self._seen()
        async for record in records:
            after = self._seen()
            if not isinstance(record, ViewReplaced) and record.channel in self._channels:
                self._add(self._make(record, after, before))
            before = after

    def _seen(self) -> View:
        return seen(self._room.view, self._channels)

    def _add(self, shown: Shown | None) -> None:
        if shown is not None:
            self._waiting.append((self._time(), shown))
            self._news.set()

    async def next(self) -> tuple[float, Shown]:
        """Wait for a moment that is not over; return it, and how long it stays fresh by the loop's time."""
        while True:
            while self._waiting:
                began, shown = self._waiting.popleft()
                if self._time() - began <= FRESH_S:
                    return began + FRESH_S, shown
            self._news.clear()
            await self._news.wait()

    def has_more(self) -> bool:
        """Tell whether other moments wait."""
        return bool(self._waiting)
