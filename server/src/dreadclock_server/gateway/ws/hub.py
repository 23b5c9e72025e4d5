"""A room's connections on this node, that is, in this server process.

A frame is built once per channel, and sent to all connections that may see this channel. Presence frames say how many
connections each seat has, on all nodes together.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from dreadclock.wire.base import Channel, Id, Role
from dreadclock.wire.errors import CloseCode
from dreadclock.wire.frames import Knocks, Presence, Reset, ResetReason, WaitingKnock, Welcome, events_frame, frame_text
from dreadclock.wire.records import Head, Positions, advance
from dreadclock.wire.views import View
from dreadclock_server.core.room import Room, Written
from dreadclock_server.gateway import knocks
from dreadclock_server.gateway.limits.caps import Caps, TooManyConnections
from dreadclock_server.gateway.tokens import Bearer
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.gateway.ws.outbox import Frame
from dreadclock_server.journal import LoggedFailures
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.rooms.registry import PRESENCE
from dreadclock_server.rooms.views import ViewCache
from dreadclock_server.store.base import Store

# The knocks of a room: requests for a seat.


PAUSE_S = 0.1  # the shortest time between two readings of the knocks


class KnockTeller:
    """Sends a room's knocks (requests for a seat) to its connections on this node that want them."""

    def __init__(self, live: LiveRoom, store: Store, connections: AbstractSet[Connection]) -> None:
        self._live, self._store, self._connections = live, store, connections
        self._is_due = False
        self._telling: asyncio.Task[None] | None = None
        self._expiry: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        """Read the knocks soon, and send the list to the connections that do not have the current list."""
        if not self._listeners():
            return
        self._is_due = True
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell_soon())

    def _listeners(self) -> list[Connection]:
        return [connection for connection in self._connections if connection.hears_knocks and connection.hears]

    async def _tell_soon(self) -> None:
        while self._is_due:
            self._is_due = False
            with LoggedFailures("the knocks could not be read", room=self._live.id):
                rows = await self._store.knocks(self._live.id)
                self._tell(rows)
                await self._sweep(rows)
            await asyncio.sleep(PAUSE_S)

    def _tell(self, rows: dict[str, str]) -> None:
        waiting = knocks.waiting(rows, self._live.room.view.seats, now_ms())
        text = frame_text(Knocks(waiting=waiting))
        for connection in self._listeners():
            if connection.told_of_knocks != text:
                connection.told_of_knocks = text
                connection.send(Frame(text))
        self._look_at_expiry(waiting)

    async def _sweep(self, rows: dict[str, str]) -> None:
        """Delete expired knocks, so that the names in them are not kept longer than needed."""
        for knock, text in rows.items():
            if knocks.row_of(text, now_ms()) is None:
                await self._store.change_knock(self._live.id, knock, text, None)

    def _look_at_expiry(self, waiting: tuple[WaitingKnock, ...]) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
        self._expiry = None
        if waiting:
            in_s = max(0, waiting[0].expires_at - now_ms()) / 1000
            self._expiry = asyncio.get_running_loop().call_later(in_s + PAUSE_S, self.changed)


MOST_IN_FRAME = 1 << 18  # characters; far fewer than the 8 MiB that a client accepts
RECHECK_PAUSE_S = 0.5
PRESENCE_DELAY_S = 0.1  # changes within this time are sent in one frame
NO_VIEW = View(channels={})
_NO_VIEW_TEXT = b'{"channels":{}}'
_CHANNELS = tuple(Channel)  # the public channel first; looping over the enum takes three times as long

_Write = Callable[[bytes], None]
_Recipients = tuple[dict[tuple[Channel, ...], tuple[_Write, ...]], tuple[Connection, ...]]
"""First, the write functions of connections that take bytes directly, by the channels that the connections may see.
Second, the other connections that still receive events.
"""


def positions_of(room: Room, channels: Sequence[Channel]) -> Positions:
    """Return the heads of a viewer's channels: by channel, the seq and hash of the last record."""
    return {channel: room.positions[channel] for channel in channels}


