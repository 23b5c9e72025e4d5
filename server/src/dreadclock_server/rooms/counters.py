"""Counters of what happened in this process, for gateway/metrics.py to read: plain numbers and histograms."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from weakref import WeakSet

from dreadclock.wire.errors import CloseCode, Code
from dreadclock_server.core.sessions import No, Outcome
from dreadclock_server.rooms.answers import QueuedCommand

# Named before they happen, so that a rate can be told from the first one on.
_HELLOS = ("fresh", "exact", "too_old", "forked")
_ENDINGS = ("lost", "flood", *(code.name.lower() for code in CloseCode))
_REFUSALS = (Code.BUG, Code.RATE_LIMITED, Code.UNAVAILABLE)
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Histogram:
    """Counts observations up to each of some bounds, and above the last one."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float] = _SECONDS) -> None:
        self.bounds, self.counts, self.total = bounds, [0] * (len(bounds) + 1), 0.0

    def note(self, value: float) -> None:
        """Count an observation."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def cumulated(self) -> list[tuple[str, float]]:
        """Return how many lie up to each bound, as Prometheus counts them."""
        rows, sum_ = list[tuple[str, float]](), 0
        for bound, count in zip((*self.bounds, "+Inf"), self.counts, strict=True):
            sum_ += count
            rows.append((str(bound), sum_))
        return rows


class Counters:
    """The counters of one application."""

    def __init__(self) -> None:
        self.commands = Counter[type]()  # that were answered, by their class
        self.refusals = Counter[Code](dict.fromkeys(_REFUSALS, 0))
        self.repeats = 0  # commands that had been answered before
        self.conflicts = 0  # appends that another node was faster than
        self.batch_size = Histogram((1, 2, 4, 8, 16, 32, 64, 128, 256))
        self.append_s = Histogram()
        self.sent_bytes = 0
        self.sent_frames = 0  # to one connection each
        self.hellos = Counter[str](dict.fromkeys(_HELLOS, 0))  # by what became of them
        self.endings = Counter[str](dict.fromkeys(_ENDINGS, 0))  # of connections, by reason
        # What has ended and is still in memory, by what it is: something refers to it that should not, if that lasts.
        self.unreleased: dict[str, WeakSet[object]] = {"connection": WeakSet(), "room": WeakSet()}

    def answered(self, replies: Sequence[tuple[QueuedCommand, Outcome]], repeats: int) -> None:
        """Count a batch."""
        self.batch_size.note(len(replies))
        self.repeats += repeats
        for pending, outcome in replies:
            self.commands[type(pending.command)] += 1
            if isinstance(outcome, No):
                self.refusals[outcome.code] += 1

    def sent(self, size: int, connections: int) -> None:
        """Count bytes that went out to each of some connections."""
        self.sent_bytes += size * connections
        self.sent_frames += connections
