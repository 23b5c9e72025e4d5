"""What visitors leave behind in memory, and what somebody else's rolls wait for meanwhile.

`visits`: 600 rooms with a past of 40 rolls, each entered, rolled in, and left; eight times, and between two times
nobody comes until the server has put the rooms away, a minute later. `crowds`: 10,000 connections come and go, five
times: going in the time that they took to come, and, by another server, all at once. All the while 20 gms roll in rooms
of their own, each once a second; a roll's wait counts from when it was due. How long the disk took for its longest
fsync is told beside it: every roll waits for one.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from figures import Bar, Row, Work
from many import SPARE_FILES, take_files
from ours import Ours, resident_mib, running
from rooms import ROLL, BenchRoom, Calls
from swarm import frame

from kit.raw import raw_client

ROOMS, PAST, TIMES = 600, 40, 8
CROWD, CROWD_ROOMS, COMINGS = 10_000, 100, 5
BYSTANDERS, EVERY_S = 20, 1.0
LOOK_EVERY_S, GONE_WITHIN_S = 2.0, 180.0
MOST_MIB, MOST_P99_MS, MOST_MS, LONGEST_COLLECTION_MS = 25.0, 100.0, 50.0, 20.0


def visit(rooms: list[BenchRoom], rolls: int = 1, at_once: int = 20) -> None:
    """Enter the rooms as their gms, `at_once` at a time; roll in each, and leave."""
    said = b"".join(
        frame(json.dumps({"type": "command", "n": n, "command": ROLL}).encode()) for n in range(1, rolls + 1)
    )
    for start in range(0, len(rooms), at_once):
        socks = [room.enter(room.gm)[0] for room in rooms[start : start + at_once]]
        for sock in socks:
            sock.sendall(said)
        for sock in socks:
            _await_acks(sock, rolls)
        for sock in socks:
            sock.close()


def _await_acks(sock: socket.socket, count: int) -> None:
    received = b""
    while received.count(b'"type":"ack"') < count:
        chunk = sock.recv(65536)
        if not chunk:
            raise ConnectionError(f"closed instead of an ack: {received!r}")
        received += chunk


def gather(rooms: list[BenchRoom], size: int, at_once: bool) -> None:
    """Connect so many spectators, spread over the rooms; go in the time that coming took, or all at once."""
    take_files(size + SPARE_FILES)
    began = time.perf_counter()
    socks = [rooms[number % len(rooms)].enter(rooms[number % len(rooms)].spectator)[0] for number in range(size)]
    took = time.perf_counter() - began
    began += took
    for number, sock in enumerate(socks):
        if not at_once:
            time.sleep(max(0.0, began + took * number / size - time.perf_counter()))
        sock.close()


@dataclass
class Bystanders:
    """Those who roll all the while, and how long each of their rolls took, in ms."""

    waits: list[float] = field(default_factory=list)

    async def roll_on(self, room: BenchRoom, offset_s: float) -> None:
        """Roll in a room until cancelled, each time when it is due."""
        clock = asyncio.get_running_loop().time
        async with raw_client(f"ws://127.0.0.1:{room.port}/ws/{room.room_id}") as client:
            await client.hello(room.gm)
            due = clock() + offset_s
            while True:
                await asyncio.sleep(max(0.0, due - clock()))
                reply = await client.do(ROLL)
                assert reply["type"] == "ack", reply
                self.waits.append((clock() - due) * 1000)
                client.frames.clear()
                due += EVERY_S


async def _put_away(ours: Ours, staying: int) -> None:
    """Return once no rooms are live but those of the bystanders. Raises TimeoutError."""
    for _ in range(int(GONE_WITHIN_S / LOOK_EVERY_S)):
        if await asyncio.to_thread(ours.rooms_live) <= staying:
            return
        await asyncio.sleep(LOOK_EVERY_S)
    raise TimeoutError(f"rooms are still in memory after {GONE_WITHIN_S:g} s")


async def _repeat(ours: Ours, times: int, come: Callable[[Executor], asyncio.Future[None]], say: str) -> Row:
    """Let visitors come so often while others roll, and return what that cost."""
    bystanders, grown = Bystanders(), list[float]()
    calls = Calls(ours.port)
    rooms = [calls.open_room(spectators=False) for _ in range(BYSTANDERS)]
    calls.close()
    async with AsyncExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(1, multiprocessing.get_context("spawn")))
        pool.submit(visit, []).result()  # it is there, with all it imports: its start would hold up who rolls
        group = await stack.enter_async_context(asyncio.TaskGroup())
        rolling = [
            group.create_task(bystanders.roll_on(room, EVERY_S * number / BYSTANDERS))
            for number, room in enumerate(rooms)
        ]
        for number in range(times):
            began = time.perf_counter()
            await come(pool)
            took = time.perf_counter() - began
            await _put_away(ours, BYSTANDERS)
            grown.append(resident_mib(ours.pid)[0])
            sys.stdout.write(f"  {say} {number + 1}: {took:.1f} s, then {grown[-1]:.1f} MiB\n")
            sys.stdout.flush()
        for each in rolling:
            each.cancel()
    waits = sorted(bystanders.waits)
    return {
        "MiB after the first": grown[0],
        "MiB after the last": grown[-1],
        "p50 ms": statistics.median(waits),
        "p99 ms": waits[int(len(waits) * 0.99)],
        "max ms": waits[-1],
        "longest fsync, ms": ours.longest_fsync_ms(),
        "longest collection, under ms": ours.longest_collection_s() * 1000,
    }


def _work(name: str, title: str, rows: dict[str, Row]) -> Work:
    bars = [
        Bar(f"{what}: {label}", figure, most)
        for label, row in rows.items()
        for what, figure, most in (
            (
                "MiB more after the last than after the first",
                row["MiB after the last"] - row["MiB after the first"],
                MOST_MIB,
            ),
            ("ms for a bystander's roll, p99", row["p99 ms"], MOST_P99_MS),
            ("ms for a bystander's roll, the longest", row["max ms"], MOST_MS),
            ("ms for the longest collection", row["longest collection, under ms"], LONGEST_COLLECTION_MS),
        )
    ]
    return Work(name, title, rows, bars)


def _measured(
    count: int, times: int, say: str, come: Callable[[list[BenchRoom]], None], spectators: bool, past: int
) -> Row:
    """Let visitors come to `count` rooms of a server of their own so many times, and return what that cost."""
    with running() as ours:
        calls = Calls(ours.port)
        rooms = [calls.open_room(spectators=spectators) for _ in range(count)]
        calls.close()
        ours.watch_fsyncs()
        if past:
            visit(rooms, past)

        async def measure() -> Row:
            loop = asyncio.get_running_loop()
            return await _repeat(ours, times, lambda pool: loop.run_in_executor(pool, come, rooms), say)

        return asyncio.run(measure())


def visits(runs: int, size: float) -> Work:
    """Visit many rooms eight times, whatever `runs` says."""
    count = max(1, int(ROOMS * size))
    row = _measured(count, TIMES, "visits", visit, spectators=False, past=PAST)
    return _work("visits", f"to {count} rooms, {TIMES} times, while {BYSTANDERS} other rooms roll", {f"{count}": row})


def crowds(runs: int, size: float) -> Work:
    """Let a crowd come and go five times, whatever `runs` says."""
    count = max(1, int(CROWD * size))
    rows = {
        label: _measured(
            max(1, count * CROWD_ROOMS // CROWD),
            COMINGS,
            f"a crowd that goes {label}",
            partial(gather, size=count, at_once=at_once),
            spectators=True,
            past=0,
        )
        for label, at_once in (("as it came", False), ("at once", True))
    }
    return _work("crowds", f"of {count:,} connections, {COMINGS} times, while {BYSTANDERS} other rooms roll", rows)


WORKS: dict[str, Callable[[int, float], Work]] = {"visits": visits, "crowds": crowds}
