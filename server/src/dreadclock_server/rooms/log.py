"""The state of a room, computed from the entries of its log, and saved as snapshots.

An entry holds the records of a batch of commands, and the outcomes of the commands. A record is a stored event with its
seq, the number in its channel. The head of a channel is its last seq, and a hash over all its records. Other nodes, and
other versions of this program, may have written the entries.
"""

import asyncio
import json
import zlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import structlog

from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.records import Head, Positions
from dreadclock.wire.views import View
from dreadclock_server.core.room import NextWitness, Room, Written, replay
from dreadclock_server.core.sessions import Answer, Session, Sessions
from dreadclock_server.core.undo import UNDO_ENTRIES, UndoLogs
from dreadclock_server.rooms.answers import from_json, to_json
from dreadclock_server.rooms.size import PER_ITEM, bytes_of
from dreadclock_server.store.base import (
    EMPTY,
    RESTORE,
    Batch,
    LogBytes,
    Position,
    RoomUnknown,
    Store,
    StoreError,
    StoreUnavailable,
    Trouble,
)
from dreadclock_server.store.codec import Entry, NewerEntry, UnreadableEntry, decode, encode
from dreadclock_server.store.index import channel_of, rows_of_records

SNAPSHOT_VERSION = 5
SNAPSHOT_EVERY = 256  # a new snapshot is due this many entries after the last one, which any process may have saved
TAIL = 256  # records of a channel kept in memory
PAGE = 128  # entries read at a time, at most
PAGE_BYTES = 1 << 20  # approximate limit of a page, because a slow reader keeps its page in memory
FIRST_PAGE = 32  # entries in the first read; the next read depends on their size
_TAKEN_AT_ONCE = 16  # entries to apply, about 1 ms, before other tasks get a turn
_MOST_ANNOUNCED = 8192  # bytes; a longer entry is announced without its content
_log = structlog.get_logger()


class BrokenLog(StoreError):
    """An entry is missing, unreadable, or does not follow from the entries before it; or a snapshot is unreadable."""

    trouble = Trouble.BROKEN


class NewerLog(StoreError):
    """An entry was written by a newer version of this program. Only that version can continue the log.

    Not a subclass of BrokenLog: reloading the room would not help.
    """

    trouble = Trouble.NEWER


class TooOld(Exception):
    """The viewer has missed too many records, and needs a new view instead."""


class Forked(Exception):
    """The log differs from the log that the viewer has read.

    `differs`: by channel, the first seq that is known to differ.
    """

    def __init__(self, differs: dict[Channel, int]) -> None:
        self.differs = differs
        super().__init__(differs)


@dataclass(frozen=True, slots=True)
class Missed:
    """The records that a viewer of one channel missed, as canonical texts, and the channel's head after them."""

    texts: Sequence[str]
    head: Head


class _Rows:
    """The latest records of one channel. Stores strings only, because the garbage collector does not traverse strings.

    `texts` has the text of each record, and `hashes` the hash of the head after it. Until TAIL records are added, the
    first text is empty, and the first hash is the hash at the start.
    """

    __slots__ = ("hashes", "newest", "texts")

    def __init__(self, newest: Head) -> None:
        self.newest = newest
        self.texts, self.hashes = deque(("",), maxlen=TAIL + 1), deque((newest.hash,), maxlen=TAIL + 1)

    @property
    def oldest_seq(self) -> int:
        """The seq of the first text."""
        return self.newest.seq - len(self.texts) + 1


class Tail:
    """The latest TAIL records of each channel, with the hash after each record."""

    def __init__(self, positions: Positions) -> None:
        self._rows = {channel: _Rows(head) for channel, head in positions.items()}

    def add(self, channel: Channel, text: str, head: Head) -> None:
        """Add a record."""
        rows = self._rows[channel]
        rows.texts.append(text)
        rows.hashes.append(head.hash)
        rows.newest = head

    def between(self, channel: Channel, first: int, last: int) -> list[str]:
        """Return the records with the seqs `first` to `last`, as far as they are still in memory."""
        rows = self._rows[channel]
        return [text for seq, text in enumerate(rows.texts, rows.oldest_seq) if first <= seq <= last and text]

    def after(self, channel: Channel, seen: Head) -> Missed | None:
        """Return the records after `seen`; None if some are no longer in memory.

        Raises Forked if `seen` is not in the log.
        """
        rows = self._rows[channel]
        if seen.seq > rows.newest.seq:
            raise Forked({channel: rows.newest.seq + 1})
        place = seen.seq - rows.oldest_seq
        if place < 0:
            return None
        if rows.hashes[place] != seen.hash:
            raise Forked({channel: seen.seq})
        return Missed(list(islice(rows.texts, place + 1, None)), rows.newest)


