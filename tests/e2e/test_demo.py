"""`dreadclock demo`: the real one, on a server that it starts itself."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dreadclock.wire.events import TurnEnded
from dreadclock.wire.fold import fold
from dreadclock_server.demo import child
from dreadclock_server.demo.ending import check_everyone, check_race
from dreadclock_server.demo.narrator import Storyteller
from dreadclock_server.demo.table import DemoFailed, Table, seated
from dreadclock_server.demo.worked import HIDDEN_NAME, play_race
from kit.scenery import record
from kit.server import Server

WITHIN_S = 100  # a limit for a machine that is busy; it takes a few seconds
WORKED_RACE = [
    ("threat", 14),
    ("threat", 13),
    ("situation clock", 2),
    ("threat", 12),
    ("situation clock", 1),
    ("threat", 11),
    ("threat", 10),
    ("situation clock", 0),
    ("scene clock", 4),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder whose path is short enough for the sockets in it, wherever tests keep their own."""
    with TemporaryDirectory(dir="/tmp") as name:
        yield Path(name)


@contextmanager
def demo(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start the demo in a process group of its own, with `folder` for its temporary files."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dreadclock.cli", "demo"],
        env={**os.environ, "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def clocks_told(story: str) -> list[tuple[str, int]]:
    """List what a story tells of the clocks of the race, in order."""
    told = re.findall(r"The (threat|situation clock|scene clock) of .* is now at (\d+)", story)
    return [(clock, int(value)) for clock, value in told]


def is_alone(process: subprocess.Popen[str]) -> bool:
    """Tell whether nothing is left of the process group of a demo that has ended."""
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return True
    return False


def wait_for_line(process: subprocess.Popen[str], part: str) -> None:
    """Read what the demo says, up to a line with these words."""
    assert process.stdout is not None
    assert any(part in line for line in process.stdout), "it ended before it said so"


def served_by(process: subprocess.Popen[str]) -> int:
    """Find the server that the demo started."""
    listed = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True)
    (server,) = listed.stdout.split()
    return int(server)


def test_the_demo_tells_the_worked_examples_to_their_end(folder: Path) -> None:
    with demo(folder) as process:
        story, errors = process.communicate(timeout=WITHIN_S)

    assert (process.returncode, errors) == (0, "")
    assert clocks_told(story) == WORKED_RACE
    *_, race, dying, rolls, views, chain = story.splitlines()
    assert race == "The race ended in success: scene 4, threat 10."
    assert re.fullmatch(r"Sparks is dying: expired after \d+ rolls? \([1-6 /]+\)\. Sparks is dead\.", dying)
    assert rolls == "The checks and totals came out as in the worked examples, and Rook has a crisis for good."
    assert views == "All four views equal the server's, and what only the gm sees reached nobody else."
    assert re.fullmatch(r"The spectator's chain: \d+ records, head [0-9a-f]{64}\.", chain)
    assert all("(only for the gm)" in line for line in story.splitlines() if HIDDEN_NAME in line)
    assert HIDDEN_NAME in story
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_demo_that_is_interrupted_leaves_nothing_behind(folder: Path, number: signal.Signals, code: int) -> None:
    with demo(folder) as process:
        wait_for_line(process, "is overcome")
        process.send_signal(number)
        _, errors = process.communicate(timeout=WITHIN_S)

    assert (process.returncode, errors) == (code, "")
    assert is_alone(process)
    assert list(folder.iterdir()) == []


def test_a_demo_whose_server_dies_says_so_and_leaves_nothing_behind(folder: Path) -> None:
    with demo(folder) as process:
        wait_for_line(process, "The race")
        os.kill(served_by(process), signal.SIGKILL)
        _, errors = process.communicate(timeout=WITHIN_S)

    assert process.returncode == 1
    assert re.fullmatch(r"ws://\S+ has been out of reach for 3 s\.\n", errors)
    assert is_alone(process)
    assert list(folder.glob("dreadclock-demo-*")) == []


async def test_a_server_that_does_not_start_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setattr(child, "free_port", lambda: taken.getsockname()[1])

        with pytest.raises(
            DemoFailed, match=r"The server did not start: Cannot listen on .* Perhaps a server runs there already"
        ):
            async with child.own_server():
                raise AssertionError("it started")


# What would make it fail


@pytest.fixture
async def seats(server: Server) -> AsyncIterator[Table]:
    async with seated(server.url) as table:
        yield table


async def test_a_race_that_ends_otherwise_is_a_failure(seats: Table) -> None:
    await play_race(Storyteller(seats, lambda line: None))
    check_race(seats)
    await seats.gm.amend_clock("escape-threat", 9, "a slip")

    with pytest.raises(DemoFailed, match="success with the scene at 4 and the threat at 9"):
        check_race(seats)


async def test_a_view_that_is_not_the_servers_is_a_failure(seats: Table) -> None:
    await check_everyone(seats)
    mirror = seats.rook._protocol.mirror
    mirror.view = fold(mirror.view, record(TurnEnded(turn=1)))

    with pytest.raises(DemoFailed, match="What Rook sees differs"):
        await check_everyone(seats)


async def test_a_secret_that_others_know_is_a_failure(seats: Table) -> None:
    await seats.gm.start_countdown(HIDDEN_NAME, 2)

    with pytest.raises(DemoFailed, match="Rook sees"):
        await check_everyone(seats)
