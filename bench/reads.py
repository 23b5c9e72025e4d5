"""What reading a room costs: whatever others may hide in it, and however many lives of a server it took to grow.

Rooms take turns, so that what else the machine does meets all of them alike.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable

from figures import Bar, Row, Work
from growth import Found
from ours import Ours, cpu_us, running
from rooms import ROLL, BenchRoom, Calls
from swarm import frame, upgrade

from dreadclock.wire.base import Channel
from dreadclock.wire.records import advance, opening_head

HIDDEN, PUBLIC, CALLS = (0, 20, 200, 2_000), 300, 200
SECRET_ROLL: dict[str, object] = {**ROLL, "visibility": "gm"}
SAME = 1.1  # times the smallest
LIVES, ENTRIES, LIVES_ALIKE = 40, 240, 1.5


class _Reader:
    """A spectator of a room whose gm did something in secret, so often."""

    def __init__(self, port: int, hidden: int) -> None:
        calls = Calls(port)
        self.room = calls.open_room()
        for order, times in ((ROLL, PUBLIC // 2), (SECRET_ROLL, hidden // 2)) * 2:
            for _ in range(times):
                calls.post(f"/api/rooms/{self.room.room_id}/commands", order, self.room.gm)
        self._path = f"/api/rooms/{self.room.room_id}"
        self.connect()
        texts = self._get("/log").decode().splitlines()
        self.last = len(texts)
        head = opening_head(self.room.room_id, self._log_id(), Channel.PUBLIC)
        for text in texts[:20]:
            head = advance(head, text)
        self._hello = {"type": "hello", "v": 1, "token": self.room.spectator, "session": None}
        self._hello["positions"] = {"public": {"seq": head.seq, "hash": head.hash}}

    def connect(self) -> None:
        """Take a new connection for calls: the server ends one that nobody uses."""
        self._connection = http.client.HTTPConnection("127.0.0.1", self.room.port, timeout=30)

    def _get(self, path: str) -> bytes:
        self._connection.request("GET", self._path + path, headers={"Authorization": f"Bearer {self.room.spectator}"})
        answer = self._connection.getresponse()
        if answer.status != 200:
            raise AssertionError(f"{path}: {answer.status}")
        return answer.read()

    def _log_id(self) -> str:
        sock, welcome = self.room.enter(self.room.spectator)
        sock.close()
        text = welcome[welcome.index(b"{") :].decode(errors="replace")  # other frames may follow
        return str(json.JSONDecoder().raw_decode(text)[0]["log_id"])

    def log(self) -> None:
        """Read the log from its last record on."""
        self._get(f"/log?public={self.last}")

    def some(self) -> None:
        """Read the last 100 records of the log."""
        self._get(f"/log?public={self.last - 100}")

    def export(self) -> None:
        """Read all of the log."""
        self._get("/log")

    def view(self) -> None:
        """Read the view."""
        self._get("")

    def resume(self) -> None:
        """Come back after 20 records; all that followed has to be read from the store."""
        sock = upgrade(self.room.port, f"/ws/{self.room.room_id}")
        sock.sendall(frame(json.dumps(self._hello).encode()))
        received = b""
        while f'"seq":{self.last},"v":1}}'.encode() not in received:
            chunk = sock.recv(1 << 18)
            if not chunk:
                raise ConnectionError(f"closed instead of what was missed: {received[-200:]!r}")
            received += chunk
        sock.close()


def hidden(runs: int, size: float) -> Work:
    """Read rooms that are alike but for what only the gm knows."""
    found, figures = Found(), ("log", "some", "export", "resume", "view")
    with running() as ours:
        readers = {f"{count:,}": _Reader(ours.port, count) for count in HIDDEN}
        for reader in readers.values():
            reader.connect()
        for _ in range(max(CALLS, int(CALLS * runs * size))):
            for label, reader in readers.items():
                for figure in figures:
                    found.note(label, f"{figure} ms", _ms(getattr(reader, figure)))
    rows = found.medians()
    bars = [_alike(figure, [row[f"{figure} ms"] for row in rows.values()]) for figure in figures]
    return Work("reads-hidden", "commands in a room that only the gm sees; the time of a spectator's reads", rows, bars)


def _ms(call: Callable[[], None]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def _alike(figure: str, values: list[float]) -> Bar:
    return Bar(f"{figure}: slowest to fastest", max(values) / min(values), SAME)


def lives(runs: int, size: float) -> Work:
    """Let one room grow in many lives of a server that is killed each time, another in one, and load both."""
    found, many = Found(), max(2, int(LIVES * size))
    labels = (f"{many} lives of {ENTRIES}", f"1 life of {many * ENTRIES:,}")
    with running() as ours:
        short, long = Calls(ours.port).open_room(), Calls(ours.port).open_room()
        for _ in range(many):
            ours.kill()
            ours.start()
            short.roll(ENTRIES)
        long.roll(many * ENTRIES)
        for turn in range(max(3, runs)):
            for label, room in list(zip(labels, (short, long), strict=True))[:: -1 if turn % 2 else 1]:
                _load(found, label, ours, room)
    rows: dict[str, Row] = found.medians()
    values = [row["join ms"] for row in rows.values()]
    bar = Bar("loading: slower to faster", max(values) / min(values), LIVES_ALIKE)
    return Work("reads-lives", "a room's log from many lives of a server, or from one; the first join", rows, [bar])


def _load(found: Found, label: str, ours: Ours, room: BenchRoom) -> None:
    """Join a room at a server that has just started, and has served one other join."""
    with running("--store", ours.store_url) as second:
        warm = Calls(second.port).open_room()
        warm.enter(warm.gm)[0].close()
        before = cpu_us(second.pid)
        found.note(label, "join ms", _ms(lambda: room.at(second.port).enter(room.gm)[0].close()))
        found.note(label, "CPU ms", (cpu_us(second.pid) - before) / 1000)


WORKS = {"reads-hidden": hidden, "reads-lives": lives}
