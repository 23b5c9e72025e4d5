"""Directories that are for a while, and hold copies of a store with its secrets: none is left lying about."""

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
    """Give a directory of our own on the same disk, for as long as it is needed; sweep before."""
    sweep(parent)
    made, lock = _make(parent)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        os.close(lock)


def sweep(parent: Path) -> None:
    """Delete what those of us left in a directory who were killed; one that is being used is spared."""
    for left in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, EmbeddedFailed):  # somebody else may be deleting it just now
            found = left.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and (left / _LOCK).exists():
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
