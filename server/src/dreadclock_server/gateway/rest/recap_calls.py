"""The REST calls about recaps. A recap is a page that tells what happened in a room. It can be shared by a link."""

import base64
import secrets
from collections.abc import Mapping
from typing import IO, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.rest import RecapGrant, SharedRecap
from dreadclock_server.gateway.limits.in_flight import InFlightBudget, PiecewiseResponse
from dreadclock_server.gateway.limits.rates import Limits, demand
from dreadclock_server.gateway.rest.calls import body_of
from dreadclock_server.gateway.rest.room_calls import caller_of
from dreadclock_server.gateway.rest.workers import MOST_GIVEN_BYTES, Calculations, answer_of, program, unnamed_file
from dreadclock_server.gateway.tokens import ROOM_ID, hash_of, room_of
from dreadclock_server.gateway.ws.hubs import Hubs
from dreadclock_server.recap_worker import Wanted
from dreadclock_server.rooms.history import records_after
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import Store
from dreadclock_server.store.index import channel_of, seq_of

# Shared recaps: secret links to a recap of the public events of a room, up to the time of sharing. The store keeps only
# the hashes of the secrets.


MOST_RECAPS = 10  # shared recaps of a room
_info_of = SharedRecap.model_validate_json


async def opened_by(store: Store, room_id: RoomId, secret: str) -> SharedRecap | None:
    """Return the shared recap that a secret opens; None if there is none."""
    text = (await store.recaps(room_id)).get(hash_of(secret))
    return None if text is None else _info_of(text)


ROLE = "Dreadclock-Role"  # header: the role of the caller's seat; absent for a shared link
_WORKER = program("recap_worker")
_TOO_MUCH = "the log is longer than a recap may be: save the evening as a file, and make the page with dreadclock recap"
_ASKED = {"lang": "language", "zone": "zone", "style": "style"}


class RecapReader(NamedTuple):
    """What the bearer of a token or secret may read: a room, up to `ends`, and headers for the answer.

    `ends`: by channel, the seq of the last record to include.
    """

    live: LiveRoom
    ends: dict[Channel, int]
    headers: Mapping[str, str]


async def recap_reader_of(room: RoomId, bearer: str, rooms: Rooms, hubs: Hubs) -> RecapReader:
    """Return the RecapReader for a seat's token, or for the secret of a shared recap. Raises Refused for others."""
    shared = await opened_by(rooms.store, room, bearer) if ROOM_ID.fullmatch(room) else None
    if shared is not None:
        return RecapReader(await room_of(rooms, room), {Channel.PUBLIC: shared.seq}, {})
    live, holder = await caller_of(room, bearer, rooms, hubs)
    await live.refresh()
    ends = {channel: live.room.seq(channel) for channel in holder.channels}
    return RecapReader(live, ends, {ROLE: holder.actor.role})


async def get_recap(
    recap_reader: RecapReader,
    request: Request,
    host: str,
    store: Store,
    limits: Limits,
    in_flight: InFlightBudget,
    recap_queue: Calculations,
) -> Response:
    """Return a recap in HTML of the events that the caller may see.

    Raises Refused if a limit is reached or the log is too long, and ValidationError if a query parameter is invalid.
    """
    live, ends, headers = recap_reader
    await body_of(in_flight, request)
    about = {"room": live.id, "log_id": live.room.log_id, "channels": tuple(ends)}
    asked = {field: request.query_params[name] for name, field in _ASKED.items() if name in request.query_params}
    wanted = Wanted.model_validate({**about, **asked})
    demand(limits.recaps, host)
    with recap_queue.place(), unnamed_file() as given:
        async with recap_queue.turn:
            given.write(wanted.model_dump_json().encode() + b"\n")
            await _write_records(given, store, live, ends)
            page = await answer_of(_WORKER, given, too_much=_TOO_MUCH)
    answer = PiecewiseResponse(in_flight, page.decode(), 200, "text/html")
    answer.headers.update(headers)
    return answer


async def _write_records(given: IO[bytes], store: Store, live: LiveRoom, ends: Mapping[Channel, int]) -> None:
    """Write the records of the channels in `ends`, up to the given seqs, for the worker that makes the page.

    Raises Refused if there are too many.
    """
    left = MOST_GIVEN_BYTES
    async for texts in records_after(store, live.room, dict.fromkeys(ends, 0)):
        lines = [f"{text}\n".encode() for text in texts if seq_of(text) <= ends[Channel(channel_of(text))]]
        left -= sum(map(len, lines))
        if left < 0:
            raise Refused(Code.BAD_REQUEST, problem=_TOO_MUCH)
        given.writelines(lines)
    given.seek(0)


async def share_recap(live: LiveRoom, base_url: str, store: Store) -> RecapGrant:
    """Make a link to a recap of the public events until now. Raises Refused if the room has MOST_RECAPS links."""
    await live.refresh()
    secret = secrets.token_urlsafe(16)
    recap_id = base64.b32encode(secrets.token_bytes(5)).decode().lower()
    info = SharedRecap(recap_id=recap_id, seq=live.room.seq(Channel.PUBLIC), created_at=now_ms())
    if not await store.put_recap(live.id, hash_of(secret), info.model_dump_json(), MOST_RECAPS):
        raise Refused(Code.TOO_MANY, limit=MOST_RECAPS, what="links to recaps")
    return RecapGrant(**info.model_dump(), link=f"{base_url}/recap/{live.id}#{secret}")


async def list_recaps(live: LiveRoom, store: Store) -> list[SharedRecap]:
    """List a room's shared recaps, the oldest first, without their secrets."""
    infos = map(_info_of, (await store.recaps(live.id)).values())
    return sorted(infos, key=lambda info: (info.created_at, info.recap_id))


async def withdraw_recap(live: LiveRoom, recap_id: str, store: Store) -> None:
    """Revoke a link to a recap. Raises Refused if there is no such link."""
    for secret_hash, text in (await store.recaps(live.id)).items():
        if _info_of(text).recap_id == recap_id:
            return await store.delete_recap(live.id, secret_hash)
    raise Refused(Code.UNKNOWN, kind="recap", id=recap_id[:32])
