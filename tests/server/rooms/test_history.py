"""What a viewer missed: from memory, from the log, or too much of it."""

import asyncio
import re
from typing import Any, NoReturn

import pytest
from redis.asyncio import Redis

from dreadclock.wire.base import Channel
from dreadclock.wire.records import Head, advance, opening_head
from dreadclock.wire.things import Policy
from dreadclock_server.core.families.room import Open
from dreadclock_server.core.room import empty_room
from dreadclock_server.rooms import history
from dreadclock_server.rooms.history import LostRecords, pages, read_after, records_after
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.rooms.log import PAGE, PAGE_BYTES, TAIL, Forked, Missed, Tail, TooOld, entries_after, snapshot
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import Batch, Store
from dreadclock_server.store.codec import decode
from dreadclock_server.store.index import channel_of, rows_of, seq_of
from dreadclock_server.store.keys import LOG as LOG_PART
from dreadclock_server.store.keys import META, index_of, key
from kit.nodes import ROLL, ask, backup, node, restore
from kit.tables import LOG, ROOM

PUBLIC, GM = Channel.PUBLIC, Channel.GM
SECRET_ROLL = {"type": "roll_dice", "pool": 1, "visibility": "gm"}


def chain(count: int) -> tuple[Tail, list[Head]]:
    """Make a tail of records `1`, `2` ..., and the heads before and after them."""
    positions = empty_room(ROOM, LOG).positions
    tail, heads = Tail(positions), [positions[PUBLIC]]
    for number in range(1, count + 1):
        heads.append(advance(heads[-1], str(number)))
        tail.add(PUBLIC, str(number), heads[-1])
    return tail, heads


# From memory


def test_what_followed_a_known_head_is_in_memory():
    tail, heads = chain(5)

    assert tail.after(PUBLIC, heads[3]) == Missed(["4", "5"], heads[5])
    assert tail.after(PUBLIC, heads[0]) == Missed(["1", "2", "3", "4", "5"], heads[5])
    assert tail.after(PUBLIC, heads[5]) == Missed([], heads[5])


def test_only_the_latest_records_are_in_memory():
    tail, heads = chain(TAIL + 10)

    assert tail.after(PUBLIC, heads[9]) is None
    assert tail.after(PUBLIC, heads[10]) == Missed([str(number) for number in range(11, TAIL + 11)], heads[-1])


@pytest.mark.parametrize(("seq", "differs"), [(6, 6), (99, 6), (3, 3), (0, 0)])
def test_a_head_that_is_not_of_this_log_is_a_fork(seq: int, differs: int):
    tail, _ = chain(5)

    with pytest.raises(Forked) as fork:
        tail.after(PUBLIC, Head(seq=seq, hash="0" * 64))

    assert fork.value.differs == {PUBLIC: differs}


def test_records_can_be_fetched_by_their_numbers():
    tail, _ = chain(TAIL + 10)

    assert tail.between(PUBLIC, 12, 14) == ["12", "13", "14"]
    assert tail.between(PUBLIC, 1, 11) == ["10", "11"]
    assert tail.between(GM, 1, 5) == []


# From the log


@pytest.fixture
async def live(store: Store, room_id: str) -> LiveRoom:
    """A room whose log has 41 entries, every third of them of the gm channel, the last of both."""
    live = await node(store, room_id)
    for number in range(2, 40):
        await ask(live, SECRET_ROLL if number % 3 == 0 else ROLL)
    orders = (ROLL, SECRET_ROLL, ROLL, ROLL, SECRET_ROLL, SECRET_ROLL, ROLL)
    await asyncio.gather(*(ask(live, order) for order in orders))  # all of them in one entry
    assert live.log.position.number == 41
    return live


def heads_of(live: LiveRoom, channel: Channel, texts: list[str]) -> list[Head]:
    heads = [opening_head(live.id, live.room.log_id, channel)]
    for text in texts:
        heads.append(advance(heads[-1], text))
    return heads


@pytest.mark.parametrize("channel", [PUBLIC, GM])
async def test_whatever_was_missed_is_read_from_the_log(store: Store, live: LiveRoom, channel: Channel):
    fresh = await node(store, live.id)
    after_opening = await read_after(store, fresh.room, channel, opening_head(live.id, fresh.room.log_id, channel))
    heads = heads_of(live, channel, list(after_opening.texts))
    assert after_opening.head == heads[-1] == live.room.positions[channel]

    for known in heads:
        found = await read_after(store, live.room, channel, known)
        assert found == Missed(list(after_opening.texts)[known.seq :], heads[-1])


