"""Dreadclock as a target of the swarm: a gm who rolls one countdown, and spectators who watch.

    python compare.py --ours dreadclock_target.py:Dreadclock \\
        --ours-cmd 'dreadclock serve --port {port} --data FOLDER --no-limits --max-room-mib none \\
            --max-connections-per-address 20000'

The swarm is one address, and one gm who rolls as fast as can be: so the limits are off, and the caps high.
The countdown starts with 30 dice and gets 20 more before every sixth roll, so that it never runs
out: a roll is of 20 dice on average, and every sixth costs a second command and its event.
"""

from __future__ import annotations

import json
import socket
import urllib.request

from swarm import Target, frame, upgrade

POOL, REFILL, ROLLS_PER_REFILL = 30, 20, 6


class Dreadclock(Target):
    """Every roll is decided by the rules, proven, stored, on disk, and hash-chained before anyone hears of it."""

    name = "dreadclock"

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.rooms: dict[str, tuple[str, str, str]] = {}  # room id, gm's token, spectators' token

    def join(self, room: str, member: int) -> socket.socket:
        """Open the room with its countdown for member 0, the gm; the others are spectators."""
        if room not in self.rooms:
            self.rooms[room] = self._open(room)
        room_id, gm, spectator = self.rooms[room]
        sock = upgrade(self.port, f"/ws/{room_id}")
        hello = {"type": "hello", "v": 1, "token": gm if member == 0 else spectator}
        sock.sendall(frame(json.dumps(hello).encode()))
        received = b""
        while b'"welcome"' not in received:
            received += sock.recv(65536)
        return sock

    def roll(self, room: str, n: int) -> bytes:
        """Roll the countdown, refilled first where it is time."""
        refills = n // ROLLS_PER_REFILL
        frames = b""
        if n and n % ROLLS_PER_REFILL == 0:
            refill = {"type": "replenish_countdown", "countdown_id": "c", "dice": REFILL}
            frames = self._command(n + refills, refill)
        return frames + self._command(n + refills + 1, {"type": "roll_countdown", "countdown_id": "c"})

    def _command(self, number: int, command: dict[str, object]) -> bytes:
        return frame(json.dumps({"type": "command", "n": number, "command": command}).encode())

    def _open(self, title: str) -> tuple[str, str, str]:
        opened = self._post("/api/rooms", {"title": title}, None)
        room_id, gm = opened["room_id"], opened["gm"]["token"]
        spectator = self._post(f"/api/rooms/{room_id}/invites", {"role": "spectator"}, gm)["token"]
        start = {
            "type": "start_countdown",
            "id": "c",
            "name": "Bench",
            "pool": POOL,
            "bound_to": "nothing",
            "replenishable": True,
        }
        self._post(f"/api/rooms/{room_id}/commands", start, gm)
        return room_id, gm, spectator

    def _post(self, path: str, body: dict[str, object], token: str | None) -> dict:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode())
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request) as response:
            return json.load(response)
