"""What a relay keeps: whole or not at all, on one relay's word, and nothing is sent that could not be kept."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import dreadclock
from dreadclock_server.tools.relay.kept import Keeper, occupy, write_durably
from dreadclock_server.tools.relay.settings import BadSettings
from kit.relay.running import RelayProcess, begun, kept, link_of, names, relaying, roll, webhook, written
from kit.relay.stubs import Call, Reply, Stub
from kit.rooms import Table
from kit.servers.disks import Disk, small_disk
from kit.waiting import until

QUICK = "retries_s = [0.05, 0.05]\ntimeout_s = 5\n"
SOON_S = 40.0


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "disk", 256 * 1024) as disk:
        yield disk


def settings(folder: Path, table: Table, stub: Stub, disk: Disk) -> Path:
    """Write settings of a relay that keeps what it sent on a small disk."""
    (folder / "state").symlink_to(disk.path, target_is_directory=True)
    return written(folder, link_of(table, "eve"), webhook(stub.url, QUICK))


async def test_while_the_disk_is_full_nothing_is_sent_and_afterwards_everything(
    table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    path = settings(tmp_path, table, stub, disk)
    async with relaying(path):
        await begun(path)
        await roll(gm, "before")
        await until(lambda: (known := kept(path)) is not None and not known.pending and len(stub.calls) == 1)
        disk.fill()
        await roll(gm, "one", "two")
        await until(lambda: "hook: what was sent cannot be noted on disk (No space left on device)" in caplog.text)
        assert names(stub.calls) == ["before"]
        disk.clear()
        await until(lambda: len(stub.calls) == 3, SOON_S)

    assert names(stub.calls) == ["before", "one", "two"]
    assert "hook: the file can be written again" in caplog.text
    assert caplog.text.count("cannot be noted on disk") == 1


async def test_what_was_taken_while_the_disk_filled_up_may_come_again_and_nothing_comes_before_it(
    table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    async def fills(_: Call) -> Reply:
        if len(stub.calls) == 1:
            disk.fill()
        return Reply()

    stub.answering = fills
    path = settings(tmp_path, table, stub, disk)
    async with relaying(path):
        await begun(path)
        await roll(gm, "one", "two")
        await until(lambda: "what was sent cannot be noted on disk" in caplog.text)
    assert names(stub.calls) == ["one"]
    disk.clear()
    async with relaying(path):
        await until(lambda: len(stub.calls) == 3, SOON_S)

    assert names(stub.calls) == ["one", "one", "two"]
    assert stub.calls[0].headers["webhook-id"] == stub.calls[1].headers["webhook-id"]


async def test_a_full_disk_is_waited_for(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, disk: Disk):
    path = settings(tmp_path, table, stub, disk)
    (disk.path / table.id).mkdir(mode=0o700)
    (disk.path / table.id / "lock").touch(mode=0o600)
    disk.fill()
    relay = RelayProcess(path)
    try:
        await until(lambda: "hook: what was sent cannot be noted on disk (No space left" in relay.log_text(), SOON_S)
        disk.clear()
        await begun(path)
        await roll(gm, "one")
        await until(lambda: len(stub.calls) == 1, SOON_S)
    finally:
        relay.kill()
    assert table.token("eve") not in relay.log_text()


async def test_two_relays_never_keep_in_the_same_folder(table: Table, stub: Stub, tmp_path: Path) -> None:
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url))
    async with relaying(path):
        await begun(path)
        other = RelayProcess(path)
        assert await other.ends() == 1
    assert "Another relay uses the folder" in other.log_text()


def test_a_file_that_cannot_be_read_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "hook.json"
    path.write_text('{"v": 1')

    with pytest.raises(BadSettings, match=r"hook.json cannot be read; this file notes what was sent"):
        Keeper("hook", path, "a" * 26).load()
    assert path.read_text() == '{"v": 1'


def test_a_file_of_another_room_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "hook.json"
    path.write_text(kept := f'{{"v": 1, "room": "{"b" * 26}", "pending": [{{"id": "x", "body": "told elsewhere"}}]}}')

    with pytest.raises(BadSettings, match=r"hook.json is of another room; this file notes what was sent"):
        Keeper("hook", path, "a" * 26).load()
    assert path.read_text() == kept


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept" / "hook.json"
    write_durably(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_durably(path, "new")
    assert path.read_text() == "old"
    assert [each.name for each in path.parent.iterdir()] == ["hook.json"]
    assert path.stat().st_mode & 0o077 == 0


def test_drafts_of_a_relay_that_was_killed_are_cleared_away(tmp_path: Path) -> None:
    (tmp_path / ".0123.draft").touch()
    os.close(occupy(tmp_path))

    assert sorted(each.name for each in tmp_path.iterdir()) == ["lock"]
