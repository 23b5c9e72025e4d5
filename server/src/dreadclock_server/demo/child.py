"""Run a temporary server in a child process, with its own data directory."""

import asyncio
import os
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

import httpx

from dreadclock_server.demo.table import DemoFailed
from dreadclock_server.settings.table import PREFIX

READY_WITHIN_S = 30
END_WITHIN_S = 10
LOOK_AGAIN_S = 0.05


@asynccontextmanager
async def own_server() -> AsyncIterator[str]:
    """Run `dreadclock serve` with default settings, and yield its address.

    Ends the server and deletes its data afterwards.
    Raises DemoFailed with the server's last log line if the server does not start.
    """
    with TemporaryDirectory(prefix="dreadclock-demo-") as folder, TemporaryFile() as log:
        url = f"http://127.0.0.1:{(port := free_port())}"
        arguments = ("serve", "--port", str(port), "--data", f"{folder}/data")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "dreadclock.cli", *arguments),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=log,
            env={name: value for name, value in os.environ.items() if not name.startswith(PREFIX)},
        )
        try:
            if not await _answers(process, url):
                raise DemoFailed(f"The server did not start: {_last_words(log)}")
            yield url
        finally:
            await _end(process)


def _last_words(log: IO[bytes]) -> str:
    log.seek(0)
    return log.read().decode(errors="replace").strip().rpartition("\n")[2] or "it does not say why."


def free_port() -> int:
    """Return a free port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _answers(process: Process, url: str) -> bool:
    """Wait until the server answers. Return False if it ends, or does not answer within READY_WITHIN_S."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + READY_WITHIN_S
    async with httpx.AsyncClient(base_url=url, trust_env=False) as client:
        while process.returncode is None and clock() < deadline:
            with suppress(httpx.HTTPError):
                if (await client.get("/healthz")).is_success:
                    return True
            await asyncio.sleep(LOOK_AGAIN_S)
    return False


async def _end(process: Process) -> None:
    """Terminate the server. Kill it if it has not ended after END_WITHIN_S."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(END_WITHIN_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
