"""Tokens: 128 random bits that open a seat. The store keeps their hashes, never the tokens."""

import base64
import hashlib
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass

from dreadclock.wire.base import Channel, Id, MillisecondsUtc, Role, RoomId, Scope
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.rest import Grant, TokenInfo
from dreadclock_server.core.draft import Actor
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import MAX_TOKENS, RoomUnknown, Store

MAX_DEMO_TOKENS = 3 + 4  # a demo room opens with three tokens and may add four
info_of = TokenInfo.model_validate_json
ROOM_ID = re.compile(r"[a-z2-7]{26}")


@dataclass(frozen=True, slots=True)
class Bearer:
    """The holder of a valid token."""

    token_hash: str
    actor: Actor
    expires_at: MillisecondsUtc | None

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels that the holder may see."""
        return self.actor.channels


def hash_of(token: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def make(seat_id: Id, role: Role, scopes: tuple[Scope, ...], expires_s: int | None) -> tuple[str, TokenInfo]:
    """Make a token for a seat. Return it with its data for the store. `expires_s`: None if it does not expire."""
    token = secrets.token_urlsafe(16)
    token_id = base64.b32encode(secrets.token_bytes(5)).decode().lower()
    at = now_ms()
    expires_at = at + expires_s * 1000 if expires_s is not None else None
    return token, TokenInfo(
        token_id=token_id, seat_id=seat_id, role=role, scopes=scopes, expires_at=expires_at, created_at=at
    )


def stored(info: TokenInfo) -> str:
    """Return the stored text of a token."""
    return info.model_dump_json(exclude_none=True)


def grant(base_url: str, room_id: RoomId, token: str, info: TokenInfo) -> Grant:
    """Return the answer that shows a new token and its link. No later answer shows them again."""
    link = f"{base_url}/r/{room_id}#{token}"
    return Grant(seat_id=info.seat_id, token_id=info.token_id, token=token, link=link)


async def check(rooms: Rooms, room_id: RoomId, token: str) -> tuple[LiveRoom, Bearer]:
    """Return the room and the holder of a token.

    Raises Refused(unauthorised), with the same answer for an unknown room and a wrong, expired or revoked token.
    """
    token_hash = hash_of(token)
    text = await rooms.store.token(room_id, token_hash) if ROOM_ID.fullmatch(room_id) else None
    if text is None:
        raise Refused(Code.UNAUTHORISED)
    info = info_of(text)
    if info.expires_at is not None and info.expires_at <= now_ms():
        raise Refused(Code.UNAUTHORISED)
    room = await room_of(rooms, room_id)
    seat = await room.newest_seat(info.seat_id)
    if seat is None:
        raise Refused(Code.UNAUTHORISED)
    return room, Bearer(token_hash, Actor(seat.id, seat.role, seat.scopes), info.expires_at)


async def room_of(rooms: Rooms, room_id: RoomId) -> LiveRoom:
    """Return a room. Raises Refused(unauthorised) if there is no such room.

    A wrong token has the same answer, so that nobody can learn which rooms exist.
    """
    if ROOM_ID.fullmatch(room_id):
        with suppress(RoomUnknown):
            return await rooms.get(room_id)
    raise Refused(Code.UNAUTHORISED)


async def listed(live: LiveRoom, store: Store) -> list[TokenInfo]:
    """List the data of a room's tokens, without the secret tokens themselves."""
    texts, uses = await store.tokens(live.id), await store.token_uses(live.id)
    infos = {token_hash: info_of(text) for token_hash, text in texts.items()}
    rows = [info.model_copy(update={"last_use": uses.get(token_hash)}) for token_hash, info in infos.items()]
    return sorted(rows, key=lambda info: (info.created_at, info.token_id))


def most_of(live: LiveRoom) -> int:
    """Return how many tokens a room may have."""
    return MAX_DEMO_TOKENS if live.is_demo else MAX_TOKENS


def too_many(most: int) -> Refused:
    """Return the refusal for too many tokens."""
    return Refused(Code.TOO_MANY, limit=most, what="links")


async def put(store: Store, live: LiveRoom, token: str, info: TokenInfo) -> None:
    """Store a token. Raises Refused(too_many) if the room has too many tokens, perhaps because of concurrent calls."""
    if not await store.put_token(live.id, hash_of(token), stored(info), most_of(live)):
        raise too_many(most_of(live))


async def demand_room_for_one(store: Store, room_id: RoomId, most: int = MAX_TOKENS) -> None:
    """Raise Refused(too_many) if a room has no place for another token. Deletes expired tokens before that."""
    texts = await store.tokens(room_id)
    if len(texts) < most:
        return
    now = now_ms()
    expired = [hashed for hashed, text in texts.items() if (info_of(text).expires_at or now + 1) <= now]
    for token_hash in expired:
        await store.delete_token(room_id, token_hash)
    if len(texts) - len(expired) >= most:
        raise too_many(most)
