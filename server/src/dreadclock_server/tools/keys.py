"""Keys as they are pressed, without Enter, where the terminal tells of them."""

import os
import re
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

_KEY: Final = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|[^\x1b]")
_NAMES: Final = {"\x1b[C": "right", "\x1bOC": "right", "\x1b[D": "left", "\x1bOD": "left", " ": "space"}


class Keys(Protocol):
    """Where keys come from; `available`: whether this terminal reports any."""

    available: bool

    def within(self, seconds: float) -> list[str]:
        """Wait until keys are pressed, at most so long, and name them: space, left, right, or their letter."""


class NoKeys:
    """A terminal that tells of no keys."""

    available = False

    def within(self, seconds: float) -> list[str]:
        """Wait."""
        time.sleep(seconds)
        return []


class TerminalKeys:
    """The keys of a terminal that hands them over one by one."""

    available = True

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal

    def within(self, seconds: float) -> list[str]:
        """Wait until keys are pressed, at most so long, and name them; a terminal that is gone quits."""
        ready, _, _ = select.select([self._terminal], [], [], seconds)
        if not ready:
            return []
        pressed = os.read(self._terminal, 64).decode(errors="replace")
        return [_NAMES.get(key, key.lower()) for key in _KEY.findall(pressed)] if pressed else ["q"]


@contextmanager
def keys() -> Iterator[Keys]:
    """Let the terminal hand over keys one by one, and leave it as it was; where it cannot, there are none."""
    try:
        import termios
        import tty
    except ModuleNotFoundError:  # there are no such terminals on Windows
        yield NoKeys()
        return
    if not sys.stdin.isatty():
        yield NoKeys()
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield TerminalKeys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
