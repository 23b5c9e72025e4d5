"""Whoever is killed, and whenever: nothing acknowledged is lost, and nobody is left behind."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dreadclock_server.store.datadir import find_server, try_lock
from dreadclock_server.store.embedded import Embedded
from dreadclock_server.store.valkey import ValkeyStore, connect
from kit.processes import Parent, is_running, parent_of, pid_of, store_on
from kit.stores import append_whatever_happens, batch, open_room, whole_log
from kit.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to tell who runs")
TESTS = Path(__file__).parents[2]


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


async def test_a_server_that_cannot_come_back_is_tried_again_until_it_can(
    data_dir: Path, room: str, caplog: pytest.LogCaptureFixture
):
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        opened = await open_room(store, room)
        (log,) = (data_dir / "appendonlydir").glob("*.incr.aof")
        whole = log.read_bytes()

        log.write_bytes(b"damage" + whole)
        os.kill(await pid_of(embedded), signal.SIGKILL)
        await until(lambda: "does not come back, and is tried again: The store in" in caplog.text)
        log.write_bytes(whole)
        await until(lambda: embedded.restarts == 1)

        assert caplog.text.count("does not come back") == 1
        assert await store.append(room, opened, batch("next")) == opened.after(b"entry next")
        await store.aclose()


async def length(store: ValkeyStore, room: str) -> int:
    head = (await store.heads([room]))[room]
    return head[0].number if head else 0


async def grows_past(store: ValkeyStore, room: str, number: int) -> bool:
    return await length(store, room) > number


@pytest.fixture
async def parent(data_dir: Path, room: str) -> AsyncIterator[Parent]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kit.parent", str(data_dir), room),
        cwd=TESTS,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    words = (await process.stdout.readline()).split()
    yield Parent(process, int(words[1]))
    if process.returncode is None:
        process.kill()
        await process.communicate()


@pytest.mark.parametrize("victims", [["process"], ["process", "server"], ["process", "guardian"]])
async def test_with_its_parent_dies_the_server_and_nothing_acknowledged_is_lost(
    parent: Parent, data_dir: Path, room: str, victims: list[str]
):
    pids = {"process": parent.process.pid, "server": parent.server_pid, "guardian": parent.guardian_pid}
    acknowledged = await parent.acknowledged(100)

    for victim in victims:
        os.kill(pids[victim], signal.SIGKILL)

    acknowledged = max(acknowledged, await parent.rest())
    await until(lambda: not is_running(parent.server_pid) and not is_running(parent.guardian_pid))
    async with store_on(data_dir) as store:
        assert len(await whole_log(store, room)) - acknowledged in (0, 1)


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
from dreadclock_server.store.embedded import Embedded
from dreadclock_server.store.valkey import connect
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
