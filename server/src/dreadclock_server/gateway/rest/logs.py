"""The REST call that reads a room's log."""

from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.rest.calls import Api, body_of, limited
from dreadclock_server.gateway.rest.room_calls import caller_of
from dreadclock_server.rooms.history import records_after
from dreadclock_server.rooms.live import LiveRoom


async def get_log(api: Api, request: Request) -> Response:
    """Show the caller's records as JSON lines after the numbers `?public=` and `?gm=`, of each channel `?limit=`."""
    live, holder = await caller_of(api, request)
    await body_of(api.in_flight, request)  # while the log is shown, no end of one would be read
    await live.refresh()
    after = {channel: _number(request, channel) for channel in holder.channels}
    most = _number(request, "limit") or None
    return StreamingResponse(_lines(api, live, after, most), media_type="application/jsonl")


async def _lines(api: Api, live: LiveRoom, after: dict[Channel, int], most: int | None) -> AsyncIterator[str]:
    """Write the records of the channels in `after` that come after its numbers, in the order of the log."""
    async for texts in records_after(api.rooms.store, live.room, after, most):
        yield "".join(text + "\n" for text in texts)


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "0")
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise Refused(Code.BAD_REQUEST, problem=f"{name} is no number")
    return int(text)


def routes(api: Api) -> list[Route]:
    """Return the REST call that reads the log."""
    return [Route("/api/rooms/{room}/log", limited(api, get_log), methods=["GET"])]
