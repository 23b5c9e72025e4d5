"""Knocks: requests for a seat, from people who have no token.

The server gives the knocker a secret. The knock's id and the later token are derived from this secret.

    knock    = base32(when it expires, u32be in s || first 12 bytes of SHA256("knock1\\0" || room || these 4 bytes ||
    secret))
    token    = base64url(first 16 bytes of HMAC-SHA256(secret, "knock1/token\\0" || knock))
    token id = base32(first 5 bytes of HMAC-SHA256(secret, "knock1/id\\0" || knock))

The store does not contain the secret, so the server can compute the token only for a request with the secret. The
server can check a secret without the store, even for a room that does not exist.
"""

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Any

from dreadclock.wire.base import Id, MillisecondsUtc, Model, Name, Role, RoomId, Scope
from dreadclock.wire.frames import KnockId, KnockRole, WaitingKnock
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.rest import TokenInfo
from dreadclock.wire.things import Seat
from dreadclock_server.core.families.room import folded

EXPIRES_S = 300  # lifetime of a knock
PICKED_UP_WITHIN_S = 60  # answered knocks are kept this much longer, so that late answers can be fetched
MOST_KNOCKS = 16  # knocks per room; beyond that, the knock that expires first is deleted
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"


class Decision(Model):
    """The gm's decision. `nonce` distinguishes the decision from an earlier decision that was withdrawn."""

    nonce: str
    accept: bool
    role: KnockRole
    name: Name
    scopes: tuple[Scope, ...] = ()
    seat_id: Id | None = None  # an existing seat to give; None: a new seat


class Row(Model):
    """A stored knock. Changes to these fields change the storage format."""

    name: Name
    wants: KnockRole
    client: Name | None = None
    expires_at: MillisecondsUtc
    decision: Decision | None = None
    seat_id: Id | None = None  # the seat that was given
    scopes: tuple[Scope, ...] = ()  # the scopes of the seat
    taken_at: MillisecondsUtc | None = None  # when the token was stored

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer that the knocker can fetch."""
        return self.seat_id is not None or (self.decision is not None and not self.decision.accept)

    @property
    def over_at(self) -> MillisecondsUtc:
        """When the row may be deleted, in milliseconds since 1970."""
        return self.expires_at + (PICKED_UP_WITHIN_S * 1000 if self.is_answered else 0)

    def text(self) -> str:
        """Return the row as stored text."""
        return f"{self.over_at} {self.model_dump_json(exclude_none=True)}"


def row_of(text: str | None, now_ms: int) -> Row | None:
    """Read a stored row. Return None if `text` is None, or if the row has expired."""
    if text is None:
        return None
    row = Row.model_validate_json(text.partition(" ")[2])
    return row if now_ms < row.over_at else None


def issue(room_id: str, now_ms: int) -> tuple[KnockId, str, MillisecondsUtc]:
    """Make a knock. Return its id, its secret, and when it expires, in milliseconds since 1970."""
    secret = secrets.token_urlsafe(16)
    expires_s = now_ms // 1000 + EXPIRES_S
    return _knock(room_id, expires_s.to_bytes(4, "big"), secret), secret, expires_s * 1000


def expiry_of(room_id: str, knock: str, secret: str) -> MillisecondsUtc | None:
    """Return the expiry of a knock, which may be past; None if the secret does not fit the knock and the room."""
    try:
        when = base64.b32decode(f"{knock.upper()}======")[:4]
    except (binascii.Error, ValueError):
        return None
    if not hmac.compare_digest(_knock(room_id, when, secret).encode(), knock.encode()):
        return None
    return int.from_bytes(when, "big") * 1000


def _knock(room_id: str, when: bytes, secret: str) -> KnockId:
    proof = hashlib.sha256(b"knock1\0" + room_id.encode() + when + secret.encode()).digest()
    return base64.b32encode(when + proof[:12]).decode().lower().rstrip("=")


def code_of(knock: KnockId) -> str:
    """Return the code that knocker and gm compare: two words that can be read aloud."""
    digest = hashlib.sha256(b"knock1/code\0" + knock.encode()).digest()
    return "-".join(_word(int.from_bytes(digest[start : start + 2], "big")) for start in (0, 2))


def _word(bits: int) -> str:
    letters = _CONSONANTS[bits >> 12], _VOWELS[bits >> 10 & 3], _CONSONANTS[bits >> 6 & 15]
    return "".join((*letters, _VOWELS[bits >> 4 & 3], _CONSONANTS[bits & 15]))


def token_of(knock: KnockId, secret: str, row: Row, now_ms: int) -> tuple[str, TokenInfo]:
    """Return a knocker's token and its stored data. The same knock always gives the same token."""
    assert row.decision is not None
    assert row.seat_id is not None
    token, token_id = (_proof(knock, secret, label) for label in ("token", "id"))
    info = TokenInfo(
        token_id=base64.b32encode(token_id[:5]).decode().lower(),
        seat_id=row.seat_id,
        role=Role(row.decision.role),
        scopes=row.scopes,
        created_at=row.taken_at or now_ms,
    )
    return base64.urlsafe_b64encode(token[:16]).decode().rstrip("="), info


