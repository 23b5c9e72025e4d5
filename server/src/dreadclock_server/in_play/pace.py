"""The pace at which a story is told: as fast as people read, and only while somebody watches."""

import asyncio
import time
from collections.abc import Callable

CHARACTERS_A_SECOND = 16
BREATH_S = 2.5  # beside the reading, for dice to land and to look at what happened
FASTER = 4
WATCHED_FOR_S = 15.0  # after a watcher was last heard of
LOOK_AGAIN_S = 30.0


class Abandoned(Exception):
    """Nobody has watched for a long time."""


class Pace:
    """When the next step is due."""

    def __init__(
        self,
        patience_s: float,
        clock: Callable[[], float] = time.monotonic,
        waits: Callable[[], None] = lambda: None,
    ) -> None:
        """`patience_s`: how long nobody may watch; `waits` is called now and then while the story stands still."""
        self.is_paused = self.is_fast = False
        self._patience_s, self._clock, self._waits = patience_s, clock, waits
        self._watched_at = clock()
        self._skips = False
        self._changed = asyncio.Event()

    def watched(self) -> None:
        """Note that somebody watches."""
        was_watched = self._is_watched
        self._watched_at = self._clock()
        if not was_watched:
            self._changed.set()

    def set(self, *, paused: bool | None = None, fast: bool | None = None, skip: bool = False) -> None:
        """Change the pace; `skip` goes to the next step at once, even in a pause."""
        self.is_paused = self.is_paused if paused is None else paused
        self.is_fast = self.is_fast if fast is None else fast
        self._skips = self._skips or skip
        self._changed.set()

    async def read(self, text: str) -> None:
        """Return once a text was read, or skipped. Raises Abandoned."""
        left_s = BREATH_S + len(text) / CHARACTERS_A_SECOND
        while not self._skips and (left_s > 0 or not self._goes_on):
            began, speed = self._clock(), FASTER if self.is_fast else 1
            goes_on = self._goes_on
            await self._wait(left_s / speed if goes_on else LOOK_AGAIN_S)
            if goes_on:
                left_s -= (self._clock() - began) * speed
        self._skips = False

    async def rest(self) -> None:
        """Wait for as long as somebody watches. Raises Abandoned when nobody does any more."""
        while True:
            await self._wait(LOOK_AGAIN_S)

    @property
    def _goes_on(self) -> bool:
        return self._is_watched and not self.is_paused

    @property
    def _is_watched(self) -> bool:
        return self._clock() - self._watched_at < WATCHED_FOR_S

    async def _wait(self, limit_s: float) -> None:
        """Wait for a change, for so long at most. Raises Abandoned."""
        if self._clock() - self._watched_at >= self._patience_s:
            raise Abandoned
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), limit_s)
        except TimeoutError:
            self._waits()
