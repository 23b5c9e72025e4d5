"""Undoes what a server does to the logging of its process."""

import logging

import structlog

from dreadclock_server.journal import StdlibBridge


def forget_journal() -> None:
    """Undo `keep_journal`."""
    structlog.reset_defaults()
    logging.captureWarnings(False)
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    for handler in root.handlers[:]:
        if isinstance(handler, StdlibBridge):
            root.removeHandler(handler)
