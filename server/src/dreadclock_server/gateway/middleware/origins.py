"""Origins: which pages elsewhere may connect, and what their browsers are told of it (CORS)."""

import re
from collections.abc import Iterable

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

_METHODS = ("GET", "POST", "DELETE")
_HEADERS = ("Authorization", "Idempotency-Key", "Last-Event-ID")  # beside those that are always allowed
_READABLE = ("Retry-After",)
_ANY_NAME = "*."
_NAMES = r"(?:[a-z0-9_-]+\.)+"  # one name before the host, or several


def pattern_of(origins: Iterable[str]) -> re.Pattern[str]:
    """Return what matches these origins as a whole; in `https://*.vtt.example` the star is any names, but not none."""
    patterns = (re.escape(origin).replace(re.escape(_ANY_NAME), _NAMES) for origin in origins)
    return re.compile("|".join(patterns) or "(?!)")


def with_cors(app: ASGIApp, allowed: re.Pattern[str]) -> ASGIApp:
    """Let allowed pages read what is answered, and ask beforehand whether they may send something.

    No cookie is ever taken or sent: whoever calls shows a token in a header, which browsers never add by themselves.
    """
    return CORSMiddleware(
        app,
        allow_origin_regex=allowed.pattern,
        allow_methods=_METHODS,
        allow_headers=_HEADERS,
        expose_headers=_READABLE,
    )
