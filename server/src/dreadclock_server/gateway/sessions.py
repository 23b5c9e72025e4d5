"""Session ids. In a session, a client numbers its commands, so that a repeated command is not applied again.

Any server process can issue and sign ids. An id contains its issue time, and is valid for one seat.

body    = ms since 1970, 6 bytes || 10 random bytes
MAC     = HMAC-SHA256(the room's session key, "session1\\0" || room || "\\0" || seat || "\\0" || body)
session = base64url(body || first 16 bytes of the MAC)
"""

import base64
import binascii
import hashlib
import hmac
import secrets

from dreadclock.wire.base import Id, RoomId
from dreadclock_server.core.sessions import Sessions, key_session


def issue(key: bytes, room_id: RoomId, seat_id: Id, now_ms: int) -> str:
    """Make a session for a seat, and return its id. `key`: the session key of the room."""
    body = now_ms.to_bytes(6, "big") + secrets.token_bytes(10)
    return _written(body + _mac(key, room_id, seat_id, body))


def resumable(key: bytes, room_id: RoomId, seat_id: Id, session: str, sessions: Sessions) -> bool:
    """Return whether a session is genuine, belongs to the seat, and cannot have been forgotten by the room."""
    try:
        raw = base64.urlsafe_b64decode(session + "=" * (-len(session) % 4))
    except (binascii.Error, ValueError):
        return False
    body, mac = raw[:16], raw[16:]
    if len(raw) != 32 or _written(raw) != session or not hmac.compare_digest(mac, _mac(key, room_id, seat_id, body)):
        return False
    return not sessions.may_be_forgotten(seat_id, session)


def of_key(seat_id: Id, idempotency_key: str) -> str:
    """Return the session of a REST command with an Idempotency-Key. The command has number 1 in this session."""
    return key_session(hashlib.sha256(f"{seat_id}\0{idempotency_key}".encode()).hexdigest()[:40])


def _written(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _mac(key: bytes, room_id: RoomId, seat_id: Id, body: bytes) -> bytes:
    return hmac.digest(key, b"session1\0" + f"{room_id}\0{seat_id}\0".encode() + body, "sha256")[:16]
