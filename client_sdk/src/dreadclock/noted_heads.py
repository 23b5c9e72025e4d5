"""Where rooms' logs stood when this device last saw them: a log that does not go on from there was changed."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing, suppress
from pathlib import Path

from dreadclock.alarms import LogAlarm
from dreadclock.device import read_regular, write_private
from dreadclock.links import Link
from dreadclock.outcomes import ViewReplaced
from dreadclock.wire.base import Channel, HeadHash, Model, RoomId
from dreadclock.wire.errors import DreadclockError
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.records import Head, advance

_NONE = 10**15 - 1  # a number that no record comes after
CHECKED_WITHIN_S = 2.0  # at the end of a connection, whose check is still under way
EVERY = 200  # public records, after which the head is noted again
_log = logging.getLogger("dreadclock.log")


class Noted(Model):
    """The head of `public` in a room's log."""

    log_id: str
    seq: int
    hash: HeadHash

    @property
    def head(self) -> Head:
        """The head alone."""
        return Head(seq=self.seq, hash=self.hash)


class NotedHeads:
    """Keeps one head of each room in a file below `directory`; with None, or where that fails, nothing is kept."""

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory

    def of(self, room_id: RoomId) -> Noted | None:
        """Return what is noted of a room, if anything that can be read."""
        if self._directory is None:
            return None
        with suppress(OSError, ValueError):
            return Noted.model_validate_json(read_regular(self._path(self._directory, room_id)).decode())
        return None

    def note(self, room_id: RoomId, noted: Noted) -> None:
        """Note where a room's log stands, unless somebody else has come further in the same log."""
        known = self.of(room_id)
        if self._directory is None or (known and known.log_id == noted.log_id and known.seq >= noted.seq):
            return
        self.replace(room_id, noted)

    def replace(self, room_id: RoomId, noted: Noted) -> None:
        """Note where a room's log stands, whatever was noted before."""
        if self._directory is not None:
            try:
                write_private(self._path(self._directory, room_id), noted.model_dump_json())
            except OSError as error:
                _log.info("the head of the room %s is not noted: %s", room_id, error)

    def _path(self, directory: Path, room_id: RoomId) -> Path:
        return directory / "heads" / f"{room_id}.json"


class LogKeeper:
    """Holds the log of one connection against what this device knows of it, and notes how far it goes.

    Only a head that follows from the one noted before is noted; after an alarm the new log counts.
    """

    def __init__(self, link: Link, heads: NotedHeads, raise_alarm: Callable[[LogAlarm], None]) -> None:
        self._link, self._heads, self._raise_alarm = link, heads, raise_alarm
        self._now: Noted | None = None
        self._noted_seq = 0
        self._sure = True  # that the log goes on from what is noted
        self._checking: asyncio.Task[None] | None = None

    def begin(self, log_id: str, head: Head) -> None:
        """Start from the first view."""
        self._compare(self._heads.of(self._link.room), _noted(log_id, head))

    def follow(self, log_id: str, head: Head) -> None:
        """Take where the log stands after a frame."""
        if self._now is None or head.seq == self._now.seq:
            return
        self._now = _noted(log_id, head)
        if self._sure and head.seq - self._noted_seq >= EVERY:
            self._note()

    def replaced(self, replaced: ViewReplaced, log_id: str, head: Head) -> None:
        """Take a view that does not follow from the records before it."""
        known, now = self._now, _noted(log_id, head)
        if replaced.reason is ResetReason.FORKED:
            differs = min((replaced.differs or {}).items(), key=lambda item: item[0] != Channel.PUBLIC, default=None)
            self._alarmed(now, forked(*(differs or (Channel.PUBLIC, None))))
        else:
            self._compare(known, now)

    async def close(self) -> None:
        """Note where the log stands, if it is known to go on from what was noted."""
        if self._checking is not None:
            await asyncio.wait({self._checking}, timeout=CHECKED_WITHIN_S)
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        if self._sure and self._now is not None:
            self._note()

    def _note(self) -> None:
        if self._now is not None:
            self._noted_seq = self._now.seq
            self._heads.note(self._link.room, self._now)

    def _compare(self, known: Noted | None, now: Noted) -> None:
        self._now = now
        if known is None or known == now:
            return
        problem = contradiction(known, now)
        if problem is not None:
            self._alarmed(now, LogAlarm(Channel.PUBLIC, known.seq, problem))
            return
        self._sure = False
        if self._checking is not None:
            self._checking.cancel()
        self._checking = asyncio.create_task(self._check(known, now))

    async def _check(self, known: Noted, now: Noted) -> None:
        """Hash on from the known head to the one that was seen, with the records in between."""
        try:
            head = await self._followed(known.head, now.seq)
        except DreadclockError as error:
            _log.info("the log since record %d could not be checked: %s", known.seq, error)
            return
        if head == now.head:
            self._sure = True
        else:
            problem = f"it does not go on from record {known.seq}"
            self._alarmed(now, LogAlarm(Channel.PUBLIC, known.seq, problem))

    async def _followed(self, head: Head, until: int) -> Head:
        from dreadclock.rest import RestRoom  # with httpx, which a room needs for nothing else

        room = RestRoom(self._link.server, self._link.room, self._link.token)
        async with aclosing(room.log_texts(public=head.seq, gm=_NONE)) as texts:
            async for text in texts:
                head = advance(head, text)
                if head.seq >= until:
                    break
        return head

    def _alarmed(self, now: Noted, alarm: LogAlarm) -> None:
        """Raise an alarm once: from here on the log as it is now counts."""
        self._now, self._sure = now, True
        self._heads.replace(self._link.room, now)
        self._raise_alarm(alarm)


def _noted(log_id: str, head: Head) -> Noted:
    return Noted(log_id=log_id, seq=head.seq, hash=head.hash)


def forked(channel: Channel, seq: int | None) -> LogAlarm:
    """Say what a server itself has told."""
    where = f"record {seq} of {channel} is the first that differs" if seq else "the server does not say from where on"
    return LogAlarm(channel, seq, where)


def contradiction(known: Noted, now: Noted) -> str | None:
    """Say why one log cannot be the other, as far as two heads tell."""
    if known.log_id != now.log_id:
        return f"it was another log at record {known.seq}"
    if known.seq > now.seq:
        return f"it ends at {now.seq} and was known up to {known.seq}"
    if known.seq == now.seq:
        return f"it differs at or before record {known.seq}"
    return None
