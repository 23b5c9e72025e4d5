"""Ten thousand connections to one process, most of them idle: what they weigh, and whether all hear of a roll."""

from __future__ import annotations

import resource
import statistics
from collections import Counter
from collections.abc import Callable

from figures import Bar, Row, Work
from ours import Ours, cpu_us, running
from rooms import Crowd

ROOMS, MEMBERS = 100, 100
SPARE_FILES = 256
MOST_KIB = 25.0


class Roster(Crowd):
    """A crowd that knows how many rolls each of its connections has seen."""

    def __init__(self, port: int, pid: int, rooms: int, members: int) -> None:
        self.seen_by: Counter[int] = Counter()
        super().__init__(port, pid, rooms, members)

    def _read(self, fd: int) -> int:
        count = super()._read(fd)
        self.seen_by[fd] += count
        return count

    def exactly(self, rolls: int) -> int:
        """Count the connections that have seen so many rolls of their room, and no more."""
        return sum(self.seen_by[fd] == rolls for fd in self.socks)


def connections(runs: int, size: float) -> Work:
    """Connect them all, then let every room roll once at the same time, `runs` times."""
    rooms = max(1, int(ROOMS * size))
    take_files(rooms * MEMBERS + SPARE_FILES)
    with running() as ours:
        crowd = Roster(ours.port, ours.pid, rooms, MEMBERS)
        found = [_roll_everywhere(ours, crowd) for _ in range(runs)]
        crowd.quiet(1.0)  # nothing more comes
        told = crowd.exactly(runs)
        row: Row = {name: statistics.median(each[name] for each in found) for name in found[0]}
        row |= {"told exactly": float(told), "KiB/connection": crowd.kib_per_connection}
        crowd.close()
    label = f"{rooms * MEMBERS:,}"
    missed = Bar("connections that a roll did not reach exactly once", float(rooms * MEMBERS - told), 0.0)
    weight = Bar("KiB/connection", row["KiB/connection"], MOST_KIB)
    title = f"connections to one process, in rooms of {MEMBERS}; all rooms roll at the same time"
    return Work("connections", title, {label: row}, [missed, weight])


def _roll_everywhere(ours: Ours, crowd: Roster) -> Row:
    """Roll once in every room, and wait until all have heard of it. Raises TimeoutError if they do not."""
    before = cpu_us(ours.pid)
    result = crowd.run(1)
    cpu = cpu_us(ours.pid) - before
    return {
        "all told after ms": result.seconds * 1000,
        "p50 ms": result.quantile(0.5) * 1000,
        "us/delivery": cpu / result.deliveries,
    }


def take_files(count: int) -> None:
    """Let this process have so many files open. Raises SystemExit if the system does not give as many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise SystemExit(f"this needs {count} open files; the system gives {hard} (ulimit -Hn)")
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


WORKS: dict[str, Callable[[int, float], Work]] = {"connections": connections}
