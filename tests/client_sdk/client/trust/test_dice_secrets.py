"""Keeping the secrets of dice tokens: in private files, and each in use once."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dreadclock.client.trust.device import state_directory, write_private
from dreadclock.client.trust.dice_secrets import DiceSecrets, Holder, Secret
from dreadclock.rules.ledger import LANE_LENGTH, text32, token_before, value32
from dreadclock.wire.records import room_bytes
from dreadclock.wire.things import Lane

ROOM = "abcdefghijklmnopqrstuvwxyz"
ANN = Holder(ROOM, "0" * 32, "player-1")


def any_of(anchor: str) -> int:
    return 0


def files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


@pytest.fixture
def secrets(tmp_path: Path) -> DiceSecrets:
    return DiceSecrets(tmp_path / "dreadclock")


def test_tokens_lead_from_each_to_the_one_before_and_to_the_anchor(secrets: DiceSecrets):
    secret = secrets.make(ANN)

    for n in (1, 2, 33, LANE_LENGTH):
        before = secret.anchor if n == 1 else secret.token(n - 1)
        assert text32(token_before(room_bytes(ROOM), n, value32(secret.token(n)))) == before


def test_a_secret_is_in_a_private_file_alone(secrets: DiceSecrets, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    secret = secrets.make(ANN)

    [path] = files(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert (path.name, path.read_text()) == (secret.anchor, secret.token(LANE_LENGTH))
    assert path.read_text() not in repr(secret) + repr(secrets) + caplog.text


def test_a_secret_that_was_released_is_taken_again(secrets: DiceSecrets, tmp_path: Path):
    first = secrets.make(ANN)
    first.release()
    first.release()

    again = DiceSecrets(tmp_path / "dreadclock").take(ANN, any_of)

    assert (again.anchor, again.token(7)) == (first.anchor, first.token(7))
    assert len(files(tmp_path)) == 1


def test_a_secret_is_held_once_on_this_device(secrets: DiceSecrets, tmp_path: Path):
    held = secrets.take(ANN, any_of)

    other = DiceSecrets(tmp_path / "dreadclock").take(ANN, any_of)

    assert other.anchor != held.anchor
    assert secrets.stored(ANN) == {held.anchor, other.anchor}


def test_another_process_takes_another_secret_until_the_first_one_is_gone(secrets: DiceSecrets, tmp_path: Path):
    script = (
        "from pathlib import Path; from dreadclock.client.trust.dice_secrets import DiceSecrets, Holder;"
        f"secrets = DiceSecrets(Path({str(tmp_path / 'dreadclock')!r}));"
        f"secret = secrets.take(Holder({ROOM!r}, '0' * 32, 'player-1'), lambda _: 0);"
        "print(secret.anchor, flush=True); input()"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    theirs = process.stdout.readline().strip()
    mine = secrets.take(ANN, any_of)
    process.kill()
    process.communicate()

    assert mine.anchor != theirs
    assert secrets.take(ANN, any_of).anchor == theirs


def test_a_secret_that_is_deleted_while_it_is_taken_is_not_taken(secrets: DiceSecrets, monkeypatch: pytest.MonkeyPatch):
    """Whoever held it until now found its lane used up."""
    secret = secrets.make(ANN)
    secret.release()
    open_file = os.open

    def open_as_it_goes(path: Path, flags: int, mode: int = 0o777) -> int:
        number = open_file(path, flags, mode)
        if path.name == secret.anchor:
            path.unlink()
        return number

    monkeypatch.setattr("os.open", open_as_it_goes)

    assert secrets.take(ANN, any_of).anchor != secret.anchor


def test_the_best_free_secret_is_taken(secrets: DiceSecrets):
    made = [secrets.make(ANN) for _ in range(3)]
    for each in made:
        each.release()
    anchors = sorted(each.anchor for each in made)

    assert secrets.take(ANN, lambda anchor: -anchors.index(anchor)).anchor == anchors[2]
    assert secrets.take(ANN, lambda anchor: -anchors.index(anchor)).anchor == anchors[1]


@pytest.mark.parametrize(
    "other",
    [Holder("b" * 26, "0" * 32, "player-1"), Holder(ROOM, "1" * 32, "player-1"), Holder(ROOM, "0" * 32, "player-2")],
)
def test_another_seat_room_or_log_has_secrets_of_its_own(secrets: DiceSecrets, other: Holder):
    secret = secrets.make(ANN)
    secret.release()

    assert secrets.take(other, any_of).anchor != secret.anchor
    assert secret.anchor not in secrets.stored(other)


def test_what_a_server_calls_its_log_cannot_lead_out_of_the_folder(secrets: DiceSecrets, tmp_path: Path):
    secrets.make(Holder(ROOM, "../../../../elsewhere/" + "x" * 5000, "player-1"))

    [path] = files(tmp_path)
    assert path.is_relative_to(tmp_path / "dreadclock" / "dice" / ROOM)


@pytest.mark.parametrize("text", ["", "garbage", "Q" * 43, "ÄÖÜ", "A" * 100])
def test_a_spoiled_file_is_put_aside(secrets: DiceSecrets, tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str):
    secret = secrets.make(ANN)
    secret.release()
    [path] = files(tmp_path)
    path.write_text(text)

    assert secrets.take(ANN, any_of).anchor != secret.anchor
    assert f"{path.name} holds no dice secret" in caplog.text
    assert path.with_name(f"{path.name}.unfit").read_text() == text
    assert secret.anchor not in secrets.stored(ANN)


def test_without_a_writable_folder_secrets_are_in_memory_and_it_warns(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "file").write_text("in the way")
    secrets = DiceSecrets(tmp_path / "file" / "dreadclock")

    first, second = secrets.take(ANN, any_of), secrets.take(ANN, any_of)
    first.release()
    second.forget()
    second.put_aside()

    assert first.anchor != second.anchor
    assert secrets.stored(ANN) == {first.anchor, second.anchor}
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "dice secrets cannot be kept in files, so each connection opens a lane of its own"
    ]


def test_without_a_folder_secrets_are_in_memory_and_nothing_is_said(caplog: pytest.LogCaptureFixture):
    secrets = DiceSecrets(None)

    assert secrets.take(ANN, any_of).anchor != secrets.take(ANN, any_of).anchor
    assert caplog.records == []


def test_a_secret_whose_lane_is_over_is_deleted(secrets: DiceSecrets, tmp_path: Path):
    secrets.make(ANN).forget()

    assert files(tmp_path) == []


def lane(secret: Secret, used: int, token: str | None) -> Lane:
    return Lane(label="seat/player-1/1", seat_id="player-1", anchor=secret.anchor, key="A" * 43, used=used, token=token)


def test_a_lane_fits_if_the_token_it_saw_last_is_the_secrets(secrets: DiceSecrets):
    secret = secrets.make(ANN)

    assert secret.fits(lane(secret, 0, None))
    assert secret.fits(lane(secret, 9, secret.token(9)))
    assert secret.fits(lane(secret, LANE_LENGTH, secret.token(LANE_LENGTH)))
    assert not secret.fits(lane(secret, 9, secret.token(8)))
    assert not secret.fits(lane(secret, 0, secret.token(1)))
    assert not secret.fits(lane(secret, 9, None))


@pytest.mark.parametrize("kept", [False, True], ids=["in memory", "in its file"])
def test_a_secret_knows_the_lane_that_it_was_used_in(secrets: DiceSecrets, kept: bool):
    """Whoever has seen some tokens could choose the keys of another lane for them."""
    secret = secrets.make(ANN)
    first = lane(secret, 0, None)
    assert not secret.contradicts(first)
    secret.note(first)
    if kept:
        secret.release()
        secret = secrets.take(ANN, any_of)
    again, keys, label = (
        first.model_copy(update=each) for each in ({}, {"key": "E" * 43}, {"label": "seat/player-1/2"})
    )
    secret.note(keys)

    assert [secret.fits(each) for each in (again, keys, label)] == [True, False, False]
    assert [secret.contradicts(each) for each in (again, keys, label)] == [False, True, False]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_in_place_of_a_secret_is_left_alone(secrets: DiceSecrets, tmp_path: Path):
    secrets.make(ANN).release()
    [file] = files(tmp_path)
    file.unlink()
    os.mkfifo(file)

    assert secrets.take(ANN, any_of).anchor != file.name
    assert file.is_fifo()


def test_a_file_with_half_a_lane_in_it_is_put_aside(secrets: DiceSecrets, tmp_path: Path):
    secret = secrets.make(ANN)
    secret.release()
    [path] = files(tmp_path)
    path.write_text(f"{path.read_text()} seat/player-1/1")

    assert secrets.take(ANN, any_of).anchor != secret.anchor


# Where a device keeps things, and who may read them


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
