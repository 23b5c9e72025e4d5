"""Memories of servers, which can be filled, and taken away."""

import resource
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import OutOfMemoryError

MIB = 1024 * 1024
_FILLER, _TOP = "filler", "filler on top"
_MOST = 1024


async def fill(admin: Redis) -> int:
    """Use up the memory that a server may take, and some more, and give how many MiB that took."""
    try:
        for _ in range(_MOST):
            await admin.rpush(_FILLER, bytes(MIB))
    except OutOfMemoryError:
        await admin.rpop(_FILLER)
        await admin.setrange(_TOP, 3 * MIB, "x")  # more than a client gives back that goes away
        return int(await admin.llen(_FILLER))
    raise AssertionError(f"{_MOST} MiB did not fill it")


async def clear(admin: Redis) -> None:
    """Give back what was used up."""
    await admin.delete(_FILLER, _TOP)


def take_from(pid: int) -> None:
    """Let a process have no more memory than it has, as where the others of its container take the rest."""
    has = int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()
    resource.prlimit(pid, resource.RLIMIT_AS, (has, has))
