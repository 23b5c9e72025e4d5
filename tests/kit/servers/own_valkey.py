"""A Valkey that belongs to nobody: it stays dead until it is started again, on the same data and port."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from dreadclock_server.store.embedded.datadir import find_server
from kit.server import first_line_from, free_port
from kit.waiting import until

START_WITHIN_S = 60.0
_LIKE_OURS = (
    *("--appendonly", "yes", "--appendfsync", "always", "--no-appendfsync-on-rewrite", "no"),
    *("--save", "", "--maxmemory-policy", "noeviction", "--bind", "127.0.0.1", "--daemonize", "no"),
)


class OwnValkey:
    """One Valkey process after the other."""

    def __init__(self, data: Path) -> None:
        self.port = free_port()
        self.kills = 0
        self._data = data
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where servers find it."""
        return f"redis://127.0.0.1:{self.port}"

    @property
    def is_running(self) -> bool:
        """Whether its process lives."""
        return self._process is not None and self._process.poll() is None

    async def start(self) -> None:
        """Start it on its data, and return once it answers."""
        self._spawn()
        await until(self._answers, START_WITHIN_S)

    def _spawn(self) -> None:
        self._data.mkdir(exist_ok=True)
        command = [find_server(), "--port", str(self.port), "--dir", str(self._data), *_LIKE_OURS]
        with (self._data / "valkey.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=_die_with_us
            )

    async def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, f"Valkey ended; its log is in {self._data}"
        return await first_line_from(self.port, b"PING\r\n") == b"+PONG\r\n"

    async def kill(self) -> None:
        """Kill it with -9, and return once it is gone."""
        process = self._process
        assert process is not None
        process.kill()
        await until(lambda: process.poll() is not None, START_WITHIN_S)
        self.kills += 1

    @asynccontextmanager
    async def stopped(self) -> AsyncIterator[None]:
        """Let it stand still for as long as the block lasts."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    async def close(self) -> None:
        """End it, if it runs."""
        if self.is_running:
            await self.kill()


def _die_with_us() -> None:
    """Let the kernel end it should the tests be killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@asynccontextmanager
async def own_valkey(data: Path) -> AsyncIterator[OwnValkey]:
    """Run a Valkey for as long as the block lasts."""
    valkey = OwnValkey(data)
    await valkey.start()
    try:
        yield valkey
    finally:
        await valkey.close()
