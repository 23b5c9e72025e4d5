"""What every store must do with rooms and their logs.

A new store joins by a fixture `store`, and `other`: a second one on the same data.
"""

import asyncio

import pytest
from redis.asyncio import Redis

from dreadclock_server.store.base import (
    EMPTY,
    MAX_SNAPSHOT_BYTES,
    Batch,
    IndexRow,
    LogBytes,
    Meta,
    RoomExists,
    RoomHead,
    RoomUnknown,
    StaleWrite,
    Store,
)
from dreadclock_server.store.keys import META, key
from kit.stores import append_whatever_happens, batch, end_of, open_room, whole_log

# Opening


async def test_an_opened_room_holds_everything_it_was_opened_with(store: Store, room: str):
    position = await open_room(store, room, batch("opening"))

    assert position == EMPTY.after(b"entry opening")
    assert await store.meta(room) == Meta(
        position, 1, b"\x00session key\xff", "log-of-" + room, 1, LogBytes(0, len(b"entry opening"))
    )
    assert await store.dice_secret(room) == b"\x00dice secret\xff"
    assert await store.tokens(room) == {"token-a": '{"role":"gm"}', "token-b": "{}"}
    assert await store.read(room, 0) == [(1, b"entry opening")]


async def test_opening_again_with_the_same_batch_gives_the_first_answer(store: Store, other: Store, room: str):
    opened = await open_room(store, room)
    await store.append(room, opened, batch("next"))

    assert await open_room(store, room) == opened
    assert await open_room(other, room) == opened
    assert await whole_log(store, room) == [b"entry opening", b"entry next"]


async def test_a_room_is_not_opened_over_another(store: Store, room: str):
    await open_room(store, room)

    with pytest.raises(RoomExists):
        await open_room(store, room, batch("another opening"))

    assert await whole_log(store, room) == [b"entry opening"]


async def test_what_no_room_has_is_unknown_or_nothing(store: Store, room: str):
    with pytest.raises(RoomUnknown):
        await store.meta(room)
    with pytest.raises(RoomUnknown):
        await store.read(room, 0)
    with pytest.raises(RoomUnknown):
        await store.append(room, EMPTY, batch("first"))
    with pytest.raises(RoomUnknown):
        await store.put_token(room, "token", "{}")
    assert await store.dice_secret(room) is None
    assert await store.token(room, "token-a") is None
    assert await store.load_snapshot(room) is None
    assert not await store.delete_token(room, "token-a")


async def test_a_deleted_room_leaves_nothing_and_stays_deleted(store: Store, other: Store, admin: Redis, room: str):
    position = await open_room(store, room)
    await store.save_snapshot(room, position, b"snapshot")
    await store.set_here(room, "node", {"p1": 1}, 0)
    await store.touch_tokens(room, {"token-a": 1})

    await store.delete_room(room)
    await store.touch_tokens(room, {"token-a": 2})
    await store.save_snapshot(room, position, b"snapshot")

    assert await admin.keys(f"*{room}*") == []
    assert await other.heads([room]) == {room: None}
    assert await other.set_here(room, "asker", {}, 0) == {}
    with pytest.raises(RoomUnknown):
        await other.append(room, position, batch("next"))


# Appending


async def test_entries_are_numbered_from_one_and_come_back_byte_for_byte(store: Store, room: str):
    opened = await open_room(store, room, Batch("first", b"\x00\xff\r\n"))

    second = await store.append(room, opened, Batch("second", b""))
    third = await store.append(room, second, Batch("third", b"x" * 100_000))

    assert third == end_of([b"\x00\xff\r\n", b"", b"x" * 100_000])
    assert await store.read(room, 0) == [(1, b"\x00\xff\r\n"), (2, b""), (3, b"x" * 100_000)]


async def test_reading_starts_after_a_number_and_stops_at_a_limit(store: Store, room: str):
    position = await open_room(store, room)
    for name in "bcdef":
        position = await store.append(room, position, batch(name))

    assert await store.read(room, 2, limit=3) == [(3, b"entry c"), (4, b"entry d"), (5, b"entry e")]
    assert await store.read(room, 6) == []


async def test_who_is_behind_is_told_where_the_log_ends(store: Store, other: Store, room: str):
    opened = await open_room(store, room)
    ahead = await other.append(room, opened, batch("theirs"))

    with pytest.raises(StaleWrite) as stale:
        await store.append(room, opened, batch("ours"))

    assert stale.value.position == ahead
    assert await whole_log(store, room) == [b"entry opening", b"entry theirs"]


async def test_who_expects_another_digest_at_the_same_number_is_refused(store: Store, room: str):
    opened = await open_room(store, room)

    with pytest.raises(StaleWrite) as stale:
        await store.append(room, EMPTY.after(b"another entry"), batch("next"))

    assert stale.value.position == opened


