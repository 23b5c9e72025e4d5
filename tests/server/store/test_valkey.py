"""What the store over a server owes beyond the contract: faults of the wire and of the server."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from dreadclock_server.store import scripts
from dreadclock_server.store.base import Batch, LogBytes, RoomHead, RoomUnknown, StaleWrite, StoreUnavailable
from dreadclock_server.store.connections import RedisClient, round_trip
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.keys import HERE, LOG, META, key
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.links.proxy import Proxy
from kit.stores import batch, open_room, whole_log
from kit.waiting import until


@pytest.fixture
async def wire(server: Embedded, tmp_path: Path) -> AsyncIterator[Proxy]:
    async with Proxy(tmp_path / "proxy.sock", server.url.removeprefix("unix://")) as proxy:
        yield proxy


@pytest.fixture
async def remote(wire: Proxy) -> AsyncIterator[ValkeyStore]:
    """A store at the other end of the wire."""
    store = await connect(wire.url)
    yield store
    await store.aclose()


@pytest.mark.parametrize("cuts", [1, 3])
async def test_an_append_whose_reply_is_lost_is_appended_once(remote: ValkeyStore, wire: Proxy, room: str, cuts: int):
    opened = await open_room(remote, room)

    wire.replies_to_cut = cuts
    position = await remote.append(room, opened, batch("next"))

    assert wire.cut == cuts
    assert position == opened.after(b"entry next")
    assert await whole_log(remote, room) == [b"entry opening", b"entry next"]


async def test_what_travels_together_has_each_its_own_outcome_wherever_the_answers_break_off(
    remote: ValkeyStore, wire: Proxy, room: str, monkeypatch: pytest.MonkeyPatch
):
    trips: list[int] = []

    async def counted(client: RedisClient, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        trips.append(len(commands))
        return await round_trip(client, commands)

    monkeypatch.setattr(scripts, "round_trip", counted)
    for passes in range(0, 210, 7):
        names = [f"{room}-{passes}-{number}" for number in range(4)]
        opened = [await open_room(remote, name) for name in names[:3]]
        moved = await remote.append(names[1], opened[1], batch("first"))
        trips.clear()

        wire.passes, wire.cut = passes, 0
        appends = [remote.append(name, opened[0], batch("next")) for name in names]
        done, stale, also_done, unknown = await asyncio.gather(*appends, return_exceptions=True)

        assert (trips[0], wire.cut) == (4, 1)
        assert done == also_done == opened[0].after(b"entry next")
        assert isinstance(stale, StaleWrite)
        assert stale.position == moved
        assert isinstance(unknown, RoomUnknown)
        assert await whole_log(remote, names[0]) == [b"entry opening", b"entry next"]
        assert await whole_log(remote, names[1]) == [b"entry opening", b"entry first"]
        assert await whole_log(remote, names[2]) == [b"entry opening", b"entry next"]


async def test_a_room_whose_opening_reply_is_lost_is_opened_once(remote: ValkeyStore, wire: Proxy, room: str):
    wire.replies_to_cut = 1
    await open_room(remote, room)

    assert wire.cut == 1
    assert await whole_log(remote, room) == [b"entry opening"]


async def test_a_silent_server_makes_the_outcome_unknown_and_the_same_batch_settles_it(wire: Proxy, room: str):
    store = await connect(wire.url + "?socket_timeout=3", deadline_s=2)
    opened = await open_room(store, room)

    wire.silent = True
    with pytest.raises(StoreUnavailable) as unavailable:
        await store.append(room, opened, batch("next"))
    store.announce(room, b"a hint that is lost")
    wire.silent = False

    assert unavailable.value.applied is None
    assert await store.append(room, opened, batch("next")) == opened.after(b"entry next")
    assert await whole_log(store, room) == [b"entry opening", b"entry next"]
    await store.aclose()


async def test_what_nobody_waits_for_is_not_sent_late(wire: Proxy, store: ValkeyStore, admin: Redis, room: str):
    remote = await connect(wire.url + "?socket_timeout=2", deadline_s=1)
    names = [f"{room}-{number}" for number in range(5)]

    wire.silent = True
    openings = []
    for name in names:  # the first two set out, the others wait for them
        openings.append(asyncio.create_task(open_room(remote, name)))
        for _ in range(5):
            await asyncio.sleep(0)
    answers = await asyncio.gather(*openings, return_exceptions=True)
    wire.silent = False
    await remote.aclose()

    assert [type(answer) for answer in answers] == [StoreUnavailable] * len(names)
    assert await store.heads(names) == dict.fromkeys(names)


async def test_no_command_is_sent_twice_unasked(remote: ValkeyStore, wire: Proxy, store: ValkeyStore, room: str):
    heard: list[bytes] = []
    listener = store.listen(lambda _room, payload: heard.append(payload), lambda: None)
    await listener.start()
    await listener.watch(room)

    wire.replies_to_cut = 1
    remote.announce(room, b"once")
    remote.announce(room, b"end")
    await until(lambda: b"end" in heard)
    await listener.aclose()

    assert (heard, wire.cut) == ([b"once", b"end"], 1)


async def test_who_is_here_in_many_rooms_at_once_takes_no_connection_from_anybody(wire: Proxy):
    store = await connect(wire.url)

    told = [store.set_here(f"room-{number}", "node", {"p1": number}, 0) for number in range(1, 200)]

    assert await asyncio.gather(*told) == [{"p1": number} for number in range(1, 200)]
    assert wire.accepted == 2  # one for the commands, one to rehearse listening
    await store.aclose()


async def test_heads_of_more_rooms_than_go_in_one_round_trip_are_all_given(store: ValkeyStore, room: str):
    opened = await open_room(store, room)
    unknown = [f"{room}-{number}" for number in range(1_100)]

    heads = await store.heads([*unknown, room])

    assert heads == {**dict.fromkeys(unknown), room: RoomHead(opened, 1, LogBytes(0, len(b"entry opening")))}


async def test_closing_waits_for_what_is_under_way(wire: Proxy, room: str):
    store = await connect(wire.url)
    opened = await open_room(store, room)

    appending = asyncio.create_task(store.append(room, opened, batch("next")))
    await asyncio.sleep(0)
    await store.aclose()

    assert await appending == opened.after(b"entry next")
    assert wire.accepted == 2  # one for the commands, one to rehearse listening


async def test_a_server_that_is_gone_is_unavailable_to_every_call(tmp_path: Path, room: str):
    async with Embedded(tmp_path) as embedded:
        store = await connect(embedded.url, deadline_s=1)
    calls = (
        store.ping(),
        store.meta(room),
        store.read(room, 0),
        store.heads([room]),
        store.tokens(room),
        store.put_token(room, "token", "{}"),
        store.set_here(room, "asker", {}, 0),
        store.delete_room(room),
        open_room(store, room),
    )

    answers = await asyncio.gather(*calls, return_exceptions=True)
    store.announce(room, b"a hint that is lost")
    await store.aclose()

    assert [type(answer) for answer in answers] == [StoreUnavailable] * len(calls)


async def test_a_server_that_forgot_the_scripts_is_taught_again(store: ValkeyStore, admin: Redis, room: str):
    opened = await open_room(store, room)

    await admin.script_flush()
    await store.append(room, opened, batch("next"))
    await admin.script_flush()
    rooms = [f"{room}-{number}" for number in range(20)]
    await asyncio.gather(*(open_room(store, name) for name in rooms))

    assert await whole_log(store, room) == [b"entry opening", b"entry next"]
    for name in rooms:
        assert await whole_log(store, name) == [b"entry opening"]


async def test_what_is_ready_together_travels_together(store: ValkeyStore, room: str, monkeypatch: pytest.MonkeyPatch):
    rooms = [f"{room}-{number}" for number in range(50)]
    opened = [await open_room(store, name) for name in rooms]
    trips: list[list[str]] = []

    async def counted(client: RedisClient, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        trips.append([command[0] for command in commands])
        return await round_trip(client, commands)

    monkeypatch.setattr(scripts, "round_trip", counted)
    appends = [store.append(name, at, batch("next")) for name, at in zip(rooms, opened, strict=True)]
    store.announce(rooms[0], b"a hint rides along")
    await asyncio.gather(*appends)

    assert trips == [["PUBLISH", *["EVALSHA"] * 50]]
    for name in rooms:
        assert await whole_log(store, name) == [b"entry opening", b"entry next"]


async def test_a_server_out_of_memory_refuses_at_once_and_for_certain(store: ValkeyStore, admin: Redis, room: str):
    opened = await open_room(store, room)

    await admin.config_set("maxmemory", 1)
    try:
        with pytest.raises(StoreUnavailable, match="OOM") as unavailable:
            await store.append(room, opened, batch("next"))
    finally:
        await admin.config_set("maxmemory", 0)

    assert unavailable.value.applied is False
    assert await store.append(room, opened, batch("next")) == opened.after(b"entry next")


async def test_a_key_of_another_type_is_a_bug_and_nothing_is_written(store: ValkeyStore, admin: Redis, room: str):
    opened = await open_room(store, room)
    await admin.delete(key(room, LOG))
    await admin.set(key(room, LOG), "not a log")

    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await store.append(room, opened, batch("next"))

    assert (await store.meta(room)).position == opened


async def test_a_log_longer_than_its_head_takes_no_entry_twice(store: ValkeyStore, admin: Redis, room: str):
    opened = await open_room(store, room)
    second = await store.append(room, opened, batch("second"))
    await admin.hset(key(room, META), mapping={"number": opened.number, "digest": opened.digest})

    with pytest.raises(ResponseError, match="equal or smaller"):
        await store.append(room, opened, batch("another second"))

    assert [number for number, _ in await store.read(room, 0)] == [1, second.number]


async def test_answering_a_batch_again_is_a_write(store: ValkeyStore, admin: Redis, room: str):
    opened = await open_room(store, room)
    await store.append(room, opened, batch("next"))
    before = await admin.hget(key(room, META), "fence")

    await store.append(room, opened, batch("next"))
    await open_room(store, room)

    assert (before, await admin.hget(key(room, META), "fence")) == (None, b"2")


async def test_a_snapshot_is_not_given_for_a_log_that_changed(store: ValkeyStore, admin: Redis, room: str):
    opened = await open_room(store, room)
    await store.save_snapshot(room, opened, b"snapshot")

    await admin.delete(key(room, LOG))

    assert await store.load_snapshot(room) is None


async def test_a_node_that_spoke_again_is_not_swept(store: ValkeyStore, admin: Redis, room: str):
    await store.set_here(room, "node", {"p1": 1}, 1000)

    await admin.eval(scripts.SCRIPTS["sweep_here"].text, 1, key(room, HERE), "node", "what it said before")

    assert await store.set_here(room, "asker", {}, 1000) == {"p1": 1}


async def test_no_key_expires_since_a_full_disk_takes_no_such_write(store: ValkeyStore, admin: Redis, room: str):
    position = await open_room(store, room)
    await store.save_snapshot(room, position, b"snapshot")
    await store.set_here(room, "node", {"p1": 1}, 0)
    await store.touch_tokens(room, {"token-a": 1})

    assert {await admin.pttl(name) for name in await admin.keys(f"*{room}*")} == {-1}


async def test_a_cancelled_caller_stops_and_harms_no_one_else(store: ValkeyStore, room: str):
    position = await open_room(store, room)
    stopped = 0
    for count in range(150):
        appending = asyncio.create_task(store.append(room, position, Batch(f"{count}", b"cancelled or not")))
        reading = asyncio.create_task(store.read(room, 0, limit=1))
        for _ in range(count % 15):
            await asyncio.sleep(0)
        for task in (appending, reading):
            if task.cancel():
                await asyncio.wait({task})
                assert task.cancelled()
                stopped += 1
        position = (await store.meta(room)).position

    assert stopped > 50
    await store.append(room, (await store.meta(room)).position, batch("last"))
    assert (await whole_log(store, room))[-1] == b"entry last"
