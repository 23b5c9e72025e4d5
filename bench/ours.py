"""A server of ours as the benchmarks run it: on CPU 0, with the caps raised, its Valkey counted in."""

from __future__ import annotations

import compileall
import os
import shlex
import signal
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from compare import free_port, wait_for
from redis import Redis
from swarm import children

# All of a benchmark comes from one address, and rolls without a pause: limits are kept, and are higher than any of it.
CAPS = ("", "_PER_ADDRESS", "_PER_ROOM", "_PER_SEAT")
LIMITS = ("GM", "PLAYER", "SPECTATOR", "COMMANDS", "REFUSALS", "JOINS", "CALLS", "ROOMS", "ALL_ROOMS")
SETTINGS = {
    **{f"DREADCLOCK_MAX_CONNECTIONS{each}": "15000" for each in CAPS},
    **{f"DREADCLOCK_LIMIT_{each}": "100000/s:100000" for each in LIMITS},
    "DREADCLOCK_MAX_ROOM_MIB": "none",
}
_ROOT = Path(__file__).parents[1]
SERVE = f"{shlex.quote(str(Path(sys.executable).with_name('dreadclock')))} serve --port {{port}} --data"


def compile_sources() -> None:
    """Compile all that our server imports: one that did so at its start had free memory left for its connections."""
    for folder in (sysconfig.get_path("purelib"), _ROOT / "server/src", _ROOT / "client_sdk/src"):
        compileall.compile_dir(folder, quiet=2)


def command_in(folder: Path) -> str:
    """Return the command that serves on {port} with data of its own; compare.py fills in the port."""
    settings = " ".join(f"{name}={value}" for name, value in SETTINGS.items())
    return f"env {settings} {SERVE} {shlex.quote(str(folder))}/{{port}}"


class Ours:
    """One server; its data and its port stay the same from one start to the next."""

    def __init__(self, folder: Path) -> None:
        self.port, self._folder, self._log = free_port(), folder, folder / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        """Start it, and return once it answers."""
        words = ["taskset", "-c", "0", *shlex.split(command_in(self._folder).format(port=self.port)), *options]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=log)
        try:
            wait_for(self.port, self._process)
        except SystemExit as end:
            raise SystemExit(f"{end}\n{self.last_words()}") from None

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def store_url(self) -> str:
        """Where its Valkey listens."""
        from dreadclock_server.store.embedded.datadir import socket_path

        return f"unix://{socket_path(self._folder / str(self.port))}"

    def kill(self) -> None:
        """Kill it with -9."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)

    def stop(self) -> None:
        """Ask it to end, and return once it has."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def last_words(self) -> str:
        """Return the end of its log."""
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-20:])

    def rooms_live(self) -> int:
        """Ask how many rooms it holds in memory."""
        row = next(line for line in self._figures() if line.startswith("dreadclock_rooms_live "))
        return int(float(row.split()[1]))

    def longest_collection_s(self) -> float:
        """Ask under how many seconds its longest garbage collection took; infinity if longer than all bounds."""
        rows = [line for line in self._figures() if line.startswith("dreadclock_gc_pause_seconds_bucket")]
        bounds = [(float(row.split('"')[1]), float(row.split()[1])) for row in rows]
        return next(bound for bound, count in bounds if count == bounds[-1][1])

    def watch_fsyncs(self) -> None:
        """Let its store note from now on which of its fsyncs take 5 ms or longer."""
        with Redis.from_url(self.store_url) as store:
            store.config_set("latency-monitor-threshold", 5)
            store.execute_command("LATENCY", "RESET")

    def longest_fsync_ms(self) -> float:
        """Ask how long the longest fsync has taken that was noted; 0 without one."""
        with Redis.from_url(self.store_url) as store:
            rows: Any = store.execute_command("LATENCY", "LATEST")
        return float(max((row[3] for row in rows if row[0] == b"aof-fsync-always"), default=0))

    def _figures(self) -> list[str]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics") as answer:
            return answer.read().decode().splitlines()


@contextmanager
def running(*options: str) -> Iterator[Ours]:
    """Run a server with data of its own for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="dreadclock-bench-") as folder:
        ours = Ours(Path(folder))
        ours.start(*options)
        try:
            yield ours
        except Exception as error:
            error.add_note(f"the server's log ends with:\n{ours.last_words()}")
            raise
        finally:
            ours.stop()


def cpu_us(pid: int) -> float:
    """Return the CPU time of a process, its descendants, and those of them that have ended, in us.

    Finer than the ticks that the swarm reads: some of what is measured here takes no longer than a tick.
    """
    return sum(_threads_ns(each) / 1000 + _ended_us(each) for each in (pid, *children(pid)))


def _threads_ns(pid: int) -> int:
    return sum(int(each.read_text().split()[0]) for each in Path(f"/proc/{pid}/task").glob("*/schedstat"))


def _ended_us(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK") * 1e6


def resident_mib(pid: int) -> tuple[float, float]:
    """Return what a server holds in memory, and what its Valkey does, in MiB."""
    own = valkey = 0.0
    for each in (pid, *children(pid)):
        status = dict(line.split(":", 1) for line in Path(f"/proc/{each}/status").read_text().splitlines())
        mib = int(status["VmRSS"].split()[0]) / 1024
        if "valkey" in status["Name"]:
            valkey += mib
        else:
            own += mib
    return own, valkey
