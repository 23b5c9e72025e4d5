"""Calculations that take a while: in a thread, one at a time, or in a process of its own."""

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TypeVar

import structlog

from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.limits.rates import too_soon

# Calculations that take a while, in a thread, one at a time.


MAX_WAITING = 16
RETRY_MS = 1_000

_Answer = TypeVar("_Answer")


class Calculations:
    """One calculation at a time: more at once would take their time from every room."""

    def __init__(self, most: int = MAX_WAITING) -> None:
        self.turn = asyncio.Lock()  # for those who have a place
        self._most, self._waiting = most, 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take a place among those who wait. Raises Refused if there is none."""
        if self._waiting >= self._most:
            raise too_soon(RETRY_MS)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def work_out(self, ask: Callable[[], _Answer]) -> _Answer:
        """Return what `ask` returns in a thread, or raise what it raises. Raises Refused if too many wait already."""
        with self.place():
            return await self.work_out_in_place(ask)

    async def work_out_in_place(self, ask: Callable[[], _Answer]) -> _Answer:
        """Do the same for who has taken a place before, so as to be refused before anything is done."""
        async with self.turn:
            return await asyncio.to_thread(ask)


# Work that takes its time, in a process of its own: worker.py says what that keeps to.


PATIENCE_S = 120.0  # on a machine that does much else; the worker's own limit is one of CPU time
MOST_GIVEN_BYTES = 16 * 1024 * 1024
# Of the environment, which may hold secrets: what it takes to find Python and what is installed.
_OF_PYTHON = ("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPLATLIBDIR")
_NEEDED = ("PATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR", "HOME", "SYSTEMROOT", *_OF_PYTHON)
_MOST_SAID = 2000  # characters of what a worker says of its mistake
_log = structlog.get_logger()


def program(module: str) -> Sequence[str]:
    """Return what Python is called with for a worker; -P: the working directory holds no modules of ours."""
    return "-P", "-m", f"dreadclock_server.{module}"


async def answer_of(program: Sequence[str], given: IO[bytes], *, too_much: str) -> bytes:
    """Return what a worker makes of what it is given. Raises Refused(`too_much`) if that takes more than it may.

    Raises RuntimeError if the process failed by a mistake of ours.
    """
    environment = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable, *program, stdin=given, stdout=PIPE, stderr=PIPE, env=environment
    )
    answer = said = b""
    try:
        async with asyncio.timeout(PATIENCE_S):
            answer, said = await process.communicate()
    except TimeoutError:
        pass
    finally:
        await _end(process)
    if process.returncode == 1:
        raise RuntimeError(f"a worker failed: {said.decode(errors='replace')[-_MOST_SAID:]}")
    if process.returncode != 0:
        _log.warning("a worker was given up", worker=program[-1], exit_code=process.returncode)
        raise Refused(Code.BAD_REQUEST, problem=too_much)
    return answer


def unnamed_file() -> IO[bytes]:
    """Make a file without a name, for a worker to read; on Linux it is in memory and not on a disk."""
    return os.fdopen(os.memfd_create("given"), "w+b") if sys.platform == "linux" else tempfile.TemporaryFile()


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()
