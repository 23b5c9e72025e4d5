"""Text frames that come whole and alone are read as the parser reads them; all else is left to it."""

import os
from typing import Any

import pytest
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from dreadclock_server.gateway.uvicorn.websocket_protocol import _FrameParser
from dreadclock_server.gateway.uvicorn.whole_frames import payload_of
from dreadclock_server.gateway.ws.outbox import EXTENSION, DirectFrames
from kit.links.intruder import frame, intruder
from kit.servers.guarded import guarded
from kit.waiting import until


def sent(text: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, text, fin).serialize(mask=mask)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 255, 256, 65_535])
def test_a_frame_of_text_that_came_alone_is_read_whatever_its_length(size: int):
    text = os.urandom(size)

    assert payload_of(sent(text)) == text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        sent(b"hi")[:-1],
        sent(b"hi") + b"\0",
        sent(b"hi") + sent(b"hi"),
        sent(b"x" * 126)[:-1],
        sent(b"x" * 65_536),
        sent(b"hi", fin=False),
        sent(b"hi", mask=False),
        sent(b"hi", Opcode.BINARY),
        sent(b"hi", Opcode.PING),
        sent(b"", Opcode.CLOSE),
        b"\xc1" + sent(b"hi")[1:],
    ],
    ids=lambda data: f"{len(data)} bytes",  # the masks are random
)
def test_whatever_else_came_in_is_left_to_the_parser(data: bytes):
    assert payload_of(data) is None


def opened(early: bytes = b"") -> _FrameParser:
    """Return a parser after its handshake, which `early` bytes came along with, and a first frame."""
    parser = _FrameParser()
    parser.receive_data(
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" + early
    )
    (request,) = parser.events_received()
    parser.send_response(ServerProtocol.accept(parser, request))  # type: ignore[arg-type]
    parser.receive_data(sent(b"hi") if not early else b"")
    return parser


def test_a_frame_in_parts_is_the_parsers_and_the_next_one_is_not():
    parser, frame = opened(), sent(b"hello")

    assert parser.whole_text(frame) == b"hello"
    for part in (frame[:1], frame[1:3], frame[3:-1]):
        parser.receive_data(part)
        assert parser.whole_text(frame) is None
    parser.receive_data(frame[-1:])
    assert parser.whole_text(frame) == b"hello"


def test_a_message_in_fragments_is_the_parsers_to_its_end():
    parser, frame = opened(), sent(b"hello")

    parser.receive_data(sent(b"one, ", fin=False))
    assert parser.whole_text(frame) is None
    parser.receive_data(sent(b"two", Opcode.CONT))
    assert parser.whole_text(frame) == b"hello"


def test_nothing_is_read_before_the_handshake_or_after_the_end():
    parser, frame = opened(), sent(b"hello")

    assert _FrameParser().whole_text(frame) is None
    parser.fail(1002)
    assert parser.whole_text(frame) is None


def test_early_data_behind_the_handshake_leaves_all_frames_to_the_parser():
    parser, frame = opened(early=sent(b"early")[:4]), sent(b"hello")

    assert parser.whole_text(frame) is None


def test_a_length_that_is_written_longer_than_need_be_leaves_all_later_frames_to_the_parser():
    parser, frame = opened(), sent(b"hello")
    parser.receive_data(b"\x81\xfe\x00\x02" + bytes(4) + b"hi")  # two bytes of payload, counted in 16 bits

    assert Frame(Opcode.TEXT, b"hi") in parser.events_received()
    assert parser.whole_text(frame) is None


def test_a_part_of_a_head_as_long_as_nothing_else_is_the_parsers():
    parser, frame = opened(), sent(b"hello")
    for size in range(1, len(frame)):  # wherever a read ends, the parser has the rest
        parser.receive_data(frame[:size])
        assert parser.whole_text(frame) is None, size
        parser.receive_data(frame[size:])
        assert parser.whole_text(frame) == b"hello", size


# Texts that go straight from the websocket protocol to the application: in order with those that `receive` gives


TEXTS = [f"text {n}" for n in range(40)]


class Listening:
    """An application that takes texts straight, but some of them from `receive`; it notes which came how."""

    def __init__(self, *, begins_after: int = 0, leaves: frozenset[str] = frozenset()) -> None:
        self.heard: list[str] = []
        self.received: list[str] = []
        self.is_over = False
        self._begins_after, self._leaves = begins_after, leaves

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one websocket."""
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        frames: DirectFrames = scope["extensions"][EXTENSION]
        if not self._begins_after:
            frames.on_text = self._take
        while (message := await receive())["type"] == "websocket.receive":
            self.received.append(message["text"])
            self.heard.append(message["text"])
            if len(self.received) == self._begins_after:
                frames.on_text = self._take
        self.is_over = True

    def _take(self, text: str) -> bool:
        if text in self._leaves:
            return False
        self.heard.append(text)
        return True


async def told(app: Listening, *pieces: bytes) -> None:
    """Let an application hear these bytes, all of TEXTS among them."""
    async with guarded(app) as server, intruder(server.port) as peer:
        await peer.ask("/")
        for piece in pieces:
            peer.send(piece)
        await until(lambda: len(app.heard) == len(TEXTS))
    assert app.heard == TEXTS


def whole() -> bytes:
    return b"".join(frame(text.encode()) for text in TEXTS)


async def test_texts_go_straight_to_who_listens():
    app = Listening()

    await told(app, whole())

    assert app.received == []
    assert app.is_over


async def test_a_text_that_is_left_waits_for_receive_and_those_behind_it_wait_too():
    app = Listening(leaves=frozenset({TEXTS[3], TEXTS[20]}))

    await told(app, whole())

    assert app.received[0] == TEXTS[3]
    assert TEXTS[20] in app.received


async def test_who_begins_to_listen_late_hears_everything_in_order():
    app = Listening(begins_after=5)

    await told(app, whole())

    assert app.received[:5] == TEXTS[:5]


async def test_a_text_in_fragments_goes_straight_once_it_is_whole():
    app = Listening()
    text = TEXTS[0].encode()
    halves = frame(text[:3], fin=False) + frame(text[3:], 0)

    await told(app, halves + b"".join(frame(text.encode()) for text in TEXTS[1:]))

    assert app.received == []
