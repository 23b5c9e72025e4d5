"""Where a device keeps things, and who may read them."""

from pathlib import Path

import pytest

from dreadclock.client.trust.device import state_directory, write_private


def test_state_is_kept_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    assert state_directory() == tmp_path / "dreadclock"


@pytest.mark.parametrize("value", ["", "not/absolute"])
@pytest.mark.parametrize(
    ("system", "usual"),
    [("linux", ".local/state"), ("darwin", "Library/Application Support"), ("win32", "AppData/Local")],
)
def test_state_is_kept_in_the_usual_place_unless_an_absolute_one_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str, system: str, usual: str
):
    monkeypatch.setenv("XDG_STATE_HOME", value)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", system)

    assert state_directory() == tmp_path / usual / "dreadclock"


def test_a_file_is_for_its_user_alone_and_so_is_its_folder(tmp_path: Path):
    path = tmp_path / "kept" / "here" / "head.json"

    write_private(path, "one")
    write_private(path, "two")

    assert path.read_text() == "two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_that_others_could_look_into_is_closed_to_them(tmp_path: Path):
    folder = tmp_path / "open"
    folder.mkdir(mode=0o755)

    write_private(folder / "file", "text")

    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path):
    path = tmp_path / "file"
    (path / "is a folder").mkdir(parents=True)

    with pytest.raises(IsADirectoryError):
        write_private(path, "text")

    assert [each.name for each in tmp_path.iterdir()] == ["file"]
