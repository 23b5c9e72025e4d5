"""The works that peers do as well: watch, storm, tables, idle; all in one run, in turn, by the standard swarm.

`colyseus+log` appends each roll to a stream of the Valkey that we come with, fsynced, before it broadcasts. The other
peers store nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import compare
import swarm
from dreadclock_target import Dreadclock
from figures import Bar, Row, Rows, Work
from ours import command_in

from dreadclock_server.store.embedded.datadir import find_server

PEERS = Path(__file__).parent / "peers"
OURS = "dreadclock"
WORKS = {**compare.WORK, "idle": {"rooms": 50, "members": 20, "rolls": 2, "window": 1}}
TITLES = {
    "watch": "one room, 500 watchers, 2 rolls in flight",
    "storm": "one room, 500 watchers, 32 rolls in flight",
    "tables": "100 rooms of 5; a room rolls again when all 5 have received its last roll",
    "idle": "1,000 connections in 50 rooms, just after they connected",
}
BARS = {  # work: what, a figure of ours, at most so much of a peer's, or at all
    "watch": [("us/delivery", 1.0, "ws"), ("us/delivery", 1.0, "colyseus")],
    "storm": [("us/delivery", 0.25, "colyseus"), ("p50 ms", 0.3, "colyseus")],
    "tables": [
        *(("us/roll", 1.6, "colyseus+log"), ("p99 ms", 1.0, "colyseus+log")),
        *(("us/roll", 2.5, "colyseus"), ("p99 ms", 1.0, "colyseus")),
    ],
    "idle": [("KiB/connection", 25.0, None)],
}


def provide_peers() -> bool:
    """Install the peers beside their sources, where git ignores them. Returns False if there is no npm to do it."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return False
    wanted = hashlib.sha256((PEERS / "package.json").read_bytes()).hexdigest()
    mark = PEERS / "node_modules" / ".installed"
    if not mark.exists() or mark.read_text() != wanted:
        quiet = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
        if subprocess.run(["npm", "install", *quiet], cwd=PEERS, stdout=sys.stderr).returncode != 0:
            return False
        mark.write_text(wanted)
    return True


def peers_versions(names: list[str]) -> str:
    """Name the peers' versions."""
    if not names:
        return ""
    pinned = json.loads((PEERS / "package.json").read_text())["dependencies"]
    packages = {"ws": "ws", "socket.io": "socket.io", "colyseus": "@colyseus/core", "colyseus+log": "redis"}
    node = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip().lstrip("v")
    said = [f"{'redis' if name == 'colyseus+log' else name} {pinned[packages[name]]}" for name in names]
    return ", ".join([*said, f"Node {node}"])


def measure(name: str, runs: int, peers: list[str]) -> Work:
    """Do a work so many times, every server once in each run."""
    results: dict[str, list[swarm.Result]] = {each: [] for each in (*peers, OURS)}
    for _ in range(runs):
        for each in results:
            results[each].append(_one(each, WORKS[name]))
    rows = {each: _row(found) for each, found in results.items()}
    if name == "idle":
        rows = {each: {"KiB/connection": row["KiB/connection"]} for each, row in rows.items()}
    return Work(name, TITLES[name], rows, _bars(name, rows), versions=peers_versions(peers))


def _one(name: str, work: dict[str, int]) -> swarm.Result:
    if name != OURS:
        os.environ["VALKEY_SERVER"] = find_server()
        target, command = compare.PEERS[name]
        return compare.measure(target, command, work, compare.HERE)
    with tempfile.TemporaryDirectory(prefix="dreadclock-bench-") as folder:
        return compare.measure(Dreadclock, command_in(Path(folder)), work, compare.HERE)


def _row(results: list[swarm.Result]) -> Row:
    figures = [
        {
            "rolls/s": each.rolls / each.seconds,
            "us/roll": each.cpu_seconds / each.rolls * 1e6,
            "us/delivery": each.cpu_seconds / each.deliveries * 1e6,
            "p50 ms": each.quantile(0.5) * 1e3,
            "p99 ms": each.quantile(0.99) * 1e3,
            "KiB/connection": each.kib_per_connection,
        }
        for each in results
    ]
    return {column: statistics.median(each[column] for each in figures) for column in figures[0]}


def _bars(name: str, rows: Rows) -> list[Bar]:
    bars = []
    for column, most, peer in BARS[name]:
        if peer is None:
            bars.append(Bar(f"{column} of {OURS}", rows[OURS][column], most))
        elif peer in rows:
            bars.append(Bar(f"{column} as a part of {peer}'s", rows[OURS][column] / rows[peer][column], most))
    return bars