@dataclass(slots=True)
class Log:
    """The state of a room after the entries up to a position."""

    room: Room
    position: Position
    sessions: Sessions
    tail: Tail
    snapshot_at: int = 0  # the number of the entry after which the newest snapshot was made, as far as this node knows
    unsaved: list[Answer] = field(default_factory=list)  # outcomes without events, which a later append stores

    @property
    def needs_snapshot(self) -> bool:
        """Whether a new snapshot is due."""
        return self.position.number - self.snapshot_at >= SNAPSHOT_EVERY

    def take(self, number: int, data: bytes) -> list[Written]:
        """Apply the next stored entry and return its records. After BrokenLog or NewerLog, nothing has changed."""
        if number != self.position.number + 1:
            raise BrokenLog(f"entry {number} cannot follow {self.position.number}")
        try:
            entry = decode(data)
            answers = [from_json(row) for row in entry.answers]
            room, written = _folded(self.room, entry)
        except NewerEntry as error:
            raise NewerLog(f"entry {number} was written by a newer version of Dreadclock: {error}") from error
        except Exception as error:  # a corrupt entry may raise any error; the message must not show the content
            raise BrokenLog(f"entry {number} cannot be read: {type(error).__name__}") from error
        if room.positions != entry.heads:
            raise BrokenLog(f"entry {number}: its records do not hash to its heads")
        self.put(room, self.position.after(data), written, answers, entry.at_ms)
        return written

    def put(self, room: Room, position: Position, written: list[Written], answers: list[Answer], at_ms: int) -> None:
        """Advance by one entry. `room` and `position` are the state after this entry.

        `written`, `answers`: the records and outcomes of the entry.
        """
        for item in written:
            self.tail.add(item.record.channel, item.text, item.head)
        self.room, self.position = room, position
        self.sessions.remember(answers, at_ms)


async def entries_after(store: Store, room_id: RoomId, number: int) -> AsyncIterator[tuple[int, bytes]]:
    """Yield the stored entries after `number`, read page by page.

    The size of the last page decides how many entries the next page has, so that pages stay near PAGE_BYTES.
    """
    size = min(FIRST_PAGE, PAGE)
    while rows := await store.read(room_id, number, size):
        for row in rows:
            yield row
        number = rows[-1][0]
        fitting = PAGE_BYTES * len(rows) // sum(len(data) for _, data in rows)
        size = max(1, min(2 * size, fitting, PAGE))


async def stored_end(store: Store, room_id: RoomId) -> Position:
    """Return the end of the log in the store. Raises RoomUnknown."""
    head = (await store.heads([room_id]))[room_id]
    if head is None:
        raise RoomUnknown(room_id)
    return head.position


async def read_on(store: Store, room_id: RoomId, position: Position, take: Callable[[int, bytes], object]) -> None:
    """Call `take` with the number and the bytes of each entry after `position`.

    Raises RoomUnknown, any error of `take`, and BrokenLog if the entries do not lead to the end that the store reports.
    """
    due = await stored_end(store, room_id)
    async for number, data in entries_after(store, room_id, position.number):
        take(number, data)
        if number <= due.number:
            position = position.after(data)
        if number % _TAKEN_AT_ONCE == 0:
            await asyncio.sleep(0)
    if position != due:
        raise BrokenLog(f"the store's last entry is {due.number}, but its entries lead to {position.number}")


def _folded(room: Room, entry: Entry) -> tuple[Room, list[Written]]:
    """Apply the records of an entry, command by command. Raises ValueError if a record does not fit."""
    rest, all_written = list(entry.texts), list[Written]()
    if entry.counts and (min(entry.counts) < 1 or sum(entry.counts) != len(rest)):
        raise ValueError(f"{len(rest)} records are left over after commands with {entry.counts}")
    for count in entry.counts or [len(rest)]:
        room, written = replay(room, rest[:count], is_whole=bool(entry.counts))
        rest = rest[count:]
        all_written += written
    return room, all_written


def batch_of(
    number: int,
    batch_id: str,
    at_ms: int,
    room: Room,
    written: Sequence[Written],
    counts: Sequence[int] = (),
    answers: Sequence[Answer] = (),
) -> Batch:
    """Return the batch that the store appends as entry `number`.

    `room`: the room after the records `written`. `counts`: how many records each command wrote. `answers`: outcomes.
    """
    texts: list[str] = []
    places: list[tuple[str, int]] = []
    for item in written:
        texts.append(item.text)
        places.append((item.record.channel.value, item.record.seq))
    data = encode(Entry(batch_id, at_ms, [to_json(answer) for answer in answers], room.positions, texts, counts))
    public_bytes = bytes_of(room, written, answers)[0]
    return Batch(batch_id, data, rows_of_records(number, data, places), public_bytes=public_bytes)


def announcement(position: Position, data: bytes) -> bytes:
    """Return an announcement of an entry to other nodes: the position after it, and the entry itself if it is short."""
    body = data if len(data) <= _MOST_ANNOUNCED else b""
    return f"{position.number} {position.digest}\n".encode() + body


