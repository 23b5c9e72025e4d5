"""The REST call that reads a room's log."""

import asyncio
from collections.abc import AsyncIterator, Iterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.limits.in_flight import PIECE
from dreadclock_server.gateway.limits.rates import ReadMeter
from dreadclock_server.gateway.rest.calls import Api, body_of, limited
from dreadclock_server.gateway.rest.room_calls import reader_of
from dreadclock_server.rooms.history import records_after


async def get_log(api: Api, request: Request) -> Response:
    """Show the caller's records as JSON lines after the numbers `?public=` and `?gm=`, of each channel `?limit=`."""
    live, holder, reads = await reader_of(api, request)
    await body_of(api.in_flight, request)  # while the log is shown, no end of one would be read
    after = {channel: _number(request, channel) for channel in holder.channels}
    most = _number(request, "limit") or None
    pages = records_after(api.rooms.store, live.room, after, most)
    return StreamingResponse(_paced(pages, reads), media_type="application/jsonl")


async def _paced(pages: AsyncIterator[list[str]], reads: ReadMeter) -> AsyncIterator[bytes]:
    """Write records as lines, as fast as their reader may read: small pieces let those of one address take turns."""
    async for texts in pages:
        for piece in _pieces(texts):
            await asyncio.sleep(reads.wait_s())
            reads.spend(len(piece))
            yield piece


def _pieces(texts: list[str]) -> Iterator[bytes]:
    piece = bytearray()
    for text in texts:
        piece += text.encode() + b"\n"
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "0")
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise Refused(Code.BAD_REQUEST, problem=f"{name} is no number")
    return int(text)


def routes(api: Api) -> list[Route]:
    """Return the REST call that reads the log."""
    return [Route("/api/rooms/{room}/log", limited(api, get_log), methods=["GET"])]
