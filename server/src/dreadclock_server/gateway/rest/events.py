"""The event stream of a room: what a websocket would send, as an HTTP response, for programs that only read.

A record is an event of the room with its channel and seq. The position of a reader is, by channel, the seq and hash of
the last record that the reader has.
"""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from dreadclock.wire.base import MOST_SEQ, Channel
from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.frames import frame_text
from dreadclock.wire.records import Head, Positions, advance
from dreadclock.wire.streams import EVENT_ID, Closing
from dreadclock_server.gateway.limits.caps import ConnectionLimiter, TooManyConnections
from dreadclock_server.gateway.limits.in_flight import PIECE, InFlightBudget
from dreadclock_server.gateway.limits.rates import too_soon
from dreadclock_server.gateway.rest.calls import body_of
from dreadclock_server.gateway.rest.room_calls import Caller
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.gateway.ws.hub import Hub
from dreadclock_server.gateway.ws.joining import COME_BACK_MS, Joining
from dreadclock_server.gateway.ws.outbox import STALLED_AFTER_S, Frame, QueuedSender
from dreadclock_server.store.index import channel_of

# The frames of a websocket, written as server-sent events or as JSON lines.


HEARTBEAT = ""  # the text of a frame that stands for a heartbeat


@dataclass(frozen=True, slots=True)
class Form:
    """A format of the stream. `event` returns the text of an event.

    Its arguments are the kind of the event, the id (may be empty), and JSON on a single line.
    """

    media_type: str
    event: Callable[[str, str, str], str]
    heartbeat: str  # text that readers ignore


def _server_sent(kind: str, id_: str, data: str) -> str:
    head = f"id: {id_}\nevent: {kind}" if id_ else f"event: {kind}"
    return f"{head}\ndata: {data}\n\n"


def _line(kind: str, id_: str, data: str) -> str:
    head = f'"event":"{kind}","id":"{id_}"' if id_ else f'"event":"{kind}"'
    return f'{{{head},"data":{data}}}\n'


SERVER_SENT = Form("text/event-stream", _server_sent, ":\n\n")
LINES = Form("application/x-ndjson", _line, "\n")


class EventWriter:
    """Writes websocket frames as events of the stream. The id of an event is the reader's position after the event.

    `positions`: the position of a reader who resumes, in the channels that the reader may see; else empty.
    """

    def __init__(self, form: Form, positions: Positions) -> None:
        self.form, self._resumed_at = form, positions
        self._positions: Positions = {}  # empty until the reader has a view

    def written(self, frame: str) -> Iterator[str]:
        """Yield an event for each record of a frame with records. Yield a single event for any other frame."""
        if frame == HEARTBEAT:
            yield self.form.heartbeat
        elif "\n" in frame:
            yield from map(self._record, _lines_after_the_first(frame))
        else:
            fields = orjson.loads(frame)
            self._stand(fields)
            yield self._event(fields["type"], frame)

    def _stand(self, frame: dict[str, Any]) -> None:
        """Set the position if the frame is a welcome, or replaces the view."""
        if frame["type"] == "welcome" and frame["resumed"]:
            self._positions = dict(self._resumed_at)
        elif "view" in frame:
            self._positions = {Channel(name): Head(**head) for name, head in frame["positions"].items()}

    def _record(self, text: str) -> str:
        channel = Channel(channel_of(text))
        self._positions[channel] = advance(self._positions[channel], text)
        return self._event("record", text)

    def ended(self, code: int, reason: str) -> str:
        """Return the last event, with the reason for the end of the stream."""
        return self._event("close", frame_text(Closing(code=code, reason=reason)))

    def _event(self, kind: str, data: str) -> str:
        return self.form.event(kind, event_id(self._positions), data)


def _lines_after_the_first(frame: str) -> Iterator[str]:
    """Yield the lines one by one: a list of all lines would stay in memory while a slow reader takes them."""
    start = frame.index("\n") + 1
    while start:
        end = frame.find("\n", start)
        yield frame[start:end] if end >= 0 else frame[start:]
        start = end + 1


HEARTBEAT_S = 20.0  # the same interval as for pings of websockets
_ALL_FULL = 503
_HEADERS = {"Vary": "Accept", "X-Accel-Buffering": "no"}  # tells nginx not to buffer events


