"""Origins: which pages of other sites may connect, and the CORS headers for their browsers."""

import re
from collections.abc import Iterable

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

_METHODS = ("GET", "POST", "DELETE")
_HEADERS = ("Authorization", "Idempotency-Key", "Last-Event-ID")  # in addition to the headers that are always allowed
_READABLE = ("Retry-After",)
_ANY_NAME = "*."
_NAMES = r"(?:[a-z0-9_-]+\.)+"  # one or more labels before the host


def pattern_of(origins: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for these origins. The star in `https://*.vtt.example` stands for one or more labels."""
    patterns = (re.escape(origin).replace(re.escape(_ANY_NAME), _NAMES) for origin in origins)
    return re.compile("|".join(patterns) or "(?!)")


def with_cors(app: ASGIApp, allowed: re.Pattern[str]) -> ASGIApp:
    """Let allowed pages read answers, and answer their preflight requests.

    There are no cookies: callers send a token in a header, which browsers never add by themselves.
    """
    return CORSMiddleware(
        app,
        allow_origin_regex=allowed.pattern,
        allow_methods=_METHODS,
        allow_headers=_HEADERS,
        expose_headers=_READABLE,
    )
