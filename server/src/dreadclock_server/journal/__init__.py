"""What a server says of itself while it runs: one line an entry on stderr, never a secret, never too many at once."""

import logging
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from dreadclock_server.journal.redaction import told
from dreadclock_server.journal.stdlib_bridge import Foreign
from dreadclock_server.journal.throttling import Quiet

FORMATS = ("auto", "console", "json")
LEVELS = ("debug", "info", "warning", "error")
_LIBRARIES = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")  # bring handlers of their own, if any


class _Lasting:
    """A file for lines that may be lost: where nobody takes them any more, or the disk is full, work goes on."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write, if it can be."""
        with suppress(OSError, ValueError):
            self._file.write(text)

    def flush(self) -> None:
        """Hand on what was written, if it can be."""
        with suppress(OSError, ValueError):
            self._file.flush()


def keep_journal(format_: str = "auto", level: str = "info") -> Quiet:
    """Send what is logged, by us and by libraries, to stderr; `auto` is for people on a terminal, else JSON lines.

    Returns what keeps repeated warnings short.
    """
    quiet, least = Quiet(), logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(least),
        processors=[
            structlog.processors.add_log_level,
            quiet,
            structlog.processors.TimeStamper(fmt="iso"),
            _tell_exception,
            _renderer(format_),
        ],
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _Lasting(sys.stderr))),
    )
    root = logging.getLogger()
    root.addHandler(Foreign())
    root.setLevel(max(least, logging.INFO))
    for name in _LIBRARIES:
        logging.getLogger(name).setLevel(max(least, logging.WARNING))
    logging.captureWarnings(True)
    return quiet


def forget_journal() -> None:
    """Undo `keep_journal`."""
    structlog.reset_defaults()
    logging.captureWarnings(False)
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    for each in root.handlers[:]:
        if isinstance(each, Foreign):
            root.removeHandler(each)


def end_quietly() -> None:
    """Drop what stdout and stderr do not take, which Python would try again at the end, and end with 120 for it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())


def _tell_exception(logger: WrappedLogger, method: str, entry: EventDict) -> EventDict:
    """Put in place of an exception where it happened."""
    given = entry.pop("exc_info", None)
    error = given[1] if isinstance(given, tuple) else sys.exc_info()[1] if given is True else given
    if isinstance(error, BaseException):
        entry["exception"] = told(error)
    return entry


def _renderer(format_: str) -> Processor:
    is_for_people = format_ == "console" or (format_ == "auto" and sys.stderr.isatty())
    if is_for_people:
        return structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    return structlog.processors.JSONRenderer(sort_keys=False)


__all__ = ["FORMATS", "LEVELS", "Quiet", "end_quietly", "forget_journal", "keep_journal"]
