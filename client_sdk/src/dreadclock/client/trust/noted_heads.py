"""Store on this device where the log of each room ended: its head.

A head is the number of the last public record, and the hash over all public records. A log that does not continue from
the noted head was changed. For each seat, the last head that its clients have seen is stored, too. When a client of the
seat connects again, the records that the seat made since then are checked.
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

_AFTER_ALL = 10**15 - 1  # a number above every seq: no record comes after it
CHECKED_WITHIN_S = 2.0  # how long a closing connection waits for its check
EVERY = 200  # the head is stored after this many public records
FORGOTTEN_AFTER_DAYS = 400  # a note is deleted if it was not read or written for so long
_log = logging.getLogger("dreadclock.log")


class Noted(Model):
    """The head of the public channel in a room's log: the number of its last record, and the hash over all records."""

    log_id: str
    seq: int
    hash: HeadHash

    @property
    def head(self) -> Head:
        """The noted head as a `Head`."""
        return Head(seq=self.seq, hash=self.hash)


class NotedHeads:
    """Keeps the last head of each room, and the last head of each seat in a room, in files below `directory`.

    If `directory` is None, or writing fails, nothing is kept. The first note deletes all files that were neither read
    nor written for FORGOTTEN_AFTER_DAYS. A read renews a file's time, as a write does.
    """

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self._swept = False

    def of(self, room_id: RoomId, seat_id: Id | None = None) -> Noted | None:
        """Return the noted head of a room, or of a seat in it. None: there is none, or it cannot be read."""
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
        """Store the head of a room's log, unless another connection has noted a later head of the same log."""
        earlier = self.of(room_id, seat_id)
        if earlier is None or earlier.log_id != noted.log_id or earlier.seq < noted.seq:
            self.replace(room_id, noted, seat_id)

    def replace(self, room_id: RoomId, noted: Noted, seat_id: Id | None = None) -> None:
        """Store the head of a room's log, in place of any other head."""
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
    """Delete the files that were neither read nor written for FORGOTTEN_AFTER_DAYS. Ignores errors."""
    oldest = time.time() - FORGOTTEN_AFTER_DAYS * 86_400
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def _path(directory: Path, room_id: RoomId, seat_id: Id | None) -> Path:
    """Return the file of a note. The name is hashed, because the seat id comes from the server."""
    seat = "" if seat_id is None else f".{sha256(seat_id.encode()).hexdigest()[:32]}"
    return directory / "heads" / f"{room_id}{seat}.json"


class LogKeeper:
    """Compares the log of a connection with the noted head, and notes new heads.

    A new head is only noted if it follows from the head noted before. After an alarm, the changed log is accepted:
    later heads are compared with its head. Calls `missed` with the texts of the public records that this seat made
    while it had no connected client on this device.
    """

    def __init__(
        self,
        link: Link,
        heads: NotedHeads,
        raise_alarm: Callable[[LogAlarm], None],
        missed: Callable[[list[str]], None],
    ) -> None:
        self._link, self._heads, self._raise_alarm, self._missed = link, heads, raise_alarm, missed
        self._seat: Id | None = None
        self._now: Noted | None = None
        self._noted_seq = 0
        self._sure = True  # whether the log is known to continue from the noted head
        self._checking: asyncio.Task[None] | None = None

    def begin(self, now: Noted, seat_id: Id) -> None:
        """Compare the head of the first view of a connection with the noted heads of the room and of the seat."""
        self._seat = seat_id
        self._compare(self._heads.of(self._link.room), now, self._heads.of(self._link.room, seat_id))

    def follow(self, now: Noted) -> None:
        """Remember the head after a frame that continues the log. Stores it after every EVERY public records."""
        if self._now is None or now.seq == self._now.seq:
            return
        self._now = now
        if now.seq - self._noted_seq >= EVERY:
            self.note()

    def replaced(self, replaced: ViewReplaced, now: Noted) -> None:
        """Check the head of a view that the server sent in place of the next records.

        Raises the alarm if the server says that the log was forked.
        """
        earlier = self._now
        if replaced.reason is ResetReason.FORKED:
            differs = min((replaced.differs or {}).items(), key=lambda item: item[0] != Channel.PUBLIC, default=None)
            self._alarmed(now, forked(*(differs or (Channel.PUBLIC, None))))
        else:
            self._compare(earlier, now, earlier)

    def note(self) -> None:
        """Note the current head, if the log is known to continue from the noted head."""
        if self._sure and self._now is not None:
            self._noted_seq = self._now.seq
            for seat_id in (None, self._seat):
                self._heads.note(self._link.room, self._now, seat_id)

    async def close(self) -> None:
        """Wait for a check under way, then `note`."""
        if self._checking is not None:
            await asyncio.wait({self._checking}, timeout=CHECKED_WITHIN_S)
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        self.note()

    def _compare(self, earlier: Noted | None, now: Noted, seen: Noted | None) -> None:
        """Compare the current head with the noted head `earlier`. Raise the alarm if they contradict each other.

        Otherwise start a task that fetches and checks the records between them. `seen`: the last head that this seat's
        clients saw.
        """
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
        """Fetch the records between the noted head and the current head, and check that they lead there."""
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
        """Tell whether the log continues from the head `start` to the head `earlier`, and from there to `now`.

        Adds this seat's records after `start` to `missed`.
        """
        # Imported here, because it imports httpx, which a room does not need.
        from dreadclock.client.rest import RestRoom

        if start.seq == earlier.seq and start != earlier:
            return False
        head, mine = start, f'"by":"{self._seat}"'
        room = RestRoom(self._link.server, self._link.room, self._link.token)
        async with aclosing(room.log_texts(public=head.seq, gm=_AFTER_ALL)) as texts:
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
        """Raise an alarm, and accept the current log from now on."""
        self._now, self._sure = now, True
        for seat_id in (None, self._seat):
            self._heads.replace(self._link.room, now, seat_id)
        self._raise_alarm(alarm)


def forked(channel: Channel, seq: int | None) -> LogAlarm:
    """Return the alarm for a fork that the server itself reported."""
    where = f"record {seq} of {channel} is the first that differs" if seq else "the server does not say from where on"
    return LogAlarm(channel, seq, where)


def contradiction(earlier: Noted, now: Noted) -> str | None:
    """Return how two logs differ, as a sentence, if their heads show a difference. None: they may be the same log."""
    if earlier.log_id != now.log_id:
        return f"it was another log at record {earlier.seq}"
    if earlier.seq > now.seq:
        return f"it ends at {now.seq} and was known up to {earlier.seq}"
    if earlier.seq == now.seq:
        return f"it differs at or before record {earlier.seq}"
    return None
