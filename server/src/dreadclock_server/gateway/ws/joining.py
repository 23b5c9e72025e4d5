"""Joining and leaving a room, for websockets and event streams."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from dreadclock.wire.base import Channel, Role, RoomId
from dreadclock.wire.errors import CloseCode, Code, Refused
from dreadclock.wire.frames import ResetReason, Welcome, frame_text
from dreadclock.wire.records import Positions
from dreadclock_server.gateway import sessions, tokens
from dreadclock_server.gateway.limits.caps import Caps, TooManyConnections
from dreadclock_server.gateway.limits.in_flight import InFlightBudget
from dreadclock_server.gateway.limits.rates import Limits, ReadMeter
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.gateway.ws.hub import NO_VIEW, Hub, events_frames, frame_with_view, positions_of, reset_frame
from dreadclock_server.gateway.ws.hubs import Hubs
from dreadclock_server.gateway.ws.outbox import Frame, Sender
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.rooms.log import Forked, Missed, TooOld
from dreadclock_server.rooms.registry import Rooms

COME_BACK_MS = 10_000  # retry delay if there are too many connections
FLOODED = 1008


@dataclass(frozen=True, slots=True)
class Joining:
    """Lets connections join and leave rooms."""

    rooms: Rooms
    hubs: Hubs
    limits: Limits
    caps: Caps
    in_flight: InFlightBudget

    async def let_in(
        self, room_id: RoomId, token: str, host: str, demand_presence: Callable[[], Awaitable[None]]
    ) -> tuple[LiveRoom, tokens.Bearer, ReadMeter]:
        """Return a room, the holder of the token, and a meter for the read limit of the address.

        Waits until the read limit allows reading. There is no await between the last check of the limit and the return,
        so that no other client can use up the limit before the caller. Raises Refused if the token is not valid.
        `demand_presence`: called after each wait; raises an error if the client is gone.
        """
        while True:
            live, holder = await tokens.check(self.rooms, room_id, token)
            self.hubs.used(live.id, holder.token_hash, now_ms())
            reads = self.limits.reader(host, holder.channels)
            wait_s = reads.wait_s()
            if not wait_s:
                return live, holder, reads
            await asyncio.sleep(wait_s)
            await demand_presence()

    async def greet(
        self,
        live: LiveRoom,
        holder: tokens.Bearer,
        reads: ReadMeter,
        make_sender: Callable[[], Sender],
        *,
        positions: Positions,
        session: str | None = None,
        knocks: bool = False,
    ) -> tuple[Connection, Hub]:
        """Send the first frames to a connection, and join the room: the records since `positions`, or the whole view.

        `session`: the session to continue. `knocks`: whether the client wants knocks, which only a gm gets. Afterwards,
        the caller calls `arrive` and the sender's run(). Raises Refused if the seat is gone, and TooManyConnections.
        """
        held = {channel: head for channel, head in positions.items() if channel in holder.channels}
        missed, reason, differs = await _missed(live, holder, held)
        # No await from here to join(), so that the client misses no event after the first frames.
        live.send_now()  # the first frames include records that other clients have not received yet
        if live.seat(holder.actor.seat_id) is None:
            raise Refused(Code.UNAUTHORISED)
        hub = self.hubs.of(live)
        hub.require_place(holder, self.caps)
        session = self._session(live, holder, session)
        frames = [self._welcome(live, holder, session, missed is not None, fresh=missed is None and reason is None)]
        for channel, part in (missed or {}).items():
            frames += events_frames(channel, part.texts, held[channel], part.head)
        if reason is not None:
            frames.append(reset_frame(live.views, live.room, holder.channels, reason, differs))
        frames.append(hub.presence_frame())
        size = sum(len(frame.framed) for frame in frames)
        self._demand(hub, size)
        reads.spend(size)
        connection = Connection(make_sender(), holder, session)
        connection.hears_knocks = knocks and holder.actor.role is Role.GM
        connection.greet(frames)
        if connection.sender.unsent:
            self.in_flight.track(connection, lambda: connection.sender.unsent)
        hub.join(connection)
        self.rooms.counters.welcomed("exact" if missed is not None else reason or "fresh")
        return connection, hub

    def arrive(self, hub: Hub, connection: Connection) -> asyncio.TimerHandle | None:
        """Check that the token is still valid, and close the connection when it expires. Return the timer, for
        `depart`.
        """
        self.hubs.joined(hub, connection)
        expires_at = connection.holder.expires_at
        if expires_at is None:
            return None
        delay_s = max(0.0, (expires_at - now_ms()) / 1000)
        loop = asyncio.get_running_loop()
        return loop.call_later(delay_s, connection.close, CloseCode.REVOKED, "this token has expired")

    def depart(self, hub: Hub, connection: Connection, expiry: asyncio.TimerHandle | None) -> None:
        """Clean up after a connection that has ended."""
        connection.closed = True  # send nothing after a close, not even outstanding replies
        if expiry is not None:
            expiry.cancel()
        connection.stop_beats()
        self.in_flight.release(connection)
        hub.leave(connection)
        self.hubs.left(hub)
        self.rooms.counters.endings.labels(_ending(connection)).inc()
        self.rooms.counters.unreleased["connection"].add(connection)

    def _demand(self, hub: Hub, size: int) -> None:
        try:
            self.in_flight.demand(size)
        except Refused:
            self.hubs.left(hub)  # the hub may have been made only for this connection
            text = "too much data is being sent to other new connections: come back later"
            raise TooManyConnections("under_way", text) from None

    def _session(self, live: LiveRoom, holder: tokens.Bearer, asked: str | None) -> str:
        key, seat_id, known_sessions = self.rooms.meta[live.id].session_key, holder.actor.seat_id, live.sessions
        if asked is not None and sessions.resumable(key, live.id, seat_id, asked, known_sessions):
            return asked
        return sessions.issue(key, live.id, seat_id, known_sessions.issue_ms(seat_id, now_ms()))

    def _welcome(self, live: LiveRoom, holder: tokens.Bearer, session: str, resumed: bool, *, fresh: bool) -> Frame:
        room = live.room
        welcome = Welcome(
            room=live.id,
            log_id=room.log_id,
            seat=holder.actor.seat_id,
            role=holder.actor.role,
            session=session,
            durability=self.rooms.store.durability,
            positions=positions_of(room, holder.channels),
            resumed=resumed,
            view=NO_VIEW if fresh else None,
        )
        return frame_with_view(welcome, live.view_text(holder.channels)) if fresh else Frame(frame_text(welcome))


def _ending(connection: Connection) -> str:
    """Return why a connection has ended, for a metric: the name of our close code, `flood`, or `lost`."""
    if connection.closed_with is None:
        return "lost"
    return "flood" if connection.closed_with == FLOODED else CloseCode(connection.closed_with).name.lower()


async def _missed(
    live: LiveRoom, holder: tokens.Bearer, positions: Positions
) -> tuple[dict[Channel, Missed] | None, ResetReason | None, dict[Channel, int] | None]:
    """Return the records that a client at `positions` has missed, or else None and the reason to send the whole view.

    For the reason FORKED, also return at which seqs the logs differ. If `positions` lacks a channel, return only None:
    the client is new."""
    if len(positions) != len(holder.channels):
        return None, None, None
    try:
        return await live.missed(positions), None, None
    except TooOld:
        return None, ResetReason.TOO_OLD, None
    except Forked as fork:
        return None, ResetReason.FORKED, fork.differs
