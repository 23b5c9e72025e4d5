"""Measure Dreadclock: beside its peers, in storms of returning clients, and as it grows.

    make bench                                      side by side and storms: 3 runs, peers where npm can provide them
    make bench ARGS="--runs 5 --write"              the same, and the figures go into docs/performance.md
    make bench ARGS="--work growth --runs 5 --write"    what rooms, watchers and a long past cost
    make bench ARGS="--work many --runs 3 --write"  10,000 connections to one process
    make bench ARGS="--work reads --runs 3 --write" what reading takes, whatever is hidden, and after many starts
    make bench ARGS="--work memory --runs 1"        what visitors leave in memory, and what others wait meanwhile
    make bench ARGS="--work following --runs 3"     what consequences cost, and what looking for none does
    make bench ARGS="--work watch,storm --peers ''"     two works, ours alone

The servers run on CPU 0, the swarm on CPU 1. Every roll of ours is decided by the rules, proven, stored and fsynced
before anyone hears of it, and Valkey's CPU time counts as the server's; the peers store nothing. What counts is CPU
time, and on a machine that does other things, too, the columns of one run beside each other.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable

import compare
import figures
import following
import growth
import many
import reads
import side
import storms
import visits
from ours import compile_sources

ALONE: dict[str, Callable[[int, float], figures.Work]]
ALONE = {**storms.WORKS, **growth.WORKS, **many.WORKS, **reads.WORKS, **visits.WORKS, **following.WORKS}
GROUPS = {
    "side": list(side.WORKS),
    "storms": list(storms.WORKS),
    "growth": list(growth.WORKS),
    "many": list(many.WORKS),
    "reads": list(reads.WORKS),
    "memory": list(visits.WORKS),
    "following": list(following.WORKS),
}
ALL = [name for group in GROUPS.values() for name in group]


def works_of(text: str) -> list[str]:
    """Read a list of works and groups. Raises ArgumentTypeError."""
    wanted = [name for word in text.split(",") for name in GROUPS.get(word, ALL if word == "all" else [word])]
    unknown = [name for name in wanted if name not in ALL]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"there is no work {unknown[0]!r}: choose of {', '.join([*GROUPS, 'all', *ALL])}"
        )
    return wanted


def peers_of(text: str) -> list[str]:
    """Read a list of peers. Raises ArgumentTypeError."""
    wanted = [word for word in text.split(",") if word]
    unknown = [name for name in wanted if name not in compare.PEERS]
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no peer {unknown[0]!r}: choose of {', '.join(compare.PEERS)}")
    return wanted


def options_of(arguments: list[str]) -> argparse.Namespace:
    """Read the options, or end with what is wrong with them."""
    parser = argparse.ArgumentParser(
        prog="make bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    usual = [*GROUPS["side"], *GROUPS["storms"]]
    parser.add_argument("--work", type=works_of, default=usual, metavar="WORK,...", help=", ".join([*GROUPS, *ALL]))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--peers", type=peers_of, default=list(compare.PEERS), metavar="PEER,...")
    parser.add_argument("--size", type=float, default=1.0, help="a part of the usual growth and storms")
    parser.add_argument("--write", action="store_true", help="keep the figures in docs/performance.md")
    options = parser.parse_args(arguments)
    if options.write and options.size != 1:
        parser.error("figures of another size than the usual are not written")
    if options.runs < 1 or not 0 < options.size <= 1:
        parser.error("there is at least one run, and a size is above 0 and at most 1")
    return options


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Measure what was asked for, and print each work as it is done."""
    options = options_of(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that no server is left behind
    compile_sources()
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {1})
    if set(options.work) & set(side.WORKS) and options.peers and not side.provide_peers():
        say("npm cannot provide the peers here: ours is measured alone.")
        options.peers = []
    for name in options.work:
        command = f'make bench ARGS="{" ".join(sys.argv[1:])}"'
        work = figures.stamped(measure(name, options), options.runs, command)
        say(figures.text(work))
        if options.write:
            figures.write([work], ALL)


def measure(name: str, options: argparse.Namespace) -> figures.Work:
    """Do one work."""
    if name in side.WORKS:
        return side.measure(name, options.runs, options.peers)
    return ALONE[name](options.runs, options.size)


if __name__ == "__main__":
    main()