def events_frames(channel: Channel, texts: Sequence[str], before: Head, after: Head) -> list[Frame]:
    """Return frames with the records between two heads of a channel. No frame is much longer than MOST_IN_FRAME."""
    if sum(map(len, texts)) <= MOST_IN_FRAME:
        return [Frame(events_frame({channel: after}, texts))] if texts else []
    frames: list[Frame] = []
    part: list[str] = []
    head, length = before, 0
    for text in texts:
        part.append(text)
        head, length = advance(head, text), length + len(text)
        if length > MOST_IN_FRAME or head == after:
            frames.append(Frame(events_frame({channel: head}, part)))
            part, length = [], 0
    return frames


def _recipients(connections: Iterable[Connection]) -> _Recipients:
    direct: dict[tuple[Channel, ...], list[_Write]] = {}
    others: list[Connection] = []
    for connection in connections:
        write = connection.direct
        if write is not None:
            direct.setdefault(connection.holder.channels, []).append(write)
        elif connection.hears:
            others.append(connection)
    return {channels: tuple(writes) for channels, writes in direct.items()}, tuple(others)


def _write_all(writes: Iterable[_Write], data: bytes) -> None:
    for write in writes:
        try:
            write(data)
        except RuntimeError:  # the connection is lost, and will be removed
            continue


