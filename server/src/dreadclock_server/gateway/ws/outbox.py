"""Send the frames of a websocket: directly to its transport, or through a queue for other ASGI servers.

The ASGI extension `dreadclock.frames` sends and receives whole text frames directly on a websocket's transport, which
saves a task switch per frame. The protocol class in gateway/uvicorn offers this extension.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Protocol

import structlog
from starlette.websockets import WebSocketDisconnect

from dreadclock.wire.errors import ProtocolViolation

EXTENSION = "dreadclock.frames"  # the extension's name in the ASGI scope
CLOSE_WITHIN_S = 5.0  # how long a client may take to read the last frames and answer the close frame
STALLED_AFTER_S = 10.0  # if a client reads nothing for this long, its connection is closed
_CHECKS = 5  # checks within STALLED_AFTER_S whether the client has read something
_SLOWEST = 1 << 16  # characters per second that a client must read: a long frame may take longer
_SHORT, _MEDIUM = 126, 1 << 16
_TEXT = 0x81  # first byte of a frame with a whole text message
_log = structlog.get_logger()


class Frame:
    """A text to send to clients, with the websocket frame around it. It is made once for all recipients."""

    __slots__ = ("_text", "framed")

    def __init__(self, text: str | bytes) -> None:
        """`text`: bytes must be UTF-8."""
        self._text, self.framed = text, framed(text)

    @property
    def text(self) -> str:
        """The text, for servers without the extension."""
        return self._text if isinstance(self._text, str) else self._text.decode()


def framed(text: str | bytes) -> bytes:
    """Return a text with the header of an unmasked websocket frame."""
    body = text.encode() if isinstance(text, str) else text
    size = len(body)
    if size < _SHORT:
        return bytes((_TEXT, size)) + body
    if size < _MEDIUM:
        return bytes((_TEXT, 126)) + size.to_bytes(2, "big") + body
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big") + body


class Sender(Protocol):
    """Sends frames to one websocket.

    `on_change` is called when `direct` changes. `on_stall` is called when the client has stopped reading.
    """

    on_change: Callable[[], None]
    on_stall: Callable[[], None]

    @property
    def direct(self) -> Callable[[bytes], None] | None:
        """A function that writes the bytes of frames directly; None while frames must go through `send`."""

    @property
    def unsent(self) -> int:
        """How much is waiting to be sent, in bytes or characters."""

    def send(self, frame: Frame) -> None:
        """Send a frame, after earlier frames."""

    def forget(self) -> None:
        """Drop the frames that are not sent yet, if possible."""

    def close(self, code: int, reason: str) -> None:
        """Close the websocket after all frames are sent. Abort if the other side has stopped reading."""

    def listen(self, take: Callable[[str], bool]) -> None:
        """Call `take` with incoming texts, if the server supports it.

        If `take` returns False, this text comes by `receive`, and so do later texts until all are received.
        """

    async def run(self, reading: Coroutine[None, None, None]) -> None:
        """Run `reading` until it ends, or until the websocket ends."""


class DirectFrames:
    """The extension's interface for a websocket.

    Frames are sent in the order in which they were written, together with those of ASGI's `send`. `on_blocked` is
    called with True when the buffer of the transport is full, and with False when it is nearly empty again. Both calls
    may come while `write` runs. `on_text` is called with every incoming text, unless earlier texts wait for
    `receive`. If `on_text` returns False, the text waits for `receive`.
    """

    def __init__(
        self, write: Callable[[bytes], None], unsent: Callable[[], int], close: Callable[[int, str], None]
    ) -> None:
        self.write = write  # raises RuntimeError if the connection is lost
        self.unsent = unsent  # returns how many bytes wait in the transport
        self.close = close
        self.on_blocked: Callable[[bool], None] | None = None
        self.on_text: Callable[[str], bool] | None = None
        self.is_cut = False  # whether the connection is lost

    def cut(self) -> None:
        """Drop all references to a lost connection, so that it is freed without the garbage collector."""
        self.write, self.unsent, self.close = _write_to_nobody, int, lambda code, reason: None
        self.on_blocked = self.on_text = None
        self.is_cut = True


def _write_to_nobody(data: bytes) -> None:
    raise RuntimeError("the connection is gone")


class DirectSender:
    """Writes to the transport by the ASGI extension: no task, no queue."""

    def __init__(self, frames: DirectFrames, stalled_after_s: float = STALLED_AFTER_S) -> None:
        self.on_change: Callable[[], None] = _nothing
        self.on_stall: Callable[[], None] = _nothing
        self._frames, self._check_every_s = frames, stalled_after_s / _CHECKS
        self._blocked = self._closed = False
        self._written = self._taken = self._checks = 0
        self._checking: asyncio.TimerHandle | None = None
        frames.on_blocked = self._changed

    @property
    def direct(self) -> Callable[[bytes], None] | None:
        """The method that writes to the transport; None while its buffer is full, and after `close`."""
        return None if self._blocked or self._closed else self._frames.write

    @property
    def unsent(self) -> int:
        """How many bytes the transport holds."""
        return self._frames.unsent()

    def send(self, frame: Frame) -> None:
        """Write a frame. Does nothing if the connection is lost."""
        data = frame.framed
        self._written += len(data)
        with suppress(RuntimeError):
            self._frames.write(data)

    def forget(self) -> None:
        """Do nothing: the transport's buffer cannot be cleared."""

    def close(self, code: int, reason: str) -> None:
        """Close the websocket. uvicorn/websocket_protocol.py limits the time of the close."""
        self._closed = True
        self._stop_checking()
        self.on_change()
        self._frames.close(code, reason)

    def listen(self, take: Callable[[str], bool]) -> None:
        """Call `take` with texts as the transport reads them."""
        self._frames.on_text = take

    async def run(self, reading: Coroutine[None, None, None]) -> None:
        """Run `reading`, which ends with the websocket."""
        try:
            await reading
        finally:
            self._frames.on_text = self._frames.on_blocked = None
            self._closed = True
            self._stop_checking()
            # break the reference cycle between the connection and this object
            self.on_change = self.on_stall = _nothing

    def _changed(self, blocked: bool) -> None:
        self._blocked = blocked
        self.on_change()
        self._stop_checking()
        if blocked and not self._closed:
            self._taken, self._checks = self._written - self.unsent, 0
            self._checking = asyncio.get_running_loop().call_later(self._check_every_s, self._check)

    def _check(self) -> None:
        """Call `on_stall` if the client has read nothing for _CHECKS checks."""
        taken = self._written - self.unsent
        self._checks = self._checks + 1 if taken == self._taken else 0
        self._taken = taken
        if self._checks >= _CHECKS:
            self.on_stall()
        else:
            self._checking = asyncio.get_running_loop().call_later(self._check_every_s, self._check)

    def _stop_checking(self) -> None:
        if self._checking is not None:
            self._checking.cancel()
            self._checking = None


