"""The pace of a story: it gives people time to read each text, and stops while nobody watches."""

import asyncio
import time
from collections.abc import Callable

CHARACTERS_A_SECOND = 16
BREATH_S = 2.5  # added to each reading time, so that the animation of dice can end
FASTER = 4
WATCHED_FOR_S = 15.0  # a story counts as watched for this long after a request of a watcher
LOOK_AGAIN_S = 30.0


class Abandoned(Exception):
    """Nobody has watched for so long that the story is given up."""


class Pace:
    """Delays the steps of a story."""

    def __init__(
        self,
        patience_s: float,
        clock: Callable[[], float] = time.monotonic,
        waits: Callable[[], None] = lambda: None,
    ) -> None:
        """`patience_s`: after this time without a watcher, `read` and `rest` raise Abandoned.

        `waits`: called each time a wait ends without a change of the pace.
        """
        self.is_paused = self.is_fast = False
        self._patience_s, self._clock, self._waits = patience_s, clock, waits
        self._watched_at = clock()
        self._skips = False
        self._changed = asyncio.Event()

    def watched(self) -> None:
        """Count the story as watched, for WATCHED_FOR_S from now on."""
        was_watched = self._is_watched
        self._watched_at = self._clock()
        if not was_watched:
            self._changed.set()

    def set(self, *, paused: bool | None = None, fast: bool | None = None, skip: bool = False) -> None:
        """Change the pace. `skip`: go to the next step at once, even in a pause."""
        self.is_paused = self.is_paused if paused is None else paused
        self.is_fast = self.is_fast if fast is None else fast
        self._skips = self._skips or skip
        self._changed.set()

    async def read(self, text: str) -> None:
        """Return after the time for reading a text, or when a watcher skips it. Pauses do not count as reading time.

        Raises Abandoned if nobody has watched for `patience_s`.
        """
        left_s = BREATH_S + len(text) / CHARACTERS_A_SECOND
        while not self._skips and (left_s > 0 or not self._goes_on):
            began, speed = self._clock(), FASTER if self.is_fast else 1
            goes_on = self._goes_on
            await self._wait(left_s / speed if goes_on else LOOK_AGAIN_S)
            if goes_on:
                left_s -= (self._clock() - began) * speed
        self._skips = False

    async def rest(self) -> None:
        """Wait until nobody has watched for `patience_s`, then raise Abandoned. Never returns."""
        while True:
            await self._wait(LOOK_AGAIN_S)

    @property
    def _goes_on(self) -> bool:
        return self._is_watched and not self.is_paused

    @property
    def _is_watched(self) -> bool:
        return self._clock() - self._watched_at < WATCHED_FOR_S

    async def _wait(self, limit_s: float) -> None:
        """Wait at most `limit_s` for a change of the pace, or for a watcher.

        Raises Abandoned if nobody has watched for `patience_s`.
        """
        if self._clock() - self._watched_at >= self._patience_s:
            raise Abandoned
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), limit_s)
        except TimeoutError:
            self._waits()
