"""Committing a batch of a room's commands: decide it, append it, send its records and replies."""

import asyncio
import secrets
import time
from collections.abc import Sequence
from functools import partial

import structlog

from dreadclock_server.core.draft import Dice
from dreadclock_server.rooms.batch import Attempt, QueuedCommand, attempt, entry_of
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.fanout import Fanout
from dreadclock_server.rooms.inputs import fresh, now_ms
from dreadclock_server.rooms.replica import Replica
from dreadclock_server.rooms.size import Size
from dreadclock_server.rooms.writer import PAUSE_S, Writer, batch_of
from dreadclock_server.store.base import Position, StaleWrite, StoreUnavailable, Trouble

MOST_UNSAVED = 256  # outcomes without events, such as refusals, kept in memory until the next append
_TRIES = 50  # to append a batch while other nodes append first
_log = structlog.get_logger()


class Committer:
    """Commits one room's batches, one at a time."""

    __slots__ = ("_batch_ids", "_batches", "_counters", "_dice", "_fanout", "_replica", "_size", "_writer")

    def __init__(
        self, replica: Replica, writer: Writer, fanout: Fanout, *, dice: Dice, size: Size, counters: Counters
    ) -> None:
        self._replica, self._writer, self._fanout = replica, writer, fanout
        self._dice, self._size, self._counters = dice, size, counters
        self._batch_ids, self._batches = secrets.token_hex(16), 0

    async def commit(self, batch: Sequence[QueuedCommand]) -> bool:
        """Decide a batch, append it, and reply. If another node appended first, read on and start over.

        Returns whether something was appended. Raises what `Writer.append` raises.
        """
        for _ in range(_TRIES):
            decided_at = self._replica.log.position
            tried = self._attempt(batch)
            must_append = self._must_append(tried)
            try:
                if must_append:
                    await self._append(tried, batch)
                elif await self._stands(decided_at):
                    self._replica.log.unsaved += tried.answers
                else:
                    continue
            except StaleWrite:
                self._counters.conflicts += 1
                await self._replica.read_on()
                continue
            self._counters.answered(tried.replies, tried.repeats)
            self._fanout.answer(tried.replies)
            self._fanout.end_soon()
            return must_append
        raise StoreUnavailable("other nodes appended first, time after time", trouble=Trouble.TOO_MUCH)

    def _attempt(self, batch: Sequence[QueuedCommand]) -> Attempt:
        log, refuses = self._replica.log, self._size.refusal
        return attempt(
            log.room,
            log.sessions,
            batch,
            unsaved=log.unsaved,
            refuses=refuses,
            dice=self._dice,
            now_ms=now_ms(),
            fresh=fresh,
        )

    def _must_append(self, tried: Attempt) -> bool:
        """Return whether there is something to store: events, many outcomes, or some that may be asked for again."""
        unsaved = self._replica.log.unsaved
        return bool(tried.written or (tried.repeats and unsaved) or len(unsaved) >= MOST_UNSAVED)

    async def _append(self, tried: Attempt, batch: Sequence[QueuedCommand]) -> None:
        log = self._replica.log
        answers = [*log.unsaved, *tried.answers]
        self._batches += 1
        batch_id, here = f"{self._batch_ids}-{self._batches}", log.position
        stored = batch_of(here.number + 1, entry_of(tried, answers, batch_id=batch_id))
        began = time.perf_counter()
        position = await self._writer.append(here, stored, partial(self._fanout.put_off, batch))
        self._counters.append_s.note(time.perf_counter() - began)
        self._size.log_bytes += len(stored.entry)
        before, log.unsaved = log.room, []
        try:
            log.put(tried.room, position, tried.written, answers, tried.now_ms)
            self._fanout.add(before, log.room, tried.written)
            self._writer.spread(log, stored.entry)
        except Exception:  # the batch is stored: load the room again, and reply that it was done
            _log.exception("bug", room=before.room_id)
            await self._start_over_at_last(batch)

    async def _start_over_at_last(self, batch: Sequence[QueuedCommand]) -> None:
        while True:
            try:
                return await self._replica.start_over()
            except StoreUnavailable:
                self._fanout.put_off(batch)
                await asyncio.sleep(PAUSE_S)

    async def _stands(self, decided_at: Position) -> bool:
        """Return whether nothing was appended since a batch was decided: a refusal must not be due to an old state."""
        if await self._writer.stored_head() == decided_at:
            return True
        await self._replica.read_on()
        return False
