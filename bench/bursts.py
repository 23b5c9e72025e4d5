"""Compare the CPU time of two or more checkouts by interleaved bursts of rolls.

    python bursts.py before=/path/to/checkout after=/path/to/other [--work tables,watch,storm] [--processes 5]

The first checkout is the one that the others are compared with. The servers of one round start side by side on CPU 0
and get bursts in turn (A B B A); the load generator runs on CPU 1. The speed of a virtual machine changes within
seconds, so a spin loop runs before and after a burst, and the burst's CPU time is divided by the loop's. A round gives
the median over a server's bursts; the last line is JSON: for each work and checkout the ratios of all rounds, and
their median. Do not believe a difference below 5 % that rests on fewer than five rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from socket import MSG_PEEK
from statistics import median

from compare import free_port, wait_for
from dreadclock_target import Dreadclock
from ours import SETTINGS
from swarm import Swarm, children, frame

PING = b"\x89\x04"  # an unmasked ping of 4 bytes
SPIN = 150_000  # turns of the loop: some 10 ms
WORKS = {  # rooms, members of a room, rolls of a room in one burst, rolls in flight, bursts of a server in one round
    "tables": (100, 5, 6, 1, 12),
    "watch": (1, 500, 60, 2, 8),
    "storm": (1, 500, 320, 32, 8),
}


class Answering(Swarm):
    """A swarm that answers pings: a server waits for its turn longer than it lets a ping go unanswered."""

    def _read(self, fd: int) -> int:
        try:
            data = self.tails[fd] + self.socks[fd].recv(262144, MSG_PEEK)
        except BlockingIOError:
            return 0
        # Not parsed: what only looks like a ping is answered too, and the server ignores an unknown pong.
        if (place := data.rfind(PING)) >= 0:
            self.socks[fd].send(frame(data[place + 2 : place + 6], opcode=10))
        return super()._read(fd)


def spin() -> float:
    """Return the CPU seconds that a fixed loop takes now on CPU 0."""
    os.sched_setaffinity(0, {0})
    start, total = time.process_time(), 0
    for number in range(SPIN):
        total += number & 7
    took = time.process_time() - start
    os.sched_setaffinity(0, {1})
    return took


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and its descendants. /proc/PID/stat counts in steps of 10 ms: too coarse."""
    tasks = [task for each in (pid, *children(pid)) for task in Path(f"/proc/{each}/task").iterdir()]
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


@contextmanager
def server(checkout: Path) -> Iterator[tuple[int, int]]:
    """Serve from a checkout on CPU 0; give the port and the process id."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data, open(os.devnull, "wb") as nowhere:
        serve = [str(checkout / ".venv/bin/dreadclock"), "serve", "--port", str(port), "--data", data]
        process = subprocess.Popen(
            ["taskset", "-c", "0", *serve], env=os.environ | SETTINGS, stdout=nowhere, stderr=nowhere
        )
        try:
            wait_for(port, process)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(20)


def one_round(work: str, checkouts: dict[str, Path]) -> dict[str, dict[str, float]]:
    """Return for each checkout the median over its bursts of CPU per roll, in spin loops, and of its p99 in ms."""
    rooms, members, rolls, window, bursts = WORKS[work]
    names = list(checkouts)
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in names}
    with ExitStack() as stack:
        swarms: dict[str, Answering] = {}
        for name, checkout in checkouts.items():
            port, pid = stack.enter_context(server(checkout))
            swarms[name] = Answering(Dreadclock(port), rooms, members, pid)
            swarms[name].run(rolls, window)  # warm up
        for turn in range(bursts):
            for name in names if turn % 2 == 0 else reversed(names):
                swarm, before = swarms[name], spin()
                start = cpu_seconds(swarm.pid)
                result = swarm.run(rolls, window)
                cpu = (cpu_seconds(swarm.pid) - start) / result.rolls
                speed = (before + spin()) / 2
                found[name].append((cpu / speed, cpu * 1e6, result.quantile(0.99) * 1e3))
        for swarm in swarms.values():
            swarm.close()
    return {
        name: dict(zip(("spins", "us", "p99"), map(median, zip(*values, strict=True)), strict=True))
        for name, values in found.items()
    }


def compare(work: str, checkouts: dict[str, Path], processes: int) -> dict[str, dict[str, object]]:
    """Run all rounds of one work; return each later checkout's ratios to the first."""
    first, *others = checkouts
    ratios: dict[str, dict[str, list[float]]] = {name: {"cpu": [], "p99": []} for name in others}
    for number in range(processes):
        row = one_round(work, checkouts)
        for name in others:
            ratios[name]["cpu"].append(round(row[name]["spins"] / row[first]["spins"], 3))
            ratios[name]["p99"].append(round(row[name]["p99"] / row[first]["p99"], 3))
        shown = "   ".join(f"{name} {row[name]['us']:.0f} us, p99 {row[name]['p99']:.1f} ms" for name in checkouts)
        sys.stderr.write(f"{work} {number + 1}: {shown}\n")
    return {
        name: {f"{what}_median": round(median(values), 3) for what, values in both.items()} | both
        for name, both in ratios.items()
    }


def main() -> None:
    """Compare the checkouts that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--work", default="tables")
    parser.add_argument("--processes", type=int, default=5)
    options = parser.parse_args()
    checkouts = {name: Path(folder) for name, folder in (text.split("=", 1) for text in options.checkouts)}
    os.sched_setaffinity(0, {1})
    done = {work: compare(work, checkouts, options.processes) for work in options.work.split(",")}
    sys.stdout.write(json.dumps(done) + "\n")


if __name__ == "__main__":
    main()
