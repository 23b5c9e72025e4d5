"""Keys as they come from a terminal."""

import os
import sys

import pytest

from dreadclock_server.tools.keys import TerminalKeys, keys

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")


@pytest.mark.parametrize(
    ("written", "named"),
    [
        (b" ", ["space"]),
        (b"Q", ["q"]),
        (b"\x1b[C\x1b[D", ["right", "left"]),
        (b"\x1bOC \x1bOD", ["right", "space", "left"]),
        (b"\x1b[5~q", ["\x1b[5~", "q"]),
        (b"\x1b", []),
        ("ü".encode(), ["ü"]),
    ],
)
def test_keys_are_named(written: bytes, named: list[str]) -> None:
    reading, writing = os.pipe()
    os.write(writing, written)

    assert TerminalKeys(reading).within(1) == named
    os.close(writing)
    os.close(reading)


def test_nothing_pressed_is_nothing_and_a_terminal_that_is_gone_quits() -> None:
    reading, writing = os.pipe()

    assert TerminalKeys(reading).within(0) == []
    os.close(writing)
    assert TerminalKeys(reading).within(1) == ["q"]
    os.close(reading)


def test_where_the_input_is_no_terminal_there_are_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull, encoding="utf-8") as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        with keys() as pressed:
            assert (pressed.available, pressed.within(0)) == (False, [])


def test_a_terminal_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    import termios

    ours, theirs = os.openpty()
    before = termios.tcgetattr(theirs)
    with os.fdopen(theirs, encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        with keys() as pressed:
            assert termios.tcgetattr(theirs) != before
            os.write(ours, b" ")
            assert pressed.within(5) == ["space"]
        assert termios.tcgetattr(theirs) == before
    os.close(ours)
