"""Retries: repeat a call to the store until it is certain whether its write happened."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from typing import TypeVar

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from dreadclock_server.store.base import StoreUnavailable, Trouble

OUTCOME_UNKNOWN = (RedisConnectionError, RedisTimeoutError, InvalidResponse, OSError)
_REFUSED = re.compile(r"\b(OOM|MISCONF|NOREPLICAS|READONLY)\b")
_DISK_FULL = re.compile(r"No space left on device|Disk quota exceeded")
_MEMORY_FULL = re.compile(r"\bOOM\b")
_BUSY = re.compile(r"\b(BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN)\b")
_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.5

T = TypeVar("T")


def _code(error: ResponseError) -> str:
    """Return an error's message with its code. redis-py moves some codes from the message to `status_code`."""
    return f"{getattr(error, 'status_code', None) or ''} {error}".strip()


def _trouble(refusal: str) -> Trouble:
    if _MEMORY_FULL.search(refusal):
        return Trouble.MEMORY_FULL
    return Trouble.DISK_FULL if _DISK_FULL.search(refusal) else Trouble.NO_WRITES


class _Tries:
    """What is known of a call after some tries: the last error, and whether a try may have written."""

    def __init__(self) -> None:
        self.last: Exception | None = None
        self._maybe_applied = False
        self._pause_s = _FIRST_PAUSE_S

    def note(self, error: Exception) -> None:
        """Take in the error of a try. Raise this error or StoreUnavailable if further tries cannot help."""
        self.last = error
        if not isinstance(error, ResponseError):
            self._maybe_applied = True
        elif _REFUSED.search(_code(error)):
            applied = None if self._maybe_applied else False
            trouble = _trouble(_code(error))
            raise StoreUnavailable(f"{trouble}: {_code(error)}", applied=applied, trouble=trouble) from error
        elif not _BUSY.search(_code(error)):
            if self._maybe_applied:
                raise StoreUnavailable(f"the store does not say what became of it: {_code(error)}") from error
            raise error

    async def pause(self) -> None:
        await asyncio.sleep(self._pause_s * random.uniform(0.5, 1.5))
        self._pause_s = min(self._pause_s * 2, _LONGEST_PAUSE_S)


async def retry_until_known(call: Callable[[], Awaitable[T]], within_s: float, failed: Exception | None = None) -> T:
    """Repeat `call` until its outcome is known, for at most `within_s` seconds.

    `call` must be safe to repeat. `failed`: the error of an earlier try by the caller, if there was one.

    Lost connections, timeouts and a busy server are retried. Raises StoreUnavailable if the outcome stays unknown. Also
    raises it at once if the server refuses writes (out of memory, disk full, a replica): waiting does not help then.
    Any other error of the server is a bug, and is raised unchanged. But if an earlier try may have written, raises
    StoreUnavailable instead.
    """
    tries = _Tries()
    if failed is not None:
        tries.note(failed)
    try:
        async with asyncio.timeout(within_s):
            while True:
                try:
                    return await call()
                except (*OUTCOME_UNKNOWN, ResponseError) as error:
                    tries.note(error)
                await tries.pause()
    except TimeoutError as error:
        why = f"{tries.last}" if tries.last else "it is silent"
        raise StoreUnavailable(f"the store gave no answer in {within_s:g} s: {why}") from error
