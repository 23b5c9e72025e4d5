"""Logging to stderr with structlog: an entry per line, without secrets, and with a limit on repeated warnings."""

import asyncio
import logging
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TextIO, cast

import structlog
from redis.exceptions import ConnectionError as RedisConnectionError
from structlog.typing import EventDict, Processor, WrappedLogger

from dreadclock.wire.plain import plain
from dreadclock_server.store.base import StoreError

# Redaction of tracebacks. The log shows where an exception happened, but not its text, which may contain a secret.


# The texts of these exceptions contain no secrets.
_HARMLESS = (OSError, StoreError, RedisConnectionError, asyncio.CancelledError)
_MOST_FRAMES = 40
_MOST_CAUSES = 8


def redacted_traceback(error: BaseException) -> str:
    """Return the traceback of an exception and its causes. Leaves out texts that may contain secrets."""
    parts = ["".join(_lines_of(cause)) for cause in _chain(error)]
    return "\nwhich led to\n".join(reversed(parts))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception, then its cause, then the cause of this cause, and so on."""
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _lines_of(error: BaseException) -> Iterator[str]:
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_list(traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:])
    yield f"{type(error).__module__}.{type(error).__qualname__}"
    if isinstance(error, _HARMLESS) and (says := str(error)):
        yield f": {says}"
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions[:_MOST_CAUSES]:
            yield "\nof it\n"
            yield from _lines_of(member)


# Libraries log with the standard `logging`. A handler passes their entries to structlog.


_LEVELS = (logging.CRITICAL, logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)
_log = structlog.get_logger()


class StdlibBridge(logging.Handler):
    """Passes log records to structlog, each as one line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log only the first line of a record. Further lines may contain the texts of exceptions, as asyncio's do."""
        try:
            level = next((step for step in _LEVELS if step <= record.levelno), logging.DEBUG)
            text = plain(record.getMessage().strip().partition("\n")[0])
            _log.log(level, text, logger=record.name, kind=f"{record.name}:{record.lineno}", exc_info=record.exc_info)
        except Exception:
            self.handleError(record)


# Throttling of repeated warnings: the first few of each second are logged, the others are only counted.


MOST = 5  # entries of a kind per second
_REPEATING = ("warning", "error", "critical")
_MOST_KINDS = 500
_OTHERS = "others"


class Throttle:
    """A structlog processor that lets through MOST warnings and errors of a kind in a second. It counts the others.

    The kind of an entry is its field `kind`, or its text if it has no such field.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._second = 0
        self._told = Counter[str]()  # logged or dropped entries by kind, in this second
        self._left_out = Counter[str]()

    def __call__(self, logger: WrappedLogger, method: str, entry: EventDict) -> EventDict:
        """Return the entry without `kind` if it is to be logged. Raises DropEvent if it is only counted."""
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
        """Log every second how many entries were dropped. Runs for ever."""
        while True:
            await asyncio.sleep(1)
            self.tell_left_out()

    def tell_left_out(self) -> None:
        """Log how many entries were dropped since the last call."""
        left_out, self._left_out = self._left_out, Counter()
        for kind, count in left_out.items():
            _log.warning("repeated", of=kind, left_out=count)


# Configuration


# from these loggers, only warnings and errors are logged
_LIBRARIES = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")


class _LossyFile:
    """A file that ignores errors. If its reader is gone or the disk is full, lines are lost, but the server goes on."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write a text. Ignores errors."""
        with suppress(OSError, ValueError):
            self._file.write(text)

    def flush(self) -> None:
        """Flush the file. Ignores errors."""
        with suppress(OSError, ValueError):
            self._file.flush()


def keep_journal(format_: str = "auto", level: str = "info") -> Throttle:
    """Send all log entries, also those of libraries, to stderr. Returns the Throttle in use.

    `format_`: `console`: text for people. `json`: one JSON object per line. `auto`: `console` if stderr is a terminal,
    otherwise `json`.
    """
    throttle, least = Throttle(), logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(least),
        processors=[
            structlog.processors.add_log_level,
            throttle,
            structlog.processors.TimeStamper(fmt="iso"),
            _redact_exception,
            _renderer(format_),
        ],
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _LossyFile(sys.stderr))),
    )
    root = logging.getLogger()
    root.addHandler(StdlibBridge())
    root.setLevel(max(least, logging.INFO))
    for name in _LIBRARIES:
        logging.getLogger(name).setLevel(max(least, logging.WARNING))
    logging.captureWarnings(True)
    return throttle


class LoggedFailures:
    """A context manager that logs and suppresses errors of its block.

    `event`: the text of the log entry for a StoreError; if it is empty, a StoreError is not logged. Any other error is
    logged as a bug. `about`: further fields of the log entry.
    """

    def __init__(self, event: str = "", **about: object) -> None:
        self._event, self._about = event, about

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        """Log an error, and return True to suppress it. Cancellations and SystemExit are not suppressed."""
        if isinstance(error, StoreError):
            if self._event:
                _log.warning(self._event, **self._about, error=str(error))
        elif isinstance(error, Exception):
            _log.exception("bug", **self._about, exc_info=error)
        return isinstance(error, Exception)


def end_quietly() -> None:
    """Discard output that stdout and stderr do not accept. Otherwise, Python would try again at exit, and end
    with code 120.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())


def _redact_exception(logger: WrappedLogger, method: str, entry: EventDict) -> EventDict:
    """Replace an exception by its redacted traceback."""
    given = entry.pop("exc_info", None)
    error = given[1] if isinstance(given, tuple) else sys.exc_info()[1] if given is True else given
    if isinstance(error, BaseException):
        entry["exception"] = redacted_traceback(error)
    return entry


def _renderer(format_: str) -> Processor:
    is_for_people = format_ == "console" or (format_ == "auto" and sys.stderr.isatty())
    if is_for_people:
        return structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    return structlog.processors.JSONRenderer(sort_keys=False)
