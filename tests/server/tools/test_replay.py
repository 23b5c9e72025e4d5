"""`dreadclock replay`: an evening once more."""

import fcntl
import io
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from dreadclock.cli import main
from dreadclock.export import write_export
from dreadclock.narration import Narrator
from dreadclock.wire.base import Channel
from dreadclock.wire.events import CheckProposed, FailureSettled
from dreadclock.wire.records import text_of
from dreadclock.wire.things import Check, Cost, CostStage
from dreadclock_server.evening.recap.story import worth_telling
from dreadclock_server.evening.recap.times import Times
from dreadclock_server.evening.replay import LONGEST_S, SHORTEST_S, Player
from dreadclock_server.tools.keys import Keys
from dreadclock_server.tools.replay import Film, show
from kit.evenings.played import export_of, played, spread, steps_of
from kit.tables import LOG, ROOM

DEADLINE_S = 20


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """An export of an evening with an event every ten minutes."""
    file = tmp_path / "evening.jsonl"
    records = played(40)
    file.write_bytes(export_of(spread(records, *range(0, 10 * len(records), 10))))
    return file


# Where the output is no terminal


def test_it_is_told_in_sentences_with_their_times(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(evening)]) == 0

    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[:2] == [
        '2027-01-26 20:00:00  The room "The bomb" is open.',
        "2027-01-26 20:10:00  Gm joined as the gm.",
    ]
    assert len(lines) > 30
    assert not any("lane" in line for line in lines)
    assert (err, "\x1b" in out) == ("", False)


def test_it_is_told_in_another_language(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(evening), "--lang", "de"]) == 0
    assert "Der Raum „The bomb“ ist offen." in capsys.readouterr().out


def test_a_changed_file_is_not_shown_and_its_bad_record_is_named(evening: Path, capsys: pytest.CaptureFixture[str]):
    evening.write_bytes(evening.read_bytes().replace(b'"name":"Ann"', b'"name":"Amy"'))

    assert main(["replay", str(evening)]) == 1

    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"The export does not hold at line \d+, record \d+ of public: .+\n", err)


@pytest.mark.parametrize("command", ["replay", "recap"])
def test_a_check_of_nobody_is_no_story_even_if_its_chain_holds(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [record for record in played(20) if record.channel is Channel.PUBLIC][:15]
    check = Check.model_construct(id="leap", seat_id="gm", parts=())
    proposed = CheckProposed.model_construct(check=check)
    settled = FailureSettled(check_id="leap", cost=Cost(stage=CostStage.APPLIED, cost="a scar"))
    pairs = zip(records[-2:], (proposed, settled), strict=True)
    nonsense = (each.model_copy(update={"event": event}) for each, event in pairs)
    texts = [text_of(record) for record in (*records[:-2], *nonsense)]
    file = tmp_path / "nobody.jsonl"
    file.write_bytes("".join(write_export(ROOM, LOG, (Channel.PUBLIC,), texts)).encode())
    monkeypatch.chdir(tmp_path)

    assert main([command, str(file)]) == 1

    assert "contains records that no server could have written" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "recap", "verify"])
def test_a_pipe_is_no_export_and_is_not_waited_for(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pipe = tmp_path / "evening.jsonl"
    os.mkfifo(pipe)

    assert main([command, str(pipe)]) == 1

    assert capsys.readouterr().err == f"{pipe} cannot be read: it is no regular file.\n"


def test_a_file_that_is_not_there_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "nothing")]) == 2
    assert "nothing" in capsys.readouterr().err


# What keys do, and how long pictures stay


@pytest.mark.parametrize(
    ("pressed", "place", "playing", "ended"),
    [
        (["space"], 0, False, False),
        (["space", "space"], 0, True, False),
        (["right", "right"], 2, False, False),
        (["right", "left", "left"], 0, False, False),
        (["right"] * 9, 4, False, False),
        (["right", "space"], 1, True, False),
        (["q"], 0, True, True),
        (["x"], 0, True, False),
    ],
)
def test_keys_pause_step_and_end(pressed: list[str], place: int, playing: bool, ended: bool) -> None:
    player = Player(5, 60)

    for key in pressed:
        player.press(key)

    assert (player.place, player.playing, player.ended) == (place, playing, ended)


