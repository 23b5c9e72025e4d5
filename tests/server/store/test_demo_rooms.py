"""What demo rooms may hold of a store: together, of one opener, each of them; and how long they stay."""

import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis

from dreadclock_server.store import in_play
from dreadclock_server.store.base import EMPTY, Batch, IndexRow, Position, RoomFull, RoomUnknown
from dreadclock_server.store.in_play import CAP_BYTES, ENDS_AFTER_MS, FIRST_GRANT_BYTES, SILENT_MS
from dreadclock_server.store.keys import DEMO_ROOMS, INDEX, LOG, META, OPENERS_KEY, SNAPSHOT, TABLES_IN_PLAY, key
from dreadclock_server.store.valkey import ValkeyStore

MIB = 1 << 20
ADDRESS, NETWORK = "2001:db8:1:2::", "2001:db8:1::/48"


async def reserve(store: ValkeyStore, room: str, who: dict[str, int] | None = None, most: int = 1000) -> bool:
    """Reserve memory for a room of somebody else than those of all other rooms."""
    return await store.in_play.reserve(room, who or {room: 1}, most, plays_ms=60, for_ms=10_000, now_ms=100)


async def opened(store: ValkeyStore, room: str, who: dict[str, int] | None = None) -> Position:
    """Open a demo room."""
    assert await reserve(store, room, who)
    return await store.open_room(
        room,
        log_id="log",
        session_key=b"",
        dice_secret=b"secret",
        tokens={"token-a": "{}"},
        batch=Batch("opening", b"entry"),
        cap_bytes=CAP_BYTES,
        granted_bytes=FIRST_GRANT_BYTES,
    )


def entry(number: int, size: int, *, copied: bool = False) -> Batch:
    """Make an entry of so many bytes, of which the index may hold a copy."""
    data = f"{number:0{size}}".encode()
    return Batch(f"batch-{number}", data, [IndexRow(number, "gm", number, f"1-{size}", data if copied else None)])


async def filled(store: ValkeyStore, room: str, at: Position, size: int, *, copied: bool = False) -> RoomFull:
    """Append entries, with more memory when it takes that, and return why no more is taken."""
    while True:
        assert at.number * size < 8 * MIB, "it is never full"
        try:
            at = await store.append(room, at, entry(at.number + 1, size, copied=copied))
        except RoomFull as full:
            if not await store.in_play.grow(room, full.needed, 100):
                return full


async def memory_of(admin: Redis, room: str) -> int:
    """Return the bytes that a room takes, as the server says."""
    names = [name async for name in admin.scan_iter(f"dreadclock:{{{room}}}:*", count=1000)]
    return sum([await admin.memory_usage(name, samples=0) or 0 for name in names])


@asynccontextmanager
async def limited(admin: Redis, limit_bytes: int) -> AsyncIterator[None]:
    """Give the store a limit."""
    before = (await admin.config_get("maxmemory"))["maxmemory"] or "0"
    await admin.config_set("maxmemory", limit_bytes)
    try:
        yield
    finally:
        await admin.config_set("maxmemory", before)


@pytest.fixture(autouse=True)
async def nothing_reserved(admin: Redis) -> None:
    """Forget the demo rooms of other tests."""
    await admin.delete(DEMO_ROOMS, TABLES_IN_PLAY)


async def leave_room_for(admin: Redis, rooms: int, all_bytes: int) -> None:
    """Take all memory of demo rooms but that of so many."""
    rest = all_bytes - rooms * in_play._memory_of(FIRST_GRANT_BYTES)
    await admin.hset(DEMO_ROOMS, "rest", f'{{"bytes":{rest},"plays":0,"who":{{}}}}')


async def test_all_have_an_eighth_through_any_process(store: ValkeyStore, other: ValkeyStore, admin: Redis, room: str):
    await leave_room_for(admin, 3, 8 * MIB)
    async with limited(admin, 64 * MIB):
        taken = [await reserve((store, other)[number % 2], f"{room}-{number}") for number in range(6)]

    assert taken == [True] * 3 + [False] * 3


async def test_where_there_is_no_limit_they_have_64_mib(store: ValkeyStore, admin: Redis, room: str):
    await leave_room_for(admin, 3, 64 * MIB)
    async with limited(admin, 0):
        taken = [await reserve(store, f"{room}-{number}") for number in range(6)]

    assert taken == [True] * 3 + [False] * 3


