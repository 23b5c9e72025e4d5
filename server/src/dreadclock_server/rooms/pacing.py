"""Pacing: how long a round of a room's fan-out may wait for more to tell along with it.

To tell a crowd costs more than to append. So if the last round was only just now, this one may wait for as many
commands as that one told of: the larger the crowd the longer, and the more seldom the more often it was for nothing.
"""

import time

PACE_S = 20e-6  # for each connection: how long after the beginning of a round the next one may wait for more
LONGEST_PACE_S = 0.02
MOST_DOUBTS = 5


class Pace:
    """What the next round of one room goes by."""

    __slots__ = ("_doubts", "_next_s", "_sizes", "_skips", "has_waited")

    def __init__(self) -> None:
        self.has_waited = False  # in this round, for whatever it was
        self._next_s = 0.0  # until then this round may wait for what the last one leads to
        self._sizes = (0, 0)  # of the last two rounds, in commands
        self._doubts = 0  # waits for nothing in a row
        self._skips = 0  # how many rounds do not wait for that

    @property
    def expected(self) -> int:
        """How many commands this round may have: as many as each of the last two."""
        return min(self._sizes)

    @property
    def left_s(self) -> float:
        """How long this round may still wait; not above 0 if it may not."""
        return 0.0 if self._skips or not self._next_s else self._next_s - time.monotonic()

    def note(self, begun_s: float, size: int, crowd: int) -> None:
        """Learn from a round that ended, with `size` commands told to a `crowd`; 0 if those were few."""
        self._next_s = begun_s + min(LONGEST_PACE_S, crowd * PACE_S) if crowd else 0.0
        self._sizes = (size, self._sizes[0])
        self._skips = max(0, self._skips - 1)
        if size > 1:
            self._doubts = self._skips = 0
        elif self.has_waited:
            self._doubts = min(self._doubts + 1, MOST_DOUBTS)
            self._skips = (1 << self._doubts) - 1
        self.has_waited = False
