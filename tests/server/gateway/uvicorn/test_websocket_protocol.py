"""uvicorn's websocket protocol within limits: what it lets in, what it offers, and that everything ends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest
from websockets.frames import Frame

from dreadclock.wire.frames import MAX_FRAME_BYTES
from dreadclock_server.gateway.uvicorn import websocket_protocol
from dreadclock_server.gateway.ws.outbox import EXTENSION, DirectFrames, framed
from kit.links.intruder import CLOSE, CONTINUATION, CUT, PING, PONG, TEXT, Intruder, frame, intruder
from kit.servers.guarded import Guarded, guarded
from kit.waiting import until

MUCH = framed("x" * (1 << 23))
UPGRADED = b"HTTP/1.1 101 Switching Protocols"
SOON_S = 0.05
POLICY, WRONG, NOT_UTF_8, TOO_BIG, SILENT = 1008, 1002, 1007, 1009, 1011
Play = Callable[["Stage"], Awaitable[None]]


class Stage:
    """An application's side of one websocket, after it was accepted."""

    def __init__(
        self, frames: DirectFrames, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ):
        self.frames, self.receive, self.send = frames, receive, send


def app(play: Play) -> Any:
    """An application that accepts a websocket and plays."""

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        await play(Stage(scope["extensions"][EXTENSION], receive, send))

    return serve


async def echo(stage: Stage) -> None:
    """Send back what comes in."""
    while (message := await stage.receive())["type"] == "websocket.receive":
        await stage.send({**message, "type": "websocket.send"})


async def pour(stage: Stage) -> None:
    """Write more than anybody takes who does not read, and echo."""
    stage.frames.write(MUCH)
    await echo(stage)


async def opened(intruder: Intruder) -> None:
    """Get through the handshake."""
    assert await intruder.ask("/") == UPGRADED


def fragments(payloads: Iterable[bytes]) -> bytes:
    """Write a message in fragments."""
    first, *others = payloads
    parts = [frame(part, CONTINUATION, fin=False) for part in others]
    return b"".join((frame(first, fin=False), *parts, frame(b"", CONTINUATION)))


async def is_blocked(server: Guarded) -> bool:
    return len(server.sockets) == 1 and not server.sockets[0].writable.is_set()


async def test_written_frames_and_sent_ones_leave_in_order_and_then_it_closes():
    async def play(stage: Stage) -> None:
        stage.frames.write(framed("first"))
        await stage.send({"type": "websocket.send", "text": "second"})
        stage.frames.write(framed("third"))
        assert stage.frames.unsent() == 0
        stage.frames.close(4001, "restart")
        stage.frames.close(4002, "once is enough")
        assert (await stage.receive()) == {"type": "websocket.disconnect", "code": 4001, "reason": "restart"}

    async with guarded(app(play)) as server, intruder(server.port) as peer:
        await opened(peer)
        got = [await peer.next() for _ in range(4)]
        assert got == [(TEXT, b"first"), (TEXT, b"second"), (TEXT, b"third"), (CLOSE, b"\x0f\xa1restart")]
        peer.send(frame(got[-1][1], CLOSE))
        assert await peer.closed_with() == CUT


async def test_texts_that_come_whole_are_read_without_the_parser(monkeypatch: pytest.MonkeyPatch):
    parsed: list[Frame] = []
    monkeypatch.setattr(websocket_protocol._FrameParser, "recv_frame", lambda self, frame: parsed.append(frame))

    async with guarded(app(echo)) as server, intruder(server.port) as peer:
        await opened(peer)
        for text in (b"first", b"second"):
            peer.send(frame(text))
            assert await peer.next() == (TEXT, text)
    assert parsed == []


async def test_the_extension_tells_how_much_is_unsent_and_when_it_is_too_much():
    told: list[bool] = []

    async def play(stage: Stage) -> None:
        stage.frames.on_blocked = told.append
        stage.frames.write(MUCH)
        assert stage.frames.unsent() > 1 << 16
        assert told == [True]
        await echo(stage)

    async with guarded(app(play)) as server, intruder(server.port, small=True) as peer:
        await opened(peer)
        await until(lambda: told == [True])
        assert (await peer.next())[1] == MUCH[10:]
        await until(lambda: told == [True, False])


async def test_nothing_is_read_while_nothing_can_be_written():
    async with guarded(app(pour)) as server, intruder(server.port, small=True) as peer:
        await opened(peer)
        await until(lambda: is_blocked(server))
        assert not server.sockets[0].transport.is_reading()
        peer.send(frame(b"now?"))
        assert len((await peer.next())[1]) == 1 << 23
        assert await peer.next() == (TEXT, b"now?")


