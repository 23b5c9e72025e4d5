"""Run slow calculations one at a time, in a thread or in a worker process."""

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, TypeVar

import structlog

from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.limits.rates import too_soon

# Slow calculations in a thread, one at a time.


MAX_WAITING = 16
RETRY_MS = 1_000

_Answer = TypeVar("_Answer")


class Calculations:
    """Runs one calculation at a time, because several at once would slow down all rooms. The others wait in a queue."""

    def __init__(self, most: int = MAX_WAITING) -> None:
        self.turn = asyncio.Lock()  # held by the caller whose calculation runs
        self._most, self._waiting = most, 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take a place in the queue. Raises Refused if the queue is full."""
        if self._waiting >= self._most:
            raise too_soon(RETRY_MS)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def work_out(self, ask: Callable[[], _Answer]) -> _Answer:
        """Run `ask` in a thread, and return its result. Raises Refused if the queue is full."""
        with self.place():
            return await self.work_out_in_place(ask)

    async def work_out_in_place(self, ask: Callable[[], _Answer]) -> _Answer:
        """Run `ask` in a thread, and return its result. The caller has taken a `place` already.

        By taking a place early, a caller is refused before it does other work.
        """
        async with self.turn:
            return await asyncio.to_thread(ask)


# Slow work in a worker process. worker.py sets the limits of the process.


PATIENCE_S = 120.0  # the limit of wall time, long enough for a busy machine; worker.py also limits the CPU time
MOST_GIVEN_BYTES = 16 * 1024 * 1024
# The variables that a worker gets, because Python needs them. Other variables may contain secrets.
_OF_PYTHON = ("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPLATLIBDIR")
_NEEDED = ("PATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR", "HOME", "SYSTEMROOT", *_OF_PYTHON)
_MOST_SAID = 2000  # characters of a worker's error output
_log = structlog.get_logger()


def program(module: str) -> Sequence[str]:
    """Return Python's arguments for a worker. -P: do not import modules from the working directory."""
    return "-P", "-m", f"dreadclock_server.{module}"


async def answer_of(program: Sequence[str], given: IO[bytes], *, too_much: str) -> bytes:
    """Run a worker with the file `given` as its input, and return its output.

    Raises Refused with the text `too_much` if the worker exceeds its limits, and RuntimeError if it fails by a bug.
    """
    environment = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable, *program, stdin=given, stdout=PIPE, stderr=PIPE, env=environment
    )
    answer = said = b""
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                answer, said = await process.communicate()
    finally:
        await _end(process)
    if process.returncode == 1:
        raise RuntimeError(f"a worker failed: {said.decode(errors='replace')[-_MOST_SAID:]}")
    if process.returncode != 0:
        _log.warning("a worker exceeded its limits", worker=program[-1], exit_code=process.returncode)
        raise Refused(Code.BAD_REQUEST, problem=too_much)
    return answer


def unnamed_file() -> IO[bytes]:
    """Make an unnamed file for a worker to read. On Linux it is in memory, not on a disk."""
    return os.fdopen(os.memfd_create("given"), "w+b") if sys.platform == "linux" else tempfile.TemporaryFile()


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()
