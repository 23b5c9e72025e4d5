"""Bridge from the standard library's `logging`, which libraries use, into structlog."""

import logging

import structlog

from dreadclock.wire.plain import plain

_LEVELS = (logging.CRITICAL, logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)
_log = structlog.get_logger()


class StdlibBridge(logging.Handler):
    """Passes records on to structlog, each as one line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record. Of a long one only the first line: asyncio puts exceptions with their texts into the others."""
        try:
            level = next((step for step in _LEVELS if step <= record.levelno), logging.DEBUG)
            text = plain(record.getMessage().strip().partition("\n")[0])
            _log.log(level, text, logger=record.name, kind=f"{record.name}:{record.lineno}", exc_info=record.exc_info)
        except Exception:
            self.handleError(record)
