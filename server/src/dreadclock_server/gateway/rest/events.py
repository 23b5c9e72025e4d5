"""The stream of a room's events: over HTTP what a websocket brings, for programs that only read."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.records import Positions
from dreadclock.wire.streams import read_event_id
from dreadclock_server.gateway.limits.caps import TooManyConnections
from dreadclock_server.gateway.limits.in_flight import PIECE
from dreadclock_server.gateway.limits.rates import too_soon
from dreadclock_server.gateway.rest.calls import Api, body_of, counted, host_of, with_problems
from dreadclock_server.gateway.rest.event_writers import HEARTBEAT, LINES, SERVER_SENT, EventWriter, Form
from dreadclock_server.gateway.rest.room_calls import bearer_of, caller_of
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.gateway.ws.hub import Hub
from dreadclock_server.gateway.ws.joining import COME_BACK_MS, Services, arrive, depart, greet, let_in
from dreadclock_server.gateway.ws.outbox import STALLED_AFTER_S, Frame, QueuedSender

HEARTBEAT_S = 20.0  # as often as websockets are pinged
_ALL_FULL = 503
_HEADERS = {"Vary": "Accept", "X-Accel-Buffering": "no"}  # nginx would keep events until it has many


async def get_events(services: Services, api: Api, request: Request) -> Response:
    """Tell the caller what happens in a room, from where it stood or from a view of it."""
    live, holder = await caller_of(api, request)
    form, known = _form(request), _known(request)
    await body_of(api.in_flight, request)  # while events are told, no end of one would be read
    if request.method == "HEAD":
        return StreamingResponse((), media_type=form.media_type, headers=_HEADERS)
    host = host_of(request)
    if status := services.connection_limiter.enter(host):
        raise _turned_away("in_all" if status == _ALL_FULL else "per_address")
    body = _Body(EventWriter(form, {channel: head for channel, head in known.items() if channel in holder.channels}))
    leave = partial(services.connection_limiter.leave, host)
    try:
        presence = partial(_demand_presence, request)
        live, holder, reads = await let_in(services, live.id, bearer_of(request), host, presence)
        connection, hub = await greet(services, live, holder, reads, partial(QueuedSender, body), positions=known)
    except TooManyConnections as full:
        leave()
        services.connection_limiter.turned_away[full.cap] += 1
        raise _turned_away(full.cap) from None
    except BaseException:
        leave()
        raise
    return _EventStream(services, hub, connection, body, leave)


async def _demand_presence(request: Request) -> None:
    if await request.is_disconnected():
        raise ClientDisconnect


def _form(request: Request) -> Form:
    return SERVER_SENT if SERVER_SENT.media_type in request.headers.get("accept", "") else LINES


def _known(request: Request) -> Positions:
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
        self, services: Services, hub: Hub, connection: Connection, body: _Body, leave: Callable[[], None]
    ) -> None:
        super().__init__((), media_type=body.form.media_type, headers=_HEADERS)
        self._services, self._hub, self._connection, self._body, self._leave = services, hub, connection, body, leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        expiry = arrive(self._services, self._hub, self._connection)
        start = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        try:
            await self._body.open(send, start)
            await self._connection.sender.run(self._listen(receive))
        finally:
            depart(self._services, self._hub, self._connection, expiry)
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


def routes(api: Api, services: Services) -> list[Route]:
    """Return the REST call that tells what happens."""
    answer = counted(partial(get_events, services), lambda limits: limits.joins)
    return [Route("/api/rooms/{room}/events", with_problems(api, answer), methods=["GET"])]
