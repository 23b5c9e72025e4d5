"""Writing a room's entries: until the outcome is known, and then telling other nodes."""

import asyncio
from collections.abc import Callable

import structlog

from dreadclock_server.rooms.answers import trouble_of
from dreadclock_server.rooms.inputs import now_ms
from dreadclock_server.rooms.log import Log, snapshot
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
from dreadclock_server.store.codec import Entry, encode
from dreadclock_server.store.index import rows_of

PAUSE_S = 0.2  # between two questions to a store in trouble
SNAPSHOT_EVERY = 256  # entries since the last one, whichever process wrote them
SNAPSHOT_AT_REST = 64  # entries, when a room leaves memory: what it takes to load it again stays small
_MOST_ANNOUNCED = 8192  # bytes; a longer entry is announced without its content
_log = structlog.get_logger()


class Writer:
    """Appends one room's entries, one at a time."""

    def __init__(self, store: Store, room_id: str) -> None:
        self.in_trouble = False  # an append's outcome is unknown
        self.trouble = Trouble.AWAY  # of the latest append whose outcome was not known at once
        self._store, self._room_id = store, room_id
        self._appending: bytes | None = None  # the entry whose append is under way
        self._aside: set[asyncio.Task[bool]] = set()

    async def append(self, expected: Position, batch: Batch, on_trouble: Callable[[], None]) -> Position:
        """Append an entry, asking again until its outcome is known; `on_trouble` is called when that takes long.

        Returns the position after it. Raises StaleWrite if another node was first, RoomFull if it is too much,
        StoreUnavailable if nothing was written for certain. After any other error it is asked
        again as well, if the batch may have been written before.
        """
        self._appending = batch.entry
        try:
            while True:
                try:
                    return await self._store.append(self._room_id, expected, batch)
                except (StaleWrite, RoomUnknown, RoomFull):
                    raise
                except Exception as error:
                    is_unknown = isinstance(error, StoreUnavailable) and error.applied is not False
                    if not (is_unknown or self.in_trouble):
                        raise
                    self._enter_trouble(on_trouble, error)
                    await asyncio.sleep(PAUSE_S)
        finally:
            self.in_trouble, self._appending = False, None

    def _enter_trouble(self, on_trouble: Callable[[], None], error: Exception) -> None:
        self.trouble = trouble_of(error)
        if not self.in_trouble:
            self.in_trouble = True
            _log.warning("outcome unknown, asking until it is known", room=self._room_id, error=str(error))
            on_trouble()

    async def is_all_confirmed(self, known: Position) -> bool:
        """Return whether the store has nothing after `known`, or nothing but an entry that is not confirmed.

        That is this writer's own entry, whose append is under way, and what other nodes have appended after it. The
        store may hold the entry and still not confirm it, because confirming takes a write.
        """
        if await self.stored_head() == known:
            return True
        if self._appending is None:
            return False
        following = await self._store.read(self._room_id, known.number, 1)
        return bool(following) and following[0][1] == self._appending

    async def holds_unconfirmed(self, known: Position) -> bool:
        """Return whether an append is under way and the store has something after `known`."""
        return self._appending is not None and (await self.stored_head()).number > known.number

    async def grow(self, needed: float) -> int | None:
        """Have a demo room hold `needed` bytes, and return how many it may hold now; None if it may not."""
        return await self._store.in_play.grow(self._room_id, needed, now_ms())

    async def stored_head(self) -> Position:
        """Ask the store where the room's log ends. Raises RoomUnknown if there is no such room any more."""
        found = (await self._store.heads([self._room_id]))[self._room_id]
        if found is None:
            raise RoomUnknown
        return found[0]

    def spread(self, log: Log, data: bytes) -> None:
        """Announce the entry that `log` now ends with, and save a snapshot every so often."""
        self._store.announce(self._room_id, announcement(log.position, data), log.position)
        self.save_soon(log)

    def save_soon(self, log: Log) -> None:
        """Save a snapshot if one is due, while nobody waits for it."""
        if is_due(log, SNAPSHOT_EVERY):
            task = asyncio.create_task(self.save(log))
            self._aside.add(task)
            task.add_done_callback(self._aside.discard)

    async def save(self, log: Log) -> bool:
        """Save a snapshot, and tell whether the store took it. It is a cache: a failure is logged and costs nothing."""
        log.snapshot_at = log.position.number
        try:
            await self._store.save_snapshot(self._room_id, log.position, snapshot(log))
            return True
        except StoreUnavailable as error:
            _log.warning("no snapshot is kept: the store fails", room=self._room_id, error=str(error))
        except Exception:
            _log.exception("bug", room=self._room_id)
        return False

    async def aclose(self) -> None:
        """Finish what is under way."""
        await asyncio.gather(*self._aside)


def batch_of(number: int, entry: Entry, public_bytes: int) -> Batch:
    """Write an entry that becomes a room's `number`th; `public_bytes`: see rooms/size.py."""
    data = encode(entry)
    return Batch(entry.batch_id, data, rows_of(number, data), public_bytes=public_bytes)


def is_due(log: Log, every: int) -> bool:
    """Return whether a room has so many entries more than its newest snapshot."""
    return log.position.number - log.snapshot_at >= every


def announcement(position: Position, data: bytes) -> bytes:
    """Write an announcement: the position after the entry, then the entry itself if it is short."""
    body = data if len(data) <= _MOST_ANNOUNCED else b""
    return f"{position.number} {position.digest}\n".encode() + body


def read_announcement(payload: bytes) -> tuple[Position, bytes]:
    """Read an announcement. Raises ValueError."""
    head, data = payload.split(b"\n", 1)
    number, digest = head.decode().split(" ")
    return Position(int(number), digest), data
