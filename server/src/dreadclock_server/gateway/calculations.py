"""Answers that take a while to work out, aside from the rooms."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from dreadclock_server.gateway.limits import too_soon

MAX_WAITING = 16
RETRY_MS = 1_000

_Answer = TypeVar("_Answer")


class Calculations:
    """One calculation at a time, in a thread: more at once would take their time from every room."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def work_out(self, ask: Callable[[], _Answer]) -> _Answer:
        """Return what `ask` returns, or raise what it raises. Raises Refused if too many wait already."""
        if self._waiting >= MAX_WAITING:
            raise too_soon(RETRY_MS)
        self._waiting += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(ask)
        finally:
            self._waiting -= 1
