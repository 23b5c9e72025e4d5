"""Rooms for the benchmarks, opened by REST; and the swarm's connections to them, which answer pings."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

import swarm
from ours import cpu_us

ROLL: dict[str, object] = {"type": "roll_dice", "pool": 6}
MARKER = b'"type":"dice_rolled"'  # once in each record of such a roll
PING, PONG, PING_BYTES = 0x89, 10, 4  # of this server's pings, after which they are found: all else here is ASCII
TEND_EVERY_S = 2.0  # while others come: who is there already is pinged meanwhile


@dataclass(frozen=True)
class BenchRoom:
    """A room, and the tokens of its gm and its spectators."""

    port: int
    room_id: str
    gm: str
    spectator: str = ""

    def enter(self, token: str) -> tuple[socket.socket, bytes]:
        """Open a websocket and say hello; return it with what came up to the welcome's end at least."""
        sock = swarm.upgrade(self.port, f"/ws/{self.room_id}")
        sock.sendall(swarm.frame(json.dumps({"type": "hello", "v": 1, "token": token}).encode()))
        return sock, _whole_frame(sock)

    def at(self, port: int) -> BenchRoom:
        """Return the same room at another server."""
        return replace(self, port=port)

    def roll(self, times: int) -> None:
        """Roll so often by REST, one after the other."""
        calls = Calls(self.port)
        for _ in range(times):
            calls.post(f"/api/rooms/{self.room_id}/commands", ROLL, self.gm)
        calls.close()


def _whole_frame(sock: socket.socket) -> bytes:
    """Read one frame of a server to its end."""
    received = b""
    while len(received) < 2 or len(received) < 2 + _extra(received) or len(received) < _end(received):
        chunk = sock.recv(65536)
        if not chunk:
            raise ConnectionError(f"closed instead of a welcome: {received!r}")
        received += chunk
    return received


def _extra(received: bytes) -> int:
    return {126: 2, 127: 8}.get(received[1], 0)


def _end(received: bytes) -> int:
    start = 2 + _extra(received)
    return start + (int.from_bytes(received[2:start]) if start > 2 else received[1])


class Calls:
    """REST calls over one connection."""

    def __init__(self, port: int) -> None:
        self._port, self._connection = port, http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def post(self, path: str, body: dict[str, object], token: str | None = None) -> dict:
        """Make a call that has to succeed, and return its answer."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._connection.request("POST", path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise AssertionError(f"{path}: {answer.status} {text!r}")
        return json.loads(text)

    def open_room(self, *, spectators: bool = True) -> BenchRoom:
        """Open a room, with a link for spectators unless told otherwise."""
        opened = self.post("/api/rooms", {"title": "Bench"})
        room_id, gm = opened["room_id"], opened["gm"]["token"]
        if not spectators:
            return BenchRoom(self._port, room_id, gm)
        invited = self.post(f"/api/rooms/{room_id}/invites", {"role": "spectator"}, gm)
        return BenchRoom(self._port, room_id, gm, invited["token"])

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


@dataclass(frozen=True)
class Spent:
    """What one roll took: the servers' CPU time in us, and the time in s that went by for each."""

    cpu_us: float
    wall_s: float


class _Rolls(swarm.Target):
    """A gm who rolls six dice, and spectators."""

    def __init__(self, port: int, crowd: Crowd, members: int) -> None:
        super().__init__(port)
        self.rooms: dict[str, BenchRoom] = {}
        self._calls, self._crowd, self._with_spectators = Calls(port), crowd, members > 1
        self._tended = time.monotonic()

    def join(self, room: str, member: int) -> socket.socket:
        """Let one more in; look after those who are there."""
        if room not in self.rooms:
            self.rooms[room] = self._calls.open_room(spectators=self._with_spectators)
        if time.monotonic() - self._tended > TEND_EVERY_S:
            self._crowd.tend()
            self._crowd.also()
            self._tended = time.monotonic()
        there = self.rooms[room]
        return there.enter(there.spectator if member else there.gm)[0]

    def roll(self, room: str, n: int) -> bytes:
        """Roll."""
        return swarm.frame(json.dumps({"type": "command", "n": n + 1, "command": ROLL}).encode())


class Crowd(swarm.Swarm):
    """A swarm that may stay: it answers pings. `also` is called now and then while it gathers."""

    def __init__(
        self, port: int, pid: int, rooms: int, members: int = 1, also: Callable[[], None] = lambda: None
    ) -> None:
        self.rolling, self.also = _Rolls(port, self, members), also
        super().__init__(self.rolling, rooms, members, pid)
        self._turn = deque(range(rooms))

    @property
    def rooms(self) -> list[BenchRoom]:
        """Its rooms."""
        return list(self.rolling.rooms.values())

    def _read(self, fd: int) -> int:
        try:
            chunk = self.socks[fd].recv(262144)
        except BlockingIOError:
            return 0
        if not chunk:
            raise ConnectionError("the server closed a connection")
        at = chunk.find(bytes([PING, PING_BYTES]))
        if at >= 0:
            self.socks[fd].sendall(swarm.frame(chunk[at + 2 : at + 2 + PING_BYTES], PONG))
        data = self.tails[fd] + chunk
        self.tails[fd] = data[1 - len(MARKER) :]
        return data.count(MARKER)

    def tend(self) -> None:
        """Read what there is, and answer pings."""
        while ready := self.poll.poll(0):
            for fd, _ in ready:
                self._read(fd)

    def rolls_in_turn(self, rolls: int, at_once: int) -> Spent:
        """Roll in one room after the other, so many at a time. Returns what one of them took."""
        before, start = cpu_us(self.pid), time.perf_counter()
        sent, done, seen = 0, 0, [0] * len(self.names)
        while done < rolls:
            while sent < rolls and sent - done < at_once:
                self._roll(self._turn[0])
                self._turn.rotate(-1)
                sent += 1
            for fd, _ in self.poll.poll(1):
                room = self.room_of[fd]
                seen[room] += self._read(fd)
                done += seen[room] // self.members
                seen[room] %= self.members
        return Spent((cpu_us(self.pid) - before) / rolls, (time.perf_counter() - start) / rolls)