async def test_a_message_waits_for_the_application_also_when_writing_goes_on_meanwhile():
    go_on = asyncio.Event()

    async def play(stage: Stage) -> None:
        stage.frames.write(MUCH)
        await go_on.wait()
        await echo(stage)

    async with guarded(app(play)) as server, intruder(server.port) as peer:
        await opened(peer)
        peer.send(frame(b"a"))
        await peer.next()
        await until(lambda: server.sockets[0].read_paused)
        assert not server.sockets[0].transport.is_reading()
        go_on.set()
        assert await peer.next() == (TEXT, b"a")
        await until(lambda: server.sockets[0].transport.is_reading())


async def test_what_keeps_to_the_limits_is_let_in():
    async with guarded(app(echo)) as server, intruder(server.port) as peer:
        await opened(peer)
        dice = "⚂".encode()
        peer.send(fragments([dice[:1], dice[1:], *[b""] * (websocket_protocol.MOST_FRAGMENTS - 3)]))
        assert await peer.next() == (TEXT, dice)
        peer.send(frame(b"x" * MAX_FRAME_BYTES))
        assert await peer.next() == (TEXT, b"x" * MAX_FRAME_BYTES)
        peer.send(frame(b"\xff", 2))
        assert await peer.next() == (2, b"\xff")
        loop = asyncio.get_running_loop()
        for _ in range(2):
            peer.send(b"".join(frame(b"?", PING) for _ in range(websocket_protocol.MOST_CONTROL_FRAMES)))
            assert [await peer.next() for _ in range(websocket_protocol.MOST_CONTROL_FRAMES)] == [
                (PONG, b"?")
            ] * websocket_protocol.MOST_CONTROL_FRAMES
            a_second_later = loop.time() + 1.01
            await until(lambda later=a_second_later: loop.time() > later)  # type: ignore[misc]
        peer.send(frame(b"x") * (websocket_protocol.MOST_AT_ONCE - 1))
        for _ in range(websocket_protocol.MOST_AT_ONCE - 1):
            assert await peer.next() == (TEXT, b"x")
        peer.send(frame(b"\x03\xe8", CLOSE))
        assert await peer.closed_with() == 1000


BREACHES: dict[str, tuple[bytes, int]] = {
    "65 fragments": (fragments([b""] * websocket_protocol.MOST_FRAGMENTS), POLICY),
    "11 pings in a second": (frame(b"", PING) * (websocket_protocol.MOST_CONTROL_FRAMES + 1), POLICY),
    "11 pongs in a second": (frame(b"", PONG) * (websocket_protocol.MOST_CONTROL_FRAMES + 1), POLICY),
    "257 frames at once": (frame(b"") * (websocket_protocol.MOST_AT_ONCE + 1), POLICY),
    "an unmasked frame": (frame(b"x", masked=False), WRONG),
    "a reserved opcode": (frame(b"x", 3), WRONG),
    "a reserved control opcode": (frame(b"x", 11), WRONG),
    "a reserved bit": (frame(b"x", reserved=0x40), WRONG),
    "a fragmented ping": (frame(b"x", PING, fin=False), WRONG),
    "a long ping": (frame(b"x" * 126, PING), WRONG),
    "a continuation of nothing": (frame(b"x", CONTINUATION), WRONG),
    "two beginnings": (frame(b"x", fin=False) * 2, WRONG),
    "invalid UTF-8": (frame(b"\xff"), NOT_UTF_8),
    "invalid UTF-8 and more": (frame(b"\xff") + frame(b"x") + frame(b"", PING), NOT_UTF_8),
    "half a character": (fragments([b"\xe2", b"\x9a"]), NOT_UTF_8),
    "a byte too much": (frame(b"x" * (MAX_FRAME_BYTES + 1)), TOO_BIG),
    "a byte too much in fragments": (fragments([b"x" * MAX_FRAME_BYTES, b"x"]), TOO_BIG),
    "a gigabyte announced": (b"\x81\xff" + (1 << 30).to_bytes(8, "big"), TOO_BIG),
}


@pytest.mark.parametrize(("bytes_", "code"), BREACHES.values(), ids=BREACHES)
async def test_what_passes_a_limit_ends_that_connection(bytes_: bytes, code: int):
    async with guarded(app(echo)) as server, intruder(server.port) as peer, intruder(server.port) as other:
        await opened(peer)
        await opened(other)
        peer.send(bytes_)
        assert await peer.closed_with() == code
        other.send(frame(b"still here?"))
        assert await other.next() == (TEXT, b"still here?")
        await until(lambda: len(server.sockets) == 1)


