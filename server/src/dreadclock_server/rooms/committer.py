"""Committing a batch of a room's commands: decide it, append it, send its records and replies."""

import asyncio
import secrets
import time
from collections.abc import Sequence
from functools import partial

import structlog

from dreadclock.wire.base import Channel
from dreadclock_server.core.draft import Dice
from dreadclock_server.core.sessions import Answer, Done, No, Outcome
from dreadclock_server.rooms.batch import Attempt, QueuedCommand, attempt, entry_of
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.fanout import Fanout
from dreadclock_server.rooms.inputs import fresh, now_ms
from dreadclock_server.rooms.replica import Replica
from dreadclock_server.rooms.size import Size, full_demo, is_outsider, public_bytes
from dreadclock_server.rooms.writer import PAUSE_S, Writer, batch_of
from dreadclock_server.store.base import Position, RoomFull, StaleWrite, StoreUnavailable, Trouble
from dreadclock_server.store.in_play import needed_for, public_bytes_in

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
            if tried.size.lacks_memory and await self._grow(tried.size.public_bytes):
                continue
            now, later = self._answers_to_append(tried)
            must_append = bool(tried.written or now)
            try:
                if must_append:
                    await self._append(tried, now, batch)
                    self._replica.log.unsaved = later
                elif await self._stands(decided_at):
                    self._replica.log.unsaved = later
                else:
                    continue
            except StaleWrite:
                self._counters.conflicts += 1
                await self._replica.read_on()
                continue
            except RoomFull as full:  # that there is memory was checked, but a command may take more than is usual
                if await self._writer.grow(full.needed):
                    continue
                tried.replies, must_append = self._refused(tried), False
            self._counters.answered(tried.replies, tried.repeats)
            self._fanout.answer(tried.replies)
            self._fanout.end_soon()
            return must_append
        raise StoreUnavailable("other nodes appended first, time after time", trouble=Trouble.TOO_MUCH)

    async def _grow(self, public_bytes: int) -> bool:
        """Have memory reserved for a demo room with so many public bytes, and tell whether there is some."""
        granted = await self._writer.grow(needed_for(public_bytes))
        if granted is not None:
            self._size.granted_public_bytes = public_bytes_in(granted)
        return granted is not None

    def _refused(self, tried: Attempt) -> list[tuple[QueuedCommand, Outcome]]:
        """Refuse what would have been stored, which is not remembered: the room holds no more."""
        sessions, refused = self._replica.log.sessions, full_demo(self._size.public_bytes)
        return [
            (each, outcome if isinstance(outcome, No) or sessions.outcome(each.session, each.n) else refused)
            for each, outcome in tried.replies
        ]

    def _attempt(self, batch: Sequence[QueuedCommand]) -> Attempt:
        log = self._replica.log
        return attempt(
            log.room,
            log.sessions,
            batch,
            unsaved=log.unsaved,
            size=self._size,
            dice=self._dice,
            now_ms=now_ms(),
            fresh=fresh,
        )

    def _answers_to_append(self, tried: Attempt) -> tuple[list[Answer], list[Answer]]:
        """Return the outcomes to store now and those to store later.

        They are stored with records, once they are many, or once one of them may be asked for again.

        Outcomes of seats without the gm's channel wait for public records, or for others of such seats. Otherwise a
        room's public bytes would tell whether something hidden was appended.
        """
        answers = [*self._replica.log.unsaved, *tried.answers]
        public = [answer for answer in answers if is_outsider(tried.room, answer.seat_id)]
        has_public = any(each.record.channel is Channel.PUBLIC for each in tried.written)
        did_something = any(isinstance(answer.outcome, Done) and answer.outcome.events for answer in public)
        if has_public or did_something or (tried.public_repeats and public) or len(public) > MOST_UNSAVED:
            return answers, []
        others = [answer for answer in answers if not is_outsider(tried.room, answer.seat_id)]
        is_due = tried.written or (tried.repeats and others) or len(others) > MOST_UNSAVED
        return (others, public) if is_due else ([], answers)

    async def _append(self, tried: Attempt, answers: list[Answer], batch: Sequence[QueuedCommand]) -> None:
        log = self._replica.log
        self._batches += 1
        batch_id, here = f"{self._batch_ids}-{self._batches}", log.position
        entry = entry_of(tried, answers, batch_id=batch_id)
        counted = public_bytes(tried.room, entry.texts, entry.answers)
        stored = batch_of(here.number + 1, entry, counted)
        began = time.perf_counter()
        position = await self._writer.append(here, stored, partial(self._fanout.put_off, batch))
        self._counters.append_s.note(time.perf_counter() - began)
        self._size.take_entry(stored.entry, counted)
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
