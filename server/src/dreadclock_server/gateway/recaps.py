"""Shared recaps: secret links to what everyone saw of an evening. The store keeps only the hashes of the secrets."""

import base64
import secrets

from dreadclock.wire.base import Count, RoomId
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.rest import RecapGrant, SharedRecap
from dreadclock_server.gateway.tokens import hash_of
from dreadclock_server.rooms.live import now_ms
from dreadclock_server.store.base import Store

MOST_RECAPS = 10  # of a room
_info_of = SharedRecap.model_validate_json


async def share(store: Store, base_url: str, room_id: RoomId, seq: Count) -> RecapGrant:
    """Make a link to a recap of what everyone saw up to record `seq`. Raises Refused if there are too many."""
    secret = secrets.token_urlsafe(16)
    recap_id = base64.b32encode(secrets.token_bytes(5)).decode().lower()
    info = SharedRecap(recap_id=recap_id, seq=seq, created_at=now_ms())
    if not await store.put_recap(room_id, hash_of(secret), info.model_dump_json(), MOST_RECAPS):
        raise Refused(Code.TOO_MANY, limit=MOST_RECAPS, what="links to recaps")
    return RecapGrant(**info.model_dump(), link=f"{base_url}/recap/{room_id}#{secret}")


async def listed(store: Store, room_id: RoomId) -> list[SharedRecap]:
    """Return the data of a room's shared recaps, for the gm, the oldest first."""
    infos = map(_info_of, (await store.recaps(room_id)).values())
    return sorted(infos, key=lambda info: (info.created_at, info.recap_id))


async def opened_by(store: Store, room_id: RoomId, secret: str) -> SharedRecap | None:
    """Return the recap of a secret; None if there is none."""
    text = (await store.recaps(room_id)).get(hash_of(secret))
    return None if text is None else _info_of(text)


async def withdraw(store: Store, room_id: RoomId, recap_id: str) -> bool:
    """Revoke a link by its id. Return whether there was one."""
    for secret_hash, text in (await store.recaps(room_id)).items():
        if _info_of(text).recap_id == recap_id:
            await store.delete_recap(room_id, secret_hash)
            return True
    return False
