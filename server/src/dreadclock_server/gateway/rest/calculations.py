"""Calculations that take a while, in a thread, one at a time."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from dreadclock_server.gateway.limits.rates import too_soon

MAX_WAITING = 16
RETRY_MS = 1_000

_Answer = TypeVar("_Answer")


class Calculations:
    """One calculation at a time: more at once would take their time from every room."""

    def __init__(self, most: int = MAX_WAITING) -> None:
        self.turn = asyncio.Lock()  # for those who have a place
        self._most, self._waiting = most, 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take a place among those who wait. Raises Refused if there is none."""
        if self._waiting >= self._most:
            raise too_soon(RETRY_MS)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def work_out(self, ask: Callable[[], _Answer]) -> _Answer:
        """Return what `ask` returns in a thread, or raise what it raises. Raises Refused if too many wait already."""
        with self.place():
            return await self.work_out_in_place(ask)

    async def work_out_in_place(self, ask: Callable[[], _Answer]) -> _Answer:
        """Do the same for who has taken a place before, so as to be refused before anything is done."""
        async with self.turn:
            return await asyncio.to_thread(ask)