def snapshot(log: Log) -> bytes:
    """Return the state of a room as bytes, without the latest records in `log.tail`."""
    sessions = {
        key: [
            session.seat_id,
            session.last_ms,
            session.high,
            [to_json(_answer(key, session, n))[2:] for n in session.outcomes],
        ]
        for key, session in log.sessions.by_use()
    }
    body = {
        "v": SNAPSHOT_VERSION,
        "at": log.room.at,
        "heads": {channel: [head.seq, head.hash] for channel, head in log.room.positions.items()},
        "sessions": sessions,
        "forgotten": log.sessions.forgotten,
        "changed": log.room.changed,
        "anchors": sorted(log.room.anchors),
        "witnesses": log.room.witnesses,
        "steps": UNDO_ENTRIES.dump_json(log.room.undo_logs.entries, by_alias=True).decode(),
    }
    return zlib.compress(b"\n".join((json.dumps(body).encode(), log.room.view.model_dump_json().encode())), 1)


def _answer(key: str, session: Session, n: int) -> Answer:
    return Answer(session.seat_id, key, n, session.outcomes[n])


def from_snapshot(opening: Room, position: Position, blob: bytes) -> Log:
    """Read a room's state from a snapshot. Raises BrokenLog if the snapshot has another version or is corrupt.

    `opening`: the room before its first entry. `position`: where the log ended when the snapshot was made.
    """
    try:
        return _read_snapshot(opening, position, blob)
    except Exception as error:  # the snapshot is a cache: the caller reads the log instead
        raise BrokenLog(f"the snapshot at entry {position.number} cannot be read: {type(error).__name__}") from error


def _read_snapshot(opening: Room, position: Position, blob: bytes) -> Log:
    head_line, view_line = zlib.decompress(blob).split(b"\n", 1)
    body = json.loads(head_line)
    if body["v"] != SNAPSHOT_VERSION:
        raise ValueError(f"snapshot of version {body['v']}")
    heads = {Channel(name): Head(seq=seq, hash=hash_) for name, (seq, hash_) in body["heads"].items()}
    view = View.model_validate_json(view_line)
    room = Room(
        opening.room_id,
        opening.log_id,
        view,
        heads,
        body["at"],
        body["changed"],
        frozenset(body["anchors"]),
        {label: NextWitness(*row) for label, row in body["witnesses"].items()},
        UndoLogs.of(UNDO_ENTRIES.validate_json(body["steps"])),
    )
    sessions = Sessions()
    for key, (seat_id, last_ms, _high, rows) in body["sessions"].items():
        sessions.remember([from_json([seat_id, key, n, outcome]) for n, outcome in rows], last_ms)
    sessions.recall(body["forgotten"])
    return Log(room, position, sessions, Tail(heads), position.number)


def empty_log(opening: Room, position: Position) -> Log:
    """Return a room before its first entry."""
    return Log(opening, position, Sessions(), Tail(opening.positions))


async def load(store: Store, opening: Room) -> Log:
    """Load a room from its snapshot and later entries, or from its first entry.

    Raises BrokenLog if the entries themselves are damaged, NewerLog if a newer version wrote one, or RoomUnknown.
    """
    try:
        saved = await store.load_snapshot(opening.room_id)
        log = from_snapshot(opening, *saved) if saved is not None else empty_log(opening, EMPTY)
        await read_on(store, opening.room_id, log.position, log.take)
        return log
    except BrokenLog as error:
        _log.warning("the snapshot does not fit its log", room=opening.room_id, error=str(error))
    log = empty_log(opening, EMPTY)
    try:
        await read_on(store, opening.room_id, log.position, log.take)
        return log
    except BrokenLog as error:
        _log.error("a room is damaged in the store", room=opening.room_id, error=str(error), do=RESTORE)
        raise BrokenLog(f"room {opening.room_id} is damaged in the store: {error}. {RESTORE}") from error


async def count(store: Store, room: Room) -> LogBytes:
    """Count the public bytes of a room that has no count because an earlier version wrote it. Store the count.

    The outcomes of removed seats count as public, because the roles of these seats are unknown. Raises RoomUnknown.
    """
    last = counted = 0
    while True:
        async for number, data in entries_after(store, room.room_id, last):
            last, counted = number, counted + public_bytes_of(room, data)
        try:
            begun = await store.begin_count(room.room_id, last, counted)
        except StoreUnavailable:  # the store takes no writes; the next load counts again
            return LogBytes(counted, 0)
        if begun is not None:
            return begun


def public_bytes_of(room: Room, data: bytes) -> int:
    """Return how many public bytes a stored entry adds to the size of a room. size.py says what counts as public."""
    try:
        entry = decode(data)
        texts = [text for text in entry.texts if channel_of(text) == Channel.PUBLIC]
        answers = [from_json(row) for row in entry.answers]
    # count the whole entry as public; code that applies the entry reports the error
    except (UnreadableEntry, ValueError):
        return len(data)
    return sum(len(text.encode()) + PER_ITEM for text in texts) + bytes_of(room, (), answers)[0]
