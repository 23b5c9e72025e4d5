"""Texts that go straight from the websocket protocol to the application: in order with those that `receive` gives."""

from typing import Any

from dreadclock_server.gateway.ws.outbox import EXTENSION, DirectFrames
from kit.links.intruder import frame, intruder
from kit.servers.guarded import guarded
from kit.waiting import until

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