class Hub:
    """The connections of a live room on this node."""

    def __init__(self, live: LiveRoom, store: Store, node: str, counters: Counters) -> None:
        self.live, self.connections = live, set[Connection]()
        self._store, self._node, self._counters = store, node, counters
        self.knocks = KnockTeller(live, store, self.connections)
        self._recipients: _Recipients | None = None
        self._here: dict[str, int] = {}
        self._presence: asyncio.Task[None] | None = None
        self._tell_others = self._presence_due = False
        live.join(self)

    @property
    def size(self) -> int:
        """The number of connections."""
        return len(self.connections)

    def require_place(self, holder: Bearer, caps: Caps) -> None:
        """Raise TooManyConnections if the room or the seat has reached its cap. A spectator's seat has none."""
        if len(self.connections) >= caps.per_room:
            raise TooManyConnections("per_room", "this room has too many connections: come back later")
        actor = holder.actor
        if actor.role is not Role.SPECTATOR and self._of(actor.seat_id) >= caps.per_seat:
            raise TooManyConnections("per_seat", "this seat has too many connections: close one, or come back later")

    def _of(self, seat_id: Id) -> int:
        return sum(connection.holder.actor.seat_id == seat_id for connection in self.connections)

    def join(self, connection: Connection) -> None:
        """Add a connection. It receives all later events."""
        self.connections.add(connection)
        connection.sender.on_change = self._forget_recipients
        self._forget_recipients()
        self.presence_changed(tell_others=True)
        self.knocks.changed()

    def leave(self, connection: Connection) -> None:
        """Remove a connection."""
        self.connections.discard(connection)
        self._forget_recipients()
        self.presence_changed(tell_others=True)

    def committed(self, before: Room, after: Room, written: Sequence[Written]) -> None:
        """Send each record to all connections that may see its channel. Dismiss the connections of removed seats."""
        for channel in _CHANNELS:
            if after.positions[channel] is not before.positions[channel]:
                texts = [item.text for item in written if item.record.channel is channel]
                frames = events_frames(channel, texts, before.positions[channel], after.positions[channel])
                self._send_all(frames, channel)
        if after.view.public.seats is not before.view.public.seats:
            self._close_removed(after)

    def _send_all(self, frames: Sequence[Frame], channel: Channel | None = None) -> None:
        """Send the same frames to all connections, or only to those that may see `channel`."""
        if self._recipients is None:
            self._recipients = _recipients(self.connections)
        direct, others = self._recipients
        data = b"".join([frame.framed for frame in frames]) if direct else b""
        sent = 0
        for channels, writes in direct.items():
            if channel is None or channel in channels:
                _write_all(writes, data)
                sent += len(writes)
        self._counters.sent(len(data), sent)
        for connection in others:
            if channel is None or channel in connection.holder.channels:
                connection.send(*frames)
                self._counters.sent(sum(len(frame.text) for frame in frames), 1)

    def _forget_recipients(self) -> None:
        """Clear the cached recipients, so that the next frame computes them again."""
        self._recipients = None

    def _close_removed(self, room: Room) -> None:
        for connection in list(self.connections):
            if connection.holder.actor.seat_id not in room.view.seats:
                self._dismiss(connection, "this seat is gone")

    def _dismiss(self, connection: Connection, why: str) -> None:
        """Send no more events to a connection, and close it after its commands are answered."""
        connection.dismiss(CloseCode.REVOKED, why)
        self._forget_recipients()

    def reset(self, before: Room, after: Room) -> None:
        """Send the whole view to all connections, because the log differs from the log that was sent."""
        hearing = [connection for connection in self.connections if connection.hears]
        wanted = {connection.holder.channels for connection in hearing}
        views = self.live.views
        frames = {channels: reset_frame(views, after, channels, ResetReason.FORKED) for channels in wanted}
        for connection in hearing:
            connection.send(frames[connection.holder.channels])
        self._close_removed(after)

    def deleted(self) -> None:
        """Close all connections: the room was deleted."""
        for connection in list(self.connections):
            connection.close(CloseCode.ROOM_DELETED, "the room was deleted")

    async def recheck_token(self, connection: Connection) -> None:
        """Close a connection that has just joined, if its token was revoked meanwhile."""
        while connection in self.connections and not connection.closed:
            with LoggedFailures(room=self.live.id):
                if await self._store.token(self.live.id, connection.holder.token_hash) is None:
                    self._dismiss(connection, "this token was revoked")
                return
            # Trying again later is safe: while the store is down, there are no events that the connection could
            # receive.
            await asyncio.sleep(RECHECK_PAUSE_S)

    async def recheck_tokens(self) -> None:
        """Close the connections whose token was revoked."""
        valid = await self._store.tokens(self.live.id)
        for connection in list(self.connections):
            if connection.holder.token_hash not in valid:
                self._dismiss(connection, "this token was revoked")

    async def recheck_tokens_at_last(self) -> None:
        """Close the connections whose token was revoked. Retries until the store answers."""
        while self.connections:
            with LoggedFailures(room=self.live.id):
                await self.recheck_tokens()
                return
            await asyncio.sleep(RECHECK_PAUSE_S)

    def presence_frame(self) -> Frame:
        """Return a presence frame with the last counts that this node has read."""
        return Frame(frame_text(Presence(here=self._here)))

    def presence_changed(self, *, tell_others: bool = False) -> "asyncio.Task[None]":
        """Update presence soon, and return the task that does this. `tell_others`: also announce a change to other
        nodes.
        """
        self._tell_others = self._tell_others or tell_others
        self._presence_due = True
        if self._presence is None or self._presence.done():
            self._presence = asyncio.create_task(self._update_presence_soon())
        return self._presence

    async def _update_presence_soon(self) -> None:
        """Update presence. Repeat this if presence changes meanwhile: the counts may be from before the change."""
        while self._presence_due:
            await asyncio.sleep(PRESENCE_DELAY_S)
            self._presence_due = False
            with LoggedFailures("the presence could not be updated", room=self.live.id):
                await self._update_presence()

    async def _update_presence(self) -> None:
        mine, here = None, self._here
        while mine != (now := Counter(connection.holder.actor.seat_id for connection in self.connections)):
            mine = now
            here = await self._store.set_here(self.live.id, self._node, mine, now_ms())
        if self._tell_others:
            self._tell_others = False
            self._store.announce(self.live.id, PRESENCE + self._node.encode())
        if here != self._here:
            self._here = here
            self._send_all([self.presence_frame()])


def reset_frame(
    views: ViewCache,
    room: Room,
    channels: Sequence[Channel],
    reason: ResetReason,
    differs: dict[Channel, int] | None = None,
) -> Frame:
    """Return a `reset` frame, which has the whole view of these channels.

    `differs`: by channel, the first seq at which the client's log differs.
    """
    reset = Reset(
        reason=reason, log_id=room.log_id, positions=positions_of(room, channels), view=NO_VIEW, differs=differs
    )
    return frame_with_view(reset, views.text(room, channels))


def frame_with_view(frame: Welcome | Reset, view: bytes) -> Frame:
    """Return a frame with the JSON `view` in place of NO_VIEW. So the cached JSON of a view is not serialized again."""
    return Frame(frame_text(frame).encode().replace(_NO_VIEW_TEXT, view, 1))
