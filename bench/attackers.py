"""The attackers of attacks.py, in a process of their own.

Each attack is played by many at once, on one connection after the other, from an address of their own.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from dreadclock.export import write_export
from dreadclock.wire.base import Channel
from kit.links.intruder import CLOSE, CONTINUATION, PING, PONG, Intruder, frame, intruder

ADDRESS = "127.0.0.2"
MIB = 1 << 20
GENTLY_S = 0.05
UPGRADED = b"101"


@dataclass
class Stage:
    """Where and until when the attackers play, and what they saw."""

    port: int
    room: str
    tokens: list[str]  # the gm's, a player's, a spectator's
    until: float = 0.0
    seen: Counter[str] = field(default_factory=Counter)

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return asyncio.get_running_loop().time() < self.until

    @asynccontextmanager
    async def connection(self, *, small: bool = False) -> AsyncIterator[Intruder]:
        """Connect."""
        async with intruder(self.port, as_host=ADDRESS, small=small) as peer:
            yield peer

    @asynccontextmanager
    async def websocket(self, *, small: bool = False) -> AsyncIterator[Intruder]:
        """Connect and be upgraded. Raises ConnectionError if that is refused."""
        async with self.connection(small=small) as peer:
            answer = await peer.ask("/ws/" + self.room)
            if UPGRADED not in answer:
                self.seen["turned away"] += 1
                await asyncio.sleep(GENTLY_S)
                raise ConnectionError(answer)
            yield peer

    def hello(self, who: int = 1, **more: object) -> bytes:
        """Write the hello of the gm (0), a player (1) or a spectator (2)."""
        return said({"type": "hello", "v": 1, "token": self.tokens[who], **more})


Act = Callable[[Stage], Coroutine[Any, Any, None]]


def said(value: object) -> bytes:
    """Write a frame of JSON."""
    return frame(json.dumps(value).encode())


def roll(n: int) -> bytes:
    """Write a command."""
    return said({"type": "command", "n": n, "command": {"type": "roll_dice", "pool": 2}})


async def ended(stage: Stage, peer: Intruder) -> None:
    """Read on to the close frame, and note its code."""
    code = await peer.close_frame()
    stage.seen[f"closed {code}" if code else "cut"] += 1


async def read_out(stage: Stage, peer: Intruder) -> None:
    """Read an HTTP answer, if one comes, to the end of the connection."""
    answer = await peer.head()
    stage.seen[answer.split(b"\r\n")[0].decode() or "cut"] += 1
    await peer.is_cut()


def saying(data: bytes, *, read: bool = True) -> Act:
    """Upgrade, and say this."""

    async def act(stage: Stage) -> None:
        async with stage.websocket(small=not read) as peer:
            peer.send(data)
            await (ended(stage, peer) if read else cut(stage, peer))

    return act


async def cut(stage: Stage, peer: Intruder) -> None:
    """Read nothing until the connection can be written to no more, or time is up."""
    await dripping(stage, peer, b"")


async def dripping(stage: Stage, peer: Intruder, data: bytes) -> None:
    """Send this again and again until the connection can be written to no more, or time is up."""
    while stage.goes_on and not peer.is_lost:
        peer.send(data)
        await asyncio.sleep(GENTLY_S)
    note_end(stage, peer)


def note_end(stage: Stage, peer: Intruder) -> None:
    """Note whether the server ended the connection, or it was held until time was up."""
    stage.seen["cut" if peer.is_lost else "held"] += 1


def as_seat(data: Callable[[Stage], bytes] | bytes, who: int = 1) -> Act:
    """Be welcomed, and say this."""

    async def act(stage: Stage) -> None:
        async with stage.websocket() as peer:
            peer.send(stage.hello(who) + (data(stage) if callable(data) else data))
            await ended(stage, peer)

    return act


async def silent(stage: Stage) -> None:
    async with stage.connection() as peer:
        await read_out(stage, peer)


async def half_a_handshake(stage: Stage) -> None:
    async with stage.connection() as peer:
        peer.send(b"GET /ws/x HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n")
        await read_out(stage, peer)


async def headers_without_end(stage: Stage) -> None:
    async with stage.connection() as peer:
        peer.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-More: and more\r\n" * 60_000)
        await read_out(stage, peer)


async def headers_by_the_byte(stage: Stage) -> None:
    async with stage.connection() as peer:
        peer.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-More: ")
        await dripping(stage, peer, b"x")


async def many_connections(stage: Stage) -> None:
    async with stage.websocket() as peer:
        await ended(stage, peer)


async def slow_reader(stage: Stage) -> None:
    async with stage.websocket(small=True) as peer:
        peer.send(stage.hello(2))
        await cut(stage, peer)


async def busy_gm(stage: Stage) -> None:
    """Roll all the time in the room that the slow readers watch."""
    async with stage.websocket() as peer:
        peer.send(stage.hello(0))
        n = 0
        while stage.goes_on:
            n += 1
            peer.send(said({"type": "command", "n": n, "command": {"type": "roll_dice", "pool": 60}}))
            await peer.take(1 << 16)


async def slow_readers_of_a_busy_room(stage: Stage) -> None:
    await asyncio.gather(busy_gm(stage), *(again_and_again(stage, slow_reader) for _ in range(98)))


async def commands_unread(stage: Stage) -> None:
    async with stage.websocket(small=True) as peer:
        peer.send(stage.hello())
        n = 0
        while stage.goes_on and not peer.is_lost:
            if peer.unsent < 1 << 16:
                peer.send(b"".join(roll(n + more) for more in range(1, 33)))
                n += 32
            await asyncio.sleep(GENTLY_S / 5)
        note_end(stage, peer)


def view_unread(**more: object) -> Act:
    """Ask for the whole view again and again, and read none of it; `more`: what the hello says besides."""

    async def act(stage: Stage) -> None:
        async with stage.websocket(small=True) as peer:
            peer.send(stage.hello(1, **more))
            for _ in range(20):
                await asyncio.sleep(GENTLY_S)
        stage.seen["left unread"] += 1

    return act


def answers_unread(path: str) -> Act:
    """Ask for something of the room a hundred times over one connection, and read no answer."""

    async def act(stage: Stage) -> None:
        where, token = path.format(room=stage.room), stage.tokens[1]
        request = f"GET {where} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
        async with stage.connection(small=True) as peer:
            peer.send(request.encode() * 100)
            await cut(stage, peer)

    return act


def big_body(method: str, path: str) -> Act:
    """Send 100 MB to a call."""
    chunk = b"x" * (1 << 16)

    async def act(stage: Stage) -> None:
        async with stage.connection() as peer:
            where = path.format(room=stage.room)
            peer.send(
                f"{method} {where} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {stage.tokens[0]}\r\n"
                "Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n".encode()
            )
            for _ in range(100_000_000 // len(chunk)):
                while peer.unsent > 4 * len(chunk) and not peer.is_lost and stage.goes_on:
                    await asyncio.sleep(0.002)
                if peer.is_lost or not stage.goes_on:
                    break
                peer.send(chunk)
            note_end(stage, peer)

    return act


def posted(path: str, body: Callable[[], bytes]) -> Act:
    """Send a body to a call, again and again; it is written when it is first needed."""
    whole = cache(body)

    async def act(stage: Stage) -> None:
        data = whole()
        async with stage.connection() as peer:
            where = path.format(room=stage.room)
            peer.send(
                f"POST {where} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {stage.tokens[0]}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
            )
            for start in range(0, len(data), MIB):
                peer.send(data[start : start + MIB])
                while peer.unsent and not peer.is_lost and stage.goes_on:
                    await asyncio.sleep(0.002)
            answer = await peer.head()
            stage.seen[answer[9:12].decode() or "no answer"] += 1

    return act


def unknown_keys(count: int) -> bytes:
    """Write an object with so many keys that nobody asked for."""
    return b"{" + b",".join(b'"k%d":%d' % (number, number % 10) for number in range(count)) + b"}"


def export_of_unknown_keys(count: int) -> bytes:
    """Write an export whose first record has so many keys that nobody asked for."""
    header = "".join(write_export("a" * 26, "0" * 32, [Channel.PUBLIC], [])).encode()
    event = b'{"type":"turn_ended",' + unknown_keys(count)[1:]
    record = b'{"at":1,"by":"gm","channel":"public","event":' + event + b',"seq":1,"v":1}'
    return header + b'{"head":"' + b"0" * 64 + b'","record":' + record + b"}\n"


async def chunks_by_the_byte(stage: Stage) -> None:
    async with stage.connection() as peer:
        peer.send(b"POST /api/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        await dripping(stage, peer, b"1\r\nx\r\n")


async def pipelined(stage: Stage) -> None:
    async with stage.connection(small=True) as peer:
        peer.send(b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 10_000)
        await cut(stage, peer)


def deep(brackets: int) -> bytes:
    """Write a command whose JSON nests."""
    return frame(b'{"type":"command","n":1,"command":{"type":' + b"[" * brackets + b"]" * brackets + b"}}")


def twice(size: int = 4_000) -> bytes:
    """Write a command with a key that comes again and again."""
    return frame(b'{"type":"command","n":1,"command":{' + b'"type":"roll_dice",' * (size - 1) + b'"pool":1}}')


def json_frames(body: bytes, times: int = 200) -> bytes:
    """Write a command many times."""
    return b"".join(frame(b'{"type":"command","n":%d,"command":%s}' % (n, body)) for n in range(1, times + 1))


FLOOD = 64  # attackers at once
ATTACKS: dict[str, tuple[int, Act]] = {
    "silent handshakes": (200, silent),
    "half-sent handshakes": (200, half_a_handshake),
    "headers without end": (FLOOD, headers_without_end),
    "headers byte by byte": (200, headers_by_the_byte),
    "5,000 connections of one address": (5_000, many_connections),
    "300,000 empty fragments": (FLOOD, saying(frame(fin=False) + frame(b"", CONTINUATION, fin=False) * 300_000)),
    "a ping flood without reading": (FLOOD, saying(frame(b"x" * 125, PING) * 10_000, read=False)),
    "a pong flood": (FLOOD, saying(frame(b"x" * 125, PONG) * 10_000)),
    "huge close frames": (FLOOD, saying(frame(b"x" * 60_000, CLOSE))),
    "fragmented control frames": (FLOOD, saying(frame(b"x", PING, fin=False))),
    "unmasked frames": (FLOOD, saying(frame(b"{}", masked=False))),
    "reserved opcodes": (FLOOD, saying(frame(b"{}", 3))),
    "reserved bits": (FLOOD, saying(frame(b"{}", reserved=0x40))),
    "invalid UTF-8": (FLOOD, saying(frame(b"\xc3\x28" * 30_000))),
    "oversized messages": (FLOOD, saying(frame(b" " * 65_537))),
    "a message that says it is 2^62 bytes": (
        FLOOD,
        saying(bytes([0x81, 0xFF]) + (1 << 62).to_bytes(8, "big") + b"x" * 99_999),
    ),
    "messages without an end": (FLOOD, saying(frame(b" " * 65_535, fin=False))),
    "nested JSON": (FLOOD, as_seat(deep(30_000))),
    "nested JSON before the hello": (FLOOD, saying(deep(30_000))),
    "lone surrogates": (FLOOD, as_seat(json_frames(b'{"type":"rename","name":"\\ud800"}'))),
    "duplicate keys": (FLOOD, as_seat(twice() * 4)),
    "1e400": (FLOOD, as_seat(json_frames(b'{"type":"roll_dice","pool":1e400}'))),
    "numbers of 60,000 digits": (FLOOD, as_seat(json_frames(b'{"type":"roll_dice","pool":' + b"9" * 60_000 + b"}", 8))),
    "hellos with a wrong token": (FLOOD, saying(said({"type": "hello", "v": 1, "token": "x" * 22}))),
    "welcomes, and away": (FLOOD, as_seat(frame(b"", CLOSE))),
    "slow readers of a busy room": (1, slow_readers_of_a_busy_room),
    "commands whose answers nobody reads": (16, commands_unread),
    "whole views nobody reads": (100, view_unread()),
    "resets nobody reads": (100, view_unread(positions={"public": {"seq": 1, "hash": "0" * 64}})),
    "pipelined requests nobody reads": (FLOOD, pipelined),
    "views over HTTP nobody reads": (FLOOD, answers_unread("/api/rooms/{room}")),
    "logs nobody reads": (FLOOD, answers_unread("/api/rooms/{room}/log")),
    "100 MB to open a room": (FLOOD, big_body("POST", "/api/rooms")),
    "100 MB to import": (FLOOD, big_body("POST", "/api/rooms/import")),
    "100 MB to show a room": (FLOOD, big_body("GET", "/api/rooms/{room}")),
    "100 MB to delete a room": (FLOOD, big_body("DELETE", "/api/rooms/{room}")),
    "100 MB to invite": (FLOOD, big_body("POST", "/api/rooms/{room}/invites")),
    "100 MB to list tokens": (FLOOD, big_body("GET", "/api/rooms/{room}/tokens")),
    "100 MB to revoke a token": (FLOOD, big_body("DELETE", "/api/rooms/{room}/tokens/abc")),
    "100 MB as a command": (FLOOD, big_body("POST", "/api/rooms/{room}/commands")),
    "100 MB to show a log": (FLOOD, big_body("GET", "/api/rooms/{room}/log")),
    "100 MB to ask for odds": (FLOOD, big_body("GET", "/api/odds/table")),
    "100 MB to a health check": (FLOOD, big_body("GET", "/healthz")),
    "100 MB to nowhere": (FLOOD, big_body("POST", "/nowhere")),
    "imports of a million unknown keys": (4, posted("/api/rooms/import", lambda: export_of_unknown_keys(1_000_000))),
    "imports of 190,000 unknown keys": (4, posted("/api/rooms/import", lambda: export_of_unknown_keys(190_000))),
    "invites with 6,000 unknown keys": (FLOOD, posted("/api/rooms/{room}/invites", lambda: unknown_keys(6_000))),
    "chunks byte by byte": (200, chunks_by_the_byte),
}


async def again_and_again(stage: Stage, act: Act) -> None:
    """Play an attack until time is up."""
    while stage.goes_on:
        try:
            await asyncio.wait_for(act(stage), max(0.1, stage.until - asyncio.get_running_loop().time()))
        except TimeoutError:
            stage.seen["held"] += 1
        except (ConnectionError, asyncio.IncompleteReadError):
            stage.seen["cut short"] += 1
            await asyncio.sleep(0.001)


async def main(name: str, seconds: float, stage: Stage) -> None:
    """Play one attack."""
    at_once, act = ATTACKS[name]
    stage.until = asyncio.get_running_loop().time() + seconds
    await asyncio.gather(*(again_and_again(stage, act) for _ in range(at_once)))
    print(", ".join(f"{count} {what}" for what, count in stage.seen.most_common(4)))


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (20_000, 20_000))
    _, name, seconds, port, room, *tokens = sys.argv
    asyncio.run(main(name, float(seconds), Stage(int(port), room, tokens)))