async def test_who_is_ahead_of_the_store_is_told_where_the_log_ends(store: Store, room: str):
    opened = await open_room(store, room)

    with pytest.raises(StaleWrite) as stale:
        await store.append(room, opened.after(b"lost").after(b"lost too"), batch("next"))

    assert stale.value.position == opened


async def test_the_same_batch_again_is_appended_once_and_answered_the_same(store: Store, other: Store, room: str):
    opened = await open_room(store, room)
    first_answer = await store.append(room, opened, batch("next"))

    assert await store.append(room, opened, batch("next")) == first_answer
    later = await other.append(room, first_answer, batch("later"))
    assert await other.append(room, opened, batch("next")) == first_answer
    assert (await store.meta(room)).position == later
    assert await whole_log(store, room) == [b"entry opening", b"entry next", b"entry later"]


async def test_two_nodes_racing_lose_and_repeat_nothing(store: Store, other: Store, room: str):
    opened = await open_room(store, room)

    async def write(node: Store, name: str) -> list[bytes]:
        position, mine = opened, [batch(f"{name}-{count}") for count in range(200)]
        for what in mine:
            position = await append_whatever_happens(node, room, position, what)
        return [what.entry for what in mine]

    ours, theirs = await asyncio.gather(write(store, "ours"), write(other, "theirs"))

    log = await whole_log(store, room)
    assert len(log) == 401
    assert [entry for entry in log if b"ours" in entry] == ours
    assert [entry for entry in log if b"theirs" in entry] == theirs


async def test_many_rooms_at_once_do_not_mix(store: Store, room: str):
    async def fill(name: str) -> list[bytes]:
        position = await open_room(store, name, batch(name))
        for count in range(10):
            position = await store.append(name, position, batch(f"{name} {count}"))
        return await whole_log(store, name)

    names = [f"{room}-{number}" for number in range(100)]
    logs = await asyncio.gather(*(fill(name) for name in names))

    for name, log in zip(names, logs, strict=True):
        assert log == [f"entry {name}".encode(), *(f"entry {name} {count}".encode() for count in range(10))]


async def test_heads_tell_of_many_rooms_at_once(store: Store, room: str):
    position = await store.append(room, await open_room(store, room), batch("next"))
    await store.put_token(room, "token-c", "{}")

    found = await store.heads([room, room + "-gone"])

    assert found == {room: RoomHead(position, 2, LogBytes(0, len(b"entry openingentry next"))), room + "-gone": None}
    assert await store.heads([]) == {}


async def test_public_and_hidden_bytes_grow_by_each_entry_just_once(store: Store, other: Store, room: str):
    opened = await open_room(store, room, Batch("opening", bytes(500), public_bytes=300))
    assert (await store.meta(room)).counted == LogBytes(300, 200)
    more = Batch("next", bytes(100), public_bytes=256)
    position = await store.append(room, opened, more)

    assert await store.append(room, opened, more) == position
    await other.append(room, position, Batch("large", bytes(100_000), public_bytes=1))

    assert (await store.meta(room)).counted == LogBytes(557, 200 + 99_999)


async def test_a_room_is_counted_once_it_is_said_how_much_there_is(store: Store, other: Store, admin: Redis, room: str):
    position = await open_room(store, room)
    await admin.hdel(key(room, META), "public", "hidden")
    position = await store.append(room, position, Batch("next", bytes(10), public_bytes=5))

    assert (await store.meta(room)).counted is None
    assert await store.begin_count(room, 1, 700) is None
    assert await store.begin_count(room, 2, 700) == LogBytes(700, 0)
    assert await other.begin_count(room, 1, 1) == LogBytes(700, 0)
    await store.append(room, position, Batch("last", bytes(10), public_bytes=5))

    assert (await store.heads([room]))[room] == RoomHead((await store.meta(room)).position, 1, LogBytes(705, 5))
    with pytest.raises(RoomUnknown):
        await store.begin_count(room + "-gone", 1, 1)


async def test_a_rooms_own_cap_lasts_until_it_is_lifted(store: Store, room: str):
    await store.open_room(
        room, log_id="log", session_key=b"", dice_secret=b"", tokens={}, batch=batch("opening"), cap_bytes=1000
    )
    assert (await store.meta(room)).cap_bytes == 1000

    await store.in_play.keep(room)
    await store.in_play.keep(room + "-gone")

    found = await store.heads([room, room + "-gone"])
    assert found == {room: RoomHead((await store.meta(room)).position, 1, LogBytes(0, 13)), room + "-gone": None}


# Snapshots


async def test_the_newest_snapshot_is_kept(store: Store, room: str):
    first = await open_room(store, room)
    second = await store.append(room, first, batch("second"))

    assert await store.load_snapshot(room) is None
    await store.save_snapshot(room, first, b"\x00of the first\xff")
    assert await store.load_snapshot(room) == (first, b"\x00of the first\xff")
    await store.save_snapshot(room, second, b"of the second")
    await store.save_snapshot(room, first, b"of the first, late")
    assert await store.load_snapshot(room) == (second, b"of the second")


