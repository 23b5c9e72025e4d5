"""The REST calls about recaps: the page of an evening, and links of its own to it."""

from collections.abc import Mapping
from typing import IO

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway import recaps
from dreadclock_server.gateway.limits.in_flight import PiecewiseResponse
from dreadclock_server.gateway.limits.rates import demand
from dreadclock_server.gateway.rest.calls import Api, Endpoint, body_of, host_of, limited
from dreadclock_server.gateway.rest.room_calls import bearer_of, caller_of, json_answer, room_of_gm
from dreadclock_server.gateway.rest.workers import MOST_GIVEN_BYTES, answer_of, program, unnamed_file
from dreadclock_server.gateway.tokens import ROOM_ID
from dreadclock_server.recap_worker import Wanted
from dreadclock_server.rooms.history import records_after
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.store.base import RoomUnknown, Store
from dreadclock_server.store.index import channel_of, seq_of

ROLE = "Dreadclock-Role"  # header: of the seat that the recap is for; there is none for who came by a link to it
_WORKER = program("recap_worker")
_TOO_MUCH = "the log is longer than a recap may be: save the evening as a file, and make the page with dreadclock recap"
_ASKED = {"lang": "language", "zone": "zone", "style": "style"}
_FIRST = 0


async def get_recap(api: Api, request: Request) -> Response:
    """Tell the evening as its bearer may see it, in HTML: by a seat's token, or by the secret of a link to a recap."""
    live, ends, headers = await _shown(api, request)
    await body_of(api.in_flight, request)
    about = {"room": live.id, "log_id": live.room.log_id, "channels": tuple(ends)}
    asked = {field: request.query_params[name] for name, field in _ASKED.items() if name in request.query_params}
    wanted = Wanted.model_validate({**about, **asked})
    demand(api.limits.recaps, host_of(request))
    with api.recaps.place(), unnamed_file() as given:
        async with api.recaps.turn:
            given.write(wanted.model_dump_json().encode() + b"\n")
            await _write_records(given, api.rooms.store, live, ends)
            page = await answer_of(_WORKER, given, too_much=_TOO_MUCH)
    answer = PiecewiseResponse(api.in_flight, page.decode(), 200, "text/html")
    answer.headers.update(headers)
    return answer


async def _shown(api: Api, request: Request) -> tuple[LiveRoom, dict[Channel, int], Mapping[str, str]]:
    """Return the room, the last record of each channel that the bearer may see, and headers. Raises Refused."""
    room_id = request.path_params["room"]
    shared = None
    if ROOM_ID.fullmatch(room_id):
        shared = await recaps.opened_by(api.rooms.store, room_id, bearer_of(request))
    if shared is not None:
        return await _live(api, room_id), {Channel.PUBLIC: shared.seq}, {}
    live, holder = await caller_of(api, request)
    await live.refresh()
    ends = {channel: live.room.seq(channel) for channel in holder.channels}
    return live, ends, {ROLE: holder.actor.role}


async def _live(api: Api, room_id: str) -> LiveRoom:
    try:
        return await api.rooms.get(room_id)
    except RoomUnknown:
        raise Refused(Code.UNAUTHORISED) from None


async def _write_records(given: IO[bytes], store: Store, live: LiveRoom, ends: Mapping[Channel, int]) -> None:
    """Write the records of some channels up to their ends; what comes meanwhile is not among them. Raises Refused."""
    left = MOST_GIVEN_BYTES
    async for texts in records_after(store, live.room, dict.fromkeys(ends, _FIRST)):
        lines = [f"{text}\n".encode() for text in texts if seq_of(text) <= ends[Channel(channel_of(text))]]
        left -= sum(map(len, lines))
        if left < 0:
            raise Refused(Code.BAD_REQUEST, problem=_TOO_MUCH)
        given.writelines(lines)
    given.seek(0)


async def share_recap(api: Api, request: Request) -> Response:
    """Make a link to a recap of what everyone saw until now."""
    live = await room_of_gm(api, request)
    await live.refresh()
    seq = live.room.seq(Channel.PUBLIC)
    return json_answer(await recaps.share(api.rooms.store, api.base_url(request), live.id, seq), 201)


async def list_recaps(api: Api, request: Request) -> Response:
    """List a room's shared recaps, never their secrets."""
    live = await room_of_gm(api, request)
    rows = await recaps.listed(api.rooms.store, live.id)
    return JSONResponse([row.model_dump(mode="json") for row in rows])


async def withdraw_recap(api: Api, request: Request) -> Response:
    """Make a link to a recap worthless."""
    live = await room_of_gm(api, request)
    recap_id = request.path_params["recap_id"]
    if not await recaps.withdraw(api.rooms.store, live.id, recap_id):
        raise Refused(Code.UNKNOWN, kind="recap", id=recap_id[:32])
    return Response(status_code=204)


def routes(api: Api) -> list[Route]:
    """Return the REST calls about recaps."""
    at = "/api/rooms/{room}/recaps"
    table: list[tuple[str, str, Endpoint]] = [
        ("GET", "/api/rooms/{room}/recap", get_recap),
        ("POST", at, share_recap),
        ("GET", at, list_recaps),
        ("DELETE", f"{at}/{{recap_id}}", withdraw_recap),
    ]
    return [Route(path, limited(api, endpoint), methods=[method]) for method, path, endpoint in table]
