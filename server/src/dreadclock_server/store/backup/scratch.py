"""Temporary directories for copies of a store with its secrets: even those of a killed process are deleted."""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dreadclock_server.store.embedded.datadir import EmbeddedFailed, try_lock

_PREFIX = ".dreadclock-"
_LOCK = "lock"  # held for as long as the directory is used, and made before anything else in it


@contextmanager
def scratch(parent: Path) -> Iterator[Path]:
    """Make a directory on the same disk for as long as the block lasts, and delete those left by killed processes."""
    sweep(parent)
    made, lock = _make(parent)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        os.close(lock)


def sweep(parent: Path) -> None:
    """Delete the temporary directories that killed processes left; one in use is spared."""
    for left in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, EmbeddedFailed):  # somebody else may be deleting it just now
            status = left.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and (left / _LOCK).exists():
                _sweep_one(left)


def _sweep_one(left: Path) -> None:
    lock = try_lock(left / _LOCK)
    if lock is not None:
        shutil.rmtree(left, ignore_errors=True)
        os.close(lock)


def _make(parent: Path) -> tuple[Path, int]:
    """Make a directory and lock it; again if somebody swept it in between."""
    while True:
        made = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        lock = try_lock(made / _LOCK)
        if lock is not None and (made / _LOCK).exists():
            return made, lock
        if lock is not None:
            os.close(lock)
