"""Small disks, which can be filled to the last byte."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MIB = 1024 * 1024


class Disk:
    """A disk of its own, mounted at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filler = path / "filler"

    @property
    def free(self) -> int:
        """How many bytes are left."""
        found = os.statvfs(self.path)
        return found.f_bavail * found.f_frsize

    def fill(self, *, leave: int = 0) -> None:
        """Use up all but so many bytes."""
        with self._filler.open("ab") as file:
            while (over := self.free - leave) > 0:
                try:
                    os.write(file.fileno(), bytes(min(over, MIB)))
                except OSError:
                    return

    def clear(self) -> None:
        """Give back what was used up."""
        self._filler.unlink()

    def remount(self, how: str) -> None:
        """Mount it anew, for instance `ro`: read-only."""
        subprocess.run(["mount", "-o", f"remount,{how}", str(self.path)], check=True, timeout=20)


@contextmanager
def small_disk(path: Path, size: int) -> Iterator[Disk]:
    """Mount a disk of so many bytes; who may not is skipped."""
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(path)]
    if subprocess.run(command, capture_output=True, timeout=20).returncode != 0:
        pytest.skip("only the superuser may mount a small disk")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True, timeout=20)