async def test_an_address_has_a_quarter_of_the_bytes_and_its_network_half(store: ValkeyStore, admin: Redis, room: str):
    async with limited(admin, 64 * MIB):
        mine = [await reserve(store, f"{room}-{number}", {ADDRESS: 1, NETWORK: 2}) for number in range(6)]
        theirs = [await reserve(store, f"{room}-x{number}", {f"{number}": 1, NETWORK: 2}) for number in range(6)]

    size = in_play._memory_of(FIRST_GRANT_BYTES)
    assert (sum(mine), sum(mine) + sum(theirs)) == (2 * MIB // size, 4 * MIB // size)


async def test_so_many_play_and_four_times_as_many_are_there(store: ValkeyStore, other: ValkeyStore, room: str):
    playing = [await reserve(store, f"{room}-{number}", {ADDRESS: 1}, most=8) for number in range(3)]
    assert playing == [True, True, False], "an address has a quarter"
    left = []
    for number in range(9):
        await other.in_play.playing([f"{room}-{each}" for each in (0, 1, *range(10, 20))], 0)
        left.append(await reserve(store, f"{room}-{10 + number}", {ADDRESS: 1}, most=8))
    assert left == [True] * 6 + [False] * 3

    others = [await reserve(other, f"{room}-x{number}", most=8) for number in range(10)]
    assert others == [True] * 8 + [False] * 2
    await store.in_play.end(f"{room}-x0", 100, at_once=True)
    await store.in_play.forget(f"{room}-x1")
    assert [await reserve(store, f"{room}-y{number}", most=8) for number in range(3)] == [True, True, False]


async def test_a_room_grows_while_memory_suffices(store: ValkeyStore, other: ValkeyStore, admin: Redis, room: str):
    async with limited(admin, 64 * MIB):
        at = await opened(store, room, {ADDRESS: 1})
        while await reserve(other, f"{room}-more-of-others-{at.number}"):
            at = await store.append(room, at, entry(at.number + 1, 40))
        await leave_room_for(admin, at.number, 8 * MIB)
        full = await filled(store, room, at, 3000)

    assert (full.granted, full.needed > full.granted) == (FIRST_GRANT_BYTES, True)
    assert FIRST_GRANT_BYTES - 4000 < int(await admin.hget(key(room, META), "held") or 0) <= FIRST_GRANT_BYTES
    head = (await store.heads([room]))[room]
    assert head is not None
    with pytest.raises(RoomFull):
        await other.append(room, head.position, entry(head.position.number + 1, 3000))
    await store.in_play.end(f"{room}-more-of-others-1", 100, at_once=True)
    assert await other.in_play.grow(room, full.needed, 100)
    await store.append(room, head.position, entry(head.position.number + 1, 3000))


@pytest.mark.parametrize(("size", "copied"), [(60, True), (2048, True), (70_000, False)])
async def test_a_room_never_takes_more_memory_than_is_reserved_for_it(
    store: ValkeyStore, admin: Redis, room: str, size: int, copied: bool, monkeypatch: pytest.MonkeyPatch
):
    if size < 100:  # thousands of entries are enough
        monkeypatch.setattr(in_play, "_MOST_GRANTED", in_play._MOST_GRANTED // 4)
    full = await filled(store, room, await opened(store, room), size, copied=copied)

    row = await admin.hget(DEMO_ROOMS, room)
    assert row is not None
    assert await memory_of(admin, room) < in_play._memory_of(full.granted)
    assert f'"bytes":{in_play._memory_of(full.granted)}' in str(row)
    assert int(await admin.hget(key(room, META), "held") or 0) <= full.granted <= 4 * MIB


async def test_an_opening_that_is_sent_again_reserves_once(store: ValkeyStore, admin: Redis, room: str):
    assert await reserve(store, room, most=1)
    assert await reserve(store, room, most=1), "a try whose reply was lost"
    assert await admin.hlen(DEMO_ROOMS) == 1


async def test_nothing_says_who_opened_it_and_hashes_go_with_the_room(store: ValkeyStore, admin: Redis, room: str):
    await opened(store, room, {ADDRESS: 1, NETWORK: 2})
    names = [name async for name in admin.scan_iter("dreadclock:{in-play}:*")]
    held = b"".join([name + (await admin.dump(name) or b"") for name in (*names, key(room, META).encode())])
    assert ADDRESS.encode() not in held
    assert NETWORK.encode() not in held

    for end in (store.in_play.forget, store.in_play.keep):
        await end(room)
        assert await admin.hgetall(DEMO_ROOMS) == {}
        await opened(store, room + "-another")
        await end(room + "-another")
        await store.delete_room(room + "-another")


async def test_the_opener_of_a_room_is_hashed_with_a_key_of_this_store(store: ValkeyStore, admin: Redis, room: str):
    hashes = []
    for number in range(2):
        await admin.delete(OPENERS_KEY)
        assert await reserve(store, f"{room}-{number}", {ADDRESS: 1})
        hashes += json.loads(await admin.hget(DEMO_ROOMS, f"{room}-{number}") or "{}")["who"]

    assert len({*hashes, hashlib.sha256(ADDRESS.encode()).hexdigest()[:32]}) == 3


async def test_a_day_after_its_opening_it_goes_whoever_is_there(store: ValkeyStore, other: ValkeyStore, room: str):
    await opened(store, room)
    ends_ms = 100 + ENDS_AFTER_MS
    await other.in_play.mark_again(room, 10 * ENDS_AFTER_MS, now_ms=200)
    await store.set_here(room, "node", {"seat-1": 1}, ends_ms)

    assert not await store.in_play.end(room, ends_ms - 1, at_once=True), "somebody is there"
    assert room not in await other.in_play.due(0, ends_ms - 1)
    assert room in await other.in_play.due(0, ends_ms)
    assert await other.in_play.end(room, ends_ms)
    with pytest.raises(RoomUnknown):
        await store.meta(room)


async def test_no_mark_lets_a_room_stay_beyond_its_end(store: ValkeyStore, other: ValkeyStore, room: str):
    await opened(store, room)
    await other.in_play.mark_again(room, 10 * ENDS_AFTER_MS, now_ms=200)

    assert not await store.in_play.end(room, 100 + ENDS_AFTER_MS - 1)
    assert await store.in_play.end(room, 100 + ENDS_AFTER_MS)


async def test_a_room_of_an_older_server_has_no_end(store: ValkeyStore, admin: Redis, room: str):
    await opened(store, room)
    await admin.hdel(key(room, "in-play"), "ends")
    await store.in_play.mark_again(room, 3 * ENDS_AFTER_MS, now_ms=100)

    assert not await store.in_play.end(room, 2 * ENDS_AFTER_MS)
    await store.set_here(room, "node", {"seat-1": 1}, 4 * ENDS_AFTER_MS)
    assert not await store.in_play.end(room, 4 * ENDS_AFTER_MS)
    assert await store.in_play.end(room, 8 * ENDS_AFTER_MS + SILENT_MS)


async def test_what_is_kept_is_an_ordinary_room(store: ValkeyStore, other: ValkeyStore, admin: Redis, room: str):
    at = await opened(store, room)
    await store.save_snapshot(room, at, b"blob")
    assert not await admin.exists(key(room, SNAPSHOT)), "no memory is reserved for snapshots"
    await other.in_play.keep(room)

    large = entry(at.number + 1, 3 * MIB)
    assert (await store.append(room, at, large)).number == at.number + 1
    head = (await store.heads([room]))[room]
    assert head is not None
    assert head.cap_bytes is None
    await store.save_snapshot(room, at, b"blob")
    assert await admin.exists(key(room, SNAPSHOT))
    assert not await other.in_play.end(room, 2 * ENDS_AFTER_MS, at_once=True)
    assert not await store.in_play.grow(room, FIRST_GRANT_BYTES, 100)


async def test_a_room_has_so_many_tokens_through_whichever_process(store: ValkeyStore, other: ValkeyStore, room: str):
    await opened(store, room)
    put = [await (store, other)[number % 2].put_token(room, f"{number}", "{}", 3) for number in range(4)]
    assert put == [True, True, False, False]
    assert await store.put_token(room, "1", "{ }", 3), "one that is replaced is not one more"
    await store.put_knock(room, "knock", "9 a", 0, 16)
    assert not await store.put_knockers_token(room, "knock", "9 a", "9 taken", "2", "{}", 3)
    await store.delete_token(room, "0")
    assert await store.put_knockers_token(room, "knock", "9 a", "9 taken", "2", "{}", 3)


async def test_the_store_says_whether_somebody_plays(store: ValkeyStore, other: ValkeyStore, room: str):
    assert not await store.in_play.is_playing(room, 100)
    await opened(store, room)
    assert [await other.in_play.is_playing(room, now_ms) for now_ms in (159, 160)] == [True, False]
    await store.in_play.playing([room, "no-room"], 200)
    assert await other.in_play.is_playing(room, 199)
    await store.in_play.playing([room], 0)
    assert not await other.in_play.is_playing(room, 100)


async def test_an_ordinary_room_is_never_full(store: ValkeyStore, admin: Redis, room: str):
    opening = Batch("opening", b"entry")
    at = await store.open_room(room, log_id="log", session_key=b"", dice_secret=b"", tokens={}, batch=opening)
    assert at == EMPTY.after(b"entry")
    await store.append(room, at, entry(2, 4 * MIB))
    assert await admin.exists(key(room, LOG), key(room, f"{INDEX}-gm")) == 2
