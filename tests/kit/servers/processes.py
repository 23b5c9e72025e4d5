"""Servers as processes: who runs, who started whom, and a program to be killed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError

from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore


@asynccontextmanager
async def store_on(data_dir: Path, **more: Any) -> AsyncIterator[ValkeyStore]:
    async with Embedded(data_dir, **more) as embedded:
        store = await connect(embedded.url)
        yield store
        await store.aclose()


async def pid_of(embedded: Embedded) -> int:
    async with Redis.from_url(embedded.url, retry=Retry(NoBackoff(), 0)) as client:
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
    except RedisConnectionError:
        return False


class Parent:
    """The program of kit/servers/parent.py, and what it printed."""

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

    async def last_words(self) -> bytes:
        output, _ = await self.process.communicate()
        return output.rstrip().rpartition(b"\n")[2]

    async def rest(self) -> int:
        """Give the last number that was acknowledged before the end; nothing is lost in the pipe."""
        output, _ = await self.process.communicate()
        numbers = [line for line in output.split(b"\n")[:-1] if line]
        return int(numbers[-1]) if numbers else 0
