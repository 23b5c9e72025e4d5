"""Serve a websocket: read the hello and commands, send replies and events."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus

import structlog
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose, WebSocketDisconnect, WebSocketState

from dreadclock.wire.errors import CloseCode, Code, ProtocolViolation, Refused
from dreadclock.wire.frames import PROTOCOL_VERSION, Hello, ResetReason
from dreadclock_server.gateway.limits.caps import ConnectionLimiter, TooManyConnections, address_of
from dreadclock_server.gateway.limits.in_flight import InFlightBudget
from dreadclock_server.gateway.limits.rates import Flood, Limits, ReadMeter, retry_after
from dreadclock_server.gateway.parsing import read_hello
from dreadclock_server.gateway.ws.connection import CommandReader, Connection, next_text
from dreadclock_server.gateway.ws.hub import Hub, reset_frame
from dreadclock_server.gateway.ws.joining import COME_BACK_MS, FLOODED, Joining
from dreadclock_server.gateway.ws.outbox import EXTENSION, DirectFrames, DirectSender, QueuedSender, Sender
from dreadclock_server.rooms.answers import trouble_of
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.store.base import StoreError

# Websockets bypass the middleware for HTTP: its objects would stay in memory as long as the connection.


Serve = Callable[[WebSocket], Awaitable[None]]


class WebsocketRouter:
    """Serves the websockets at one path, and refuses other websockets. Passes HTTP requests to `rest`."""

    def __init__(self, path: str, serve: Serve, rest: ASGIApp) -> None:
        self._route, self._serve, self._rest = WebSocketRoute(path, serve), serve, rest

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "websocket":
            return self._rest(scope, receive, send)
        match, child_scope = self._route.matches(scope)
        if match is not Match.FULL:
            return WebSocketClose()(scope, receive, send)
        scope.update(child_scope, route=self._route)
        return self._serve(WebSocket(scope, receive, send))


# Resync: a client asks for the whole view, because it has received something that it does not understand.


PAUSE_S = 1.0  # the shortest time between two views that are sent to a connection


class Resyncs:
    """Answers the `resync` requests of a connection with the whole view.

    Waits until PAUSE_S after the last view, until the client has read everything, and until two limits allow the view:
    the in-flight budget, and the read limit of the address. All requests during this wait get one view.
    """

    def __init__(self, live: LiveRoom, connection: Connection, in_flight: InFlightBudget, reads: ReadMeter) -> None:
        self._live, self._connection, self._in_flight, self._reads = live, connection, in_flight, reads
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._not_before_s = 0.0

    def ask(self) -> None:
        """Send the view as soon as it is allowed."""
        if self._timer is None:
            self._timer = self._loop.call_at(max(self._not_before_s, self._loop.time()), self._show)

    def close(self) -> None:
        """Send nothing more."""
        if self._timer is not None:
            self._timer.cancel()

    def _show(self) -> None:
        self._timer = None
        if not self._connection.hears:
            return
        wait_s = self._reads.wait_s()
        self._not_before_s = self._loop.time() + (wait_s or PAUSE_S)
        if wait_s:
            self.ask()
            return
        self._live.send_now()  # the view includes records that other clients have not received yet
        sender = self._connection.sender
        if sender.unsent:
            self.ask()
            return
        frame = reset_frame(self._live.views, self._live.room, self._connection.holder.channels, ResetReason.ASKED)
        try:
            self._in_flight.demand(len(frame.framed))
        except Refused:
            self.ask()
            return
        self._reads.spend(len(frame.framed))
        self._connection.greet([frame])
        self._in_flight.track(self._connection, lambda: sender.unsent)


PATH = "/ws/{room}"
_TOO_MANY, _UPGRADE_REQUIRED = 429, 426
_LONGEST_REASON = 123  # bytes of a reason in a close frame
_LOST = 1006  # close code of a connection that was lost without a close frame
_log = structlog.get_logger()


async def serve_connection(
    socket: WebSocket, joining: Joining, connection_limiter: ConnectionLimiter, hello_within_s: float
) -> None:
    """Serve one connection: read commands, and send replies and the events of the room.

    Returns when either side has closed the connection. A refused command does not close the connection. A frame that
    breaks the protocol closes the connection with BAD_FRAME. A flood of refused commands closes it with 1008, and slow
    reading with SLOW_CONSUMER.
    """
    host, limits = _host(socket), joining.limits
    if wait_ms := limits.joins.take(address_of(host)):
        joining.rooms.counters.refusals.labels(Code.RATE_LIMITED).inc()
        _log_limit(limits, "limit_joins", host)
        return await _turn_away(socket, _TOO_MANY, wait_ms)
    if status := connection_limiter.enter(host):
        _log_limit(limits, "max_connections_per_address" if status == _TOO_MANY else "max_connections", host)
        return await _turn_away(socket, status, COME_BACK_MS)
    try:
        with suppress(WebSocketDisconnect):
            await _serve_or_close(socket, joining, connection_limiter, hello_within_s)
    finally:
        connection_limiter.leave(host)


def _log_limit(limits: Limits, setting: str, host: str) -> None:
    """Log that a limit turns websockets away, once a minute for each address."""
    if not limits.logged.take((setting, address_of(host))):
        _log.warning("limit reached: websockets are turned away", limit=setting, client=host)


def routes(limits: Limits, connection_limiter: ConnectionLimiter) -> list[Route]:
    """Return the route for a plain GET at a websocket's URL.

    A page sends this request to learn why its websocket failed, because browsers do not tell scripts the status.
    """

    async def answer(request: Request) -> Response:
        host = _host(request)
        wait_ms = limits.joins.take(address_of(host))
        if wait_ms:
            return _status(_TOO_MANY, retry_after(wait_ms))
        limits.joins.put_back(address_of(host))
        if status := connection_limiter.objection(host):
            return _status(status, retry_after(COME_BACK_MS))
        return _status(_UPGRADE_REQUIRED, {"Upgrade": "websocket"})

    return [Route(PATH, answer, methods=["GET"])]


def _status(status: int, headers: dict[str, str]) -> Response:
    return PlainTextResponse(f"{HTTPStatus(status).phrase}\n", status, headers)


async def _turn_away(socket: WebSocket, status: int, wait_ms: int) -> None:
    """Answer a handshake with an HTTP status, or close the socket if the ASGI server cannot send a status."""
    with suppress(WebSocketDisconnect):
        if "websocket.http.response" in socket.scope.get("extensions", {}):
            await socket.send_denial_response(Response(status_code=status, headers=retry_after(wait_ms)))
        else:
            await socket.close(1013)


async def _serve_or_close(
    socket: WebSocket, joining: Joining, connection_limiter: ConnectionLimiter, hello_within_s: float
) -> None:
    await socket.accept()
    socket.scope["headers"] = ()  # free memory: the headers are not needed any more
    try:
        await _serve(socket, joining, hello_within_s)
    except ProtocolViolation as violation:
        await _close(socket, CloseCode.BAD_FRAME, str(violation))
    except Refused as refused:
        await _close(socket, CloseCode.UNAUTHORISED, refused.sentence)
    except TooManyConnections as full:
        connection_limiter.turned_away[full.cap] += 1
        await _close(socket, CloseCode.FULL, str(full))
    except Flood as flood:
        await _close(socket, FLOODED, str(flood))
    except StoreError as error:
        _log.warning("a client was refused: the store fails", error=str(error))
        await _close(socket, CloseCode.RESTART, f"{trouble_of(error)}: come back")


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    """Close a websocket, unless it is closed already."""
    if socket.application_state is WebSocketState.CONNECTED:
        with suppress(WebSocketDisconnect):
            await socket.close(code, reason.encode()[:_LONGEST_REASON].decode(errors="ignore"))


async def _serve(socket: WebSocket, joining: Joining, hello_within_s: float) -> None:
    live, connection, hub, reads = await _let_in(socket, joining, hello_within_s)
    expiry = joining.arrive(hub, connection)
    resyncs = Resyncs(live, connection, joining.in_flight, reads)
    try:
        meter = joining.limits.meter(live.id, connection.holder.actor, _host(socket), live.size)
        reader = CommandReader(live, connection, meter, joining.rooms.counters, resyncs.ask)
        await connection.sender.run(reader.run(socket))
    except (ProtocolViolation, Flood) as error:
        connection.closed_with = CloseCode.BAD_FRAME if isinstance(error, ProtocolViolation) else FLOODED
        raise
    finally:
        resyncs.close()
        joining.depart(hub, connection, expiry)


async def _let_in(
    socket: WebSocket, joining: Joining, hello_within_s: float
) -> tuple[LiveRoom, Connection, Hub, ReadMeter]:
    hello = await _hello(socket, hello_within_s)
    room_id, demand_presence = socket.path_params["room"], partial(_demand_presence, socket)
    live, holder, reads = await joining.let_in(room_id, hello.token, _host(socket), demand_presence)
    make_sender = partial(_sender, socket)
    positions = hello.positions or {}
    session, knocks = hello.session, hello.knocks is True
    connection, hub = await joining.greet(
        live, holder, reads, make_sender, positions=positions, session=session, knocks=knocks
    )
    if hello.beat:
        connection.start_beats()
    return live, connection, hub, reads


async def _hello(socket: WebSocket, within_s: float) -> Hello:
    try:
        async with asyncio.timeout(within_s):
            hello = read_hello(await next_text(socket))
    except TimeoutError:
        raise ProtocolViolation(f"no hello within {within_s:g} s") from None
    if hello.v != PROTOCOL_VERSION:
        raise ProtocolViolation(f"this server speaks version {PROTOCOL_VERSION} of the protocol")
    return hello


def _sender(socket: WebSocket) -> Sender:
    """Return a sender that writes to the transport directly. If the ASGI server does not offer our extension, return a
    sender with a queue.
    """
    frames = _direct_frames(socket)
    return DirectSender(frames) if frames is not None else QueuedSender(socket)


def _direct_frames(socket: WebSocket) -> DirectFrames | None:
    frames = socket.scope.get("extensions", {}).get(EXTENSION)
    return frames if isinstance(frames, DirectFrames) else None


async def _demand_presence(socket: WebSocket) -> None:
    """Raise WebSocketDisconnect if the connection is lost. Without our ASGI extension, this cannot be detected here."""
    frames = _direct_frames(socket)
    if frames is not None and frames.is_cut:
        raise WebSocketDisconnect(_LOST)


def _host(asking: HTTPConnection) -> str:
    return asking.client.host if asking.client else ""
