"""Older records of a channel, read from the store page by page.

A record is a stored event. Each record is in the public channel or in the gm's channel, which number their records
separately. The head of a channel is the seq of its last record, and a hash over all its records. The store keeps an
index of channels, which finds a channel's records without reading the other channel.
"""

from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress

from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.records import Head, advance
from dreadclock_server.core.room import Room
from dreadclock_server.rooms.log import FIRST_PAGE, PAGE, Forked, Missed, TooOld, entries_after
from dreadclock_server.store.base import Store, StoreError, StoreUnavailable, Trouble
from dreadclock_server.store.codec import decode
from dreadclock_server.store.index import after_of, channel_of, rows_of, seq_of

MOST_MISSED = 5_000  # records; a viewer who missed more gets a new view


class LostRecords(StoreError):
    """The log lacks records that it once had."""

    trouble = Trouble.BROKEN


async def read_after(store: Store, room: Room, channel: Channel, head_seen: Head) -> Missed:
    """Return the records of a channel from `head_seen` up to the room's own head. Raises Forked or TooOld.

    Forked: the records after `head_seen` do not hash to the room's head, so `head_seen` is not in the room's log.
    TooOld: there are more than MOST_MISSED records.
    """
    newest = room.positions[channel]
    if newest.seq - head_seen.seq > MOST_MISSED:
        raise TooOld
    texts, head = list[str](), head_seen
    # `pages` raises LostRecords if the store was reset to an older state. Then the head does not match, and Forked is
    # raised below. The caller may retry after it has reloaded the room.
    with suppress(LostRecords):
        async for page in pages(store, room, channel, head_seen.seq):
            texts += page
            for text in page:
                head = advance(head, text)
    if head != newest:
        raise Forked({channel: max(1, head_seen.seq)})
    return Missed(texts, head)


async def records_after(
    store: Store, room: Room, seen: Mapping[Channel, int], most: int | None = None
) -> AsyncIterator[list[str]]:
    """Yield the records of the channels in `seen`, page by page, in the order of the log.

    `seen`: by channel, the seq after which to start; has the public channel. `most`: the limit for each channel.
    """
    public, *others = [pages(store, room, channel, seen[channel], most) for channel in Channel if channel in seen]
    rows = [deque[str]() for _ in (public, *others)]
    while True:
        for row, more in zip(rows, (public, *others), strict=True):
            if not row:
                row.extend(await anext(more, list[str]()))
        if not any(rows):
            return
        yield list(_in_order(*rows))


def _in_order(public: deque[str], gm: deque[str] | None = None) -> Iterator[str]:
    """Yield the records of two lists in the order of the log, and remove them from the lists.

    If both lists have records, stops when one becomes empty: the next page of that list may have the next record.
    """
    if not (public and gm):
        yield from public or gm or ()
        public.clear()
        if gm:
            gm.clear()
    while public and gm:
        yield (gm if after_of(gm[0]) < seq_of(public[0]) else public).popleft()


async def pages(
    store: Store, room: Room, channel: Channel, after: int, most: int | None = None
) -> AsyncIterator[list[str]]:
    """Yield the records of a channel after seq `after`, up to the room's position and at most `most`.

    If the index covers the log, the time taken does not depend on the other channel. Raises LostRecords if the store no
    longer has records that this node has read.
    """
    newest, covered_from = room.seq(channel), None
    newest = newest if most is None else min(newest, after + most)
    while after < newest:
        rows = await store.read_channel(room.room_id, channel, after, PAGE)
        texts = _following(rows, channel, after)[: newest - after]
        if texts:
            yield texts
            after += len(texts)
        elif covered_from == 0:
            raise LostRecords(f"record {after + 1} of {channel} is not in the log")
        else:  # the index lacks these records: extend it, or rebuild it if a row is wrong or extending did not help
            is_damaged = rows or covered_from is not None
            covered_from = 0 if is_damaged else (await store.meta(room.room_id)).indexed
            try:
                await _cover(store, room.room_id, covered_from)
            except StoreUnavailable:  # the store takes no writes: scan the whole log instead
                async for texts in _scanned(store, room, channel, after, newest):
                    yield texts
                return


def _following(rows: Sequence[tuple[int, bytes]], channel: Channel, after: int) -> list[str]:
    """Return the records after seq `after` from index rows. Stops before the first row that is wrong.

    `rows`: for each entry, the seq of its last record, and its records, one per line.
    """
    following: list[str] = []
    for last, records in rows:
        try:
            texts = records.decode().split("\n")
            whole = [text for text in texts if text.startswith("{") and text.endswith("}")]
            numbers = [seq_of(text) for text in whole if channel_of(text) == channel]
        except ValueError:  # the log was reset to an older state after the row was written
            break
        first_new = after + len(following) - (last - len(texts))  # the place in `texts` of the first new record
        if numbers != list(range(last - len(texts) + 1, last + 1)) or not 0 <= first_new < len(texts):
            break
        following += texts[first_new:]
    return following


async def _scanned(store: Store, room: Room, channel: Channel, after: int, newest: int) -> AsyncIterator[list[str]]:
    """Read the records of a channel from `after` + 1 to `newest`, by scanning all entries. Raises LostRecords."""
    async for _, data in entries_after(store, room.room_id, 0):
        texts = [text for text in decode(data).texts if channel_of(text) == channel and after < seq_of(text) <= newest]
        if texts:
            yield texts
            after += len(texts)
    if after != newest:
        raise LostRecords(f"not all records of {channel} are in the log")


async def _cover(store: Store, room_id: RoomId, after: int) -> None:
    """Add the entries after entry `after` to the index of channels, up to the end of the log. If `after` is 0, rebuild
    the index.

    Raises LostRecords if the log is damaged, and StoreUnavailable if the store takes no writes.
    """
    is_anew = after == 0
    while entries := await store.read(room_id, after, FIRST_PAGE):
        try:
            rows = [row for number, data in entries for row in rows_of(number, data)]
        except ValueError as error:
            raise LostRecords(f"an entry after {after} cannot be read") from error
        covered = await store.add_to_index(room_id, after, entries[-1][0], rows)
        if covered == 0 and is_anew:
            raise LostRecords(f"the records of an entry after {after} do not follow those before them")
        is_anew, after = is_anew or covered == 0, covered
