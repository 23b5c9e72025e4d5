"""What every store must do with rooms and their logs.

A new store joins by a fixture `store`, and `other`: a second one on the same data.
"""

import asyncio

import pytest
from redis.asyncio import Redis

from dreadclock_server.store.base import (
    EMPTY,
    MAX_SNAPSHOT_BYTES,
    NODE_SILENT_MS,
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
from dreadclock_server.store.in_play import SILENT_MS
from dreadclock_server.store.keys import META, key
from kit.stores import append_whatever_happens, batch, end_of, open_room, whole_log
from kit.waiting import until

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


# What every store must do beside the log: tokens, presence, announcements


# Tokens


async def test_tokens_come_and_go_and_every_change_raises_the_version(store: Store, room: str):
    await open_room(store, room)

    await store.put_token(room, "token-c", '{"role":"player"}')
    assert await store.token(room, "token-c") == '{"role":"player"}'
    assert (await store.meta(room)).tokens_version == 2

    assert await store.delete_token(room, "token-c")
    assert await store.token(room, "token-c") is None
    assert (await store.meta(room)).tokens_version == 3

    assert not await store.delete_token(room, "token-c")
    assert (await store.meta(room)).tokens_version == 3
    assert await store.tokens(room) == {"token-a": '{"role":"gm"}', "token-b": "{}"}


async def test_the_last_use_of_a_token_only_moves_forward_and_goes_with_the_token(store: Store, room: str):
    await open_room(store, room)

    await store.touch_tokens(room, {"token-a": 2000, "token-b": 1000, "never issued": 1000})
    await store.touch_tokens(room, {"token-a": 1000, "token-b": 3000})
    await store.touch_tokens(room, {})
    assert await store.token_uses(room) == {"token-a": 2000, "token-b": 3000}

    await store.delete_token(room, "token-b")
    assert await store.token_uses(room) == {"token-a": 2000}
    assert (await store.meta(room)).tokens_version == 2


# Who is here


async def test_connections_of_a_seat_are_counted_over_all_nodes(store: Store, other: Store, room: str):
    await store.set_here(room, "node-1", {"p1": 1, "gm": 2}, 1000)
    await other.set_here(room, "node-2", {"p1": 2}, 1000)
    assert await store.set_here(room, "asker", {}, 1000) == {"p1": 3, "gm": 2}

    await store.set_here(room, "node-1", {"gm": 1}, 2000)
    assert await store.set_here(room, "asker", {}, 2000) == {"p1": 2, "gm": 1}

    await store.set_here(room, "node-2", {}, 3000)
    assert await store.set_here(room, "asker", {}, 3000) == {"gm": 1}


async def test_a_silent_node_is_gone_and_back_once_it_speaks(store: Store, room: str):
    await store.set_here(room, "silent", {"p1": 1}, 0)
    await store.set_here(room, "alive", {"p2": 1}, 1)

    assert await store.set_here(room, "asker", {}, NODE_SILENT_MS) == {"p1": 1, "p2": 1}
    assert await store.set_here(room, "asker", {}, NODE_SILENT_MS + 1) == {"p2": 1}
    assert await store.set_here(room, "asker", {}, NODE_SILENT_MS) == {"p2": 1}

    await store.set_here(room, "silent", {"p1": 1}, NODE_SILENT_MS)
    assert await store.set_here(room, "asker", {}, NODE_SILENT_MS) == {"p1": 1, "p2": 1}


# Knocks

ROW = '9000 {"name":"Ines"}'


async def test_a_knock_is_kept_by_rooms_that_there_are_and_no_others(store: Store, room: str):
    assert not await store.put_knock(room, "knock", ROW, 0, 16)
    assert (await store.knock(room, "knock"), await store.knocks(room)) == (None, {})

    await open_room(store, room)
    assert await store.put_knock(room, "knock", ROW, 0, 16)
    assert (await store.knock(room, "knock"), await store.knocks(room)) == (ROW, {"knock": ROW})
    assert (await store.meta(room)).tokens_version == 1

    await store.delete_room(room)
    assert await store.knocks(room) == {}


async def test_knocks_that_are_over_go_and_of_too_many_the_one_that_is_over_first(store: Store, room: str):
    await open_room(store, room)
    for over in (500, 20, 1000, 3000, 2000):
        await store.put_knock(room, f"k{over}", f"{over} {{}}", 0, 16)

    await store.put_knock(room, "new", "4000 {}", 500, 4)
    assert set(await store.knocks(room)) == {"k1000", "k3000", "k2000", "new"}
    await store.put_knock(room, "new", "4000 {}", 500, 4)
    assert set(await store.knocks(room)) == {"k1000", "k3000", "k2000", "new"}, "the same again changes nothing"

    await store.put_knock(room, "newer", "5000 {}", 500, 4)
    assert set(await store.knocks(room)) == {"k3000", "k2000", "new", "newer"}


async def test_a_knock_is_changed_by_who_knows_how_it_stands(store: Store, other: Store, room: str):
    await open_room(store, room)
    await store.put_knock(room, "knock", "9 a", 0, 16)

    assert await store.change_knock(room, "knock", "9 a", "9 b")
    assert await store.change_knock(room, "knock", "9 a", "9 b"), "a try whose reply was lost"
    assert not await other.change_knock(room, "knock", "9 a", "9 c")
    assert not await other.change_knock(room, "none", "9 a", "9 c")
    assert await store.knock(room, "knock") == "9 b"

    assert not await other.change_knock(room, "knock", "9 a", None)
    assert await other.change_knock(room, "knock", "9 b", None)
    assert await store.knock(room, "knock") is None


async def test_a_knockers_token_is_put_once(store: Store, room: str):
    await open_room(store, room)
    await store.put_knock(room, "knock", "9 a", 0, 16)

    assert not await store.put_knockers_token(room, "knock", "9 x", "9 y", "token-k", "{}")
    assert not await store.put_knockers_token(room, "none", "9 a", "9 y", "token-k", "{}")
    assert await store.token(room, "token-k") is None

    assert await store.put_knockers_token(room, "knock", "9 a", "9 taken", "token-k", "{}")
    assert (await store.token(room, "token-k"), await store.knock(room, "knock")) == ("{}", "9 taken")
    assert (await store.meta(room)).tokens_version == 2

    await store.delete_token(room, "token-k")
    assert await store.put_knockers_token(room, "knock", "9 a", "9 taken", "token-k", "{}")
    assert await store.token(room, "token-k") is None
    await store.delete_room(room)
    assert not await store.put_knockers_token(room, "knock", "9 a", "9 taken", "token-k", "{}")
    assert await store.tokens(room) == {}


# Demo rooms (tables in play)


async def reserved(
    store: Store, room: str, who: str = "somebody", *, most: int = 1000, for_ms: int = 10, now_ms: int = 100
) -> bool:
    """Reserve memory for a demo room that somebody opens."""
    return await store.in_play.reserve(room, {who: 1}, most, plays_ms=60, for_ms=for_ms, now_ms=now_ms)


async def test_a_table_in_play_goes_once_it_is_due_and_nobody_is_there(store: Store, other: Store, room: str):
    assert await reserved(store, room, for_ms=10)
    await open_room(store, room)
    assert room not in await other.in_play.due(0, now_ms=109)
    assert not await store.in_play.end(room, now_ms=109)
    await store.set_here(room, "node", {"seat-1": 1}, SILENT_MS)
    assert room in await other.in_play.due(0, now_ms=2 * SILENT_MS - 1)
    assert not await other.in_play.end(room, now_ms=2 * SILENT_MS - 1)
    assert room not in await other.in_play.due(0, now_ms=2 * SILENT_MS)

    assert await other.in_play.end(room, now_ms=2 * SILENT_MS + 10), "a node that says nothing more has ended"
    with pytest.raises(RoomUnknown):
        await store.meta(room)
    assert room not in await store.in_play.due(0, now_ms=3 * SILENT_MS)


async def test_a_table_in_play_that_is_marked_again_or_kept_stays(store: Store, other: Store, room: str):
    assert await reserved(store, room, for_ms=10)
    await open_room(store, room)
    await other.in_play.mark_again(room, 50, now_ms=100)
    await other.in_play.mark_again(room, 0, now_ms=100)
    assert not await store.in_play.end(room, now_ms=149), "what was promised is not made shorter"
    await other.in_play.keep(room)
    await other.in_play.mark_again(room, 0, now_ms=100)
    assert not await store.in_play.end(room, now_ms=1000, at_once=True)
    assert (await store.meta(room)).position.number == 1


async def test_one_process_looks_for_all(store: Store, other: Store, room: str):
    assert await reserved(store, room, for_ms=0)
    assert room in await store.in_play.due(0, now_ms=100)
    assert await other.in_play.due(20, now_ms=119) == []
    assert room in await other.in_play.due(20, now_ms=120)
    assert not await other.in_play.end(room, now_ms=99)
    assert await other.in_play.end(room, now_ms=99, at_once=True)


# Shared recaps


async def test_so_many_recaps_are_shared_and_they_go_with_the_room(store: Store, other: Store, room: str):
    with pytest.raises(RoomUnknown):
        await store.put_recap(room, "a", "{}", 2)
    await open_room(store, room)

    assert await store.put_recap(room, "a", "1", 2)
    assert await other.put_recap(room, "b", "2", 2)
    assert await other.put_recap(room, "b", "2", 2), "a try whose reply was lost"
    assert not await store.put_recap(room, "c", "3", 2)
    assert await store.recaps(room) == {"a": "1", "b": "2"}
    assert (await store.meta(room)).tokens_version == 1

    await store.delete_recap(room, "a")
    await store.delete_recap(room, "a")
    assert await other.put_recap(room, "c", "3", 2)
    assert await store.recaps(room) == {"b": "2", "c": "3"}
    await store.delete_room(room)
    assert await store.recaps(room) == {}


# Announcements


async def test_what_is_announced_is_heard_by_who_watches_the_room(store: Store, other: Store, room: str):
    heard: list[tuple[str, bytes]] = []
    gaps: list[None] = []
    listener = store.listen(lambda where, payload: heard.append((where, payload)), lambda: gaps.append(None))
    await listener.start()
    await listener.watch(room)

    other.announce(room + "-other", b"not for us")
    other.announce(room, b"\x00one\xff")
    other.announce(room, b"two")
    await until(lambda: len(heard) == 2)

    await listener.unwatch(room)
    await listener.watch(room + "-next")
    other.announce(room, b"too late")
    other.announce(room + "-next", b"three")
    await until(lambda: len(heard) == 3)
    await listener.aclose()

    assert heard == [(room, b"\x00one\xff"), (room, b"two"), (room + "-next", b"three")]
    assert gaps == []


async def test_a_store_that_answers_can_be_pinged(store: Store):
    await store.ping()

    assert store.durability == "fsync"
