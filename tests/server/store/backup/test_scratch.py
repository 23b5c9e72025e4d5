"""Directories that are for a while, and what becomes of them."""

from pathlib import Path

from dreadclock_server.store.backup.scratch import scratch, sweep


def test_what_is_being_used_is_spared_and_what_was_left_is_swept(tmp_path: Path):
    left = tmp_path / ".dreadclock-left"
    left.mkdir()
    (left / "lock").touch()
    (left / "secret").touch()

    with scratch(tmp_path) as used, scratch(tmp_path) as another:
        sweep(tmp_path)
        assert used.is_dir()
        assert another.is_dir()
        assert not left.exists()

    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_locked_is_left_alone_and_hinders_nobody(tmp_path: Path):
    left = tmp_path / ".dreadclock-left"
    (left / "lock").mkdir(parents=True)

    with scratch(tmp_path) as used:
        assert used.is_dir()

    assert list(tmp_path.iterdir()) == [left]


def test_what_is_not_ours_is_left_alone(tmp_path: Path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "lock").touch()
    (tmp_path / ".dreadclock-link").symlink_to(tmp_path / "other")
    (tmp_path / ".dreadclock-notes").write_text("mine")

    sweep(tmp_path)

    assert {each.name for each in tmp_path.iterdir()} == {"other", ".dreadclock-link", ".dreadclock-notes"}
    assert (tmp_path / "other" / "lock").exists()
