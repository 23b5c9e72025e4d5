"""No data frame leaves after a close frame (RFC 6455, 5.5.1), whoever writes it and whoever closed."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from dreadclock_server.gateway.ws.outbox import EXTENSION, DirectFrames, framed
from kit.links.intruder import CLOSE, CONTINUATION, PING, TEXT, Intruder, frame, intruder
from kit.servers.guarded import guarded
from kit.waiting import until

GOODBYE = frame(b"\x03\xe8", CLOSE)
PONG_OUT, TEXT_OUT, CLOSE_OUT = "8a00", "810161", "880203e8"
LITTLE = framed("x" * 4096)
BAD = frame(b"x", 3)  # a reserved opcode
WITHIN_S = 15.0


class Room:
    """An application in which every text that comes in straight is handed to `on_text` with the writer of its sender.

    `frames` holds the connections in the order in which they came.
    """

    def __init__(self, on_text: Callable[[DirectFrames, str], None]) -> None:
        self.frames: list[DirectFrames] = []
        self.ends: list[dict[str, Any]] = []
        self.errors: list[Exception] = []
        self._on_text = on_text

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one websocket."""
        assert (await receive())["type"] == "websocket.connect"
        frames: DirectFrames = scope["extensions"][EXTENSION]
        frames.on_text = lambda text: self._take(frames, text)
        self.frames.append(frames)
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            pass
        self.ends.append(message)

    def _take(self, frames: DirectFrames, text: str) -> bool:
        try:
            self._on_text(frames, text)
        except Exception as error:
            self.errors.append(error)
        return True


def echo(frames: DirectFrames, text: str) -> None:
    """Write a text back at once."""
    frames.write(framed(text))


async def opened(peer: Intruder, room: Room) -> DirectFrames:
    """Get through the handshake, and return the server's side of it."""
    before = len(room.frames)
    assert (await peer.ask("/")).startswith(b"HTTP/1.1 101")
    await until(lambda: len(room.frames) > before)
    return room.frames[-1]


async def all_bytes(peer: Intruder) -> bytes:
    """Read to the end of the connection."""
    async with asyncio.timeout(WITHIN_S):
        return await peer._reader.read(-1)


READS = {
    "both with a mask of zeros": (
        bytes.fromhex("8980000000008181000000006188820000000003e8"),
        TEXT_OUT + PONG_OUT + CLOSE_OUT,
    ),
    "a ping, a text and a close": (frame(b"", PING) + frame(b"a") + GOODBYE, TEXT_OUT + PONG_OUT + CLOSE_OUT),
    "a text, a ping and a close": (frame(b"a") + frame(b"", PING) + GOODBYE, TEXT_OUT + PONG_OUT + CLOSE_OUT),
    "pings around texts": (
        frame(b"", PING) + frame(b"a") + frame(b"", PING) + frame(b"a") + GOODBYE,
        TEXT_OUT * 2 + PONG_OUT * 2 + CLOSE_OUT,
    ),
    "a ping within a text": (
        frame(b"", fin=False) + frame(b"", PING) + frame(b"a", CONTINUATION) + GOODBYE,
        TEXT_OUT + PONG_OUT + CLOSE_OUT,
    ),
    "a ping and a close": (frame(b"", PING) + GOODBYE, PONG_OUT + CLOSE_OUT),
    "a text after the close": (frame(b"", PING) + GOODBYE + frame(b"a"), PONG_OUT + CLOSE_OUT),
}


@pytest.mark.parametrize(("read", "answer"), READS.values(), ids=READS)
async def test_what_comes_in_one_read_is_answered_with_the_close_last(read: bytes, answer: str):
    room = Room(echo)
    async with guarded(room) as server, intruder(server.port) as peer:
        await opened(peer, room)
        peer.send(read)

        assert (await all_bytes(peer)).hex() == answer
        assert room.errors == []


async def test_a_ping_is_answered_at_once_without_a_close():
    room = Room(echo)
    async with guarded(room) as server, intruder(server.port) as peer:
        await opened(peer, room)
        peer.send(frame(b"", PING) + frame(b"a"))
        assert [await peer.next(), await peer.next()] == [(10, b""), (TEXT, b"a")]


async def has_unsent(frames: DirectFrames) -> None:
    """Write until something is left in the transport, but not so much that it stops reading."""
    while not frames.unsent():
        frames.write(LITTLE)
        await asyncio.sleep(0)


ENDS = {"it fails": (BAD, 1002), "it closes": (GOODBYE, 1000)}


@pytest.mark.parametrize(("end", "code"), ENDS.values(), ids=ENDS)
async def test_what_others_write_to_a_connection_that_ends_does_not_follow_its_close_frame(end: bytes, code: int):
    room = Room(lambda frames, text: room.frames[0].write(framed(text)))
    async with guarded(room) as server, intruder(server.port, small=True) as ending, intruder(server.port) as writing:
        frames = await opened(ending, room)
        await opened(writing, room)
        await has_unsent(frames)
        ending.send(end)
        await until(lambda: len(room.ends) == 1)
        assert frames.unsent() > 0
        writing.send(frame(b"too late"))
        await until(lambda: len(room.errors) == 1)

        assert isinstance(room.errors[0], RuntimeError)
        got = await ending.next()
        while got[0] != CLOSE:
            assert got == (TEXT, LITTLE[4:])
            got = await ending.next()
        assert int.from_bytes(got[1][:2], "big") == code
        assert await all_bytes(ending) == b""


async def test_an_application_may_close_from_within_a_text_although_the_clients_close_came_with_it():
    room = Room(lambda frames, text: frames.close(4000, "no more"))
    async with guarded(room) as server, intruder(server.port) as peer:
        await opened(peer, room)
        peer.send(frame(b"a") + GOODBYE)

        assert (await all_bytes(peer)).hex() == CLOSE_OUT
        await until(lambda: room.ends == [{"type": "websocket.disconnect", "code": 1000, "reason": ""}])
        assert room.errors == []


async def test_an_application_that_closes_from_within_a_text_is_not_asked_about_the_next():
    room = Room(lambda frames, text: frames.close(4000, text))
    async with guarded(room) as server, intruder(server.port) as peer:
        await opened(peer, room)
        peer.send(frame(b"a") + frame(b"b"))

        assert await peer.next() == (CLOSE, b"\x0f\xa0a")
        peer.send(frame(b"\x0f\xa0a", CLOSE))
        await until(lambda: len(room.ends) == 1)
        assert room.errors == []


async def test_a_server_that_ends_while_a_clients_close_is_being_answered_closes_all_others_too():
    room = Room(echo)
    async with guarded(room) as server, intruder(server.port, small=True) as ending, intruder(server.port) as other:
        frames = await opened(ending, room)
        await opened(other, room)
        await has_unsent(frames)
        ending.send(GOODBYE)
        await until(lambda: len(room.ends) == 1)
        assert frames.unsent() > 0
        server.server.should_exit = True

        assert await other.closed_with() == 1012
        assert await ending.closed_with() == 1000
