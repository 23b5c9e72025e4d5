"""Streams: iterators over the events of a room, each with its own queue."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Generic, TypeVar

from dreadclock.client.outcomes import ViewReplaced
from dreadclock.wire.errors import DreadclockError
from dreadclock.wire.records import Record

QUEUE_LIMIT = 100_000  # unread records of a stream

T = TypeVar("T")


class FellBehind(DreadclockError):
    """An iterator was read so slowly that its queue is full. The room and other iterators continue."""


class Stream(AsyncIterator[T | ViewReplaced], Generic[T]):
    """An iterator over the items that arrive after its creation, for a single reader.

    It ends when this client closes the room. It raises ConnectionEnded when the server closes the connection for
    good, and FellBehind beyond 100,000 unread records. It need not be closed.
    """

    def __init__(self, select: Callable[[Record], T], limit: int = QUEUE_LIMIT) -> None:
        self._select, self._limit = select, limit
        self._queue: deque[Record | ViewReplaced] = deque()
        self._over: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    def put(self, item: Record | ViewReplaced) -> None:
        """Append an item."""
        if self._over is not None:
            return
        self._queue.append(item)
        if len(self._queue) > self._limit:
            self._queue.clear()
            self._over = FellBehind(f"more than {self._limit} records were left unread")
        self._wake()

    def end(self, error: Exception | None) -> None:
        """End the stream after the queued items, with `error` if there is one."""
        if self._over is None:
            self._over = error or StopAsyncIteration()
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def __aiter__(self) -> "Stream[T]":
        return self

    async def __anext__(self) -> T | ViewReplaced:
        while not self._queue:
            if isinstance(self._over, StopAsyncIteration):
                raise StopAsyncIteration
            if self._over is not None:
                raise self._over
            await self._news()
        item = self._queue.popleft()
        return item if isinstance(item, ViewReplaced) else self._select(item)

    async def _news(self) -> None:
        if self._waiter is not None:
            raise RuntimeError("a stream has one reader at a time; call events() or records() once for each")
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None
