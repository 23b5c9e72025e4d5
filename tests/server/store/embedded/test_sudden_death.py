"""Whoever is killed, and whenever: nothing acknowledged is lost, and nobody is left behind.

`DREADCLOCK_ORPHANS` says how often a server is killed and started again at once; four times unless it is set.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from dreadclock_server.store.base import StoreUnavailable
from dreadclock_server.store.embedded import server
from dreadclock_server.store.embedded.datadir import find_server, socket_path, try_lock
from dreadclock_server.store.embedded.disk_space import DiskSpace
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.servers.processes import Parent, is_running, parent_of, pid_of, store_on
from kit.stores import append_whatever_happens, batch, open_room, whole_log
from kit.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to tell who runs")
TESTS = Path(__file__).parents[3]
KILLS = int(os.environ.get("DREADCLOCK_ORPHANS", "4"))


async def test_a_server_killed_under_load_comes_back_with_every_acknowledged_entry(data_dir: Path, room: str):
    kills = 3

    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)

        async def write(name: str) -> list[bytes]:
            position, acknowledged = await open_room(store, name), [b"entry opening"]
            while embedded.restarts < kills:
                what = batch(str(position.number))
                position = await append_whatever_happens(store, name, position, what)
                acknowledged.append(what.entry)
            return acknowledged

        async def kill() -> None:
            for already in range(kills):
                await until(lambda: already == embedded.restarts)  # noqa: B023
                grown = await length(store, room + "-0")
                await until(lambda: grows_past(store, room + "-0", grown + 20))  # noqa: B023
                os.kill(await pid_of(embedded), signal.SIGKILL)

        names = [f"{room}-{number}" for number in range(8)]
        killing = asyncio.create_task(kill())
        acknowledged = await asyncio.gather(*(write(name) for name in names))
        await killing

        for name, entries in zip(names, acknowledged, strict=True):
            assert len(entries) > 20
            assert await whole_log(store, name) == entries
        await store.aclose()


async def test_a_server_that_cannot_start_is_tried_again(data_dir: Path, room: str, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, "dreadclock_server")
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        opened = await open_room(store, room)
        (log,) = (data_dir / "appendonlydir").glob("*.incr.aof")
        whole = log.read_bytes()

        log.write_bytes(b"damage" + whole)
        os.kill(await pid_of(embedded), signal.SIGKILL)
        await until(lambda: "does not start, and is tried again: The store in" in caplog.text)
        log.write_bytes(whole)
        await until(lambda: embedded.restarts == 1)

        assert caplog.text.count("does not start, and is tried again") == 1
        assert "the embedded Valkey is back" in caplog.text
        assert await store.append(room, opened, batch("next")) == opened.after(b"entry next")
        await store.aclose()


async def test_a_disk_that_cannot_be_looked_at_keeps_no_server_from_coming_back(
    data_dir: Path, room: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    async with Embedded(data_dir) as embedded:
        with monkeypatch.context() as patched:
            patched.setattr(DiskSpace, "look", unseen)
            patched.setattr(DiskSpace, "write_failed", unseen)
            patched.setattr(server, "_FAILED_WRITE", (137,))  # as if the disk had ended it
            await until(lambda: "the free space of the disk cannot be read" in caplog.text)
            os.kill(await pid_of(embedded), signal.SIGKILL)
            await until(lambda: "does not start, and is tried again" in caplog.text)
        await until(lambda: embedded.restarts == 1)

        store = await connect(embedded.url)
        await open_room(store, room)
        monkeypatch.setattr(DiskSpace, "look", full)
        with pytest.raises(StoreUnavailable):
            await until(lambda: pinged(store))  # somebody still looks, and tells the server
        await store.aclose()


def unseen(space: DiskSpace, now_s: float) -> None:
    raise PermissionError("no entry")


def full(space: DiskSpace, now_s: float) -> None:
    space.takes_writes = False


async def pinged(store: ValkeyStore) -> bool:
    await store.ping()
    return False


async def length(store: ValkeyStore, room: str) -> int:
    head = (await store.heads([room]))[room]
    return head[0].number if head else 0


async def grows_past(store: ValkeyStore, room: str, number: int) -> bool:
    return await length(store, room) > number


async def started(data_dir: Path, room: str) -> Parent:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kit.servers.parent", str(data_dir), room),
        cwd=TESTS,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    words = (await process.stdout.readline()).split()
    return Parent(process, int(words[1]))


@pytest.fixture
async def parent(data_dir: Path, room: str) -> AsyncIterator[Parent]:
    parent = await started(data_dir, room)
    yield parent
    if parent.process.returncode is None:
        parent.process.kill()
        await parent.process.communicate()


@pytest.mark.parametrize("victims", [["process"], ["process", "server"], ["process", "guardian"]])
async def test_a_server_dies_with_its_parent_losslessly(parent: Parent, data_dir: Path, room: str, victims: list[str]):
    pids = {"process": parent.process.pid, "server": parent.server_pid, "guardian": parent.guardian_pid}
    acknowledged = await parent.acknowledged(100)

    for victim in victims:
        os.kill(pids[victim], signal.SIGKILL)

    acknowledged = max(acknowledged, await parent.rest())
    await until(lambda: not is_running(parent.server_pid) and not is_running(parent.guardian_pid))
    async with store_on(data_dir) as store:
        assert len(await whole_log(store, room)) - acknowledged in (0, 1)


async def test_however_often_it_is_killed_the_next_start_has_all_and_nobody_is_left_behind(data_dir: Path, room: str):
    acknowledged = {}
    for number in range(KILLS):
        name = f"{room}-{number}"
        victim = await started(data_dir, name)
        some = await victim.acknowledged(20)
        victims = [[victim.process.pid], [victim.process.pid, victim.guardian_pid]][number % 2]
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        acknowledged[name] = max(some, await victim.rest())  # and the next one starts at once

    async with store_on(data_dir) as store:
        for name, number in acknowledged.items():
            assert len(await whole_log(store, name)) - number in (0, 1)
        assert len(servers_on(data_dir)) == 1
    assert servers_on(data_dir) == []


def servers_on(data_dir: Path) -> list[int]:
    """Give the processes of servers that work on a directory."""
    found = []
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            title = command.read_bytes()
            if b"-server unixsocket:" in title and os.fsencode(socket_path(data_dir)) in title:
                found.append(int(command.parent.name))
    return found


async def test_a_ctrl_c_is_for_us_and_the_server_stays_until_we_are_done(parent: Parent):
    await parent.acknowledged(10)

    os.killpg(parent.process.pid, signal.SIGINT)

    assert await parent.last_words() == b"done, after 0 restarts"


async def test_a_start_right_after_a_kill_waits_for_the_old_server_to_end(parent: Parent, data_dir: Path, room: str):
    acknowledged = await parent.acknowledged(100)
    parent.process.kill()

    async with store_on(data_dir) as store:
        acknowledged = max(acknowledged, await parent.rest())
        assert len(await whole_log(store, room)) - acknowledged in (0, 1)


async def test_a_guardian_that_is_killed_is_replaced_and_the_server_with_it(data_dir: Path, room: str):
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        opened = await open_room(store, room)
        pid = await pid_of(embedded)

        os.kill(parent_of(pid), signal.SIGKILL)
        await until(lambda: embedded.restarts == 1)

        assert not is_running(pid)
        assert await store.append(room, opened, batch("next")) == opened.after(b"entry next")
        await store.aclose()


async def test_a_server_killed_during_a_rewrite_comes_back_and_leaves_nothing_half_written(data_dir: Path, room: str):
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        opened = await open_room(store, room)
        async with Redis.from_url(embedded.url) as admin:
            await admin.config_set("rdb-key-save-delay", 60_000_000)  # a minute a key: it will not end by itself
            await admin.bgrewriteaof()
            await until(lambda: bool(list(data_dir.rglob("temp-rewriteaof*"))))

        os.kill(await pid_of(embedded), signal.SIGKILL)
        await until(lambda: embedded.restarts == 1)

        assert list(data_dir.rglob("temp-*")) == []  # noqa: ASYNC240
        assert await store.append(room, opened, batch("next")) == opened.after(b"entry next")
        await store.aclose()


async def test_a_server_that_outlived_its_owner_is_asked_to_end(data_dir: Path, room: str):
    async with store_on(data_dir) as store:
        position = await open_room(store, room)
    lock = try_lock(data_dir / "valkey.lock")
    assert lock is not None
    orphan = await asyncio.create_subprocess_exec(
        *(find_server(), "--port", "0", "--unixsocket", f"{data_dir}/valkey.sock"),
        *("--dir", f"{data_dir}", "--appendonly", "yes"),
        pass_fds=(lock,),
        stdout=asyncio.subprocess.DEVNULL,
    )
    os.close(lock)
    await until((data_dir / "valkey.sock").exists)

    try:
        async with store_on(data_dir) as store:
            assert await orphan.wait() == 0
            assert (await store.meta(room)).position == position
    finally:
        if orphan.returncode is None:
            orphan.kill()


async def test_a_server_is_started_again_under_the_other_event_loop(data_dir: Path, room: str):
    uvloop = pytest.importorskip("uvloop")
    program = f"""
import asyncio, os, signal, uvloop
from kit.stores import batch, open_room
from kit.waiting import until
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.embedded.disk_space import DiskSpace
from dreadclock_server.store.preflight import connect
from redis.asyncio import Redis

async def main():
    async with Embedded({str(data_dir)!r}) as embedded:
        store = await connect(embedded.url)
        opened = await open_room(store, {room!r})
        async with Redis.from_url(embedded.url) as admin:
            os.kill((await admin.info("server"))["process_id"], signal.SIGKILL)
        await store.append({room!r}, opened, batch("next"))
        await until(lambda: embedded.restarts == 1)
        await store.aclose()

uvloop.run(main())
"""
    assert uvloop
    process = await asyncio.create_subprocess_exec(sys.executable, "-W", "error", "-c", program, cwd=TESTS)

    assert await process.wait() == 0
    async with store_on(data_dir) as store:
        assert await whole_log(store, room) == [b"entry opening", b"entry next"]
