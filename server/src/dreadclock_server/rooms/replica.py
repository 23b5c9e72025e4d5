"""This node's copy of a room's log: kept up to date with the store, and saved as snapshots.

Nodes are server processes that share a store. Each node appends entries to the log, and announces them to the others.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence

import structlog

from dreadclock.wire.base import Channel, Id
from dreadclock.wire.records import Positions
from dreadclock.wire.rest import Undoable
from dreadclock.wire.things import Seat
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room, empty_room
from dreadclock_server.core.sessions import Sessions
from dreadclock_server.journal import LoggedFailures
from dreadclock_server.rooms.broadcast import Audience, Broadcast
from dreadclock_server.rooms.history import LostRecords, pages, read_after
from dreadclock_server.rooms.log import (
    BrokenLog,
    Forked,
    Log,
    Missed,
    NewerLog,
    TooOld,
    load,
    public_bytes_of,
    read_on,
    snapshot,
    stored_end,
)
from dreadclock_server.rooms.size import Size
from dreadclock_server.rooms.views import Undoables, ViewCache
from dreadclock_server.store.base import Position, RoomUnknown, Store, StoreUnavailable

# If the last snapshot is this many entries old, a new snapshot is saved before eviction, so that reloading is fast.
SNAPSHOT_AT_REST = 64
PAUSE_S = 0.2  # between two tries while the store fails
_log = structlog.get_logger()


class Replica(ABC):
    """This node's copy of a room's log, kept up to date with the store. The subclass LiveRoom adds commands."""

    def __init__(self, store: Store, log: Log, size: Size, views: ViewCache, broadcast: Broadcast) -> None:
        """`views`: the cache of views, which all rooms of this node share."""
        self.id, self.log, self.size, self.is_gone = log.room.room_id, log, size, False
        self.views, self._undoables = views, Undoables()
        self._store, self._broadcast = store, broadcast
        self._must_read_on = False
        self._waiting: asyncio.Future[None] | None = None  # done when the new entries are read; `refresh` waits for it
        self._appending: bytes | None = None  # the entry whose append is under way
        self._saving: set[asyncio.Task[bool]] = set()
        if log.needs_snapshot:
            self._save_soon()

    @abstractmethod
    def _wake(self) -> None:
        """Start the worker, which reads new entries."""

    @property
    def room(self) -> Room:
        """The current state of the room."""
        return self.log.room

    @property
    def sessions(self) -> Sessions:
        """The sessions of the room, with their outcomes."""
        return self.log.sessions

    @property
    def is_demo(self) -> bool:
        """Whether this is a demo room, which has lower limits."""
        return self.size.is_demo

    def seat(self, seat_id: Id) -> Seat | None:
        """Return a seat; None if there is no such seat."""
        return self.log.room.view.seats.get(seat_id)

    async def newest_seat(self, seat_id: Id) -> Seat | None:
        """Return a seat. If this node does not have it, read the store first, because another node may have made it."""
        if self.seat(seat_id) is None:
            await self.refresh()
        return self.seat(seat_id)

    def view_text(self, channels: Sequence[Channel]) -> bytes:
        """Return what a viewer of these channels sees, as JSON."""
        return self.views.text(self.log.room, channels)

    async def undoable(self, by: Actor) -> list[Undoable]:
        """Return the commands that a seat may undo now."""
        return await self._undoables.of(self.log.room, by)

    # The audience

    def join(self, audience: Audience) -> None:
        """Add an audience (connections that receive events). It receives all later records."""
        self._broadcast.audience.append(audience)

    def leave(self, audience: Audience) -> None:
        """Remove an audience."""
        self._broadcast.audience.remove(audience)

    def send_now(self) -> None:
        """Send a delayed broadcast now."""
        self._broadcast.send()

    # What other nodes append

    def hear_announced(self, payload: bytes) -> None:
        """Apply the entry in another node's announcement. If it is corrupt, schedule a read from the store."""
        try:
            head, data = payload.split(b"\n", 1)
            number, digest = head.decode().split(" ")
            self.hear(Position(int(number), digest), data)
        except ValueError:
            self.catch_up()

    def hear(self, position: Position, data: bytes) -> None:
        """Apply an announced entry if it is the next entry. Ignore entries that this node has already.

        If the entry comes too early or cannot be applied, schedule a read from the store.
        """
        here = self.log.position
        if position.number <= here.number:
            return
        if position.number == here.number + 1 and here.after(data) == position:
            try:
                self._take(position.number, data)
            except (BrokenLog, NewerLog) as error:
                _log.warning("an announced entry does not fit", room=self.id, error=str(error))
            else:
                return
        self.catch_up()

    def catch_up(self) -> None:
        """Schedule a read of new entries from the store."""
        self._must_read_on = True
        self._wake()

    async def refresh(self) -> None:
        """Return once this node has read everything that the store held at the time of the call.

        Does not wait for unconfirmed entries: an entry that this node is appending, and all entries after it.

        Raises StoreUnavailable, or RoomUnknown if the room was deleted.
        """
        if self.is_gone:
            raise RoomUnknown(self.id)
        waiting = self._waiting = self._waiting or asyncio.get_running_loop().create_future()
        self.catch_up()
        try:
            while not (await asyncio.wait({waiting}, timeout=PAUSE_S))[0]:
                if await self._is_all_confirmed():
                    return  # the worker still waits for an append, and cannot read
            await waiting
        finally:
            del waiting  # break a reference cycle: the future's error may have a traceback that refers to this frame

    async def _is_all_confirmed(self) -> bool:
        """Return whether this node has applied all entries of the store, except unconfirmed entries.

        Two kinds of entries are unconfirmed: the entry that this node is appending, and other nodes' entries after it.
        The store may already show an entry that it cannot confirm as durable yet.
        """
        position = self.log.position
        if await stored_end(self._store, self.id) == position:
            return True
        if self._appending is None:
            return False
        following = await self._store.read(self.id, position.number, 1)
        return bool(following) and following[0][1] == self._appending

    async def _read_on(self) -> None:
        """Apply other nodes' entries, and wake up the callers of `refresh`."""
        self._must_read_on = False
        waiting, self._waiting = self._waiting or asyncio.get_running_loop().create_future(), None
        try:
            await self._follow()
            waiting.set_result(None)
        except Exception as error:
            fail(waiting, error)
            raise
        finally:
            del waiting  # break a reference cycle, as in refresh()

    async def _follow(self) -> None:
        try:
            await read_on(self._store, self.id, self.log.position, self._take_if_new)
        except BrokenLog as error:
            _log.error("the log in the store differs from the log in memory", room=self.id, error=str(error))
            await self._start_over()

    async def _start_over(self) -> None:
        """Reload the room from the store."""
        before = self.log.room
        self.log = await load(self._store, empty_room(self.id, before.log_id))
        self._broadcast.reset(before, self.log.room)

    def _take_if_new(self, number: int, data: bytes) -> None:
        if number > self.log.position.number:  # an announcement may have advanced the log during the read
            self._take(number, data)

    def _take(self, number: int, data: bytes) -> None:
        before = self.log.room
        written = self.log.take(number, data)
        self.size.take_entry(data, public_bytes_of(self.log.room, data))
        self._broadcast.add(before, self.log.room, written)
        self._broadcast.send_soon()

    # What viewers missed

    def recent(self, channel: Channel, first: int, last: int) -> list[str]:
        """Return the records `first` to `last` of a channel, as far as they are still in memory."""
        return self.log.tail.between(channel, first, last)

    async def record(self, channel: Channel, seq: int) -> str:
        """Return a record, from memory or from the store. Raises LostRecords if the log no longer has it."""
        for text in self.recent(channel, seq, seq):
            return text
        async for page in pages(self._store, self.room, channel, seq - 1):
            return page[0]
        raise LostRecords(f"record {seq} of {channel} is missing")

    async def missed(self, positions: Positions) -> dict[Channel, Missed]:
        """Return for each channel the records that a viewer at `positions` has missed, up to the current heads.

        Raises TooOld if there are too many records, and Forked if the viewer has read another log. Raises
        StoreUnavailable if it is not certain yet whether the logs differ: while an append of this node is unconfirmed,
        the viewer may have later records from another node.
        """
        try:
            return await self._missed(positions)
        except Forked:
            await self.refresh()  # the viewer may come from a node that is ahead of this one
        try:
            return await self._missed(positions)
        except Forked:
            here = self.log.position.number
            if self._appending is not None and (await stored_end(self._store, self.id)).number > here:
                raise StoreUnavailable("an append is not confirmed yet") from None
            raise

    async def _missed(self, positions: Positions) -> dict[Channel, Missed]:
        parts: dict[Channel, Missed] = {}
        for channel, head in positions.items():
            recent = self.log.tail.after(channel, head)
            parts[channel] = recent or await read_after(self._store, self.room, channel, head)
        for channel, part in parts.items():
            since = self.log.tail.after(channel, part.head)  # records that came during the read
            if since is None:
                raise TooOld
            parts[channel] = Missed([*part.texts, *since.texts], since.head)
        return parts

    # Snapshots

    @property
    def is_worth_saving(self) -> bool:
        """Whether to save a snapshot before eviction, because the room would load slowly without it."""
        return self.log.position.number - self.log.snapshot_at >= SNAPSHOT_AT_REST

    def _save_soon(self) -> None:
        """Save a snapshot in the background."""
        task = asyncio.create_task(self.save())
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)

    async def save(self) -> bool:
        """Save a snapshot, and return whether that succeeded. A failure is only logged: snapshots are a cache."""
        log = self.log
        log.snapshot_at = log.position.number
        with LoggedFailures("no snapshot was saved: the store fails", room=self.id):
            await self._store.save_snapshot(self.id, log.position, snapshot(log))
            return True
        return False


def fail(waiting: "asyncio.Future[None]", error: Exception) -> None:
    """Set an error as the result of `waiting`, also if no caller of `refresh` waits any more."""
    waiting.set_exception(error)
    waiting.exception()  # mark the error as retrieved, otherwise asyncio would log it
