"""Read keys without waiting for Enter, if the terminal supports this."""

import os
import re
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_KEY: Final = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|[^\x1b]")
_NAMES: Final = {"\x1b[C": "right", "\x1bOC": "right", "\x1b[D": "left", "\x1bOD": "left", " ": "space"}


class Keys:
    """The fallback for a terminal that cannot report single keys. `available`: whether single keys are reported."""

    available = False

    def within(self, seconds: float) -> list[str]:
        """Wait `seconds`, and return no keys. TerminalKeys returns space, left, right, or the key's lower-case text."""
        time.sleep(seconds)
        return []


class TerminalKeys(Keys):
    """The keys of a terminal in cbreak mode."""

    available = True

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal

    def within(self, seconds: float) -> list[str]:
        """Wait up to `seconds` for keys, and return their names. The end of the input counts as `q`."""
        ready, _, _ = select.select([self._terminal], [], [], seconds)
        if not ready:
            return []
        pressed = os.read(self._terminal, 64).decode(errors="replace")
        return [_NAMES.get(key, key.lower()) for key in _KEY.findall(pressed)] if pressed else ["q"]


@contextmanager
def keys() -> Iterator[Keys]:
    """Put the terminal into cbreak mode, and restore it afterwards. Yields plain Keys if that is not possible."""
    try:
        import termios
        import tty
    except ModuleNotFoundError:  # Windows has no termios
        yield Keys()
        return
    if not sys.stdin.isatty():
        yield Keys()
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield TerminalKeys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
