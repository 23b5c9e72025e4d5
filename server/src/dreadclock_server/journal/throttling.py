"""Throttling of repeated warnings: the first few of a second are logged, the others counted."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable

import structlog
from structlog.typing import EventDict, WrappedLogger

MOST = 5  # of a kind, a second
_REPEATING = ("warning", "error", "critical")
_MOST_KINDS = 500
_OTHERS = "others"
_log = structlog.get_logger()


class Throttle:
    """A structlog processor that drops what repeats too often; alike are entries of one `kind`, or else of one text."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._second = 0
        self._told = Counter[str]()  # in this second
        self._left_out = Counter[str]()

    def __call__(self, logger: WrappedLogger, method: str, entry: EventDict) -> EventDict:
        """Let an entry through, or count it. Raises DropEvent."""
        kind = str(entry.pop("kind", None) or entry.get("event"))
        if entry.get("level") not in _REPEATING or "left_out" in entry:
            return entry
        self._turn()
        if kind not in self._told and len(self._told) >= _MOST_KINDS:
            kind = _OTHERS
        self._told[kind] += 1
        if self._told[kind] > MOST:
            self._left_out[kind] += 1
            raise structlog.DropEvent
        return entry

    def _turn(self) -> None:
        if self._second != (second := int(self._clock())):
            self._second = second
            self._told.clear()

    async def keep_telling(self) -> None:
        """Say every second how many entries were left out, for ever."""
        while True:
            await asyncio.sleep(1)
            self.tell_left_out()

    def tell_left_out(self) -> None:
        """Say how many entries were left out since this was last asked."""
        left_out, self._left_out = self._left_out, Counter()
        for kind, count in left_out.items():
            _log.warning("repeated", of=kind, left_out=count)