class TextSocket(Protocol):
    """The part of starlette's WebSocket that a QueuedSender needs."""

    async def send_text(self, data: str) -> None:
        """Send a frame. Returns when the transport has taken it."""

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Close the websocket."""


class QueuedSender:
    """Queues frames for a task that sends them. Works with any ASGI server."""

    direct = None

    def __init__(
        self, socket: TextSocket, close_within_s: float = CLOSE_WITHIN_S, stalled_after_s: float = STALLED_AFTER_S
    ) -> None:
        self.on_change: Callable[[], None] = _nothing
        self.on_stall: Callable[[], None] = _nothing
        self.unsent = 0  # characters of queued frames
        self._socket, self._close_within_s, self._stalled_after_s = socket, close_within_s, stalled_after_s
        self._outbox: deque[str] = deque()
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._giving_up: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    def send(self, frame: Frame) -> None:
        """Queue a frame."""
        self._outbox.append(frame.text)
        self.unsent += len(frame.text)
        self._wake.set()

    def forget(self) -> None:
        """Empty the queue."""
        self.unsent -= sum(map(len, self._outbox))
        self._outbox.clear()

    def close(self, code: int, reason: str) -> None:
        """Close once the queue is empty. Stop sending if that takes longer than `close_within_s`."""
        self._closing = (code, reason)
        self._wake.set()
        self._giving_up = asyncio.get_running_loop().call_later(self._close_within_s, self._give_up)

    def _give_up(self) -> None:
        if self._writing is not None:
            self._writing.cancel()

    def listen(self, take: Callable[[str], bool]) -> None:
        """Do nothing: all texts come by `receive`."""

    async def run(self, reading: Coroutine[None, None, None]) -> None:
        """Send the queued frames while `reading` runs. Raises the error of `reading`."""
        self._writing = writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(reading)
        try:
            await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
            if reader.done() and (error := reader.exception()) is not None:
                raise error
            if self._closing is not None:
                await asyncio.wait({writer})  # ends soon, because closing has a time limit
        finally:
            await _stop(writer, reader)
            if self._giving_up is not None:
                self._giving_up.cancel()
            self._writing = None  # the task's error may refer to this object
            # break the reference cycle between the connection and this object
            self.on_change = self.on_stall = _nothing

    async def _write(self) -> None:
        while True:
            while self._outbox:
                await self._send(self._outbox.popleft())
            if self._closing is not None:
                return await self._socket.close(*self._closing)
            self._wake.clear()
            await self._wake.wait()

    async def _send(self, text: str) -> None:
        patience_s = self._stalled_after_s + len(text) / _SLOWEST
        stalling = asyncio.get_running_loop().call_later(patience_s, lambda: self.on_stall())
        try:
            await self._socket.send_text(text)
        finally:
            stalling.cancel()
            self.unsent -= len(text)


async def _stop(*tasks: "asyncio.Task[None]") -> None:
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketDisconnect | ProtocolViolation):
            _log.debug("a connection broke", error=type(outcome).__name__)


def _nothing() -> None:
    pass
