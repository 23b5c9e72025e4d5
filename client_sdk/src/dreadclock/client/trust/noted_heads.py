"""Where rooms' logs stood when this device last saw them: a log that does not go on from there was changed.

How far each seat's clients have seen it is noted, too: what was logged since is shown to who returns to that seat.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable
from contextlib import aclosing, suppress
from hashlib import sha256
from pathlib import Path

from dreadclock.client.links import Link
from dreadclock.client.outcomes import ViewReplaced
from dreadclock.client.trust.alarms import LogAlarm
from dreadclock.client.trust.device import read_regular, write_private
from dreadclock.wire.base import Channel, HeadHash, Id, Model, RoomId
from dreadclock.wire.errors import DreadclockError
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.records import Head, advance

_NONE = 10**15 - 1  # a number that no record comes after
CHECKED_WITHIN_S = 2.0  # at the end of a connection, whose check is still under way
EVERY = 200  # public records, after which the head is noted again
FORGOTTEN_AFTER_DAYS = 400  # without a read or a write of a note
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
    """Keeps one head of each room, and of each seat in it, in files below `directory`.

    With None, or where that fails, nothing is kept. The first note deletes all files that were neither read nor written
    for FORGOTTEN_AFTER_DAYS. A read sets a file's time, as a write does.
    """

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self._swept = False

    def of(self, room_id: RoomId, seat_id: Id | None = None) -> Noted | None:
        """Return what is noted of a room, by clients of one seat if it is given, if anything that can be read."""
        if self._directory is None:
            return None
        path = _path(self._directory, room_id, seat_id)
        with suppress(OSError, ValueError):
            noted = Noted.model_validate_json(read_regular(path).decode())
            with suppress(OSError):
                os.utime(path)
            return noted
        return None

    def note(self, room_id: RoomId, noted: Noted, seat_id: Id | None = None) -> None:
        """Note where a room's log stands, unless somebody else has come further in the same log."""
        earlier = self.of(room_id, seat_id)
        if self._directory is None or (earlier and earlier.log_id == noted.log_id and earlier.seq >= noted.seq):
            return
        self.replace(room_id, noted, seat_id)

    def replace(self, room_id: RoomId, noted: Noted, seat_id: Id | None = None) -> None:
        """Note where a room's log stands, whatever was noted before."""
        if self._directory is not None:
            path = _path(self._directory, room_id, seat_id)
            try:
                write_private(path, noted.model_dump_json())
            except OSError as error:
                _log.info("the head of the room %s is not noted: %s", room_id, error)
            if not self._swept:
                self._swept = True
                _delete_unused(path.parent)


def _delete_unused(folder: Path) -> None:
    """Delete the files of a folder that were neither read nor written for FORGOTTEN_AFTER_DAYS, as far as it can."""
    oldest = time.time() - FORGOTTEN_AFTER_DAYS * 86_400
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def _path(directory: Path, room_id: RoomId, seat_id: Id | None) -> Path:
    """Name a note's file; what the server calls a seat enters no path as it is."""
    seat = "" if seat_id is None else f".{sha256(seat_id.encode()).hexdigest()[:32]}"
    return directory / "heads" / f"{room_id}{seat}.json"


