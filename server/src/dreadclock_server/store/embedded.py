"""The embedded Valkey: a child process on a unix socket that keeps its data in a directory.

Two locks guard the directory. `owner.lock` is held by us for as long as we run: one owner at a
time. `valkey.lock` is held by the server and its guardian: a server that outlives its owner for
a moment, to end in order, is waited for. Valkey itself would let two servers write one file.
"""

import asyncio
import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import BinaryIO, Self
from urllib.parse import quote

from dreadclock_server.store.datadir import EmbeddedFailed, find_server, make_private, socket_path, try_lock

_START_S = 30.0  # not counting the time in which it says that it loads its data
_STOP_S = 20.0
_OWNER_PATIENCE_S = 1.0
_ORPHAN_PATIENCE_S = 2.0
_LOOK_AGAIN_S = 0.01
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 2.0

_log = logging.getLogger(__name__)


class Embedded:
    """Runs Valkey on a data directory, and runs it again if it dies.

    It ends when we end, in whatever way we end. `url` is for `valkey.connect`.
    """

    def __init__(self, data_dir: str | Path, *, durability: str = "fsync", server: str | None = None) -> None:
        """`server`: the path of a Valkey or Redis server, by default what `find_server` finds."""
        self.data_dir = Path(data_dir).absolute()
        self.restarts = 0
        self._durability = durability
        self._server = server
        self._socket = self.data_dir / "valkey.sock"
        self._owner_lock: int | None = None
        self._life: int | None = None  # our end of the pipe whose closing ends the server
        self._guardian: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Give the store address of the running server."""
        return f"unix://{quote(str(self._socket))}"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start the server on its data, and return once it answers. Raises EmbeddedFailed."""
        self._server = self._server or find_server()
        make_private(self.data_dir)
        self._socket = socket_path(self.data_dir)
        self._owner_lock = await self._own()
        try:
            await self._run_server()
        except BaseException:
            self._release()
            raise
        self._watching = asyncio.create_task(self._watch())

    async def _own(self) -> int:
        """Give the owner's lock; one who is just being killed still holds it for a moment."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + _OWNER_PATIENCE_S
        while (lock := try_lock(self.data_dir / "owner.lock")) is None:
            if clock() > deadline:
                raise EmbeddedFailed(f"The data directory {self.data_dir} is in use by another server.")
            await asyncio.sleep(_LOOK_AGAIN_S)
        return lock

    async def stop(self) -> None:
        """End the server in order, and return once it is gone."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
            self._watching = None
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
        """Run the server again whenever it dies; ever more slowly if it keeps dying."""
        clock = asyncio.get_running_loop().time
        pause_s = _FIRST_PAUSE_S
        while True:
            began = clock()
            await self._death()
            if clock() - began > _LONGEST_PAUSE_S:
                pause_s = _FIRST_PAUSE_S
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
            try:
                await self._run_server()
                self.restarts += 1
            except EmbeddedFailed as error:
                _log.error("the embedded Valkey does not come back: %s", error)

    async def _death(self) -> None:
        if self._guardian is not None:
            code = await self._guardian.wait()
            _log.error("the embedded Valkey ended (code %s): starting it again", code)
            await self._end_server()

    async def _run_server(self) -> None:
        lock = await self._take_over()
        try:
            with self._open_log() as log:
                await self._spawn(lock, log.fileno())
                await self._ready(log.tell())
        except BaseException as error:
            await self._end_server()
            if isinstance(error, OSError):
                raise EmbeddedFailed(f"Valkey could not be started in {self.data_dir}: {error}.") from error
            raise
        finally:
            os.close(lock)

    async def _take_over(self) -> int:
        """Give the server's lock, once no server of an earlier owner holds it any more."""
        clock = asyncio.get_running_loop().time
        began, asked = clock(), False
        while (lock := try_lock(self.data_dir / "valkey.lock")) is None:
            waited_s = clock() - began
            if waited_s > _START_S:
                raise EmbeddedFailed(f"A Valkey of an earlier run still works on {self.data_dir}: end it.")
            if waited_s > _ORPHAN_PATIENCE_S and not asked:
                asked = True
                await self._say(b"SHUTDOWN NOSAVE")
            await asyncio.sleep(_LOOK_AGAIN_S)
        return lock

    async def _spawn(self, lock: int, log: int) -> None:
        death, self._life = os.pipe()
        guardian = Path(__file__).with_name("guardian.py")
        try:
            self._guardian = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(guardian), str(death), str(lock), *self._command()),
                pass_fds=(death, lock),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a Ctrl-C is for us: the server ends when we are done
            )
        finally:
            os.close(death)

    def _command(self) -> list[str]:
        append_only = "no" if self._durability == "memory" else "yes"
        return [
            str(self._server),
            *("--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--dir", str(self.data_dir), "--save", "", "--maxmemory-policy", "noeviction"),
            *("--appendonly", append_only, "--appendfsync", "always", "--no-appendfsync-on-rewrite", "no"),
            *("--daemonize", "no", "--logfile", ""),
        ]

    async def _ready(self, log_start: int) -> None:
        """Return once the server answers."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + _START_S
        while (answer := await self._say(b"PING")) != b"+PONG\r\n":
            assert self._guardian is not None
            if self._guardian.returncode is not None or clock() > deadline:
                raise EmbeddedFailed(f"Valkey did not start in {self.data_dir}: {self._last_words(log_start)}")
            if answer.startswith(b"-LOADING"):
                deadline = clock() + _START_S
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def _say(self, command: bytes) -> bytes:
        """Give the first line of the server's answer, nothing if there is none."""
        with contextlib.suppress(OSError):
            async with asyncio.timeout(1.0):
                reader, writer = await asyncio.open_unix_connection(str(self._socket))
                try:
                    writer.write(command + b"\r\n")
                    return await reader.readline()
                finally:
                    writer.close()
        return b""

    def _open_log(self) -> BinaryIO:
        return os.fdopen(os.open(self.data_dir / "valkey.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab")

    def _last_words(self, log_start: int) -> str:
        words = (self.data_dir / "valkey.log").read_bytes()[log_start:].decode(errors="replace").split("\n")
        said = [line.strip() for line in words if line.strip()]
        return f"its last words were {said[-1]!r}" if said else "it said nothing"

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
