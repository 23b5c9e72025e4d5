"""A store whose memory is full: what it takes is taken whole or not at all, and what it has can be read."""

import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from dreadclock_server.store.base import Batch, StoreUnavailable, Trouble
from dreadclock_server.store.embedded import memory
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.keys import PARTS, keys
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.servers import memories
from kit.servers.memories import MIB
from kit.stores import batch, open_room, whole_log
from kit.waiting import until


async def fill(admin: Redis) -> None:
    """Use up all the memory that the server may take."""
    used = int((await admin.info("memory"))["used_memory"])
    await admin.config_set("maxmemory", used + 4 * MIB)
    await memories.fill(admin)


@pytest.fixture
async def full(admin: Redis) -> AsyncIterator[Redis]:
    """A client of the server, which gets its memory back at the end."""
    before = str((await admin.config_get("maxmemory"))["maxmemory"])
    yield admin
    await admin.config_set("maxmemory", before)
    await memories.clear(admin)


async def buffers(admin: Redis) -> int:
    """Return how many bytes the server still holds of what clients sent it."""
    return int((await admin.info("memory"))["mem_clients_normal"])


async def raw(admin: Redis, room: str) -> list[bytes | None]:
    """Give all that the server has of a room."""
    return [await admin.dump(name) for name in keys(room, *PARTS)]


async def test_an_append_to_a_full_memory_is_refused_whole_and_done_later(store: ValkeyStore, full: Redis, room: str):
    opened = await open_room(store, room)
    before = await raw(full, room)

    await fill(full)
    with pytest.raises(StoreUnavailable) as refused:
        await store.append(room, opened, batch("next"))

    assert (refused.value.applied, refused.value.trouble) == (False, Trouble.MEMORY_FULL)
    assert await raw(full, room) == before
    assert await whole_log(store, room) == [b"entry opening"]
    await memories.clear(full)
    assert await store.append(room, opened, batch("next")) == opened.after(b"entry next")


async def test_a_memory_that_appends_fill_has_what_was_answered_alone(store: ValkeyStore, full: Redis, room: str):
    position, answered = await open_room(store, room), [b"entry opening"]
    await full.config_set("maxmemory", int((await full.info("memory"))["used_memory"]) + 8 * MIB)

    async def append_on() -> None:
        nonlocal position
        while len(answered) < 100:
            entry = secrets.token_bytes(MIB // 3)
            position = await store.append(room, position, Batch(f"{len(answered)}", entry))
            answered.append(entry)

    with pytest.raises(StoreUnavailable, match=Trouble.MEMORY_FULL):
        await append_on()

    assert len(answered) > 5
    assert await whole_log(store, room) == answered


async def test_a_room_is_not_opened_in_a_full_memory_not_even_in_part(store: ValkeyStore, full: Redis, room: str):
    await fill(full)

    with pytest.raises(StoreUnavailable, match=Trouble.MEMORY_FULL):
        await open_room(store, room)

    assert await raw(full, room) == [None] * len(PARTS)


async def test_in_a_full_memory_tokens_are_revoked_and_not_made(store: ValkeyStore, full: Redis, room: str):
    await open_room(store, room)
    version = (await store.meta(room)).tokens_version
    await fill(full)

    with pytest.raises(StoreUnavailable, match=Trouble.MEMORY_FULL):
        await store.put_token(room, "token-c", "{}")
    assert await store.delete_token(room, "token-a") is True

    assert (await store.tokens(room)).keys() == {"token-b"}
    assert (await store.meta(room)).tokens_version == version + 1


async def test_in_a_full_memory_nodes_leave_and_new_data_is_refused(store: ValkeyStore, full: Redis, room: str):
    await open_room(store, room)
    await store.set_here(room, "stays", {"gm": 1}, 0)
    await store.set_here(room, "leaves", {"gm": 1}, 0)
    await fill(full)

    with pytest.raises(StoreUnavailable, match=Trouble.MEMORY_FULL):
        await store.set_here(room, "stays", {"gm": 2}, 0)
    with pytest.raises(StoreUnavailable, match=Trouble.MEMORY_FULL):
        await store.touch_tokens(room, {"token-a": 1})

    assert await store.set_here(room, "leaves", {}, 0) == {"gm": 1}


async def test_deleting_a_room_makes_room(store: ValkeyStore, full: Redis, room: str):
    position = await open_room(store, room)
    await store.append(room, position, Batch("large", secrets.token_bytes(6 * MIB)))
    await fill(full)

    await store.delete_room(room)

    await store.ping()


async def test_a_cache_does_not_take_the_last_of_the_memory(store: ValkeyStore, full: Redis, room: str):
    position = await open_room(store, room)
    await store.append(room, position, Batch("large", bytes(16 * MIB)))

    async def is_taken() -> bool:
        return await buffers(full) < MIB

    await until(is_taken)
    used = int((await full.info("memory"))["used_memory"])

    await full.config_set("maxmemory", used * 100 // 95)
    await store.save_snapshot(room, position, b"blob")
    assert await store.load_snapshot(room) is None

    await full.config_set("maxmemory", used * 100 // 80)
    await store.save_snapshot(room, position, b"blob")
    assert await store.load_snapshot(room) == (position, b"blob")


async def test_a_store_that_is_full_at_the_start_can_be_read_from(data_dir: Path, room: str):
    async with Embedded(data_dir, memory_bytes=16 * MIB) as embedded, Redis.from_url(embedded.url) as admin:
        store = await connect(embedded.url)
        await open_room(store, room)
        await fill(admin)
        await store.aclose()

    async with Embedded(data_dir, memory_bytes=MIB) as embedded, Redis.from_url(embedded.url) as admin:
        store = await connect(embedded.url)
        with pytest.raises(StoreUnavailable, match=Trouble.MEMORY_FULL):
            await store.ping()
        assert await whole_log(store, room) == [b"entry opening"]
        await memories.clear(admin)
        await store.aclose()


# What the embedded store may take


@pytest.mark.parametrize(
    ("groups", "files", "limit"),
    [
        ("0::/a/b", {"a/b/memory.max": "max", "a/memory.max": f"{MIB}", "memory.max": f"{2 * MIB}"}, MIB),
        ("0::/", {"memory.max": f"{MIB}"}, MIB),
        ("4:memory:/c\n1:cpu:/", {"memory/c/memory.limit_in_bytes": f"{MIB}"}, MIB),
        ("4:memory:/not/seen/from/here", {"memory/memory.limit_in_bytes": f"{MIB}"}, MIB),
    ],
    ids=["a group around ours", "of a container", "version 1", "version 1 of a container"],
)
def test_a_containers_limit_is_what_there_is(tmp_path: Path, groups: str, files: dict[str, str], limit: int):
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(groups + "\n")
    for name, text in files.items():
        file = tmp_path / "sys/fs/cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")

    assert memory.available_bytes(tmp_path) == limit


def test_where_there_is_no_container_there_is_the_machine(tmp_path: Path):
    assert memory.available_bytes(tmp_path) > 64 * MIB


@pytest.mark.parametrize(("available", "fits"), [(128, 64), (512, 128), (1024, 384), (8192, 3968)])
def test_the_store_gets_half_of_what_the_server_leaves(available: int, fits: int):
    assert memory.fitting_bytes(available * MIB) == fits * MIB
