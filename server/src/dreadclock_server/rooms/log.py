"""A room's log: folded from its entries, whichever node and version wrote them, and saved as snapshots."""

import asyncio
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import structlog

from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.records import Head
from dreadclock.wire.views import View
from dreadclock_server.core.room import NextWitness, Room, Written, evolve, read
from dreadclock_server.core.sessions import Answer, Session, Sessions
from dreadclock_server.core.undo_log import UNDO_ENTRIES, UndoLogs
from dreadclock_server.core.undo_recording import recorded
from dreadclock_server.rooms.answers import from_json, to_json
from dreadclock_server.rooms.history import Tail, entries_after
from dreadclock_server.store.base import (
    EMPTY,
    RESTORE,
    Batch,
    Position,
    RoomUnknown,
    Store,
    StoreError,
    Trouble,
)
from dreadclock_server.store.codec import Entry, NewerEntry, decode, encode
from dreadclock_server.store.index import rows_of_records

SNAPSHOT_VERSION = 5
_TAKEN_AT_ONCE = 16  # entries, about 1 ms, before the event loop goes on with other work
_log = structlog.get_logger()


class BrokenLog(StoreError):
    """An entry does not follow from the ones before it, or is missing."""

    trouble = Trouble.BROKEN


class NewerLog(BrokenLog):
    """An entry was written by a newer version of this program. Only that one can go on with the log."""

    trouble = Trouble.NEWER


@dataclass(slots=True)
class Log:
    """A room folded from its entries, up to a position."""

    room: Room
    position: Position
    sessions: Sessions
    tail: Tail
    snapshot_at: int = 0  # entries in the newest snapshot that this node knows
    unsaved: list[Answer] = field(default_factory=list)  # outcomes without events; the next append stores them, too

    def take(self, number: int, data: bytes) -> list[Written]:
        """Fold the next stored entry and return its records. Raises BrokenLog; then nothing has changed."""
        if number != self.position.number + 1:
            raise BrokenLog(f"entry {number} cannot follow {self.position.number}")
        try:
            entry = decode(data)
            answers = [from_json(row) for row in entry.answers]
            room, written = _folded(self.room, entry)
        except NewerEntry as error:
            raise NewerLog(f"entry {number} was written by a newer version of Dreadclock: {error}") from error
        except Exception as error:  # a corrupt entry may raise anything; the message must not show its content
            raise BrokenLog(f"entry {number} cannot be read: {type(error).__name__}") from error
        if room.positions != entry.heads:
            raise BrokenLog(f"entry {number}: its records do not hash to its heads")
        self.put(room, self.position.after(data), written, answers, entry.at_ms)
        return written

    def put(self, room: Room, position: Position, written: list[Written], answers: list[Answer], at_ms: int) -> None:
        """Take in an entry whose records have been folded into `room` already."""
        for each in written:
            self.tail.add(each.record.channel, each.text, each.head)
        self.room, self.position = room, position
        self.sessions.remember(answers, at_ms)


async def stored_end(store: Store, room_id: RoomId) -> Position:
    """Return where the log ends in the store. Raises RoomUnknown."""
    head = (await store.heads([room_id]))[room_id]
    if head is None:
        raise RoomUnknown(room_id)
    return head.position


async def read_on(store: Store, room_id: RoomId, known: Position, take: Callable[[int, bytes], object]) -> None:
    """Give `take` the entries after `known`, with their numbers, up to the last.

    Raises RoomUnknown, and BrokenLog if they do not lead to where the store says that the log ends.
    """
    due = await stored_end(store, room_id)
    async for number, data in entries_after(store, room_id, known.number):
        take(number, data)
        if number <= due.number:
            known = known.after(data)
        if number % _TAKEN_AT_ONCE == 0:
            await asyncio.sleep(0)
    if known != due:
        raise BrokenLog(f"the store stands at entry {due.number}, and what it holds leads to {known.number}")


def _folded(room: Room, entry: Entry) -> tuple[Room, list[Written]]:
    """Fold the records of an entry, command by command."""
    rest, all_written = list(entry.texts), list[Written]()
    if entry.counts and (min(entry.counts) < 1 or sum(entry.counts) != len(rest)):
        raise ValueError(f"{len(rest)} records are left over after commands with {entry.counts}")
    for count in entry.counts or [len(rest)]:
        before, texts, rest = room, rest[:count], rest[count:]
        written: list[Written] = []
        for text in texts:
            written.append(read(room, text))
            room = evolve(room, written[-1])
        room = recorded(before, room, written, is_whole=bool(entry.counts))
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
    public_bytes: int = 0,
) -> Batch:
    """Write a room's `number`th entry: the records that led to `room`, and outcomes.

    `counts`: how many records each command has; `public_bytes`: see size.py.
    """
    rows, texts = [to_json(answer) for answer in answers], [each.text for each in written]
    data = encode(Entry(batch_id, at_ms, rows, room.positions, texts, counts))
    places = [(each.record.channel.value, each.record.seq) for each in written]
    return Batch(batch_id, data, rows_of_records(number, data, places), public_bytes=public_bytes)


def snapshot(log: Log) -> bytes:
    """Return a room's state as bytes, without its latest records."""
    sessions = {
        key: [each.seat_id, each.last_ms, each.high, [to_json(_answer(key, each, n))[2:] for n in each.outcomes]]
        for key, each in log.sessions.by_use()
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
    """Read a room's state from such bytes. Raises BrokenLog if they are of another version or corrupt."""
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
        {label: NextWitness(*each) for label, each in body["witnesses"].items()},
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
    """Fold a room from its snapshot and what follows, or else from its first entry. Raises BrokenLog, RoomUnknown."""
    try:
        saved = await store.load_snapshot(opening.room_id)
        log = from_snapshot(opening, *saved) if saved is not None else empty_log(opening, EMPTY)
        await read_on(store, opening.room_id, log.position, log.take)
        return log
    except NewerLog:
        raise  # the first entry leads to the same
    except BrokenLog as error:
        _log.warning("the snapshot does not fit its log", room=opening.room_id, error=str(error))
    log = empty_log(opening, EMPTY)
    try:
        await read_on(store, opening.room_id, log.position, log.take)
        return log
    except NewerLog:
        raise
    except BrokenLog as error:
        _log.error("a room is damaged in the store", room=opening.room_id, error=str(error), do=RESTORE)
        raise BrokenLog(f"room {opening.room_id} is damaged in the store: {error}. {RESTORE}") from error