class LogKeeper:
    """Holds the log of one connection against what this device knows of it, and notes how far it goes.

    Only a head that follows from the one noted before is noted; after an alarm the new log counts. `missed` is given
    the texts of the public records by this seat that were logged while none of its clients here saw the log.
    """

    def __init__(
        self,
        link: Link,
        heads: NotedHeads,
        raise_alarm: Callable[[LogAlarm], None],
        missed: Callable[[list[str]], None] = lambda _: None,
    ) -> None:
        self._link, self._heads, self._raise_alarm, self._missed = link, heads, raise_alarm, missed
        self._seat: Id | None = None
        self._now: Noted | None = None
        self._noted_seq = 0
        self._sure = True  # that the log goes on from what is noted
        self._checking: asyncio.Task[None] | None = None

    def begin(self, log_id: str, head: Head, seat_id: Id | None = None) -> None:
        """Start from the first view, in a seat."""
        self._seat = seat_id
        seen = self._heads.of(self._link.room, seat_id) if seat_id is not None else None
        self._compare(self._heads.of(self._link.room), _noted(log_id, head), seen)

    def follow(self, log_id: str, head: Head) -> None:
        """Take where the log stands after a frame."""
        if self._now is None or head.seq == self._now.seq:
            return
        self._now = _noted(log_id, head)
        if self._sure and head.seq - self._noted_seq >= EVERY:
            self._note()

    def replaced(self, replaced: ViewReplaced, log_id: str, head: Head) -> None:
        """Take a view that does not follow from the records before it."""
        earlier, now = self._now, _noted(log_id, head)
        if replaced.reason is ResetReason.FORKED:
            differs = min((replaced.differs or {}).items(), key=lambda item: item[0] != Channel.PUBLIC, default=None)
            self._alarmed(now, forked(*(differs or (Channel.PUBLIC, None))))
        else:
            self._compare(earlier, now, earlier)

    def note(self) -> None:
        """Note where the log stands now, if it is known to go on from what was noted."""
        if self._sure:
            self._note()

    async def close(self) -> None:
        """Note where the log stands, if it is known to go on from what was noted."""
        if self._checking is not None:
            await asyncio.wait({self._checking}, timeout=CHECKED_WITHIN_S)
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        self.note()

    def _note(self) -> None:
        if self._now is not None:
            self._noted_seq = self._now.seq
            self._heads.note(self._link.room, self._now)
            if self._seat is not None:
                self._heads.note(self._link.room, self._now, self._seat)

    def _compare(self, earlier: Noted | None, now: Noted, seen: Noted | None) -> None:
        """Hold a log against what is known of it; `seen`: how far this seat's clients saw it."""
        self._now = now
        if earlier is None or (earlier == now and seen in (None, now)):
            return
        problem = contradiction(earlier, now) if earlier != now else None
        if problem is not None:
            self._alarmed(now, LogAlarm(Channel.PUBLIC, earlier.seq, problem))
            return
        self._sure = False
        if self._checking is not None:
            self._checking.cancel()
        self._checking = asyncio.create_task(self._check(earlier, now, seen))

    async def _check(self, earlier: Noted, now: Noted, seen: Noted | None) -> None:
        """Hash on from the known head to the one that was seen, with the records in between."""
        if seen is None or seen.log_id != earlier.log_id or seen.seq > earlier.seq:
            start, missed = earlier.head, None
        else:
            start, missed = seen.head, list[str]()
        try:
            fits = await self._leads(start, earlier.head, now.head, missed)
        except DreadclockError as error:
            _log.info("the log since record %d could not be checked: %s", start.seq, error)
            return
        if fits:
            self._sure = True
            self._missed(missed or [])
        else:
            problem = f"it does not go on from record {earlier.seq}"
            self._alarmed(now, LogAlarm(Channel.PUBLIC, earlier.seq, problem))

    async def _leads(self, start: Head, earlier: Head, now: Head, missed: list[str] | None) -> bool:
        """Tell whether the log leads from one head over the known one to another.

        `missed` gathers what this seat did after the first.
        """
        from dreadclock.client.rest import RestRoom  # with httpx, which a room needs for nothing else

        if start.seq == earlier.seq and start != earlier:
            return False
        head, mine = start, f'"by":"{self._seat}"'
        room = RestRoom(self._link.server, self._link.room, self._link.token)
        async with aclosing(room.log_texts(public=head.seq, gm=_NONE)) as texts:
            async for text in texts:
                head = advance(head, text)
                if head.seq == earlier.seq and head != earlier:
                    return False
                if missed is not None and mine in text:
                    missed.append(text)
                if head.seq >= now.seq:
                    break
        return head == now

    def _alarmed(self, now: Noted, alarm: LogAlarm) -> None:
        """Raise an alarm once: from here on the log as it is now counts."""
        self._now, self._sure = now, True
        self._heads.replace(self._link.room, now)
        if self._seat is not None:
            self._heads.replace(self._link.room, now, self._seat)
        self._raise_alarm(alarm)


def _noted(log_id: str, head: Head) -> Noted:
    return Noted(log_id=log_id, seq=head.seq, hash=head.hash)


def forked(channel: Channel, seq: int | None) -> LogAlarm:
    """Say what a server itself has told."""
    where = f"record {seq} of {channel} is the first that differs" if seq else "the server does not say from where on"
    return LogAlarm(channel, seq, where)


def contradiction(earlier: Noted, now: Noted) -> str | None:
    """Say why one log cannot be the other, as far as two heads tell."""
    if earlier.log_id != now.log_id:
        return f"it was another log at record {earlier.seq}"
    if earlier.seq > now.seq:
        return f"it ends at {now.seq} and was known up to {earlier.seq}"
    if earlier.seq == now.seq:
        return f"it differs at or before record {earlier.seq}"
    return None
