"""Logging: one line an entry on stderr, never a secret, never too many at once. structlog does the work."""

import logging
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from dreadclock_server.journal.redaction import redacted_traceback
from dreadclock_server.journal.stdlib_bridge import StdlibBridge
from dreadclock_server.journal.throttling import Throttle

FORMATS = ("auto", "console", "json")
LEVELS = ("debug", "info", "warning", "error")
_LIBRARIES = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")  # bring handlers of their own, if any


class _LossyFile:
    """A file whose lines may be lost: if nobody reads them any more, or the disk is full, work goes on."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write, if possible."""
        with suppress(OSError, ValueError):
            self._file.write(text)

    def flush(self) -> None:
        """Flush, if possible."""
        with suppress(OSError, ValueError):
            self._file.flush()


def keep_journal(format_: str = "auto", level: str = "info") -> Throttle:
    """Send what is logged, by us and by libraries, to stderr; `auto` is for people on a terminal, else JSON lines.

    Returns what throttles repeated warnings.
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


def forget_journal() -> None:
    """Undo `keep_journal`."""
    structlog.reset_defaults()
    logging.captureWarnings(False)
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    for handler in root.handlers[:]:
        if isinstance(handler, StdlibBridge):
            root.removeHandler(handler)


def end_quietly() -> None:
    """Drop what stdout and stderr do not take, which Python would try again at the end, and end with 120 for it."""
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


__all__ = ["FORMATS", "LEVELS", "Throttle", "end_quietly", "forget_journal", "keep_journal"]
