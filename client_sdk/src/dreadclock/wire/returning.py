"""How a server that ends spreads the return of its clients, in the reason of its close frame."""

import re

from dreadclock.wire.errors import CloseCode

RETURNS_A_SECOND = 400  # that the next server is asked to bear
SHORTEST_MS = 100
LONGEST_MS = 10_000
MOST_MS = 60_000  # that a client heeds
_WITHIN = re.compile(r"\bwithin ([0-9]{1,5}) ms\b")


def restart_reason(connections: int) -> str:
    """Say why so many connections are closed, and within what time to come back: the more, the longer."""
    within_ms = min(LONGEST_MS, max(SHORTEST_MS, connections * 1000 // RETURNS_A_SECOND))
    return f"this server restarts: come back within {within_ms} ms"


def return_within_ms(code: int | None, reason: str) -> int:
    """Read within what time a client should come back, at a moment of its choice; 0 if the server did not say."""
    match = _WITHIN.search(reason) if code == CloseCode.RESTART else None
    return min(MOST_MS, int(match[1])) if match is not None else 0
