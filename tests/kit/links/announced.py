"""What becomes of announcements on their way from Valkey to a server: lost, doubled, late, or in another order."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any

import hiredis


class Mischief(StrEnum):
    """What can happen to an announcement."""

    LOST = "lost"
    DOUBLED = "doubled"
    LATE = "late"  # after some of those that follow
    SWAPPED = "swapped"  # after the next


@dataclass
class Town:
    """Announcements pass through here. `odds`: how many of a hundred each mischief befalls."""

    chance: Random
    odds: dict[Mischief, int]
    counts: Counter[Mischief] = field(default_factory=Counter)
    passed: int = 0

    def crier(self) -> "Crier":
        """Make what stands on one connection."""
        return Crier(self)

    def draw(self) -> Mischief | None:
        """Draw what becomes of one announcement."""
        drawn = self.chance.randrange(100)
        for mischief, odds in self.odds.items():
            drawn -= odds
            if drawn < 0:
                self.counts[mischief] += 1
                return mischief
        self.passed += 1
        return None


class Crier:
    """Reads what Valkey sends on one connection; only a connection that has subscribed is meddled with."""

    def __init__(self, town: Town) -> None:
        self._town = town
        self._reader = hiredis.Reader()
        self._held: list[tuple[int, bytes]] = []  # how many more are to pass before it

    def __call__(self, data: bytes) -> bytes:
        """Take what was sent, and give what is to be passed on."""
        if not self._subscribed and not data.startswith(b"*3\r\n$9\r\nsubscribe\r\n"):
            return data
        self._subscribed = True
        self._reader.feed(data)
        passed: list[bytes] = []
        while (message := self._reader.gets()) is not False:
            passed += self._said(message)
        return b"".join(passed)

    _subscribed = False

    def _said(self, message: Any) -> list[bytes]:
        text = packed(message)
        if not (isinstance(message, list) and message[0] == b"message"):
            return [text]
        match self._town.draw():
            case Mischief.LOST:
                texts = []
            case Mischief.DOUBLED:
                texts = [text, text]
            case Mischief.LATE:
                self._held.append((self._town.chance.randrange(2, 12), text))
                return []
            case Mischief.SWAPPED:
                self._held.append((1, text))
                return []
            case _:
                texts = [text]
        return [*texts, *self._released()]

    def _released(self) -> list[bytes]:
        held, self._held = self._held, []
        self._held = [(left - 1, text) for left, text in held if left > 1]
        return [text for left, text in held if left <= 1]


def packed(message: Any) -> bytes:
    """Write an answer of Valkey's as it came, in RESP2."""
    match message:
        case list():
            return b"*%d\r\n%s" % (len(message), b"".join(map(packed, message)))
        case int():
            return b":%d\r\n" % message
        case None:
            return b"$-1\r\n"
        case bytes():
            return b"$%d\r\n%s\r\n" % (len(message), message)
    raise TypeError(f"{message!r} is no answer")
