"""The memory limit of the embedded Valkey, where its operator sets none.

A Valkey that is given no limit grows until the system has no memory left. Then it is killed, is run again, and is
killed again by the next write. With a limit (`maxmemory`) it refuses writes there, and goes on being read.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import resource

_MIB = 1024 * 1024
_OTHERS = 256 * _MIB  # the server's own process, and what Valkey takes beside its data
_LEAST = 64 * _MIB


def fitting_bytes(available: int) -> int:
    """Return a limit for the store, of the bytes that there are for it and the server.

    It is half of what others leave: while Valkey writes its file anew, what changes meanwhile is there twice.
    """
    return max(_LEAST, (available - _OTHERS) // 2)


def available_bytes(root: Path = Path("/")) -> int:
    """Return the bytes that this process and its children may take: the machine's, its container's, its own limit.

    `root`: where `proc` and `sys` are found.
    """
    limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), *_cgroup_limits(root)]
    own, _ = resource.getrlimit(resource.RLIMIT_AS)
    return min(limits if own == resource.RLIM_INFINITY else [*limits, own])


def _cgroup_limits(root: Path) -> Iterator[int]:
    """Yield the limits of our control group and of those around it, of either version."""
    lines: list[str] = []
    with suppress(OSError):
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers in ("", "memory"):
            yield from _limits_around(root / "sys/fs/cgroup", controllers, Path(path.lstrip("/")))


def _limits_around(groups: Path, version: str, path: Path) -> Iterator[int]:
    base, name = (groups, "memory.max") if version == "" else (groups / "memory", "memory.limit_in_bytes")
    for group in (path, *path.parents):
        with suppress(OSError, ValueError):  # there is none, or it is `max`
            yield int((base / group / name).read_text())
