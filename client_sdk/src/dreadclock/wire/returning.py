"""The close reason of a server that restarts. It tells clients to reconnect at different times, to avoid a burst."""

import re

from dreadclock.wire.errors import CloseCode

RETURNS_A_SECOND = 400  # reconnects that the next server should get per second
SHORTEST_MS = 100
LONGEST_MS = 10_000
MOST_MS = 60_000  # the longest delay that a client accepts
_WITHIN = re.compile(r"\bwithin ([0-9]{1,5}) ms\b")


def restart_reason(connections: int) -> str:
    """Return the close reason, which says within how many ms clients should reconnect.

    The time grows with the number of connections, from SHORTEST_MS to LONGEST_MS.
    """
    within_ms = min(LONGEST_MS, max(SHORTEST_MS, connections * 1000 // RETURNS_A_SECOND))
    return f"this server restarts: come back within {within_ms} ms"


def return_within_ms(code: int | None, reason: str) -> int:
    """Return within how many ms a client should reconnect. 0 if the server does not restart, or gave no time.

    The client should choose a random moment in this time.
    """
    match = _WITHIN.search(reason) if code == CloseCode.RESTART else None
    return min(MOST_MS, int(match[1])) if match is not None else 0
