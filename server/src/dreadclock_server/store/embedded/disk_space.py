"""Disk space: whether the embedded Valkey has space for writes.

The embedded Valkey is a child process that stores the rooms. If it cannot write its append-only file, it exits at once.
No acknowledged write is lost, but nobody can read rooms any more. So we refuse writes before the disk is full, and
rooms can still be read.
"""

import contextlib
import logging
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

RESERVE_BYTES = 64 * 1024 * 1024
_PROBE_BYTES = 64 * 1024
_LONGEST_WAIT_S = 60.0  # the longest pause between a failed write and the next try
_MIB = 1024 * 1024

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class DiskSpace:
    """Decides whether writes are taken.

    Below `reserve_bytes` of free space, no writes are taken, until five quarters of `reserve_bytes` are free. The
    difference keeps writes from being switched on and off rapidly.

    The methods take `now_s`, the time on a monotonic clock.
    """

    directory: Path
    reserve_bytes: int = RESERVE_BYTES
    takes_writes: bool = True
    is_full: bool = False  # whether writes are refused because the disk is full
    can_rewrite: bool = True  # whether a second copy of the data would fit beside the first
    _failures: int = 0
    _not_before_s: float = 0.0

    def look(self, now_s: float) -> None:
        """Check the disk, and decide again whether writes are taken."""
        free = free_bytes(self.directory)
        self.can_rewrite = free > 2 * self.reserve_bytes + _size(self.directory / "appendonlydir")
        self.is_full |= free < self.reserve_bytes
        if self.takes_writes and free < self.reserve_bytes:
            self.takes_writes = False
            _log.error("%s: no writes are taken until there is room, reading goes on", self._shortage(free))
        elif not self.takes_writes and self._is_enough(free) and now_s >= self._not_before_s and self._can_write():
            self.takes_writes, self.is_full = True, False
            _log.info("there is room on the disk of %s again: writes are taken", self.directory)
        if self.takes_writes and now_s > self._not_before_s + _LONGEST_WAIT_S:
            self._failures = 0

    def write_failed(self, now_s: float) -> None:
        """Take no writes for a while, because a write failed.

        If the disk has free space, the pause starts at 2 s and doubles with each further failure. If it has none,
        writes wait until there is space.
        """
        if free_bytes(self.directory) < self.reserve_bytes:
            self.look(now_s)
            return
        self._failures += 1
        wait_s = min(2.0**self._failures, _LONGEST_WAIT_S)
        self._not_before_s, self.takes_writes = now_s + wait_s, False
        _log.error("the store could not write to its disk (%s): no writes are taken for now", self.directory)

    def shortage(self) -> str:
        """Return a sentence for the operator that says how much space is missing."""
        return f"{self._shortage(free_bytes(self.directory))}: free some space, or choose another folder with --data."

    def _shortage(self, free: int) -> str:
        needed = f"{self.reserve_bytes / _MIB:.0f} MiB are kept free"
        return f"The disk of {self.directory} is full ({free / _MIB:.0f} MiB left, {needed})"

    def _is_enough(self, free: int) -> bool:
        return free >= self.reserve_bytes + self.reserve_bytes // 4

    def _can_write(self) -> bool:
        """Try to write and flush a file, because the free space does not show a quota."""
        probe = self.directory / "room.probe"
        try:
            with open(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(secrets.token_bytes(_PROBE_BYTES))
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            return False
        finally:
            with contextlib.suppress(OSError):
                probe.unlink()
        return True


def free_bytes(directory: Path) -> int:
    """Return how many bytes are free on the disk of a directory; 0 if the system does not say."""
    try:
        status = os.statvfs(directory)
    except OSError:
        return 0
    return status.f_bavail * status.f_frsize


def _size(directory: Path) -> int:
    total = 0
    with contextlib.suppress(OSError), os.scandir(directory) as files:
        for file in files:
            with contextlib.suppress(OSError):
                total += file.stat().st_size
    return total
