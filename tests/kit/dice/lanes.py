"""Clients' own tokens: what a client would keep, made from a number."""

from typing import Any

from dreadclock.rules.ledger import Chain, text32, token_chain
from dreadclock.wire.records import room_bytes
from kit.tables import ROOM


def tokens(secret: int = 1) -> Chain:
    """Return the tokens of a client."""
    return token_chain(room_bytes(ROOM), bytes([secret]) * 32)


def opening(secret: int = 1) -> dict[str, Any]:
    """Return the command that opens a lane for a client's tokens."""
    return {"type": "open_lane", "anchor": text32(tokens(secret).value(0))}


def dice(n: int, lane: str, secret: int = 1, seen: int = 100_000, **fields: Any) -> dict[str, Any]:
    """Return a roll's own part, with the token that fits."""
    return {"lane": lane, "n": n, "token": text32(tokens(secret).value(n)), "seen": seen, **fields}
