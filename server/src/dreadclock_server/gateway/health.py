"""Health: whether this process can serve now.

The store is polled twice a second in the background, so that /readyz answers at once.
"""

import asyncio
import time
from contextlib import suppress

import structlog

from dreadclock_server.rooms.answers import trouble_of
from dreadclock_server.rooms.counters import histogram
from dreadclock_server.store.base import Memory, Store, StoreError, Trouble

EVERY_S = 0.5
PATIENCE_S = 1.0  # a store that has not answered a poll for this long counts as away
MEMORY_EVERY_S = 5.0
NEARLY_FULL, NO_LONGER_FULL = 0.8, 0.7  # shares of the store's memory limit; with only one, warnings could repeat
_MIB = 1024 * 1024
_log = structlog.get_logger()


class Health:
    """Polls the store, and measures the delay of the event loop."""

    def __init__(
        self,
        store: Store,
        every_s: float = EVERY_S,
        patience_s: float = PATIENCE_S,
        memory_every_s: float = MEMORY_EVERY_S,
    ) -> None:
        self.memory: Memory | None = None  # the store's memory, as last reported
        about = "Time until the store answered a ping, sent twice a second"
        self.round_trip_s = histogram("store_round_trip_seconds", about)
        self.lag_s = histogram("loop_lag_seconds", "Delay of the event loop, measured twice a second")
        self.is_leaving = False  # whether this process shuts down, so that load balancers should send no clients
        self._store, self._every_s, self._patience_s = store, every_s, patience_s
        self._asked_at: float | None = None  # time of the poll that is not answered yet
        self._trouble: Trouble | None = Trouble.AWAY  # why the store takes no writes, as last reported
        self._has_answered = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._memory_every_s, self._is_nearly_full = memory_every_s, False

    async def start(self) -> None:
        """Start measuring. Returns after the first answer of the store, or after `patience_s`."""
        self._tasks = [asyncio.create_task(task) for task in (self._ask(), self._measure_lag(), self._watch_memory())]
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience_s):
                await self._has_answered.wait()

    async def aclose(self) -> None:
        """Stop measuring."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def trouble(self) -> Trouble | None:
        """Why the store takes no writes; None if it takes writes. AWAY if the store does not answer a poll in time."""
        is_silent = self._asked_at is not None and time.monotonic() - self._asked_at > self._patience_s
        return self._trouble or (Trouble.AWAY if is_silent else None)

    @property
    def objection(self) -> str | None:
        """Why load balancers should not send clients here now; None if they may send clients."""
        if self.is_leaving:
            return "this server is shutting down"
        return self.trouble

    async def _ask(self) -> None:
        while True:
            self._asked_at = time.monotonic()
            trouble = await self._find_trouble()
            if trouble is None:
                self.round_trip_s.observe(time.monotonic() - self._asked_at)
            if self._has_answered.is_set():
                _tell_change(self._trouble, trouble)
            self._trouble, self._asked_at = trouble, None
            self._has_answered.set()
            await asyncio.sleep(self._every_s)

    async def _find_trouble(self) -> Trouble | None:
        try:
            await self._store.ping()
        except StoreError as error:
            return trouble_of(error)
        except Exception:
            _log.exception("bug", where="pulse")
            return Trouble.AWAY
        return None

    async def _watch_memory(self) -> None:
        while True:
            try:
                self.memory = await self._store.memory()
                self._tell_memory(self.memory)
            except StoreError:
                self.memory = None
            except Exception:
                _log.exception("bug", where="memory")
            await asyncio.sleep(self._memory_every_s)

    def _tell_memory(self, memory: Memory | None) -> None:
        """Log a warning once when the store's memory is nearly full, and a message when it no longer is."""
        if memory is None or not memory.limit_bytes:
            return
        share = memory.used_bytes / memory.limit_bytes
        if share >= NEARLY_FULL and not self._is_nearly_full:
            self._is_nearly_full = True
            used, limit = memory.used_bytes // _MIB, memory.limit_bytes // _MIB
            _log.warning("the memory of the store is nearly full", used_mib=used, limit_mib=limit)
        elif share < NO_LONGER_FULL and self._is_nearly_full:
            self._is_nearly_full = False
            _log.info("there is room in the memory of the store again")

    async def _measure_lag(self) -> None:
        while True:
            due = time.monotonic() + self._every_s
            await asyncio.sleep(self._every_s)
            self.lag_s.observe(max(0.0, time.monotonic() - due))


def _tell_change(before: Trouble | None, now: Trouble | None) -> None:
    if now is None and before is not None:
        _log.info("ready again")
    elif now is not before:
        _log.warning("not ready", because=str(now))
