"""The REST call that reads a room's log."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from dreadclock_server.gateway.limits.in_flight import PIECE, InFlightBudget
from dreadclock_server.gateway.limits.rates import ReadMeter
from dreadclock_server.gateway.rest.calls import body_of, number_in
from dreadclock_server.gateway.rest.room_calls import Reader
from dreadclock_server.rooms.history import records_after
from dreadclock_server.store.base import Store


async def get_log(reader: Reader, request: Request, in_flight: InFlightBudget, store: Store) -> Response:
    """Return the records that the caller may see, after the seqs `?public=` and `?gm=`, at most `?limit=` per channel.

    The answer is JSON lines, or a JSON array if the client accepts `application/json` but no JSON lines.
    """
    live, holder, reads = reader
    await body_of(in_flight, request)  # read the body first: nothing can read it while the answer is sent
    after = {channel: number_in(request, channel) for channel in holder.channels}
    most = number_in(request, "limit") or None
    pages = records_after(store, live.room, after, most)
    lines = _paced(pages, reads)
    if _wants_array(request):
        return StreamingResponse(_in_array(lines), media_type="application/json")
    return StreamingResponse(lines, media_type="application/jsonl")


def _wants_array(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in re.split(r"[\s,;]+", accepted) and "jsonl" not in accepted


async def _in_array(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Turn pieces of whole lines into a JSON array. Records contain no line breaks."""
    opening = b"["
    async for piece in lines:
        yield opening + piece.rstrip(b"\n").replace(b"\n", b",\n")
        opening = b",\n"
    yield b"]" if opening != b"[" else b"[]"


async def _paced(pages: AsyncIterator[list[str]], reads: ReadMeter) -> AsyncIterator[bytes]:
    """Yield records as lines, in small pieces. Waits before each piece until the read limit of the address allows it.

    So several readers at one address take turns.
    """
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
