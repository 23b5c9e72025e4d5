"""What attacks cost: the server's memory, and the time that others wait meanwhile.

    .venv/bin/python bench/attacks.py [--seconds 10] [NAME ...]

Each attack gets a real server with its default settings, a process of attackers at full speed from one address, and a
bystander at another: the gm of a quiet room, who rolls 20 times a second. A roll's wait counts from when it was due, so
that a server that stands still is not missed. Where there are two processors, the server has one; its store and
everybody else have the other. Prints a row for each attack, and ends with 1 if one costs the server more than MOST_MIB,
or makes the bystander wait longer than MOST_WAIT_MS at the 99th of a hundred.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from attackers import ATTACKS
from ours import compile_sources
from websockets.exceptions import ConnectionClosed

from kit.raw import RawClient
from kit.rooms import Table, open_table
from kit.server import Server, running_server

MOST_MIB = 32.0
MOST_WAIT_MS = 250.0
EVERY_S = 0.05
BUSY_MS = 60.0  # of the calm before the attack, at the 99th of a hundred
PROCESSORS = sorted(os.sched_getaffinity(0))
BEFORE_S = 4.0
AFTERWARDS_S = 2.0
ROLL = {"type": "roll_dice", "pool": 2}
ROW = "{:<44} {:>6} {:>6} {:>6} {:>7} {:>8} {:>8} {:>8}  {}"
HEAD = ("attack", "before", "peak", "after", "p50 ms", "p99 ms", "max ms", "calm p99", "what the attackers saw")


@dataclass
class Bystander:
    """Somebody who rolls in a quiet room, and how long each roll took, in milliseconds."""

    client: RawClient
    every_s: float = EVERY_S
    waits: list[float] = field(default_factory=list)
    lost: str | None = None

    async def roll_on(self) -> None:
        """Roll until cancelled, each when it is due."""
        due = asyncio.get_running_loop().time()
        try:
            while True:
                await self._wait_for(due)
                reply = await self.client.do(ROLL)
                assert reply["type"] == "ack", reply
                self.waits.append((asyncio.get_running_loop().time() - due) * 1000)
                due += self.every_s
        except (ConnectionClosed, AssertionError, TimeoutError) as error:
            self.lost = repr(error)

    async def _wait_for(self, due: float) -> None:
        delay = due - asyncio.get_running_loop().time()
        if delay > 0:
            await asyncio.sleep(delay)

    def taken(self) -> list[float]:
        """Give the waits since the last call, in order of length."""
        waits, self.waits = self.waits, []
        return sorted(waits)


@dataclass(frozen=True)
class Cost:
    """What an attack cost: MiB of the server, milliseconds of the bystander."""

    before: float
    peak: float
    after: float
    waits: Sequence[float]
    calm: Sequence[float]
    seen: str
    lost: str | None

    @property
    def is_bearable(self) -> bool:
        """Whether it keeps to both bounds."""
        return self.lost is None and self.peak - self.before <= MOST_MIB and quantile(self.waits, 0.99) <= MOST_WAIT_MS


def quantile(ordered: Sequence[float], part: float) -> float:
    """Return a quantile of ordered numbers."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("inf")


def mebibytes(pid: int, name: str) -> float:
    """Read a process's memory as the kernel counts it: VmRSS, or VmHWM for the most since `forget_peak`."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


def forget_peak(pid: int) -> None:
    """Let the kernel count the peak of a process's memory anew."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def place(server: Server) -> None:
    """Give the server a processor, and everybody else the others; before strangers' work, where that is allowed."""
    for thread in Path(f"/proc/{server.pid}/task").iterdir():
        _prefer(int(thread.name), PROCESSORS[:1])
    _prefer(server.valkey_pid, PROCESSORS[1:])
    _prefer(0, PROCESSORS[1:])  # the bystander is to wait for the server, not for the attackers


def _prefer(thread: int, processors: Sequence[int]) -> None:
    if len(PROCESSORS) > 1:
        os.sched_setaffinity(thread, processors)
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, thread, -10)


async def attackers(name: str, table: Table, seconds: float) -> str:
    """Run a process of attackers to its end, and return what they saw."""
    tokens = [table.token(each) for each in ("gm", "ann", "eve")]
    command = [str(Path(__file__).with_name("attackers.py")), name, str(seconds), str(table.server.port), table.id]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, *tokens, stdout=-1, preexec_fn=lambda: os.nice(10)
    )
    output, _ = await process.communicate()
    return output.decode().strip() if process.returncode == 0 else f"the attackers ended with {process.returncode}"


async def cost_of(name: str, seconds: float) -> Cost:
    """Attack a server of its own."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        async with running_server(Path(folder) / "data", environment={"DREADCLOCK_LIMITS": "yes"}) as server:
            place(server)
            quiet, attacked = await open_table(server, "Quiet"), await open_table(server, "Attacked")
            async with quiet.connected("gm") as client:
                return await _measured(Bystander(client), attacked, name, seconds)


async def _measured(bystander: Bystander, attacked: Table, name: str, seconds: float) -> Cost:
    rolling, pid = asyncio.create_task(bystander.roll_on()), attacked.server.pid
    await asyncio.sleep(BEFORE_S)
    calm, before = bystander.taken(), mebibytes(pid, "VmRSS")
    forget_peak(pid)
    seen = await attackers(name, attacked, seconds)
    waits, peak = bystander.taken(), mebibytes(pid, "VmHWM")
    await asyncio.sleep(AFTERWARDS_S)
    after = mebibytes(pid, "VmRSS")
    rolling.cancel()
    await asyncio.wait([rolling])
    return Cost(before, peak, after, waits, calm, seen, bystander.lost)


def row(name: str, cost: Cost) -> str:
    """Write a row of the table."""
    memory = (f"{each:.1f}" for each in (cost.before, cost.peak, cost.after))
    waits = (f"{quantile(cost.waits, part):.1f}" for part in (0.5, 0.99, 1.0))
    verdict = "" if cost.is_bearable else "  TOO MUCH" + (f": {cost.lost}" if cost.lost else "")
    if verdict and quantile(cost.calm, 0.99) > BUSY_MS:
        verdict += " (on a machine that is too busy to tell)"
    return ROW.format(name, *memory, *waits, f"{quantile(cost.calm, 0.99):.1f}", cost.seen + verdict)


async def main() -> int:
    """Run what was asked for, and tell whether all of it is bearable."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    chosen = [name for name in ATTACKS if not asked.names or any(part in name for part in asked.names)]
    compile_sources()
    print(ROW.format(*HEAD), flush=True)
    costs = []
    for name in chosen:
        costs.append(await cost_of(name, asked.seconds))
        print(row(name, costs[-1]), flush=True)
    unbearable = sum(not cost.is_bearable for cost in costs)
    print(f"{len(costs)} attacks, {unbearable} beyond {MOST_MIB:g} MiB or {MOST_WAIT_MS:g} ms", flush=True)
    return 1 if unbearable or not costs else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
