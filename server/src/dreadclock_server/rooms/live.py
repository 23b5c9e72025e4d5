"""A room on this node, that is, in this server process. It decides commands, appends their events, and broadcasts them.

A batch of commands becomes one entry of the room's log in the store. The entry holds the events, called records once
they have their numbers, and the outcomes of the commands. Other nodes may append to the same log.

    submit          puts a command into the room's queue
    _work           the worker: takes all queued commands as a batch, until the queue is empty
    decide_batch    decides each command on the state after the commands before it
    _commit         decides and appends the batch; starts over if another node appended first
    _append         stores the batch as one entry, and adds its records to the broadcast

Nothing is sent before the store has answered. Then the records are sent, followed by the replies.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import structlog

from dreadclock.wire.base import Role
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.ids import GM_SEAT
from dreadclock_server.core.decide import Decision, decide
from dreadclock_server.core.draft import Actor, Dice
from dreadclock_server.core.room import Room, Written
from dreadclock_server.core.sessions import Answer, Done, No, Outcome
from dreadclock_server.rooms.answers import (
    QueuedCommand,
    done,
    not_stored,
    refusal,
    reply_all,
    trouble_of,
    unavailable,
)
from dreadclock_server.rooms.broadcast import Broadcast
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.log import Log, NewerLog, announcement, batch_of, stored_end
from dreadclock_server.rooms.replica import PAUSE_S, Replica, fail
from dreadclock_server.rooms.size import HiddenSpace, Size, answers_to_store, full_demo, is_outsider, stops
from dreadclock_server.rooms.views import ViewCache
from dreadclock_server.store.base import (
    Batch,
    Position,
    RoomFull,
    RoomUnknown,
    StaleWrite,
    Store,
    StoreUnavailable,
    Trouble,
)
from dreadclock_server.store.in_play import needed_for, public_bytes_in

MOST_IN_BATCH = 256  # commands in a batch
MOST_WAITING = 4096  # commands in a room's queue
LAST_TRIES_S = 3.0  # how long a shutdown waits for an append under way
_TRIES = 50  # tries to append a batch; a try fails if another node appends first
_GM = Actor(GM_SEAT, Role.GM)
_log = structlog.get_logger()


def now_ms() -> int:
    """Return the wall time in ms."""
    return time.time_ns() // 1_000_000


def fresh() -> str:
    """Return the random part of an id. Ids are random, so that they do not reveal how many there are."""
    return secrets.token_hex(6)


@dataclass(slots=True)
class Attempt:
    """The result of a decided batch. It is dropped if another node appends first."""

    room: Room
    now_ms: int
    size: Size  # the size of the log after this batch, as far as it is known before the append
    written: list[Written] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)  # the number of records of each command that wrote records
    answers: list[Answer] = field(default_factory=list)  # the outcomes of commands that were not answered before
    # The outcomes that are not stored yet, by session and number: of this batch, and of earlier batches.
    answered: dict[tuple[str, int], Outcome] = field(default_factory=dict)
    replies: list[tuple[QueuedCommand, Outcome]] = field(default_factory=list)
    repeats: int = 0  # commands that were answered before
    public_repeats: int = 0  # the repeats of seats without the gm's channel

    def take(self, queued: QueuedCommand, decided: Decision | No) -> Outcome:
        """Add the records of a decided command and its outcome to the batch, and return the outcome."""
        written: list[Written] = []
        answers: list[Answer] = []
        outcome: Outcome = decided if isinstance(decided, No) else done(decided)
        if not isinstance(decided, No):
            self.room, written = decided.room, decided.written
        if written:
            self.written += written
            self.counts.append(len(written))
        if queued.session:
            answers.append(Answer(queued.actor.seat_id, queued.session, queued.n, outcome))
            self.answered[queued.session, queued.n] = outcome
        self.answers += answers
        self.size.take(self.room, written, answers)
        return outcome


def decide_batch(
    log: Log, batch: Sequence[QueuedCommand], *, size: Size, dice: Dice, now_ms: int, fresh: Callable[[], str]
) -> Attempt:
    """Decide a batch: each command on the state after the commands before it.

    A command that was answered before gets its earlier outcome. If another node has stored an outcome of the command,
    this outcome takes precedence over an outcome that this node has not stored yet. If the room is full, the command is
    refused, and the refusal is not stored: stored refusals would make a full room grow. A command of a session that was
    forgotten is refused, too.

    `size`: the size of the log. It is counted after each command, including outcomes that are not stored yet. So the
    command at which the room is full does not depend on how commands are batched. If it did, a refusal could reveal
    hidden commands.
    """
    tried, sessions = Attempt(log.room, now_ms, replace(size)), log.sessions
    if log.unsaved:
        tried.size.take(log.room, (), log.unsaved)
        tried.answered = {(answer.session, answer.n): answer.outcome for answer in log.unsaved}
    for queued in batch:
        key = (queued.session, queued.n)
        outcome = (sessions.outcome(*key) or tried.answered.get(key)) if queued.session else None
        if outcome is not None:
            tried.repeats += 1
            tried.public_repeats += is_outsider(log.room, queued.actor.seat_id)
        elif queued.session and sessions.may_be_forgotten(queued.actor.seat_id, queued.session):
            outcome = No(Code.SESSION_EXPIRED, {})  # not added to the answers: an answer would revive the session
        else:
            outcome = tried.size.refusal(queued.actor) or _taken(tried, queued, dice, fresh)
        tried.replies.append((queued, outcome))
    return tried


def _taken(tried: Attempt, queued: QueuedCommand, dice: Dice, fresh: Callable[[], str]) -> Outcome:
    """Decide a new command, add it to the batch, and return its outcome.

    If the room has no space for its hidden events, `Size.hidden_space` says what happens instead: the command is
    refused, or its outcome is not stored, or the command is decided again after everything that writes hidden records
    was stopped.
    """
    decided = _decided(tried, queued, dice, fresh)
    written = [] if isinstance(decided, No) else decided.written
    space = tried.size.hidden_space(tried.room, queued.actor, queued.command, written)
    if space is HiddenSpace.REFUSES:
        return tried.size.hidden_refusal()
    if space is HiddenSpace.FORGETS:
        return decided if isinstance(decided, No) else done(decided)
    if space is HiddenSpace.STOPS_HIDDEN:
        for command in stops(tried.room.view):
            stop = QueuedCommand(_GM, command, "", 0, queued.reply)
            tried.take(stop, _decided(tried, stop, dice, fresh))
        decided = _decided(tried, queued, dice, fresh, tells_skipped=False)
    return tried.take(queued, decided)


def _decided(
    tried: Attempt, queued: QueuedCommand, dice: Dice, fresh: Callable[[], str], *, tells_skipped: bool = True
) -> Decision | No:
    """Decide a command. After an unexpected error, the outcome is `bug`, and no event of this command is kept.

    `tells_skipped`: whether the gm gets an event when an automatic effect is skipped; False if the room lacks space.
    """
    room, command = tried.room, queued.command
    # do not raise `command`: its traceback would keep the command in memory (test_unreleased)
    if isinstance(command, Refused):
        return refusal(command, room.room_id)
    try:
        return decide(
            room, command, by=queued.actor, dice=dice, now_ms=tried.now_ms, fresh=fresh, tells_skipped=tells_skipped
        )
    except Refused as refused:
        return refusal(refused, room.room_id)
    except Exception:
        _log.exception("bug", room=room.room_id, seat=queued.actor.seat_id, n=queued.n)
        return No(Code.BUG, {})


class LiveRoom(Replica):
    """A room on this node. All its commands on this node are decided here, one after another."""

    def __init__(self, store: Store, log: Log, *, dice: Dice, size: Size, counters: Counters, views: ViewCache) -> None:
        self._queue: deque[QueuedCommand] = deque()
        super().__init__(store, log, size, views, Broadcast(log.room.room_id, self._queue))
        self.last_used = time.monotonic()
        self._dice, self._counters = dice, counters
        self._batch_ids, self._batches = secrets.token_hex(16), 0
        self._worker: asyncio.Task[None] | None = None
        self._trouble: Trouble | None = None  # why `submit` refuses commands at once; None: it queues them
        self._logged = ""  # the last store error that was logged: the same error is not logged again

    @property
    def is_at_work(self) -> bool:
        """Whether commands wait in the queue, or the worker runs."""
        return bool(self._queue) or (self._worker is not None and not self._worker.done())

    @property
    def idle(self) -> bool:
        """Whether the room has no connections here and no work."""
        return not self._broadcast.audience and not self.is_at_work

    @property
    def waiting(self) -> int:
        """How many commands wait in the queue."""
        return len(self._queue)

    # Take

    def submit(self, queued: QueuedCommand) -> None:
        """Queue a command.

        Its `reply` is called once the outcome is stored. If storing takes long, `reply` is called with None before
        that.
        """
        self.last_used = time.monotonic()
        trouble = self._trouble or (Trouble.TOO_MUCH if len(self._queue) >= MOST_WAITING else None)
        if trouble or self.is_gone:
            self._refuse([queued], unavailable(trouble or Trouble.AWAY))
            return
        self._queue.append(queued)
        if self._broadcast.gathered is not None:
            self._broadcast.queued()
        self._wake()

    def _refuse(self, commands: deque[QueuedCommand] | list[QueuedCommand], outcome: No) -> None:
        """Refuse commands with the same outcome, and empty their list or queue."""
        self._counters.refusals.labels(outcome.code).inc(len(commands))
        replies = [(queued, outcome) for queued in commands]
        commands.clear()
        reply_all(replies)

    def _wake(self) -> None:
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work(), name=f"room {self.id}")

    async def _work(self) -> None:
        while (self._queue or self._must_read_on) and not self.is_gone:
            try:
                await self._step()
            except RoomUnknown:
                self._close_deleted()
            except StoreUnavailable as error:
                if self._is_news(error):
                    _log.warning("commands are refused: the store fails", room=self.id, error=str(error))
                await self._refuse_until_back(error.trouble)
            except NewerLog as error:
                if self._is_news(error):
                    _log.error("commands are refused: the room needs a newer version", room=self.id, error=str(error))
            except Exception:
                _log.exception("bug", room=self.id)

    def _is_news(self, error: Exception) -> bool:
        """Return whether an error differs from the last logged error, and remember it."""
        before, self._logged = self._logged, str(error)
        return self._logged != before

    async def _step(self) -> None:
        if self._must_read_on:
            await self._read_on()
        if not self._queue:
            return
        if self._broadcast.expects_more:
            await self._broadcast.gather()
        batch = list(islice(self._queue, MOST_IN_BATCH))
        for _ in batch:
            self._queue.popleft()
        try:
            if await self._commit(batch):
                self._logged = ""
        except Exception as error:
            self._broadcast.send()
            self._refuse(batch, not_stored(error))
            raise

    async def _refuse_until_back(self, trouble: Trouble) -> None:
        """Refuse the queued commands, and also new commands until the store answers or PAUSE_S have passed.

        Then the worker reads from the store again.
        """
        self._trouble = trouble
        self._refuse(self._queue, unavailable(trouble))
        try:
            await self._store.ping()
        except StoreUnavailable:
            await asyncio.sleep(PAUSE_S)
        except Exception:
            _log.exception("bug", room=self.id)
        self._trouble, self._must_read_on = None, True

    # Decide, append, broadcast

    async def _commit(self, batch: Sequence[QueuedCommand]) -> bool:
        """Decide a batch, append it, and send records and replies. If another node appended first, start over.

        Returns whether something was appended. Raises StoreError if the batch was not stored.
        """
        for _ in range(_TRIES):
            decided_at, unsaved = self.log.position, self.log.unsaved
            tried = decide_batch(self.log, batch, size=self.size, dice=self._dice, now_ms=now_ms(), fresh=fresh)
            if tried.size.lacks_memory and await self._grow(needed_for(tried.size.public_bytes)):
                continue
            answers = [*unsaved, *tried.answers]
            now, later = answers_to_store(tried.room, tried.written, answers, tried.repeats, tried.public_repeats)
            must_append = bool(tried.written or now)
            try:
                if must_append:
                    await self._append(tried, now, batch)
                elif await stored_end(self._store, self.id) != decided_at:
                    await self._read_on()  # nothing to append, but the outcomes are based on an old state
                    continue
                self.log.unsaved = later
            except StaleWrite:
                self._counters.conflicts.inc()
                await self._read_on()
                continue
            except RoomFull as full:  # a command takes more memory than was reserved
                if await self._grow(full.needed):
                    continue
                self._refuse_full(tried)
                must_append = False
            self._counters.answered(tried.replies, tried.repeats)
            self._broadcast.send_soon(tried.replies)
            return must_append
        raise StoreUnavailable("other nodes appended first at every try", trouble=Trouble.TOO_MUCH)

    async def _grow(self, needed: float) -> bool:
        """Reserve memory for this demo room to grow to `needed` bytes. Return whether there was enough."""
        granted = await self._store.in_play.grow(self.id, needed, now_ms())
        if granted is not None:
            self.size.granted_public_bytes = public_bytes_in(granted)
        return granted is not None

    def _refuse_full(self, tried: Attempt) -> None:
        """Refuse the new commands of a batch that does not fit into the room. These refusals are not remembered.

        Commands that were refused, or answered before, keep their replies.
        """
        sessions, full = self.log.sessions, full_demo(self.size.public_bytes)
        for place, (queued, outcome) in enumerate(tried.replies):
            if isinstance(outcome, Done) and not sessions.outcome(queued.session, queued.n):
                tried.replies[place] = queued, full

    async def _append(self, tried: Attempt, answers: list[Answer], batch: Sequence[QueuedCommand]) -> None:
        """Append a batch to the store and to the log in memory, and add its records to the next broadcast.

        `answers`: the outcomes to store with the batch.
        """
        log = self.log
        self._batches += 1
        number, batch_id = log.position.number + 1, f"{self._batch_ids}-{self._batches}"
        stored = batch_of(number, batch_id, tried.now_ms, tried.room, tried.written, tried.counts, answers)
        began = time.perf_counter()
        position = await self._stored(log.position, stored, batch)
        self._counters.append_s.observe(time.perf_counter() - began)
        self.size.take_entry(stored.entry, stored.public_bytes)
        before = log.room
        try:
            log.put(tried.room, position, tried.written, answers, tried.now_ms)
            self._broadcast.add(before, log.room, tried.written)
            self._store.announce(self.id, announcement(position, stored.entry), position)
            if log.needs_snapshot:
                self._save_soon()
        except Exception:  # the batch is stored: reload the room, and reply that the commands were applied
            _log.exception("bug", room=self.id)
            while True:
                try:
                    return await self._start_over()
                except StoreUnavailable:
                    self._broadcast.put_off(batch)
                    await asyncio.sleep(PAUSE_S)

    async def _stored(self, expected: Position, stored: Batch, batch: Sequence[QueuedCommand]) -> Position:
        """Append an entry, and retry until its outcome is known. Replies with None if a retry is necessary.

        Returns the position after the entry. Raises StaleWrite if another node was first, RoomUnknown if the room was
        deleted, RoomFull if the entry is too large, and StoreUnavailable if it is certain that nothing was written.
        Raises any other error only if no try can have written the entry. Otherwise retries.
        """
        self._appending, self._broadcast.is_appending = stored.entry, True
        try:
            while True:
                try:
                    return await self._store.append(self.id, expected, stored)
                except (StaleWrite, RoomUnknown, RoomFull):
                    raise
                except Exception as error:
                    is_unknown = isinstance(error, StoreUnavailable) and error.applied is not False
                    if not (is_unknown or self._trouble):
                        raise
                    is_first, self._trouble = self._trouble is None, trouble_of(error)
                    if is_first:
                        _log.warning("an append's outcome is unknown, retrying", room=self.id, error=str(error))
                        self._broadcast.put_off(batch)
                    await asyncio.sleep(PAUSE_S)
        finally:
            self._trouble, self._appending, self._broadcast.is_appending = None, None, False

    def _close_deleted(self) -> None:
        self.is_gone = True
        if self._waiting is not None:
            fail(self._waiting, RoomUnknown(self.id))
        self._refuse(self._queue, unavailable(Trouble.AWAY))
        self._broadcast.deleted()

    async def aclose(self) -> None:
        """Wait up to LAST_TRIES_S for the worker, then cancel it. Send the broadcast, and wait for snapshots under way.

        Clients will repeat the commands that were not answered.
        """
        if self._worker is not None and not self._worker.done():
            _, unsettled = await asyncio.wait({self._worker}, timeout=LAST_TRIES_S)
            for worker in unsettled:
                worker.cancel()
                await asyncio.wait(unsettled)
        self._broadcast.send()
        await asyncio.gather(*self._saving)
