"""A room that is being played on this node: one queue, one worker, one append a batch."""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial

import structlog

from dreadclock_server.core.draft import Dice
from dreadclock_server.core.room import Room
from dreadclock_server.core.sessions import Answer, No
from dreadclock_server.rooms.answers import not_stored, unavailable
from dreadclock_server.rooms.batch import Attempt, QueuedCommand, attempt, entry_of, reply_all
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.fanout import Fanout
from dreadclock_server.rooms.log import BrokenLog, Log, NewerLog, read_on
from dreadclock_server.rooms.size import Size
from dreadclock_server.rooms.writer import PAUSE_S, SNAPSHOT_AT_REST, Writer, batch_of, is_due, read_announcement
from dreadclock_server.store.base import Position, RoomUnknown, StaleWrite, Store, StoreUnavailable, Trouble

MOST_IN_BATCH = 256  # commands
MOST_WAITING = 4096  # commands in a room's queue
MOST_UNSAVED = 256  # outcomes without events that wait for an append
LAST_TRIES_S = 3.0  # of an append that is under way when the node ends
_TRIES = 50  # of a batch against other nodes
_log = structlog.get_logger()


def now_ms() -> int:
    """Return the wall time in ms."""
    return time.time_ns() // 1_000_000


def fresh() -> str:
    """Return the random part of an id that must say nothing about other ids."""
    return secrets.token_hex(6)


