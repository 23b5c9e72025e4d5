"""A room that is being played on this node: one queue of commands, and one worker that takes them batch by batch.

LiveRoom    the queue, the worker, and what the gateway may ask of a room
Replica     this node's copy of the room, kept in step with the store
Committer   decides what a batch of commands brings about, and has the Writer append it
Fanout      tells the audience and answers the commands
Refresh     remembers that the copy must be updated, and who waits for it
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Sequence

import structlog

from dreadclock.wire.base import Channel, Id
from dreadclock.wire.records import Head
from dreadclock.wire.rest import Undoable
from dreadclock.wire.things import Seat
from dreadclock_server.core.draft import Actor, Dice
from dreadclock_server.core.room import Room
from dreadclock_server.core.sessions import No, Sessions
from dreadclock_server.rooms.answers import not_stored, unavailable
from dreadclock_server.rooms.audience import Audience
from dreadclock_server.rooms.batch import QueuedCommand, reply_all
from dreadclock_server.rooms.committer import Committer
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.fanout import Fanout
from dreadclock_server.rooms.history import LostRecords, Missed, pages, read_after
from dreadclock_server.rooms.log import Log, NewerLog
from dreadclock_server.rooms.refresh import Refresh, settle
from dreadclock_server.rooms.replica import Replica
from dreadclock_server.rooms.size import Size
from dreadclock_server.rooms.undoables import Undoables
from dreadclock_server.rooms.views import ViewCache
from dreadclock_server.rooms.writer import PAUSE_S, SNAPSHOT_AT_REST, Writer, is_due, read_announcement
from dreadclock_server.store.base import Position, RoomUnknown, Store, StoreUnavailable, Trouble

MOST_IN_BATCH = 256  # commands
MOST_WAITING = 4096  # commands in a room's queue
LAST_TRIES_S = 3.0  # that a shutdown waits for an append under way
_log = structlog.get_logger()


class LiveRoom:
    """The only place in which a room's commands are decided on this node."""

    def __init__(
        self,
        store: Store,
        log: Log,
        *,
        dice: Dice,
        size: Size,
        reload: Callable[[], Awaitable[Log]],
        counters: Counters,
        views: ViewCache,
    ) -> None:
        """`reload` returns the room as the store has it. `views`: the node's, of all rooms."""
        self.id, self.size, self.is_gone = log.room.room_id, size, False
        self.last_used = time.monotonic()
        self._store, self._counters = store, counters
        self._queue: deque[QueuedCommand] = deque()
        self._fanout = Fanout(self.id, self._queue)
        self._replica = Replica(store, log, self._fanout, reload, size)
        self._writer = Writer(store, self.id)
        self._writer.save_soon(log)
        self._committer = Committer(self._replica, self._writer, self._fanout, dice=dice, size=size, counters=counters)
        self._refresh = Refresh()
        self._undoables, self.views = Undoables(), views
        self._worker: asyncio.Task[None] | None = None
        self._name = f"room {self.id}"  # of the worker
        self._refusing: Trouble | None = None  # why all commands are refused now; None if they are not
        self._logged = ""  # the last trouble with the store; logged once, not at every try

    # State

    @property
    def room(self) -> Room:
        """The room as it stands."""
        return self._replica.log.room

    @property
    def log(self) -> Log:
        """The room's log as this node knows it."""
        return self._replica.log

    @property
    def sessions(self) -> Sessions:
        """The sessions of those who sent commands."""
        return self._replica.log.sessions

    @property
    def is_demo(self) -> bool:
        """Whether it is a demo room, which may have less than others."""
        return self.size.is_demo

    def seat(self, seat_id: Id) -> Seat | None:
        """Return a seat, None if there is none."""
        return self.room.view.seats.get(seat_id)

    def view_text(self, channels: Sequence[Channel]) -> bytes:
        """Return what a viewer of these channels sees, as JSON."""
        return self.views.text(self.room, channels)

    async def undoable(self, by: Actor) -> list[Undoable]:
        """Return which of the latest commands a seat may take back now."""
        return await self._undoables.of(self.room, by)

    @property
    def idle(self) -> bool:
        """Whether nobody listens and nothing is under way."""
        return not self._fanout.audience and not self.is_at_work

    @property
    def waiting(self) -> int:
        """How many commands wait in the queue."""
        return len(self._queue)

    @property
    def is_at_work(self) -> bool:
        """Whether commands wait or are under way."""
        return bool(self._queue) or (self._worker is not None and not self._worker.done())

    # Who listens

    def join(self, audience: Audience) -> None:
        """Let an audience hear what happens from now on."""
        self._fanout.audience.append(audience)

    def leave(self, audience: Audience) -> None:
        """Let an audience hear no more."""
        self._fanout.audience.remove(audience)

    def tell_now(self) -> None:
        """Send now what the fan-out delays in order to send more with it."""
        self._fanout.end()

    def recent(self, channel: Channel, first: int, last: int) -> list[str]:
        """Return the records of a channel numbered `first` to `last` that are still in memory."""
        return self._replica.log.tail.between(channel, first, last)

    async def record(self, channel: Channel, seq: int) -> str:
        """Return a record, from memory or from the store."""
        for text in self.recent(channel, seq, seq):
            return text
        async for page in pages(self._store, self.room, channel, seq - 1):
            return page[0]
        raise LostRecords(f"record {seq} of {channel} is not to be found")

    def missed_recently(self, channel: Channel, known: Head) -> Missed | None:
        """Return what followed `known` in a channel, None if that is no longer in memory. Raises Forked."""
        return self._replica.log.tail.after(channel, known)

    async def missed(self, channel: Channel, known: Head) -> Missed:
        """Return what followed `known` in a channel, from memory or from the store. Raises Forked or TooOld."""
        recent = self.missed_recently(channel, known)
        return recent if recent is not None else await read_after(self._store, self.room, channel, known)

    # Commands

    def submit(self, queued: QueuedCommand) -> None:
        """Queue a command; its reply is called with the outcome once that is stored, perhaps with None before."""
        self.last_used = time.monotonic()
        full = Trouble.TOO_MUCH if len(self._queue) >= MOST_WAITING else None
        trouble = self._refusing or (self._writer.trouble if self._writer.in_trouble else full)
        if trouble or self.is_gone:
            self._refuse((queued,), unavailable(trouble or Trouble.AWAY))
            return
        self._queue.append(queued)
        self._fanout.queued()
        self._wake()

    def _refuse_waiting(self, trouble: Trouble = Trouble.AWAY) -> None:
        waiting = list(self._queue)
        self._queue.clear()
        self._refuse(waiting, unavailable(trouble))

    def _refuse(self, batch: Collection[QueuedCommand], outcome: No) -> None:
        self._counters.refusals[outcome.code] += len(batch)
        reply_all((queued, outcome) for queued in batch)

    # What other nodes append

    def catch_up(self) -> None:
        """Schedule reading what other nodes appended."""
        self._refresh.is_due = True
        self._wake()

    async def refresh(self) -> None:
        """Return once this node has read everything that the store held at the time of the call.

        An entry of this node's own counts only once its append is confirmed, and so do the entries after it.

        Raises StoreUnavailable, or RoomUnknown if the room was deleted.
        """
        if self.is_gone:
            raise RoomUnknown(self.id)
        waiting = self._refresh.ask()
        self._wake()
        try:
            while not (await asyncio.wait({waiting}, timeout=PAUSE_S))[0]:
                if await self._writer.is_all_confirmed(self._replica.log.position):
                    return  # the worker is stuck with an append
            await waiting
        finally:
            del waiting  # it may hold an error, whose traceback holds this frame (test_live_faults)

    async def is_behind(self) -> bool:
        """Return whether the store holds entries that this node may not show yet, its own unconfirmed one first."""
        return await self._writer.holds_unconfirmed(self._replica.log.position)

    def hear_announced(self, payload: bytes) -> None:
        """Take what another node announced. It is a hint: it may be missing or corrupt."""
        try:
            self.hear(*read_announcement(payload))
        except ValueError:
            self.catch_up()

    def hear(self, position: Position, data: bytes) -> None:
        """Take an announced entry if it is the very next one; otherwise schedule a read from the store."""
        if not self._replica.hear(position, data):
            self.catch_up()

    # The worker

    def _wake(self) -> None:
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work(), name=self._name)

    async def _work(self) -> None:
        while (self._queue or self._refresh.is_due) and not self.is_gone:
            try:
                await self._step()
            except RoomUnknown:
                self._close_deleted()
            except StoreUnavailable as error:
                if str(error) != self._logged:
                    _log.warning("commands are refused: the store fails", room=self.id, error=str(error))
                self._logged = str(error)
                await self._refuse_until_back(error.trouble)
            except NewerLog as error:
                if str(error) != self._logged:
                    _log.error("commands are refused: the room needs a newer version", room=self.id, error=str(error))
                self._logged = str(error)
            except Exception:
                _log.exception("bug", room=self.id)

    async def _step(self) -> None:
        if self._refresh.is_due:
            await self._read_on()
        if not self._queue:
            return
        if self._fanout.expects_more:
            await self._fanout.gather()
        self._fanout.begin()
        batch = [self._queue.popleft() for _ in range(min(len(self._queue), MOST_IN_BATCH))]
        try:
            if await self._committer.commit(batch):
                self._logged = ""
        except Exception as error:
            self._fanout.end()
            self._refuse(batch, not_stored(error))
            raise

    async def _read_on(self) -> None:
        waiting = self._refresh.begin()
        try:
            await self._replica.read_on()
        except Exception as error:
            settle(waiting, error)
            raise
        else:
            settle(waiting)
        finally:
            del waiting  # as in refresh()

    async def _refuse_until_back(self, trouble: Trouble) -> None:
        """Answer what waits with `unavailable` until the store is back."""
        self._refusing = trouble
        self._refuse_waiting(trouble)
        try:
            await self._store.ping()
        except StoreUnavailable:
            await asyncio.sleep(PAUSE_S)
        except Exception:
            _log.exception("bug", room=self.id)
        self._refusing, self._refresh.is_due = None, True

    def _close_deleted(self) -> None:
        self.is_gone = True
        settle(self._refresh.begin(), RoomUnknown(self.id))
        self._refuse_waiting()
        self._fanout.gone()

    # Shutdown

    @property
    def is_worth_saving(self) -> bool:
        """Whether to save a snapshot before unloading: without one, loading the room again would be slow."""
        return is_due(self._replica.log, SNAPSHOT_AT_REST)

    async def save(self) -> bool:
        """Save a snapshot, and return whether the store took it."""
        return await self._writer.save(self._replica.log)

    async def aclose(self) -> None:
        """Wait up to LAST_TRIES_S for the append under way, then cancel it: clients send its commands again."""
        if self._worker is not None and not self._worker.done():
            _, unsettled = await asyncio.wait({self._worker}, timeout=LAST_TRIES_S)
            for worker in unsettled:
                worker.cancel()
                await asyncio.wait(unsettled)
        self._fanout.end()
        await self._writer.aclose()