@pytest.mark.parametrize(
    ("gap_ms", "speed", "pause_s"),
    [
        (60_000, 60, 1.0),
        (60_000, 600, SHORTEST_S),
        (30_000, 30, 1.0),
        (3_600_000, 60, LONGEST_S),
        (0, 60, SHORTEST_S),
        (3_600_000, 0, 0.0),
    ],
)
def test_a_picture_stays_up_as_long_as_the_speed_says_within_bounds(gap_ms: int, speed: float, pause_s: float) -> None:
    assert Player(2, speed).pause_s(gap_ms) == pytest.approx(pause_s)


class Scripted(Keys):
    """Keys that are pressed one after the other, each before the next picture is due."""

    available = True

    def __init__(self, *pressed: str | None) -> None:
        self._pressed = list(pressed)
        self.waits: list[float] = []

    def within(self, seconds: float) -> list[str]:
        self.waits.append(seconds)
        key = self._pressed.pop(0)
        return [key] if key else []


def shown(*pressed: str | None, speed: float = 60) -> tuple[list[str], Scripted, str]:
    """Show an evening of few events, and return the states of all pictures, the keys, and what is left behind."""
    records = played(20)[:12]
    steps = worth_telling(steps_of(spread(records, *range(12))))[:4]
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=100, height=40, _environ={})
    keys = Scripted(*pressed)
    left = show(Film(steps, console, Narrator(), Times()), Player(len(steps), speed), keys)
    written = console.file.getvalue()  # type: ignore[attr-defined]
    console.print(left)
    states = re.findall(r"(\d+ of \d+)( +paused)?", written)
    behind = console.file.getvalue()[len(written) :]  # type: ignore[attr-defined]
    return [place + ("" if not paused else " paused") for place, paused in states], keys, behind


def test_it_goes_on_by_itself_and_waits_at_the_end() -> None:
    states, keys, left = shown(None, None, None, None, "q")

    assert states == ["1 of 4", "2 of 4", "3 of 4", "4 of 4 paused", "4 of 4 paused"]
    assert keys.waits[:3] == [1.0, 2.0, 2.0]  # seats come with lanes, of which nothing is told
    assert left.startswith("2027-01-26 20:")
    assert "4 of 4" in left


def test_a_pause_holds_until_it_is_ended_and_steps_go_both_ways() -> None:
    states, _, _ = shown(None, "space", None, "left", "right", "right", "space", None, "q")

    assert states == [
        "1 of 4",
        "2 of 4",
        "2 of 4 paused",
        "2 of 4 paused",
        "1 of 4 paused",
        "2 of 4 paused",
        "3 of 4 paused",
        "3 of 4",
        "4 of 4 paused",
    ]


def test_as_fast_as_it_can_it_does_not_wait_at_the_end() -> None:
    states, keys, _ = shown(None, None, None, speed=0)

    assert len(states) == 4
    assert keys.waits == [0.0, 0.0, 0.0]


# In a terminal


class Terminal:
    """A terminal of 100 columns in which a command runs, and what it wrote so far."""

    def __init__(self, *arguments: str) -> None:
        self.written = ""
        process, self._ours = pty.fork()
        if process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
            os.execve(
                sys.executable, [sys.executable, "-m", "dreadclock.cli", *arguments], {**os.environ, "TERM": "xterm"}
            )
        self._process = process

    def until(self, text: str) -> None:
        """Read on until this was written."""
        deadline = time.monotonic() + DEADLINE_S
        while text not in self.written:
            assert time.monotonic() < deadline, self.written
            assert self._read(), self.written

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def end(self) -> int:
        """Read to the end, and return the exit code."""
        while self._read():
            pass
        os.close(self._ours)
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], DEADLINE_S)
        assert ready, self.written
        try:
            read = os.read(self._ours, 65_536)
        except OSError:  # the other side is closed
            return False
        self.written += read.decode()
        return bool(read)


def test_in_a_terminal_it_plays_pauses_steps_ends_and_leaves_the_last_picture(evening: Path) -> None:
    terminal = Terminal("replay", str(evening), "--speed", "1")

    terminal.until("1 of ")
    terminal.press("\x1b[C\x1b[C")
    terminal.until("3 of ")
    terminal.until("paused")
    terminal.press("\x1b[D")
    terminal.until("2 of ")
    terminal.press("q")

    assert terminal.end() == 0
    left = terminal.written.rpartition("\x1b[?1049l")[2]
    assert "Gm joined as the gm." in left
    assert "● Gm (gm)" in left
    assert "paused" not in left
