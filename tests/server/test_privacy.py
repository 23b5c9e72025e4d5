"""Files that only the server's user may read."""

import os
import stat
from pathlib import Path

import pytest

from dreadclock_server.privacy import write_private


def test_a_private_file_is_on_the_disk_before_it_replaces_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "data" / "links.json"
    write_private(path, "old")

    def full(_: int) -> None:
        assert path.read_text() == "old"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_private(path, "new")

    assert path.read_text() == "old"
    assert [each.name for each in path.parent.iterdir()] == ["links.json"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