class LiveRoom:
    """The only place in which a room's commands are decided on this node."""

    def __init__(
        self, store: Store, log: Log, dice: Dice, reload: Callable[[], Awaitable[Log]], counters: Counters
    ) -> None:
        self.log = log
        self._queue: deque[QueuedCommand] = deque()
        self.fanout = Fanout(log.room.room_id, self._queue)
        self.audience = self.fanout.audience
        self.store, self.counters, self._dice, self._reload = store, counters, dice, reload
        self._writer = Writer(store, log.room.room_id)
        self._writer.save_soon(log)
        self._unsaved: list[Answer] = []  # outcomes without events: they ride along with the next append
        self._worker: asyncio.Task[None] | None = None
        self._behind = self.is_gone = False
        self._refusing: Trouble | None = None  # why, while all is refused
        self._trouble = ""  # as last logged
        self._refreshed: asyncio.Future[None] | None = None
        self._batch_ids, self._batches = secrets.token_hex(16), 0
        self.last_used = time.monotonic()
        self.size = Size()

    @property
    def room(self) -> Room:
        """The room as it stands."""
        return self.log.room

    @property
    def id(self) -> str:
        """The room's id."""
        return self.log.room.room_id

    @property
    def idle(self) -> bool:
        """Whether nobody listens and nothing is under way."""
        return not self.audience and not self.is_at_work

    @property
    def waiting(self) -> int:
        """How many commands wait in the queue."""
        return len(self._queue)

    @property
    def is_at_work(self) -> bool:
        """Whether commands wait or are under way."""
        return bool(self._queue) or (self._worker is not None and not self._worker.done())

    def submit(self, pending: QueuedCommand) -> None:
        """Queue a command; its reply is called with the outcome, once that is as durable as promised."""
        self.last_used = time.monotonic()
        full = Trouble.TOO_MUCH if len(self._queue) >= MOST_WAITING else None
        trouble = self._refusing or (self._writer.trouble if self._writer.in_trouble else full)
        if trouble or self.is_gone:
            self._refuse((pending,), unavailable(trouble or Trouble.AWAY))
            return
        self._queue.append(pending)
        self.fanout.came()
        self._wake()

    def catch_up(self) -> None:
        """Read what other nodes appended, soon."""
        self._behind = True
        self._wake()

    async def refresh(self) -> None:
        """Return once this node has read all that was in the store when asked.

        Raises StoreUnavailable, or RoomUnknown if the room was deleted.
        """
        if self.is_gone:
            raise RoomUnknown(self.id)
        self._refreshed = self._refreshed or asyncio.get_running_loop().create_future()
        waiting = self._refreshed
        self.catch_up()
        try:
            while not (await asyncio.wait({waiting}, timeout=PAUSE_S))[0]:
                if self._writer.in_trouble and await self._writer.stored_head() == self.log.position:
                    return  # nothing can be written for now, and all that was written is known
            await waiting
        finally:
            del waiting  # which may hold an error, whose traceback holds this function's variables

    def hear_announced(self, payload: bytes) -> None:
        """Take an announcement for the hint that it is."""
        try:
            self.hear(*read_announcement(payload))
        except ValueError:
            self.catch_up()

    def hear(self, position: Position, data: bytes) -> None:
        """Take an announced entry if it is the very next one; else go and look."""
        here = self.log.position
        if position.number <= here.number:
            return
        if position.number != here.number + 1 or here.after(data) != position or not self._took(position, data):
            self.catch_up()

    def _took(self, position: Position, data: bytes) -> bool:
        try:
            self._take(position.number, data)
        except BrokenLog as error:
            _log.warning("an announced entry does not fit", room=self.id, error=str(error))
            return False
        return True

    def _wake(self) -> None:
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), name=f"room {self.id}")

    async def _work(self) -> None:
        while (self._queue or self._behind) and not self.is_gone:
            try:
                await self._step()
            except RoomUnknown:
                self._go()
            except StoreUnavailable as error:
                if str(error) != self._trouble:
                    _log.warning("commands are refused: the store fails", room=self.id, error=str(error))
                self._trouble = str(error)
                await self._refuse_until_back(error.trouble)
            except NewerLog as error:
                if str(error) != self._trouble:
                    _log.error("commands are refused: the room needs a newer version", room=self.id, error=str(error))
                self._trouble = str(error)
            except Exception:
                _log.exception("bug", room=self.id)

    async def _step(self) -> None:
        if self._behind:
            await self._refresh()
        if not self._queue:
            return
        await self.fanout.gather()
        batch = [self._queue.popleft() for _ in range(min(len(self._queue), MOST_IN_BATCH))]
        try:
            await self._commit(batch)
        except Exception as error:
            self.fanout.end()
            self._refuse(batch, not_stored(error))
            raise

    async def _refresh(self) -> None:
        self._behind = False
        waiting, self._refreshed = self._refreshed, None
        try:
            await self._read_on()
        except Exception as error:
            _settle(waiting, error)
            raise
        else:
            _settle(waiting, None)
        finally:
            del waiting  # as in refresh()

    async def _commit(self, batch: Sequence[QueuedCommand]) -> None:
        """Decide a batch, append it, answer it; again from the start when another node was first."""
        for _ in range(_TRIES):
            decided_at = self.log.position
            tried = self._attempt(batch)
            try:
                if self._must_append(tried):
                    await self._append(tried, batch)
                elif await self._stands(decided_at):
                    self._unsaved += tried.answers
                else:
                    continue
            except StaleWrite:
                self.counters.conflicts += 1
                await self._read_on()
                continue
            self.counters.answered(tried.replies, tried.repeats)
            self.fanout.answer(tried.replies)
            self.fanout.end_soon()
            return
        raise StoreUnavailable("other nodes kept being first", trouble=Trouble.TOO_MUCH)

    def _attempt(self, batch: Sequence[QueuedCommand]) -> Attempt:
        sessions, unsaved = self.log.sessions, self._unsaved
        refuses = self.size.refusal
        return attempt(
            self.room, sessions, batch, unsaved=unsaved, refuses=refuses, dice=self._dice, now_ms=now_ms(), fresh=fresh
        )

    def _must_append(self, tried: Attempt) -> bool:
        """Return whether there is something to store: events, an outcome that is asked for again, or many outcomes."""
        return bool(tried.written or (tried.repeats and self._unsaved) or len(self._unsaved) >= MOST_UNSAVED)

    async def _append(self, tried: Attempt, batch: Sequence[QueuedCommand]) -> None:
        answers = [*self._unsaved, *tried.answers]
        self._batches += 1
        batch_id, here = f"{self._batch_ids}-{self._batches}", self.log.position
        stored = batch_of(here.number + 1, entry_of(tried, answers, batch_id=batch_id))
        began = time.perf_counter()
        position = await self._writer.append(here, stored, partial(self.fanout.put_off, batch))
        self.counters.append_s.note(time.perf_counter() - began)
        before = self.room
        self.size.log_bytes += len(stored.entry)
        self._unsaved, self._trouble = [], ""
        try:
            self.log.put(tried.room, position, tried.written, answers, tried.now_ms)
            self.fanout.add(before, self.room, tried.written)
            self._writer.spread(self.log, stored.entry)
        except Exception:  # what is stored is done, and is answered so
            _log.exception("bug", room=self.id)
            await self._start_over_at_last(batch)

    async def _start_over_at_last(self, batch: Sequence[QueuedCommand]) -> None:
        while True:
            try:
                return await self._start_over()
            except StoreUnavailable:
                self.fanout.put_off(batch)
                await asyncio.sleep(PAUSE_S)

    async def _stands(self, decided_at: Position) -> bool:
        """Return whether the store still ends where a batch was decided: a refusal may not rest on an old state."""
        if await self._writer.stored_head() == decided_at:
            return True
        await self._read_on()
        return False

    async def _read_on(self) -> None:
        """Take in what other nodes appended; if the store tells another story, start over from it."""
        try:
            await read_on(self.store, self.id, self.log.position, self._take_if_new)
        except NewerLog:
            raise  # it goes on from what we know, but without us
        except BrokenLog as error:
            _log.error("the log is not the one we know", room=self.id, error=str(error))
            await self._start_over()

    async def _start_over(self) -> None:
        """Take the room as the store has it."""
        before = self.room
        self.log, self._unsaved = await self._reload(), []
        self.fanout.replaced(before, self.room)

    def _take_if_new(self, number: int, data: bytes) -> None:
        if number > self.log.position.number:  # others may have announced it while it was read
            self._take(number, data)

    def _take(self, number: int, data: bytes) -> None:
        before = self.room
        written = self.log.take(number, data)
        self.fanout.add(before, self.room, written)
        self.fanout.end_soon()

    async def _refuse_until_back(self, trouble: Trouble) -> None:
        """Answer what waits with `unavailable` until the store is back."""
        self._refusing = trouble
        self._refuse_waiting(trouble)
        try:
            await self.store.ping()
        except StoreUnavailable:
            await asyncio.sleep(PAUSE_S)
        except Exception:
            _log.exception("bug", room=self.id)
        self._refusing, self._behind = None, True

    def _refuse_waiting(self, trouble: Trouble = Trouble.AWAY) -> None:
        waiting = list(self._queue)
        self._queue.clear()
        self._refuse(waiting, unavailable(trouble))

    def _refuse(self, batch: Collection[QueuedCommand], outcome: No) -> None:
        self.counters.refusals[outcome.code] += len(batch)
        reply_all((pending, outcome) for pending in batch)

    def _go(self) -> None:
        self.is_gone = True
        waiting, self._refreshed = self._refreshed, None
        _settle(waiting, RoomUnknown(self.id))
        self._refuse_waiting()
        self.fanout.gone()

    @property
    def is_worth_saving(self) -> bool:
        """Whether loading it again would take so long that a snapshot should be saved before it leaves memory."""
        return is_due(self.log, SNAPSHOT_AT_REST)

    async def save(self) -> bool:
        """Save a snapshot, and tell whether the store took it."""
        return await self._writer.save(self.log)

    async def aclose(self) -> None:
        """Finish what is under way; an append that the store does not settle in time is left to those who resend it."""
        if self._worker is not None and not self._worker.done():
            _, unsettled = await asyncio.wait({self._worker}, timeout=LAST_TRIES_S)
            for worker in unsettled:
                worker.cancel()
                await asyncio.wait(unsettled)
        self.fanout.end()
        await self._writer.aclose()


def _settle(waiting: asyncio.Future[None] | None, error: Exception | None) -> None:
    """Let those who wait for a refresh go on."""
    if waiting is not None and error is None:
        waiting.set_result(None)
    elif waiting is not None and error is not None:
        waiting.set_exception(error)
        waiting.exception()  # nobody may be waiting any more
