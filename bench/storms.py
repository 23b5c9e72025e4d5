"""Storms: everyone comes back at once, and gets exactly what was missed. No peer here keeps what was missed.

`resume`: all connections drop, every room rolls, all come back. `reconnect`: the server is killed with -9, too, and
comes back with its Valkey; all try again from then on, without the wait that real clients spread over.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from figures import Bar, Row, Work
from ours import Ours, cpu_us, running
from rooms import BenchRoom, Calls
from swarm import frame

ROOMS, MEMBERS, ROLLS = 40, 50, 50
TRY_AGAIN_S, LIMIT_S = 0.05, 120.0
BACK_WITHIN_S = 10.0


@dataclass
class Member:
    """A spectator, who knows how far a room was when it left."""

    room: BenchRoom
    positions: dict[str, object]


class Line:
    """A websocket over asyncio's streams, for as little as a storm needs."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: int, path: str) -> Line:
        """Open a websocket. Raises OSError or EOFError if nobody is there."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        if b" 101 " not in await reader.readuntil(b"\r\n\r\n"):
            writer.close()
            raise ConnectionError("no websocket")
        return cls(reader, writer)

    def send(self, message: dict[str, object]) -> None:
        """Send a message."""
        self._writer.write(frame(json.dumps(message).encode()))

    async def next(self) -> str:
        """Read the next text; pings are not answered, for nobody stays that long."""
        while True:
            opcode, length = await self._reader.readexactly(2)
            if length > 125:
                length = int.from_bytes(await self._reader.readexactly(2 if length == 126 else 8))
            body = await self._reader.readexactly(length)
            if opcode & 15 == 1:
                return body.decode()

    async def close(self) -> None:
        """Drop it, without a word."""
        self._writer.transport.abort()


async def join(
    port: int, room: BenchRoom, positions: dict[str, object] | None = None
) -> tuple[Line, dict[str, object]]:
    """Say hello, and return the line with its welcome."""
    line = await Line.open(port, f"/ws/{room.room_id}")
    hello: dict[str, object] = {"type": "hello", "v": 1, "token": room.spectator}
    line.send(hello | ({"positions": positions} if positions else {}))
    welcome = json.loads(await line.next())
    assert welcome["type"] == "welcome", welcome
    return line, welcome


async def come_back(port: int, member: Member, expected: int) -> Line:
    """Come back, trying until it works, and return once all that was missed is there; it must be just that."""
    while True:
        try:
            line, welcome = await join(port, member.room, member.positions)
            break
        except (OSError, EOFError):
            await asyncio.sleep(TRY_AGAIN_S)
    assert welcome["resumed"] is True, welcome
    seqs: list[int] = []
    while len(seqs) < expected:
        header, *records = (await line.next()).split("\n")
        if json.loads(header)["type"] == "events":
            seqs += [json.loads(record)["seq"] for record in records]
    first = int(member.positions["public"]["seq"]) + 1  # type: ignore[index]
    assert seqs == list(range(first, first + expected)), seqs
    return line


async def _gathered(port: int, rooms: list[BenchRoom]) -> list[Member]:
    """Let everyone come, one room after the other, note how far it is, and go."""
    members = []
    for room in rooms:
        came = await asyncio.gather(*(join(port, room) for _ in range(MEMBERS)))
        members += [Member(room, welcome["positions"]) for _, welcome in came]  # type: ignore[arg-type]
        for line, _ in came:
            await line.close()
    return members


async def _storm(ours: Ours, members: list[Member]) -> tuple[float, float]:
    """Let all come back at once. Returns the seconds until the last was back, and until half were."""
    start, backs = time.perf_counter(), list[float]()

    async def one(member: Member) -> Line:
        line = await come_back(ours.port, member, ROLLS)
        backs.append(time.perf_counter() - start)
        return line

    async with asyncio.timeout(LIMIT_S):
        lines = await asyncio.gather(*(one(member) for member in members))
    for line in lines:
        await line.close()
    return max(backs), statistics.median(backs)


async def _resume(ours: Ours, members: list[Member]) -> Row:
    before = cpu_us(ours.pid)
    last, half = await _storm(ours, members)
    return _figures(last, half, cpu_us(ours.pid) - before, len(members))


async def _reconnect(ours: Ours, members: list[Member]) -> Row:
    ours.kill()
    storm = asyncio.create_task(_storm(ours, members))
    start = time.perf_counter()
    await asyncio.to_thread(ours.start)
    answers, before = time.perf_counter() - start, cpu_us(ours.pid)
    last, half = await storm
    figures = _figures(last, half, cpu_us(ours.pid) - before, len(members))
    return {**figures, "server answers s": answers}


def _figures(last: float, half: float, cpu: float, members: int) -> Row:
    return {"all back s": last, "half back s": half, "CPU us/return": cpu / members}


def _work(name: str, title: str, storm: Callable[[Ours, list[Member]], Awaitable[Row]], runs: int, size: float) -> Work:
    found: list[Row] = []
    for _ in range(runs):
        with running() as ours:
            calls = Calls(ours.port)
            rooms = [calls.open_room() for _ in range(max(1, int(ROOMS * size)))]
            calls.close()
            members = asyncio.run(_gathered(ours.port, rooms))
            for room in rooms:
                room.roll(ROLLS)
            found.append(asyncio.run(storm(ours, members)))  # type: ignore[arg-type]
    row = {figure: statistics.median(each[figure] for each in found) for figure in found[0]}
    count = len(members)
    bars = [Bar(f"seconds until all {count:,} are back", row["all back s"], BACK_WITHIN_S)]
    return Work(name, title.format(count=f"{count:,}"), {"dreadclock": row}, bars)


def resume(runs: int, size: float) -> Work:
    """Let all connections drop and come back."""
    title = "{count} connections dropped; each comes back and gets the 50 events that it missed"
    return _work("resume", title, _resume, runs, size)


def reconnect(runs: int, size: float) -> Work:
    """Let all connections come back to a server that was killed."""
    title = "the same after kill -9 of the server; all {count} come back while it starts"
    return _work("reconnect", title, _reconnect, runs, size)


WORKS = {"resume": resume, "reconnect": reconnect}