def _proof(knock: KnockId, secret: str, label: str) -> bytes:
    return hmac.digest(secret.encode(), f"knock1/{label}\0{knock}".encode(), "sha256")


def waiting(rows: Mapping[KnockId, str], seats: Mapping[Id, Seat], now_ms: int) -> tuple[WaitingKnock, ...]:
    """List the knocks that wait for an answer, the oldest first."""
    parsed = ((knock, row_of(text, now_ms)) for knock, text in rows.items())
    open_ones = [(row.expires_at, knock, row) for knock, row in parsed if row is not None and not row.is_answered]
    return tuple(_shown(knock, row, seats) for _, knock, row in sorted(open_ones, key=lambda item: item[:2]))


def _shown(knock: KnockId, row: Row, seats: Mapping[Id, Seat]) -> WaitingKnock:
    return WaitingKnock(
        knock=knock,
        name=row.name,
        wants=row.wants,
        client=row.client,
        code=code_of(knock),
        expires_at=row.expires_at,
        resembles=_resembled(row.name, seats),
    )


def _resembled(name: Name, seats: Mapping[Id, Seat]) -> Id | None:
    """Return the id of a seat whose name looks like the knocker's name; None if there is none.

    The knocker may be the owner of this seat, or an impostor.
    """
    read = folded(name)
    if read == GM_SEAT:
        return GM_SEAT
    return next((seat.id for seat in seats.values() if folded(seat.name) == read), None)


# Displaced knocks: a room that has too many knocks drops the knock that expires first. Each process remembers the
# knocks that it has seen.
#
# Knocks at rooms that do not exist are counted, too: a knocker gets the same answers whether or not the room exists.


MOST_ROOMS = 1024  # rooms with recent knocks
MOST_LAPSED = 4096  # displaced knocks of all rooms that are remembered; older ones are forgotten


class LapsedKnocks:
    """Remembers which knocks were displaced, so that their knockers learn it.

    Follows the store's rule: if a room has MOST_KNOCKS knocks, a new knock displaces the knock that expires first.
    """

    def __init__(self) -> None:
        self._waiting: dict[RoomId, dict[KnockId, MillisecondsUtc]] = {}
        self._lapsed: dict[KnockId, None] = {}  # the oldest first

    def __contains__(self, knock: KnockId) -> bool:
        """Return whether a knock was displaced before it expired."""
        return knock in self._lapsed

    def put(self, room_id: RoomId, knock: KnockId, expires_at: MillisecondsUtc, now_ms: int) -> None:
        """Add a new knock, which may displace an earlier one."""
        earlier = self._waiting.pop(room_id, {})
        waiting = {knock_id: over_at for knock_id, over_at in earlier.items() if now_ms < over_at}
        in_order = sorted((over_at, knock_id) for knock_id, over_at in waiting.items())
        for _, oldest in in_order[: max(0, len(waiting) - MOST_KNOCKS + 1)]:
            del waiting[oldest]
            self._lapsed[oldest] = None
        self._waiting[room_id] = {**waiting, knock: expires_at}
        _forget_oldest(self._waiting, MOST_ROOMS)
        _forget_oldest(self._lapsed, MOST_LAPSED)

    def answered(self, room_id: RoomId, knock: KnockId) -> None:
        """Extend the time of a knock by PICKED_UP_WITHIN_S, because the knock was answered."""
        waiting = self._waiting.get(room_id, {})
        if knock in waiting:
            waiting[knock] += PICKED_UP_WITHIN_S * 1000

    def withdrawn(self, room_id: RoomId, knock: KnockId) -> None:
        """Remove a knock that was withdrawn."""
        self._waiting.get(room_id, {}).pop(knock, None)


def _forget_oldest(notes: dict[str, Any], most: int) -> None:
    while len(notes) > most:
        del notes[next(iter(notes))]
