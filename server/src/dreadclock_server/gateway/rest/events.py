"""The stream of a room's events: over HTTP what a websocket brings, for programs that only read."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.records import Positions
from dreadclock.wire.streams import read_event_id
from dreadclock_server.gateway.limits.caps import ConnectionLimiter, TooManyConnections
from dreadclock_server.gateway.limits.in_flight import PIECE, InFlightBudget
from dreadclock_server.gateway.limits.rates import too_soon
from dreadclock_server.gateway.rest.calls import body_of
from dreadclock_server.gateway.rest.event_writers import HEARTBEAT, LINES, SERVER_SENT, EventWriter, Form
from dreadclock_server.gateway.rest.room_calls import Caller
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.gateway.ws.hub import Hub
from dreadclock_server.gateway.ws.joining import COME_BACK_MS, Joining
from dreadclock_server.gateway.ws.outbox import STALLED_AFTER_S, Frame, QueuedSender

HEARTBEAT_S = 20.0  # as often as websockets are pinged
_ALL_FULL = 503
_HEADERS = {"Vary": "Accept", "X-Accel-Buffering": "no"}  # nginx would keep events until it has many


async def get_events(
    caller: Caller,
    request: Request,
    bearer: str,
    host: str,
    joining: Joining,
    connection_limiter: ConnectionLimiter,
    in_flight: InFlightBudget,
) -> Response:
    """Tell the caller what happens in a room, from where it stood or from a view of it."""
    live, holder = caller
    form, positions = _form(request), _positions(request)
    await body_of(in_flight, request)  # while events are told, no end of one would be read
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
    """The body of an answer, for a sender that would rather have a websocket."""

    def __init__(self, writer: EventWriter) -> None:
        self.form = writer.form
        self._writer, self._is_complete = writer, False
        self._send: Send = _send_nowhere

    async def open(self, send: Send, start: dict[str, object]) -> None:
        """Begin the answer, which `send` sends."""
        self._send = send
        await send(start)

    async def send_text(self, data: str) -> None:
        """Send a frame, in pieces: no more of it is held than a reader has room for."""
        unsent = bytearray()
        for event in self._writer.written(data):
            unsent += event.encode()
            while len(unsent) >= PIECE:
                await self._put(bytes(unsent[:PIECE]))
                del unsent[:PIECE]
        if unsent:
            await self._put(bytes(unsent))

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Say why the stream ends, and end it."""
        await self._put(self._writer.ended(code, reason or "").encode(), more=False)

    async def end(self) -> None:
        """End an answer whose reader was given up, without a word."""
        if not self._is_complete:
            await self._put(b"", more=False)

    async def _put(self, data: bytes, *, more: bool = True) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": more})
        self._is_complete = not more


async def _send_nowhere(message: object) -> None:
    raise RuntimeError("the answer has not begun")


class _EventStream(StreamingResponse):
    """An answer that goes on until either side ends it; meanwhile its reader is one of the room's connections."""

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
        """Return once the reader is gone; until then say now and then that the stream lives."""
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    message = await receive()
            except TimeoutError:
                self._connection.send(Frame(HEARTBEAT))
            else:
                if message["type"] == "http.disconnect":
                    return
