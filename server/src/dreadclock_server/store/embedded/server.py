"""Run the embedded Valkey: a child process that listens on a unix socket and keeps its data in a directory.

Two locks guard the directory. This process holds `owner.lock` as long as it runs, so that there is one owner at a
time. Valkey and its guardian hold `valkey.lock`. A new owner waits for `valkey.lock`, because the old Valkey may still
be shutting down. Valkey itself would not prevent two servers from writing the same file.

Valkey exits when it cannot write its file. After a restart, the next write would end it again. So we make Valkey
refuse writes while the disk is full (disk_space.py). Rooms can then still be read.
"""

import asyncio
import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import Self
from urllib.parse import quote

from dreadclock_server.store.embedded import aof_repair, launch, memory
from dreadclock_server.store.embedded.datadir import (
    EmbeddedFailed,
    clear_away,
    find_server,
    make_private,
    socket_path,
    try_lock,
)
from dreadclock_server.store.embedded.disk_space import RESERVE_BYTES, DiskSpace

_START_S = 30.0  # how long to wait for the first answer, after Valkey has loaded its data
_STOP_S = 20.0
_OWNER_PATIENCE_S = 1.0
_ORPHAN_PATIENCE_S = 2.0
_LOOK_AGAIN_S = 0.01
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 2.0
_LOOK_AT_DISK_EVERY_S = 1.0
_FAILED_WRITE = (1, 128 + 25)  # exit codes after a failed write: an error, or SIGXFSZ

_OK = b"+OK\r\n"
_log = logging.getLogger(__name__)