async def get_events(
    caller: Caller,
    request: Request,
    bearer: str,
    host: str,
    joining: Joining,
    connection_limiter: ConnectionLimiter,
    in_flight: InFlightBudget,
) -> Response:
    """Stream the events of a room. The stream begins after the position in `Last-Event-ID`, or else with the view.

    Raises Refused if the request is invalid, if the token is not valid, or if there are too many connections.
    """
    live, holder = caller
    form, positions = _form(request), _positions(request)
    # read the body first, which also limits its size; `_listen` then only waits for the disconnect
    await body_of(in_flight, request)
    if request.method == "HEAD":
        return StreamingResponse((), media_type=form.media_type, headers=_HEADERS)
    if status := connection_limiter.enter(host):
        raise _turned_away("in_all" if status == _ALL_FULL else "per_address")
    seen = {channel: head for channel, head in positions.items() if channel in holder.channels}
    body = _Body(EventWriter(form, seen))
    leave = partial(connection_limiter.leave, host)
    try:
        live, holder, reads = await joining.let_in(live.id, bearer, host, partial(_demand_presence, request))
        connection, hub = await joining.greet(live, holder, reads, partial(QueuedSender, body), positions=positions)
    except TooManyConnections as full:
        leave()
        connection_limiter.turned_away[full.cap] += 1
        raise _turned_away(full.cap) from None
    except BaseException:
        leave()
        raise
    return _EventStream(joining, hub, connection, body, leave)


async def _demand_presence(request: Request) -> None:
    if await request.is_disconnected():
        raise ClientDisconnect


def _form(request: Request) -> Form:
    return SERVER_SENT if SERVER_SENT.media_type in request.headers.get("accept", "") else LINES


def _positions(request: Request) -> Positions:
    text = request.headers.get("last-event-id", "")
    try:
        return read_event_id(text) if text else {}
    except ProtocolViolation as error:
        raise Refused(Code.BAD_REQUEST, problem=str(error)) from None


def _turned_away(cap: str) -> Refused:
    again = too_soon(COME_BACK_MS)
    return Refused(again.code, **again.details, cap=cap)


class _Body:
    """The body of a streaming response. Has the methods of a websocket, so that a QueuedSender can write to it."""

    def __init__(self, writer: EventWriter) -> None:
        self.form = writer.form
        self._writer, self._is_complete = writer, False
        self._send: Send = _send_nowhere

    async def open(self, send: Send, start: dict[str, object]) -> None:
        """Start the response with the ASGI message `start`. `send`: the ASGI function, also for the later body."""
        self._send = send
        await send(start)

    async def send_text(self, data: str) -> None:
        """Send a frame in pieces, as fast as the reader takes them."""
        unsent = bytearray()
        for event in self._writer.written(data):
            unsent += event.encode()
            while len(unsent) >= PIECE:
                await self._put(bytes(unsent[:PIECE]))
                del unsent[:PIECE]
        if unsent:
            await self._put(bytes(unsent))

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Send an event with the code and the reason, and end the stream."""
        await self._put(self._writer.ended(code, reason or "").encode(), more=False)

    async def end(self) -> None:
        """End the response, if `close` has not ended it."""
        if not self._is_complete:
            await self._put(b"", more=False)

    async def _put(self, data: bytes, *, more: bool = True) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": more})
        self._is_complete = not more


async def _send_nowhere(message: object) -> None:
    raise RuntimeError("the answer has not begun")


class _EventStream(StreamingResponse):
    """A response that lasts until either side ends it. Its reader counts as a connection of the room."""

    def __init__(
        self, joining: Joining, hub: Hub, connection: Connection, body: _Body, leave: Callable[[], None]
    ) -> None:
        super().__init__((), media_type=body.form.media_type, headers=_HEADERS)
        self._joining, self._hub, self._connection, self._body, self._leave = joining, hub, connection, body, leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        expiry = self._joining.arrive(self._hub, self._connection)
        start = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        try:
            await self._body.open(send, start)
            await self._connection.sender.run(self._listen(receive))
        finally:
            self._joining.depart(self._hub, self._connection, expiry)
            self._leave()
        with suppress(OSError):
            async with asyncio.timeout(STALLED_AFTER_S):
                await self._body.end()

    async def _listen(self, receive: Receive) -> None:
        """Send heartbeats until the reader is gone."""
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    message = await receive()
            except TimeoutError:
                self._connection.send(Frame(HEARTBEAT))
            else:
                if message["type"] == "http.disconnect":
                    return


# Ids of events. A client sends the last id back in Last-Event-ID to resume.


def event_id(positions: Positions) -> str:
    """Return the id of an event after which the reader has these positions."""
    heads = [(channel, positions[channel]) for channel in Channel if channel in positions]
    return ",".join([f"{channel}:{head.seq}:{head.hash}" for channel, head in heads])


def read_event_id(text: str) -> Positions:
    """Read the id of an event. Raises ProtocolViolation if it is malformed."""
    if re.fullmatch(EVENT_ID, text, re.ASCII) is None:
        raise ProtocolViolation("Last-Event-ID is not the id of an event")
    positions: Positions = {}
    for part in text.split(","):
        name, seq, digest = part.split(":")
        if name in positions or int(seq) > MOST_SEQ:
            raise ProtocolViolation("Last-Event-ID is not the id of an event")
        positions[Channel(name)] = Head(seq=int(seq), hash=digest)
    return positions
