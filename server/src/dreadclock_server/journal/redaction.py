"""Redaction of tracebacks for the log: where an exception happened, not what it says, which may be a secret."""

import asyncio
import traceback
from collections.abc import Iterator

from redis.exceptions import ConnectionError as RedisConnectionError

from dreadclock_server.store.base import StoreError

_HARMLESS = (OSError, StoreError, RedisConnectionError, asyncio.CancelledError)  # what these say
_MOST_FRAMES = 40
_MOST_CAUSES = 8


def redacted_traceback(error: BaseException) -> str:
    """Return an exception and what led to it: types, files, lines, no values and few messages."""
    parts = ["".join(_one(cause)) for cause in _chain(error)]
    return "\nwhich led to\n".join(reversed(parts))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and its causes, the last one first."""
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _one(error: BaseException) -> Iterator[str]:
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_list(traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:])
    yield f"{type(error).__module__}.{type(error).__qualname__}"
    if isinstance(error, _HARMLESS) and (says := str(error)):
        yield f": {says}"
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions[:_MOST_CAUSES]:
            yield "\nof it\n"
            yield from _one(member)
