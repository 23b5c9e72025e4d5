"""Temporary directories for copies of a store, which contain secrets.

Directories that killed processes left are deleted, too.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dreadclock_server.store.embedded.datadir import EmbeddedFailed, try_lock

_PREFIX = ".dreadclock-"
_LOCK = "lock"  # this file is locked while the directory is in use, and is created before all other files


@contextmanager
def scratch(parent: Path) -> Iterator[Path]:
    """Make a temporary directory in `parent`, and delete it at the end. First call `sweep`."""
    sweep(parent)
    made, lock = _make(parent)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        os.close(lock)


def sweep(parent: Path) -> None:
    """Delete the temporary directories in `parent` that killed processes left. Directories in use stay."""
    for left in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError, EmbeddedFailed):  # another process may be deleting it
            status = left.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and (left / _LOCK).exists():
                _sweep(left)


def _sweep(left: Path) -> None:
    lock = try_lock(left / _LOCK)
    if lock is not None:
        shutil.rmtree(left, ignore_errors=True)
        os.close(lock)


def _make(parent: Path) -> tuple[Path, int]:
    """Make a directory, and lock a file in it. Try again if another process has deleted the directory before that."""
    while True:
        made = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        lock = try_lock(made / _LOCK)
        if lock is not None and (made / _LOCK).exists():
            return made, lock
        if lock is not None:
            os.close(lock)