@pytest.mark.parametrize("answers", [False, True])
@pytest.mark.parametrize("way", ["extension", "send", "return", "shutdown"])
async def test_a_close_ends_although_nothing_is_read(way: str, answers: bool):
    async def play(stage: Stage) -> None:
        stage.frames.write(MUCH)
        if way == "extension":
            stage.frames.close(4000, "too far behind")
        elif way == "send":
            await stage.send({"type": "websocket.close", "code": 4000})
        if way != "return":
            while (await stage.receive())["type"] != "websocket.disconnect":
                pass

    async with guarded(app(play), ends_in_s=SOON_S) as server, intruder(server.port, small=True) as peer:
        await opened(peer)
        if answers:
            peer.send(frame(b"\x0f\xa0", CLOSE))
        if way == "shutdown":
            await until(lambda: is_blocked(server))
            server.server.should_exit = True
        await until(lambda: server.connections == 0)
        assert await peer.is_cut()


async def test_who_answers_no_ping_is_given_up():
    async with (
        guarded(app(echo), ws_ping_interval=SOON_S, ws_ping_timeout=SOON_S) as server,
        intruder(server.port) as peer,
    ):
        await opened(peer)
        assert await peer.closed_with() == SILENT


async def test_who_answers_no_ping_and_takes_nothing_is_given_up():
    async with (
        guarded(app(pour), ws_ping_interval=SOON_S, ws_ping_timeout=SOON_S, ends_in_s=SOON_S) as server,
        intruder(server.port, small=True) as peer,
    ):
        await opened(peer)
        await until(lambda: server.connections == 0)
        assert await peer.is_cut()


async def test_a_ping_behind_much_else_has_time_while_that_is_read():
    waits: list[bool] = []

    async def play(stage: Stage) -> None:
        for _ in range(4):
            stage.frames.write(MUCH)
        await echo(stage)
        waits.append(False)

    async with (
        guarded(app(play), ws_ping_interval=SOON_S, ws_ping_timeout=0.2) as server,
        intruder(server.port, small=True) as peer,
    ):
        await opened(peer)
        await until(lambda: is_blocked(server))
        loop = asyncio.get_running_loop()
        enough = loop.time() + 1

        async def read_a_little() -> bool:
            await peer.take(1 << 15)
            return loop.time() > enough

        await until(read_a_little)
        assert waits == []
        assert await is_blocked(server)


async def test_a_handshake_that_is_none_is_turned_away():
    async with guarded(app(echo)) as server, intruder(server.port) as peer:
        peer.send(b"GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        assert (await peer.head()).startswith(b"HTTP/1.1 400 ")
        assert await peer.is_cut()
        await until(lambda: server.connections == 0)


async def test_an_application_may_turn_a_websocket_away():
    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.close"})

    async with guarded(refuse) as server, intruder(server.port) as peer:
        assert await peer.ask("/") == b"HTTP/1.1 403 Forbidden"
        await until(lambda: server.connections == 0)


async def test_a_close_of_what_is_gone_is_nothing():
    done: list[bool] = []

    async def play(stage: Stage) -> None:
        assert (await stage.receive())["type"] == "websocket.disconnect"
        stage.frames.close(4001, "restart")
        done.append(True)

    async with guarded(app(play)) as server:
        async with intruder(server.port) as peer:
            await opened(peer)
        await until(lambda: done == [True])


async def test_no_query_is_logged(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.INFO)
    async with guarded(app(echo)) as server, intruder(server.port) as peer:
        assert await peer.ask("/ws?token=canary") == UPGRADED
        peer.send(frame(b"\xff"))
        assert await peer.closed_with() == NOT_UTF_8
    assert "canary" not in caplog.text
    assert "Traceback" not in caplog.text


async def test_a_websocket_weighs_little_once_it_is_open():
    async with guarded(app(echo)) as server, intruder(server.port) as guest:
        await opened(guest)
        (websocket,) = server.sockets
        guest.send(frame(b"hello"))
        assert await guest.next() == (TEXT, b"hello")
        for headers in ("request", "response"):
            assert not hasattr(websocket, headers)
        most = 30  # names; with more, instances share no keys, and each dictionary weighs 1.5 KiB
        assert len(vars(websocket)) <= most
        assert len(vars(websocket.conn)) <= most