@pytest.mark.parametrize("channel", [PUBLIC, GM])
async def test_a_head_that_the_log_never_had_is_a_fork(store: Store, live: LiveRoom, channel: Channel):
    for seq in (0, 1, 7, live.room.seq(channel)):
        with pytest.raises(Forked) as fork:
            await read_after(store, live.room, channel, Head(seq=seq, hash="0" * 64))
        assert fork.value.differs == {channel: max(1, seq)}


async def test_more_than_is_sent_by_record_is_too_old(store: Store, live: LiveRoom, monkeypatch: pytest.MonkeyPatch):
    start = opening_head(live.id, live.room.log_id, PUBLIC)
    newest = live.room.seq(PUBLIC)

    monkeypatch.setattr(history, "MOST_MISSED", newest)
    assert len((await read_after(store, live.room, PUBLIC, start)).texts) == newest
    monkeypatch.setattr(history, "MOST_MISSED", newest - 1)
    with pytest.raises(TooOld):
        await read_after(store, live.room, PUBLIC, start)


async def test_the_log_is_read_page_by_page(store: Store, live: LiveRoom, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(history, "PAGE", 7)

    numbers = [number async for number, _ in entries_after(store, live.id, 3)]

    assert numbers == list(range(4, live.log.position.number + 1))


# The index of channels


async def public_after(store: Store, live: LiveRoom, after: int) -> list[str]:
    return [text async for page in pages(store, live.room, PUBLIC, after) for text in page]


async def stored(store: Store, room_id: str) -> list[str]:
    """Give all records as they lie in the log."""
    return [text async for _, data in entries_after(store, room_id, 0) for text in decode(data).texts]


async def test_a_viewer_gets_records_in_the_logs_order(store: Store, live: LiveRoom, monkeypatch: pytest.MonkeyPatch):
    texts = await stored(store, live.id)
    for size in (PAGE, 3):
        monkeypatch.setattr(history, "PAGE", size)
        for public, gm in ((0, 0), (5, 0), (0, 5), (10, live.room.seq(GM)), (live.room.seq(PUBLIC), 3)):
            read = [text async for page in records_after(store, live.room, {PUBLIC: public, GM: gm}) for text in page]
            assert read == [text for text in texts if seq_of(text) > (public if channel_of(text) == PUBLIC else gm)]


async def test_reading_a_channel_depends_on_no_other(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    live = await node(store, room_id)
    calls: list[tuple[int, int]] = []
    read_channel = store.read_channel

    async def counted(*args: Any) -> list[tuple[int, bytes]]:
        rows = await read_channel(*args)
        calls.append((len(rows), sum(len(records) for _, records in rows)))
        return rows

    async def unreadable(*args: Any) -> NoReturn:
        raise AssertionError("whole entries are read, with what they hold for others")

    monkeypatch.setattr(store, "read_channel", counted)
    monkeypatch.setattr(store, "read", unreadable)
    before = await public_after(store, live, 0)
    known, costs = live.room.seq(PUBLIC), list(calls)
    for _ in range(150):
        await ask(live, SECRET_ROLL)
    calls.clear()

    assert await public_after(store, live, known) == []
    assert calls == []  # there is nothing to read
    assert await public_after(store, live, 0) == before
    assert calls == costs


@pytest.mark.parametrize("covered", [0, 1, 20, 39])
async def test_a_log_without_an_index_gets_one_when_read(store: Store, admin: Redis, live: LiveRoom, covered: int):
    """Logs of before there was one have none, nor have entries that an older server added to a log with one."""
    texts = await public_after(store, live, 0)
    for channel in Channel:
        index = key(live.id, index_of(channel))
        rows: Any = await admin.xrange(index)
        await admin.delete(index)
        for row_id, fields in rows:
            if int(row_id.partition(b"-")[2]) <= covered:
                await admin.xadd(index, fields, id=row_id)
    await admin.hset(key(live.id, META), "indexed", str(covered))

    assert await public_after(store, live, 0) == texts
    assert (await store.meta(live.id)).indexed == live.log.position.number
    await ask(live, ROLL)
    assert len(await public_after(store, live, 0)) == len(texts) + 1
    assert (await store.meta(live.id)).indexed == live.log.position.number


@pytest.mark.parametrize("damage", ["nothing", "gaps", "another type", "rows of another past"])
async def test_a_damaged_index_is_made_anew(store: Store, admin: Redis, live: LiveRoom, damage: str):
    texts, index = await public_after(store, live, 0), key(live.id, index_of(PUBLIC))
    if damage == "gaps":
        rows: Any = await admin.xrange(index)
        await admin.xdel(index, *(row_id for row_id, _ in rows[3:9]))
    elif damage == "another type":
        await admin.delete(index)
        await admin.rpush(index, "a list")
    elif damage == "rows of another past":
        await admin.xadd(index, {"r": "1-9"}, id="1000-1000")
    else:
        await admin.delete(index)
    await ask(live, ROLL)

    assert (await public_after(store, live, 0))[:-1] == texts
    assert (await store.meta(live.id)).indexed == live.log.position.number


@pytest.mark.parametrize("lost", [2, 20])
async def test_what_the_store_has_lost_is_not_passed_over(store: Store, admin: Redis, live: LiveRoom, lost: int):
    await admin.xdel(key(live.id, LOG_PART), f"{lost}-0")

    with pytest.raises(LostRecords):
        await public_after(store, live, 0)


async def test_a_log_whose_numbers_were_changed_is_called_damaged(store: Store, admin: Redis, live: LiveRoom):
    rows: Any = await admin.xrange(key(live.id, LOG_PART))
    await admin.delete(key(live.id, LOG_PART), key(live.id, index_of(PUBLIC)))
    for row_id, fields in rows:
        if row_id == b"20-0":
            fields[b"e"] = re.sub(rb'"seq":\d+', b'"seq":3', fields[b"e"])
        await admin.xadd(key(live.id, LOG_PART), fields, id=row_id)

    with pytest.raises(LostRecords):
        await public_after(store, live, 0)


async def test_a_log_without_an_index_is_read_where_nothing_can_be_written(store: Store, admin: Redis, live: LiveRoom):
    texts = await public_after(store, live, 0)
    await admin.delete(key(live.id, index_of(PUBLIC)))
    await admin.config_set("min-replicas-to-write", 1)
    try:
        assert await public_after(store, live, 0) == texts
        assert await public_after(store, live, 7) == texts[7:]
    finally:
        await admin.config_set("min-replicas-to-write", 0)


async def test_an_index_of_a_past_that_was_set_back_shows_nobody_new_records(store: Store, admin: Redis, room_id: str):
    live = await node(store, room_id)
    saved = await backup(admin, room_id)
    for _ in range(20):
        await ask(live, ROLL)
    await restore(admin, saved)
    live = await node(store, room_id)
    for _ in range(18):
        await ask(live, SECRET_ROLL)
    await asyncio.gather(
        *(ask(live, ROLL) for _ in range(30))
    )  # in one entry, whose row lies above all of the lost past

    assert await public_after(store, live, 0) == [
        text for text in await stored(store, room_id) if channel_of(text) == PUBLIC
    ]


async def test_public_records_are_read_from_a_copy(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    live = await node(store, room_id)
    await asyncio.gather(*(ask(live, order) for order in (SECRET_ROLL, ROLL, SECRET_ROLL)))
    number, data = (await store.read(room_id, live.log.position.number - 1))[0]

    public, gm = sorted(rows_of(number, data), key=lambda row: row.channel, reverse=True)

    assert public.records is not None
    assert [public.records.decode()] == [text for text in decode(data).texts if channel_of(text) == PUBLIC]
    assert gm.records is None  # what else there is in the entry is little
    assert await public_after(store, live, live.room.seq(PUBLIC) - 1) == [public.records.decode()]


# Coming back


async def test_of_long_entries_few_are_read_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch):
    rooms, read, sizes = Rooms(store), store.read, list[int]()
    room_id = await rooms.begin(Open("Long", Policy()), {})
    position, long = (await store.meta(room_id)).position, b"x" * 100_000
    for number in range(100):
        position = await store.append(room_id, position, Batch(f"long-{number}", long))

    async def weighed(room: str, after: int, limit: int = 1000) -> list[tuple[int, bytes]]:
        rows = await read(room, after, limit)
        sizes.append(sum(len(data) for _, data in rows))
        return rows

    monkeypatch.setattr(store, "read", weighed)
    assert [number async for number, _ in entries_after(store, room_id, 0)] == list(range(1, 102))
    assert len(sizes) > 2
    assert max(sizes[1:]) <= PAGE_BYTES
    assert max(sizes) <= PAGE * len(long) // 4


async def test_who_comes_back_gets_exactly_what_was_missed_in_each_channel_she_holds(store: Store, room_id: str):
    live = await node(store, room_id)
    known = dict(live.room.positions)
    for order in (ROLL, SECRET_ROLL, ROLL):
        await ask(live, order)

    parts = await live.missed(known)

    for channel, part in parts.items():
        head = known[channel]
        for text in part.texts:
            head = advance(head, text)
        assert head == part.head == live.room.positions[channel]
    assert [len(part.texts) for part in parts.values()] == [2, 2]  # public, and a lane and a roll for the gm


async def test_who_was_away_longer_than_memory_reaches_gets_it_from_the_log(store: Store, live: LiveRoom):
    await store.save_snapshot(live.id, live.log.position, snapshot(live.log))
    fresh = await node(store, live.id)
    known = {PUBLIC: opening_head(live.id, live.room.log_id, PUBLIC)}
    assert fresh.log.tail.after(PUBLIC, known[PUBLIC]) is None
    await ask(fresh, ROLL)

    parts = await fresh.missed(known)

    assert parts[PUBLIC].head == fresh.room.positions[PUBLIC]
    assert len(parts[PUBLIC].texts) == fresh.room.seq(PUBLIC)


@pytest.fixture
async def busy(store: Store, live: LiveRoom, monkeypatch: pytest.MonkeyPatch) -> tuple[LiveRoom, list[int]]:
    """A node without much memory, and how many rolls are made there each time that the log was read for somebody."""
    await store.save_snapshot(live.id, live.log.position, snapshot(live.log))
    fresh, read_channel, rolls = await node(store, live.id), store.read_channel, [1]

    async def read_and_roll(*args: Any) -> list[tuple[int, bytes]]:
        rows = await read_channel(*args)
        await asyncio.gather(*(ask(fresh, ROLL) for _ in range(rolls[0])))
        return rows

    monkeypatch.setattr(store, "read_channel", read_and_roll)
    return fresh, rolls


async def test_what_happens_while_the_log_is_read_for_somebody_is_sent_to_her_as_well(busy: tuple[LiveRoom, list[int]]):
    live, _ = busy
    before = live.room.seq(PUBLIC)

    parts = await live.missed({PUBLIC: opening_head(live.id, live.room.log_id, PUBLIC)})

    assert parts[PUBLIC].head == live.room.positions[PUBLIC]
    assert len(parts[PUBLIC].texts) == live.room.seq(PUBLIC) == before + 1


async def test_more_than_memory_holds_may_happen_meanwhile_and_is_too_old(busy: tuple[LiveRoom, list[int]]):
    live, rolls = busy
    rolls[0] = TAIL + 1

    with pytest.raises(TooOld):
        await live.missed({PUBLIC: opening_head(live.id, live.room.log_id, PUBLIC)})


async def test_who_comes_from_a_node_that_is_ahead_has_not_seen_another_log(store: Store, other: Store, room_id: str):
    here, there = await node(store, room_id), await node(other, room_id)
    await ask(there, ROLL)
    known = dict(there.room.positions)

    parts = await here.missed(known)

    assert [part.texts for part in parts.values()] == [[], []]
    assert here.room == there.room


async def test_who_knows_another_log_is_told_so(store: Store, room_id: str):
    live = await node(store, room_id)

    with pytest.raises(Forked):
        await live.missed({PUBLIC: Head(seq=2, hash="0" * 64)})


async def test_appends_meanwhile_are_no_fork(
    store: Store, other: Store, live: LiveRoom, monkeypatch: pytest.MonkeyPatch
):
    await store.save_snapshot(live.id, live.log.position, snapshot(live.log))
    fresh, elsewhere, read_channel = await node(store, live.id), await node(other, live.id), store.read_channel
    known = {PUBLIC: opening_head(live.id, live.room.log_id, PUBLIC)}

    async def append_elsewhere_and_read(*args: Any) -> list[tuple[int, bytes]]:
        await ask(elsewhere, ROLL)
        return await read_channel(*args)

    monkeypatch.setattr(history, "PAGE", 10)
    monkeypatch.setattr(store, "read_channel", append_elsewhere_and_read)
    part = (await fresh.missed(known))[PUBLIC]

    assert len(part.texts) == part.head.seq
    assert part.head == fresh.room.positions[PUBLIC]


async def test_who_comes_back_after_the_store_was_set_back_gets_what_is_left(store: Store, admin: Redis, room_id: str):
    live = await node(store, room_id)
    saved, kept = await backup(admin, room_id), live.log.position
    for _ in range(TAIL + 1):
        await ask(live, ROLL)
    await restore(admin, saved)

    part = (await live.missed({PUBLIC: opening_head(live.id, live.room.log_id, PUBLIC)}))[PUBLIC]

    assert live.log.position == kept
    assert (len(part.texts), part.head) == (part.head.seq, live.room.positions[PUBLIC])