class Embedded:
    """Runs Valkey on a data directory, and restarts it if it dies.

    Valkey ends when this process ends, even if this process is killed. `url` is for `preflight.connect`.
    """

    def __init__(
        self,
        data_dir: str | Path,
        *,
        durability: str = "fsync",
        server: str | None = None,
        reserve_bytes: int = RESERVE_BYTES,
        memory_bytes: int | None = None,
    ) -> None:
        """`server`: the path of a Valkey or Redis server; by default the result of `find_server`.

        Writes are refused if the disk has less than `reserve_bytes` free, or if Valkey uses more than `memory_bytes` of
        memory. The default of `memory_bytes` fits the machine.
        """
        self.data_dir = Path(data_dir).absolute()
        self.restarts = 0
        self.space = DiskSpace(self.data_dir, reserve_bytes)
        self._memory_bytes = memory_bytes or memory.fitting_bytes(memory.available_bytes())
        self._current: dict[str, str] = {}  # the current settings of the running server, by name
        self._trouble = ""
        self._durability = durability
        self._server = server
        self._socket = self.data_dir / "valkey.sock"
        self._owner_lock: int | None = None
        self._life: int | None = None  # our end of a pipe; closing it ends the server
        self._guardian: asyncio.subprocess.Process | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def url(self) -> str:
        """Return the store address of the running server."""
        return f"unix://{quote(str(self._socket))}"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start the server, and wait until it answers. Raises EmbeddedFailed."""
        came_along = self._server is None and not os.environ.get("VALKEY_SERVER")
        self._server = self._server or find_server()
        objection = launch.objection(await launch.version_of(self._server), came_along=came_along)
        if objection is not None:
            raise EmbeddedFailed(objection)
        make_private(self.data_dir)
        self._socket = socket_path(self.data_dir)
        self._owner_lock = await self._own()
        try:
            await self._look_at_disk()
            if not self.space.takes_writes and not (self.data_dir / "appendonlydir").exists():
                raise EmbeddedFailed(self.space.shortage())
            await self._run_server()
        except BaseException:
            self._release()
            raise
        self._tasks = [asyncio.create_task(self._watch()), asyncio.create_task(self._mind_disk())]

    async def _own(self) -> int:
        """Take and return the owner's lock. Waits a moment, because an owner that is ending still has it.

        Raises EmbeddedFailed if another owner keeps the lock.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + _OWNER_PATIENCE_S
        while (lock := try_lock(self.data_dir / "owner.lock")) is None:
            if clock() > deadline:
                raise EmbeddedFailed(
                    f"The data folder {self.data_dir} is in use by another server. Stop that one, or name another "
                    "folder with --data. Servers that are to share their rooms need one store of yours: --store."
                )
            await asyncio.sleep(_LOOK_AGAIN_S)
        return lock

    async def stop(self) -> None:
        """Shut the server down, and wait until it is gone."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._end_server()
        self._release()

    def _release(self) -> None:
        if self._owner_lock is not None:
            os.close(self._owner_lock)
            self._owner_lock = None
        if self._socket.parent != self.data_dir:
            with contextlib.suppress(OSError):
                self._socket.parent.rmdir()

    async def _watch(self) -> None:
        """Restart the server whenever it dies. If it dies soon again, the pauses grow."""
        clock = asyncio.get_running_loop().time
        pause_s = _FIRST_PAUSE_S
        while True:
            began = clock()
            code = await self._death()
            if clock() - began > _LONGEST_PAUSE_S:
                pause_s = _FIRST_PAUSE_S
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
            try:
                if code in _FAILED_WRITE and self._durability != "memory":
                    self.space.write_failed(clock())
                await self._look_at_disk()
                await self._run_server()
                self.restarts += 1
                self._trouble = ""
                _log.info("the embedded Valkey is back")
            except Exception as error:  # any error: keep trying, because nothing works without the server
                if str(error) != self._trouble:
                    _log.error("the embedded Valkey does not start, and is tried again: %s", error)
                self._trouble = str(error)

    async def _death(self) -> int | None:
        """Wait for the end of the server, and return its exit code; None if there is no server."""
        if self._guardian is None:
            return None
        code = await self._guardian.wait()
        _log.error("the embedded Valkey ended (code %s): starting it again", code)
        await self._end_server()
        return code

    async def _mind_disk(self) -> None:
        """Check the disk space repeatedly. While it is short, make the server refuse writes."""
        trouble = ""
        while True:
            await asyncio.sleep(_LOOK_AT_DISK_EVERY_S)
            try:
                await self._look_at_disk()
                await self._tell_server()
                trouble = ""
            except Exception as error:  # keep checking: the next check may succeed
                if str(error) != trouble:
                    _log.error("the free space of the disk cannot be read: %s", error)
                trouble = str(error)

    async def _tell_server(self) -> None:
        for name, value in self._wanted().items():
            if self._current.get(name) != value and await self._say(f"CONFIG SET {name} {value}".encode()) == _OK:
                self._current[name] = value

    async def _look_at_disk(self) -> None:
        if self._durability != "memory":
            now_s = asyncio.get_running_loop().time()
            await asyncio.to_thread(self.space.look, now_s)

    def _wanted(self) -> dict[str, str]:
        """Return the settings that Valkey needs for the current disk space.

        If the disk is full, Valkey must demand a replica for each write. It has no replica, so every write fails.
        """
        return {
            "min-replicas-to-write": "0" if self.space.takes_writes else "1",
            "auto-aof-rewrite-percentage": "100" if self.space.can_rewrite else "0",
        }

    async def _run_server(self) -> None:
        lock = await self._take_over()
        try:
            clear_away(self.data_dir)
            await asyncio.to_thread(aof_repair.settle, self.data_dir)
            try:
                await self._try_server(lock)
            except EmbeddedFailed as error:
                await self._end_server()  # the server must be gone before its file is read or changed
                if not await asyncio.to_thread(aof_repair.mend, self.data_dir):
                    raise error from None
                await self._try_server(lock)
        except BaseException as error:
            await self._end_server()
            if isinstance(error, OSError):
                raise EmbeddedFailed(f"Valkey could not be started in {self.data_dir}: {error}.") from error
            raise
        finally:
            os.close(lock)

    async def _try_server(self, lock: int) -> None:
        with launch.open_log(self.data_dir) as log:
            await self._spawn(lock, log.fileno())
            await self._ready(log.tell())
        if await self._say(b"CONFIG GET port", lines=5) not in (launch.NO_PORT, b""):
            raise EmbeddedFailed(f"The store in {self.data_dir} makes Valkey open a port: no store of ours does.")

    async def _take_over(self) -> int:
        """Take and return the server's lock. Waits for a server of an earlier owner, and shuts it down if it stays.

        Raises EmbeddedFailed if that server keeps the lock.
        """
        clock = asyncio.get_running_loop().time
        began, asked = clock(), False
        while (lock := try_lock(self.data_dir / "valkey.lock")) is None:
            waited_s = clock() - began
            if waited_s > _START_S:
                raise EmbeddedFailed(f"A Valkey of an earlier run still uses {self.data_dir}: end it.")
            if waited_s > _ORPHAN_PATIENCE_S and not asked:
                asked = True
                await self._say(b"SHUTDOWN NOSAVE")
            await asyncio.sleep(_LOOK_AGAIN_S)
        return lock

    async def _spawn(self, lock: int, log: int) -> None:
        death, self._life = os.pipe()
        guardian = Path(__file__).with_name("guardian.py")
        try:
            self._current = self._wanted()
            self._guardian = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(guardian), str(death), str(lock), *self._command()),
                pass_fds=(death, lock),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C must not reach the server, because we end it last
            )
        finally:
            os.close(death)

    def _command(self) -> list[str]:
        keeps = self._durability != "memory"
        options = launch.options(self.data_dir, self._socket, keeps=keeps, memory_bytes=self._memory_bytes)
        return [str(self._server), *options, *launch.flags(self._current)]

    async def _ready(self, log_start: int) -> None:
        """Wait until the server answers. Raises EmbeddedFailed if it ends or stays silent. `log_start`: where its log
        begins.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + _START_S
        while (answer := await self._say(b"PING")) != b"+PONG\r\n":
            assert self._guardian is not None
            if self._guardian.returncode is not None or clock() > deadline:
                raise EmbeddedFailed(launch.why_not(self.data_dir, log_start))
            if answer.startswith(b"-LOADING"):
                deadline = clock() + _START_S
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def _say(self, command: bytes, lines: int = 1) -> bytes:
        return await launch.ask(self._socket, command, lines)

    async def _end_server(self) -> None:
        if self._life is not None:
            os.close(self._life)
            self._life = None
        if self._guardian is not None:
            guardian, self._guardian = self._guardian, None
            try:
                await asyncio.wait_for(guardian.wait(), _STOP_S)
            except TimeoutError:
                guardian.kill()
                await guardian.wait()
