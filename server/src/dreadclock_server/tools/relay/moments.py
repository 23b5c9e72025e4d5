"""A queue of events for targets that only show the present.

Events are dropped 30 s after the relay received them. Events from before the relay started are never queued.
"""

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

FRESH_S = 30.0  # events are dropped so long after the relay received them
MOST = 256  # queue limit; beyond it, the oldest events are dropped

Shown = TypeVar("Shown")
_log = logging.getLogger("dreadclock.relay")


class Moments(Generic[Shown]):
    """A queue of recent events for a target.

    `make`: returns the queued item for an event, or None to skip the event.
    """

    def __init__(self, room: Room, channels: Sequence[Channel], make: Callable[[Record, View, View], Shown | None]):
        self._room, self._channels, self._make = room, channels, make
        self._waiting: deque[tuple[float, Shown]] = deque(maxlen=MOST)
        self._news = asyncio.Event()
        self._time = asyncio.get_running_loop().time

    async def listen(self) -> None:
        """Fill the queue. Raises ConnectionEnded when the room is closed."""
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
        """Wait for a fresh item. Return the time (of the event loop) until which it is fresh, and the item."""
        while True:
            while self._waiting:
                began, shown = self._waiting.popleft()
                if self._time() - began <= FRESH_S:
                    return began + FRESH_S, shown
            self._news.clear()
            await self._news.wait()

    def has_more(self) -> bool:
        """Return whether more items are queued."""
        return bool(self._waiting)
