"""Room on the disk, with disks that are really full."""

import os
import resource
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from dreadclock_server.store.base import Batch, Position, StoreUnavailable
from dreadclock_server.store.embedded.datadir import EmbeddedFailed
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.servers.disks import MIB, Disk, small_disk
from kit.servers.processes import pid_of, store_on
from kit.stores import append_whatever_happens, batch, open_room, whole_log
from kit.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="small disks and limits of files are made as on Linux")
WITHIN_S = 30.0


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "disk", 16 * MIB) as disk:
        yield disk


@pytest.fixture
async def small(disk: Disk) -> AsyncIterator[Embedded]:
    async with Embedded(disk.path / "data", reserve_bytes=MIB) as embedded:
        yield embedded


@pytest.fixture
async def store_there(small: Embedded) -> AsyncIterator[ValkeyStore]:
    store = await connect(small.url, deadline_s=1.0)
    yield store
    await store.aclose()


async def setting(embedded: Embedded, name: str) -> str:
    async with Redis.from_url(embedded.url) as admin:
        return str((await admin.config_get(name))[name])


async def takes_writes(store: ValkeyStore) -> bool:
    try:
        await store.ping()
    except StoreUnavailable:
        return False
    return True


async def takes_none(store: ValkeyStore) -> bool:
    return not await takes_writes(store)


async def test_writes_end_before_the_disk_is_full(disk: Disk, small: Embedded, store_there: ValkeyStore, room: str):
    opened = await open_room(store_there, room)

    disk.fill(leave=MIB // 2)
    await until(lambda: takes_none(store_there), WITHIN_S)
    with pytest.raises(StoreUnavailable) as refused:
        await store_there.append(room, opened, batch("next"))
    assert refused.value.applied is False
    assert await whole_log(store_there, room) == [b"entry opening"]

    disk.clear()
    await until(lambda: takes_writes(store_there), WITHIN_S)
    assert await store_there.append(room, opened, batch("next")) == opened.after(b"entry next")
    assert small.restarts == 0


async def test_the_file_is_rewritten_only_where_a_copy_fits(disk: Disk, small: Embedded, store_there: ValkeyStore):
    await until(lambda: says(small, "auto-aof-rewrite-percentage", "100"), WITHIN_S)

    disk.fill(leave=MIB + MIB // 2)  # enough to write, not enough for a second copy
    await until(lambda: says(small, "auto-aof-rewrite-percentage", "0"), WITHIN_S)
    assert await takes_writes(store_there)
    disk.clear()
    await until(lambda: says(small, "auto-aof-rewrite-percentage", "100"), WITHIN_S)


async def says(embedded: Embedded, name: str, value: str) -> bool:
    return await setting(embedded, name) == value


async def test_a_rewrite_that_fills_a_disk_is_undone(disk: Disk, small: Embedded, store_there: ValkeyStore, room: str):
    position, entries = await open_room(store_there, room), [b"entry opening"]
    while disk.free > 5 * MIB:
        entries.append(os.urandom(256 * 1024))
        position = await store_there.append(room, position, Batch(f"{len(entries)}", entries[-1]))

    async with Redis.from_url(small.url) as admin:
        await admin.bgrewriteaof()
        await until(lambda: disk.free < 2 * MIB or has_failed(small), WITHIN_S)  # it may take less than a look
        while await is_rewriting(admin):
            entries.append(b"x" * 1000)
            position = await append_whatever_happens(store_there, room, position, Batch(f"{len(entries)}", entries[-1]))

    assert has_failed(small)
    await until(lambda: takes_writes(store_there), WITHIN_S)
    assert await whole_log(store_there, room) == entries
    assert list(small.data_dir.rglob("temp-*")) == []


def has_failed(small: Embedded) -> bool:
    return "No space left" in (small.data_dir / "valkey.log").read_text() or small.restarts > 0


async def is_rewriting(admin: Redis) -> bool:
    try:
        return bool((await admin.info("persistence"))["aof_rewrite_in_progress"])
    except RedisError:
        return False


async def test_an_empty_directory_on_a_full_disk_is_refused_with_a_sentence(disk: Disk):
    disk.fill(leave=MIB // 2)

    with pytest.raises(EmbeddedFailed) as failed:
        await Embedded(disk.path / "data", reserve_bytes=MIB).start()

    sentence = f"The disk of {disk.path}/data is full (0 MiB left, 1 MiB are kept free): free some space"
    assert str(failed.value).startswith(sentence)


async def test_a_disk_that_became_read_only_is_named(disk: Disk, room: str):
    async with store_on(disk.path / "data", reserve_bytes=MIB) as store:
        await open_room(store, room)
    disk.remount("ro")

    with pytest.raises(EmbeddedFailed, match="cannot be written: Read-only file system"):
        await Embedded(disk.path / "data", reserve_bytes=MIB).start()


async def test_a_write_that_fails_although_the_disk_has_room_stops_writes_for_a_while_and_loses_nothing(
    data_dir: Path, room: str, caplog: pytest.LogCaptureFixture
):
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        position: Position = await open_room(store, room)
        (log,) = (data_dir / "appendonlydir").glob("*.incr.aof")
        limit_files(await pid_of(embedded), log.stat().st_size + 3000)
        entries = [b"entry opening"]

        while embedded.restarts == 0:
            entries.append(b"x" * 500)
            position = await append_whatever_happens(store, room, position, Batch(f"{len(entries)}", entries[-1]))

        assert await whole_log(store, room) == entries
        assert caplog.text.count("the store could not write to its disk") == 1
        await store.aclose()


def limit_files(pid: int, size: int) -> None:
    """Let a process write no file beyond so many bytes, as a quota would."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))
