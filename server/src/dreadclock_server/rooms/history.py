"""What happened before: records that a viewer missed, from memory or from the log."""

from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.records import Head, Positions, advance, opening_head
from dreadclock_server.core.room import Room
from dreadclock_server.store.base import Store
from dreadclock_server.store.codec import Entry, decode

TAIL = 256  # records of a channel kept in memory
PAGE = 128  # entries read at a time, at most
PAGE_BYTES = 1 << 20  # about as much is read at a time: who is slow to take it keeps it in memory
_FIRST_PAGE = 32  # entries; then it is known how long they are
MOST_MISSED = 5_000  # records; beyond it a viewer gets a fresh view


class TooOld(Exception):
    """More was missed than is sent record by record."""


class Forked(Exception):
    """The log is not the one that the viewer knows; `differs` is the first number known not to be there."""

    def __init__(self, differs: dict[Channel, int]) -> None:
        self.differs = differs
        super().__init__(differs)


@dataclass(frozen=True, slots=True)
class Missed:
    """The records of one channel after a head, in their canonical texts, and the head after them."""

    texts: Sequence[str]
    head: Head


class Tail:
    """The latest records of each channel, with the head after each."""

    def __init__(self, positions: Positions) -> None:
        self._rows: dict[Channel, deque[tuple[str, Head]]] = {}
        for channel, head in positions.items():
            self._rows[channel] = deque((("", head),), maxlen=TAIL + 1)

    def add(self, channel: Channel, text: str, head: Head) -> None:
        """Remember a record."""
        self._rows[channel].append((text, head))

    def between(self, channel: Channel, first: int, last: int) -> list[str]:
        """Return the records numbered `first` to `last` that are still in memory."""
        return [text for text, head in self._rows[channel] if first <= head.seq <= last and text]

    def after(self, channel: Channel, known: Head) -> Missed | None:
        """Return what followed `known`, None if that is no longer in memory. Raises Forked."""
        rows = self._rows[channel]
        oldest, newest = rows[0][1], rows[-1][1]
        if known.seq > newest.seq:
            raise Forked({channel: newest.seq + 1})
        if known.seq < oldest.seq:
            return None
        place = known.seq - oldest.seq
        if rows[place][1] != known:
            raise Forked({channel: known.seq})
        return Missed([text for text, _ in islice(rows, place + 1, None)], newest)


async def read_after(store: Store, room: Room, entries: int, channel: Channel, known: Head) -> Missed:
    """Read what followed `known` in a channel from the log of `entries` entries. Raises Forked or TooOld.

    What another node appends meanwhile is left out: this node has not taken it in yet, and would think it a fork.
    """
    newest = room.positions[channel]
    if newest.seq - known.seq > MOST_MISSED:
        raise TooOld
    number, head = await _entry_before(store, room, entries, channel, known.seq)
    if head.seq == known.seq and head != known:
        raise Forked({channel: 1})
    missed: list[str] = []
    async for at, data in entries_after(store, room.room_id, number):
        if at > entries:
            break
        for text in _texts(decode(data), channel):
            head = _step(head, text, known, channel)
            if head.seq > known.seq:
                missed.append(text)
    return Missed(missed, head)


async def entries_after(store: Store, room_id: RoomId, number: int) -> AsyncIterator[tuple[int, bytes]]:
    """Read the stored entries after `number`, page by page, none much larger than PAGE_BYTES."""
    size = min(_FIRST_PAGE, PAGE)
    while rows := await store.read(room_id, number, size):
        for row in rows:
            yield row
        number = rows[-1][0]
        fitting = PAGE_BYTES * len(rows) // sum(len(data) for _, data in rows)
        size = max(1, min(2 * size, fitting, PAGE))


async def entry_before_all(store: Store, room: Room, entries: int, known: Mapping[Channel, int]) -> int:
    """Return the number of an entry after which lies all that comes after these numbers of the channels."""
    numbers = [
        (await _entry_before(store, room, entries, channel, seq))[0] if seq > 0 else 0 for channel, seq in known.items()
    ]
    return min(numbers, default=0)


def _step(head: Head, text: str, known: Head, channel: Channel) -> Head:
    after = advance(head, text)
    if after.seq == known.seq and after != known:
        raise Forked({channel: known.seq})
    return after


async def _entry_before(store: Store, room: Room, entries: int, channel: Channel, seq: int) -> tuple[int, Head]:
    """Find the last entry at whose end the channel stood below `seq`, and its head there; 0 is the start.

    Raises Forked if there are fewer entries.
    """
    low, low_head = 0, opening_head(room.room_id, room.log_id, channel)
    high = entries
    while high - low > 1:
        middle = (low + high) // 2
        rows = await store.read(room.room_id, middle - 1, 1)
        if not rows:
            raise Forked({channel: 1})  # the store has fewer entries than this node took in
        head = decode(rows[0][1]).heads[channel]
        if head.seq < seq:
            low, low_head = middle, head
        else:
            high = middle
    return low, low_head


def _texts(entry: Entry, channel: Channel) -> list[str]:
    mark = f'"channel":"{channel}"'
    return [text for text in entry.texts if _channel_of(text) == mark]


def _channel_of(text: str) -> str:
    """Cut the channel out of a canonical text: its keys are sorted, `after`, `at` and `by` come before it."""
    start = text.index('"channel":"')
    return text[start : text.index('"', start + 11) + 1]
