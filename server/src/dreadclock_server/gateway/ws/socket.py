"""Serving one websocket: hello, then commands in, replies and events out."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

import structlog
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from dreadclock.wire.base import Channel, Role
from dreadclock.wire.errors import CloseCode, Code, ProtocolViolation, Refused
from dreadclock.wire.frames import PROTOCOL_VERSION, Hello, ResetReason, Welcome, frame_text
from dreadclock.wire.records import Positions
from dreadclock_server.gateway import sessions, tokens
from dreadclock_server.gateway.limits.caps import ConnectionLimiter, TooManyConnections, address_of
from dreadclock_server.gateway.limits.in_flight import InFlightBudget
from dreadclock_server.gateway.limits.rates import Flood, Limits, Meter, retry_after
from dreadclock_server.gateway.parsing import read_hello
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.gateway.ws.direct_frames import EXTENSION, DirectFrames
from dreadclock_server.gateway.ws.hub import Hub, events_frames, part_of, positions_of, reset_frame
from dreadclock_server.gateway.ws.hubs import Hubs
from dreadclock_server.gateway.ws.reader import CommandReader, next_text
from dreadclock_server.gateway.ws.resync import Resyncs
from dreadclock_server.gateway.ws.senders import DirectSender, Frame, QueuedSender, Sender
from dreadclock_server.rooms import resume
from dreadclock_server.rooms.answers import trouble_of
from dreadclock_server.rooms.history import Forked, Missed, TooOld
from dreadclock_server.rooms.inputs import now_ms
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import StoreError

COME_BACK_MS = 10_000  # where there are too many connections
_LONGEST_REASON = 123  # bytes, in a close frame
_POLICY_VIOLATION = 1008
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Services:
    """What every websocket is served with."""

    rooms: Rooms
    hubs: Hubs
    hello_within_s: float
    connection_limiter: ConnectionLimiter
    limits: Limits
    in_flight: InFlightBudget


async def serve_connection(socket: WebSocket, services: Services) -> None:
    """Serve one connection: commands in, replies and the room's events out.

    Returns once either side closes. A refused command is answered, not punished; a frame that
    is no command closes with BAD_FRAME, a reader who falls behind with SLOW_CONSUMER.
    """
    host = socket.client.host if socket.client else ""
    if wait_ms := services.limits.joins.take(address_of(host)):
        services.rooms.counters.refusals[Code.RATE_LIMITED] += 1
        return await _turn_away(socket, 429, wait_ms)
    if status := services.connection_limiter.enter(host):
        return await _turn_away(socket, status, COME_BACK_MS)
    try:
        await _serve_or_close(socket, services)
    except WebSocketDisconnect:
        pass
    finally:
        services.connection_limiter.leave(host)


async def _turn_away(socket: WebSocket, status: int, wait_ms: int) -> None:
    """Answer an opening handshake with an HTTP status, or however the ASGI server can."""
    with suppress(WebSocketDisconnect):
        if "websocket.http.response" in socket.scope.get("extensions", {}):
            await socket.send_denial_response(Response(status_code=status, headers=retry_after(wait_ms)))
        else:
            await socket.close(1013)


async def _serve_or_close(socket: WebSocket, services: Services) -> None:
    await socket.accept()
    socket.scope["headers"] = ()  # nobody asks for them any more, and they would stay with the connection
    try:
        await _serve(socket, services)
    except ProtocolViolation as violation:
        await _close(socket, CloseCode.BAD_FRAME, str(violation))
    except Refused as refused:
        await _close(socket, CloseCode.UNAUTHORISED, refused.sentence)
    except TooManyConnections as full:
        services.connection_limiter.turned_away[full.cap] += 1
        await _close(socket, CloseCode.FULL, str(full))
    except Flood as flood:
        await _close(socket, _POLICY_VIOLATION, str(flood))
    except StoreError as error:
        _log.warning("a client is not let in: the store fails", error=str(error))
        await _close(socket, CloseCode.RESTART, f"{trouble_of(error)}: come back")


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    """Close a websocket, unless either side has done so."""
    if socket.application_state is WebSocketState.CONNECTED:
        with suppress(WebSocketDisconnect):
            await socket.close(code, reason.encode()[:_LONGEST_REASON].decode(errors="ignore"))


async def _serve(socket: WebSocket, services: Services) -> None:
    live, connection, hub = await _let_in(socket, services)
    holder = connection.holder
    services.hubs.joined(hub, connection)
    expiry = _expire(connection, holder)
    resyncs = Resyncs(live, connection, services.in_flight)
    try:
        meter = _meter(socket, services, live, holder)
        reader = CommandReader(live, connection, meter, services.rooms.counters, resyncs.ask)
        await connection.sender.run(reader.run(socket))
    except (ProtocolViolation, Flood) as error:
        connection.closed_with = CloseCode.BAD_FRAME if isinstance(error, ProtocolViolation) else _POLICY_VIOLATION
        raise
    finally:
        connection.closed = True  # nothing follows a close, not even the answers to what was taken before it
        if expiry is not None:
            expiry.cancel()
        resyncs.close()
        services.in_flight.release(connection)
        hub.leave(connection)
        services.hubs.left(hub)
        services.rooms.counters.endings[_ending(connection)] += 1
        services.rooms.counters.unreleased["connection"].add(connection)


async def _let_in(socket: WebSocket, services: Services) -> tuple[LiveRoom, Connection, Hub]:
    hello = await _hello(socket, services.hello_within_s)
    live, holder = await tokens.check(services.rooms, socket.path_params["room"], hello.token)
    services.hubs.used(live.id, holder.token_hash, now_ms())
    return live, *await _greet(socket, services, live, holder, hello)


def _ending(connection: Connection) -> str:
    """Name why a connection ended: after the close code, if this side closed it."""
    if connection.closed_with is None:
        return "lost"
    return "flood" if connection.closed_with == _POLICY_VIOLATION else CloseCode(connection.closed_with).name.lower()


def _expire(connection: Connection, holder: tokens.Bearer) -> asyncio.TimerHandle | None:
    if holder.expires_at is None:
        return None
    delay_s = max(0.0, (holder.expires_at - now_ms()) / 1000)
    loop = asyncio.get_running_loop()
    return loop.call_later(delay_s, connection.close, CloseCode.REVOKED, "this token has expired")


async def _hello(socket: WebSocket, within_s: float) -> Hello:
    try:
        async with asyncio.timeout(within_s):
            hello = read_hello(await next_text(socket))
    except TimeoutError:
        raise ProtocolViolation(f"no hello within {within_s:g} s") from None
    if hello.v != PROTOCOL_VERSION:
        raise ProtocolViolation(f"this server speaks version {PROTOCOL_VERSION} of the protocol")
    return hello


async def _greet(
    socket: WebSocket, services: Services, live: LiveRoom, holder: tokens.Bearer, hello: Hello
) -> tuple[Connection, Hub]:
    """Answer a hello, with exactly what was missed or with the whole view, and join the room."""
    known = {channel: head for channel, head in (hello.positions or {}).items() if channel in holder.channels}
    missed, reason, differs = await _missed(live, holder, known)
    # From here to join() nothing is awaited: what is sent and what is heard after it fit without a gap.
    live.tell_now()  # the greeting tells what others may still wait for
    if live.seat(holder.actor.seat_id) is None:
        raise Refused(Code.UNAUTHORISED)
    hub = services.hubs.of(live)
    hub.require_place(holder, services.connection_limiter.caps)
    session = _session(services, live, holder, hello)
    frames = [_welcome(services, live, holder, session, missed is not None, fresh=missed is None and reason is None)]
    for channel, part in (missed or {}).items():
        frames += events_frames(channel, part.texts, known[channel], part.head)
    if reason is not None:
        frames.append(reset_frame(live.room, holder.channels, reason, differs))
    frames.append(hub.presence_frame())
    _demand(services, hub, frames)
    connection = Connection(_sender(socket), holder, session)  # it lets go of its sender in run(), which now follows
    connection.hears_knocks = hello.knocks is True and holder.actor.role is Role.GM
    connection.greet(frames)
    if connection.sender.unsent:
        services.in_flight.track(connection, lambda: connection.sender.unsent)
    hub.join(connection)
    services.rooms.counters.hellos["exact" if missed is not None else reason or "fresh"] += 1
    return connection, hub


def _demand(services: Services, hub: Hub, frames: list[Frame]) -> None:
    try:
        services.in_flight.demand(sum(len(frame.text) for frame in frames))
    except Refused:
        services.hubs.left(hub)  # which may have been made for this one alone
        raise TooManyConnections("under_way", "too much is on its way to others who come in: come back later") from None


async def _missed(
    live: LiveRoom, holder: tokens.Bearer, known: Positions
) -> tuple[dict[Channel, Missed] | None, ResetReason | None, dict[Channel, int] | None]:
    """Return what a client missed; or None, why that cannot be told, and where the logs differ."""
    if len(known) != len(holder.channels):
        return None, None, None
    try:
        return await resume.missed(live, known), None, None
    except TooOld:
        return None, ResetReason.TOO_OLD, None
    except Forked as fork:
        return None, ResetReason.FORKED, fork.differs


def _sender(socket: WebSocket) -> Sender:
    """Find the shortest way out that the ASGI server offers."""
    frames = socket.scope.get("extensions", {}).get(EXTENSION)
    return DirectSender(frames) if isinstance(frames, DirectFrames) else QueuedSender(socket)


def _session(services: Services, live: LiveRoom, holder: tokens.Bearer, hello: Hello) -> str:
    key, seat_id, known = services.rooms.meta[live.id].session_key, holder.actor.seat_id, live.sessions
    asked = hello.session
    if asked is not None and sessions.resumable(key, live.id, seat_id, asked, known):
        return asked
    return sessions.issue(key, live.id, seat_id, known.issue_ms(seat_id, now_ms()))


def _welcome(
    services: Services, live: LiveRoom, holder: tokens.Bearer, session: str, resumed: bool, *, fresh: bool
) -> Frame:
    room = live.room
    welcome = Welcome(
        room=live.id,
        log_id=room.log_id,
        seat=holder.actor.seat_id,
        role=holder.actor.role,
        session=session,
        durability=services.rooms.store.durability,
        positions=positions_of(room, holder.channels),
        resumed=resumed,
        view=part_of(room.view, holder.channels) if fresh else None,
    )
    return Frame(frame_text(welcome))


def _meter(socket: WebSocket, services: Services, live: LiveRoom, holder: tokens.Bearer) -> Meter:
    host = socket.client.host if socket.client else ""
    return services.limits.meter(live.id, holder.actor.seat_id, holder.actor.role, host)
