"""A disk that fills up while it is played: writes are refused, reading goes on, and so does play once there is room.

`DREADCLOCK_FULL_DISKS` says how often under load; once unless it is set.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from kit.links.listeners import all_agree, listener
from kit.rooms import open_table
from kit.server import Server, running_server
from kit.servers.disks import MIB, Disk, small_disk
from kit.servers.shortage import SOON_S, can_be_read, is_not_ready, is_ready, played_on, refuses_writes, roll
from kit.waiting import until

WITHIN_S = 20.0
TIMES = int(os.environ.get("DREADCLOCK_FULL_DISKS", "1"))
RESERVE = {"DREADCLOCK_DISK_RESERVE_MIB": "4"}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "disk", 24 * MIB) as disk:
        yield disk


@pytest.fixture
async def small(disk: Disk) -> AsyncIterator[Server]:
    """A server on a small disk; its own log is on another one."""
    (disk.path / "its").mkdir()
    server_log = disk.path.parent / "server"
    server_log.mkdir()
    data = server_log / "data"
    data.symlink_to(disk.path / "its", target_is_directory=True)
    async with running_server(data, environment=RESERVE) as server:
        yield server


async def test_a_full_disk_refuses_writes_is_read_from_and_recovers_even_from_a_start(disk: Disk, small: Server):
    table = await open_table(small)
    async with listener(table, "gm") as gm, listener(table, "ann") as ann:
        await gm.room.submit(roll("before"))
        valkey = small.valkey_pid

        disk.fill(leave=2 * MIB)
        await until(lambda: is_not_ready(small), WITHIN_S)
        await refuses_writes(
            table,
            "The server's disk is full, and whoever runs it must make room:",
            "Auf dem Server ist kein Speicherplatz mehr frei, und wer ihn betreibt,",
            "the disk of the store is full",
        )
        await can_be_read(table)
        assert small.find_valkey() == valkey

        disk.clear()
        await until(lambda: is_ready(small), WITHIN_S)
        await gm.room.submit(roll("after"))

        log = await all_agree(table, [gm, ann], [small])
    assert [each.event.note for each in log if each.event.note] == ["before", "after"]
    assert small.log_text().count("no writes are taken until there is room") == 1
    assert "there is room on the disk" in small.log_text()

    await small.stop()
    disk.fill(leave=MIB)
    (small.data / "links.json").unlink()
    await small.start()  # as a machine does that comes up again
    await until(lambda: "could not be opened and stored: the disk of the store is full" in small.log_text(), WITHIN_S)
    assert not await is_ready(small)
    await can_be_read(table)
    disk.clear()
    await until(lambda: is_ready(small), WITHIN_S)


async def test_a_disk_that_fills_under_load_costs_nothing_acknowledged(disk: Disk, small: Server, figures: list[str]):
    async with played_on(small) as (table, rolls_on, acked):
        for _ in range(TIMES):
            await rolls_on()
            await asyncio.to_thread(disk.fill)
            await until(lambda: is_not_ready(small), WITHIN_S)
            await until(lambda: small.find_valkey() is not None, WITHIN_S)
            await can_be_read(table)
            disk.clear()
            await until(lambda: is_ready(small), SOON_S)
    deaths = small.log_text().count("the embedded Valkey ended")
    assert deaths <= 2 * TIMES, "it is not started again and again while there is no room"
    figures.append(f"{TIMES} full disks under load: {len(acked)} acknowledged, 0 lost, {deaths} ends of Valkey")