async def test_a_snapshot_of_another_history_is_not_kept(store: Store, room: str):
    opened = await open_room(store, room)

    await store.save_snapshot(room, EMPTY.after(b"another entry"), b"of another log")
    await store.save_snapshot(room, opened.after(b"not there yet"), b"of the future")
    assert await store.load_snapshot(room) is None

    second = await store.append(room, opened, batch("second"))
    await store.save_snapshot(room, second, b"of this log")
    assert await store.load_snapshot(room) == (second, b"of this log")


async def test_a_snapshot_that_is_too_large_is_not_kept(store: Store, room: str):
    opened = await open_room(store, room)

    await store.save_snapshot(room, opened, b"x" * (MAX_SNAPSHOT_BYTES + 1))

    assert await store.load_snapshot(room) is None


# The index of channels


def indexed(name: str, number: int, entry: bytes, **ranges: tuple[int, str]) -> Batch:
    """Make a batch with a row for each channel: the seq of its last record, and where its records lie."""
    return Batch(name, entry, rows=[IndexRow(number, channel, *row) for channel, row in ranges.items()])


async def test_a_channel_is_read_without_the_others(store: Store, room: str):
    start = await open_room(store, room, indexed("a", 1, b"head\np1", public=(1, "6-7")))
    second = await store.append(
        room, start, indexed("b", 2, b"\ng1\np2\ng2\np3", public=(3, "5-6,11-12"), gm=(2, "2-3,8-9"))
    )
    third = await store.append(room, second, indexed("c", 3, b"nothing for anybody"))
    await store.append(room, third, indexed("d", 4, b"p4\np5", public=(5, "1-5")))

    assert await store.read_channel(room, "public", 0, 10) == [(1, b"p1"), (3, b"p2\np3"), (5, b"p4\np5")]
    assert await store.read_channel(room, "public", 2, 1) == [(3, b"p2\np3")]
    assert await store.read_channel(room, "public", 5, 10) == []
    assert await store.read_channel(room, "gm", 0, 10) == [(2, b"g1\ng2")]
    assert await store.read_channel("a" * 26, "public", 0, 10) == []


async def test_of_a_channel_with_long_records_few_are_read_at_a_time(store: Store, room: str):
    position = await open_room(store, room, batch("opening"))
    for number in range(2, 8):
        data = b"x" * 300_000
        position = await store.append(room, position, indexed(str(number), number, data, public=(number, "1-300000")))

    assert [seq for seq, _ in await store.read_channel(room, "public", 0, 10)] == [2, 3, 4, 5]


async def test_of_records_that_were_copied_into_the_index_the_copy_is_read(store: Store, room: str):
    start = await open_room(store, room, Batch("a", b"long entry", rows=[IndexRow(1, "public", 1, "1-4", b"p1")]))
    await store.append(room, start, Batch("b", b"another", rows=[IndexRow(2, "public", 3, "1-4", b"p2\np3")]))

    assert await store.read_channel(room, "public", 0, 10) == [(1, b"p1"), (3, b"p2\np3")]
    await store.add_to_index(room, 0, 2, [IndexRow(2, "public", 3, "1-4", b"p2\np3")])
    assert await store.read_channel(room, "public", 0, 10) == [(3, b"p2\np3")]


async def test_an_index_that_was_begun_anew_covers_what_is_added_in_order(store: Store, room: str):
    start = await open_room(store, room, indexed("a", 1, b"p1", public=(1, "1-2")))
    await store.append(room, start, indexed("b", 2, b"p2", public=(2, "1-2")))

    assert await store.add_to_index(room, 0, 1, [IndexRow(1, "public", 1, "2-2")]) == 1
    assert await store.read_channel(room, "public", 0, 10) == [(1, b"1")]
    assert await store.add_to_index(room, 2, 3, [IndexRow(3, "public", 3, "1-2")]) == 1  # which comes too early
    assert await store.add_to_index(room, 1, 2, [IndexRow(2, "public", 2, "1-2")]) == 2
    assert await store.read_channel(room, "public", 0, 10) == [(1, b"1"), (2, b"p2")]
    assert (await store.meta(room)).indexed == 2


async def test_what_follows_a_gap_in_the_index_is_not_in_it(store: Store, room: str):
    start = await open_room(store, room, indexed("a", 1, b"p1", public=(1, "1-2")))
    second = await store.append(room, start, indexed("b", 2, b"p2", public=(2, "1-2")))
    await store.add_to_index(room, 0, 1, [])

    await store.append(room, second, indexed("c", 3, b"p3", public=(3, "1-2")))

    assert (await store.meta(room)).indexed == 1
    assert await store.read_channel(room, "public", 0, 10) == []


async def test_no_index_is_made_for_a_room_that_is_unknown(store: Store, room: str):
    with pytest.raises(RoomUnknown):
        await store.add_to_index(room, 0, 1, [])
