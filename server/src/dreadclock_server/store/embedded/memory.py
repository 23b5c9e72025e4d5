"""The default memory limit of the embedded Valkey.

Without a limit, Valkey grows until the system has no memory left. Then the system kills it, we restart it, and soon
the system kills it again. With a limit (`maxmemory`), Valkey refuses writes at the limit, and rooms can still be
read.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import resource

_MIB = 1024 * 1024
_OTHERS = 256 * _MIB  # bytes for the Dreadclock server, and for what Valkey needs in addition to its data
_LEAST = 64 * _MIB


def fitting_bytes(available: int) -> int:
    """Return a memory limit for the store. `available`: the bytes that the store and the server may use together.

    The limit is half of the memory that remains after `_OTHERS`, but at least `_LEAST`. The other half is for copies:
    while Valkey rewrites its file, it keeps changed data twice.
    """
    return max(_LEAST, (available - _OTHERS) // 2)


def available_bytes(root: Path = Path("/")) -> int:
    """Return how many bytes this process may use: the lowest limit of the machine, the container and the process.

    `root`: the folder with `proc` and `sys`.
    """
    limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), *_cgroup_limits(root)]
    own, _ = resource.getrlimit(resource.RLIMIT_AS)
    return min(limits if own == resource.RLIM_INFINITY else [*limits, own])


def _cgroup_limits(root: Path) -> Iterator[int]:
    """Yield the limits of our control group and of its parents, for cgroups v1 and v2."""
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
        with suppress(OSError, ValueError):  # no such file, or the limit is `max`
            yield int((base / group / name).read_text())
