"""uvicorn's websocket protocol with limits for clients.

It uses private parts of uvicorn, so uvicorn is pinned to a minor version. It limits fragments and control frames, and
the time of every close. It does not read while the client does not read. It never compresses, and logs no queries. It
offers the ASGI extension of gateway/ws/outbox.py, which sends and receives whole text frames.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ProtocolError
from websockets.frames import CTRL_OPCODES, CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from dreadclock.wire.frames import MAX_FRAME_BYTES
from dreadclock_server.gateway.uvicorn.slim import SlimEvent, SlimQueue
from dreadclock_server.gateway.uvicorn.whole_frames import payload_of, shortest_size, text_of
from dreadclock_server.gateway.ws.outbox import CLOSE_WITHIN_S, EXTENSION, DirectFrames

MOST_FRAGMENTS = 64  # frames of one message
MOST_CONTROL_FRAMES = 10  # per second: pings, unsolicited pongs, closes
MOST_AT_ONCE = 256  # frames in one read; a client has at most 64 unanswered commands
_HEAD_END = b"\r\n\r\n"
_NEVER = 1 << 62
_log = logging.getLogger(__name__)
_log.setLevel(logging.WARNING)  # at lower levels, uvicorn logs URLs with their queries


class _FrameParser(ServerProtocol):
    """Parses frames, and fails at the first frame beyond a limit."""

    # slots save memory
    __slots__ = ("_at_once", "_controls", "_fragments", "_second", "_unparsed")

    def __init__(self) -> None:
        super().__init__(max_size=MAX_FRAME_BYTES, logger=_log)
        self._fragments = self._at_once = self._controls = 0
        self._second = 0.0
        self._unparsed: int | None = None  # received bytes of incomplete frames; None before the handshake

    def receive_data(self, data: bytes | bytearray) -> None:
        """Parse new bytes, up to the first frame beyond a limit."""
        self._at_once = 0
        if self._unparsed is None:  # the handshake; if frames came in the same read, `whole_text` is never used
            self._unparsed = 0 if data.find(_HEAD_END) == len(data) - len(_HEAD_END) else _NEVER
        else:
            self._unparsed += len(data)
        super().receive_data(data)

    def whole_text(self, data: bytes) -> bytes | None:
        """Return the payload if `data` is exactly one text frame with a whole message. Return None if the parser must
        handle `data`.

        The parser must also handle `data` in the middle of a message. If a client encodes a length in more bytes than
        necessary, `_unparsed` stays above 0, and the parser handles all further frames.
        """
        is_between = self._unparsed == 0 == self._fragments and self.state is State.OPEN
        return payload_of(data) if is_between else None

    def recv_frame(self, frame: Frame) -> None:
        """Handle a frame. If it is beyond a limit, fail the connection, and raise ProtocolError to stop the parsing."""
        self._unparsed = (self._unparsed or 0) - shortest_size(len(frame.data))
        why = self._objection(frame)
        if why is not None:
            self.fail(CloseCode.POLICY_VIOLATION, why)
            raise ProtocolError(why)
        super().recv_frame(frame)

    def forget(self) -> None:
        """Break the reference cycles that would keep this parser in memory (test_unreleased)."""
        self.parser.close()
        self.parser_exc = self.handshake_exc = None  # tracebacks of these errors refer to the whole connection

    def forget_refusal(self, request: Request) -> None:
        """Break the reference cycles of the exceptions that caused the refusal of a handshake (test_unreleased)."""
        error: BaseException | None = self.handshake_exc
        while error is not None:
            error.__traceback__, error = None, error.__context__

    def _objection(self, frame: Frame) -> str | None:
        self._at_once += 1
        if self._at_once > MOST_AT_ONCE:
            return f"more than {MOST_AT_ONCE} frames at once"
        if frame.opcode in CTRL_OPCODES:
            return self._too_many_controls()
        self._fragments += 1
        if self._fragments > MOST_FRAGMENTS:
            return f"more than {MOST_FRAGMENTS} fragments in a message"
        if frame.fin:
            self._fragments = 0
        return None

    def _too_many_controls(self) -> str | None:
        now = time.monotonic()
        if now - self._second >= 1:
            self._second, self._controls = now, 0
        self._controls += 1
        if self._controls <= MOST_CONTROL_FRAMES:
            return None
        return f"more than {MOST_CONTROL_FRAMES} control frames a second"


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A websocket, from its handshake on.

    The slots leave at most 30 names for `__dict__`. Up to this number, all instances share one table of keys. With
    more, every instance would need a table of 1.5 KiB.
    """

    __slots__ = (
        "_frames_out",
        "_unsent_at_ping",
        "conn",
        "frames",
        "on_lost",
        "queue",
        "request",
        "response",
        "scope",
        "transport",
        "writable",
    )
    close_within_s = CLOSE_WITHIN_S

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn.parser.close()  # breaks the cycle with uvicorn's own parser (test_unreleased)
        self.conn: _FrameParser = _FrameParser()
        self.queue: SlimQueue = SlimQueue()  # type: ignore[assignment]
        self.writable: SlimEvent = SlimEvent()  # type: ignore[assignment]
        self.logger = _log
        self.on_lost: Callable[[], None] | None = None
        self._frames_out: DirectFrames | None = None
        self._unsent_at_ping = 0

    def connection_lost(self, exc: Exception | None) -> None:
        """Break reference cycles, so that this object is freed without the garbage collector. Call `on_lost`."""
        super().connection_lost(exc)
        self.conn.forget()
        if self._frames_out is not None:
            self._frames_out.cut()
        if self.on_lost is not None:
            self.on_lost()

    def handle_connect(self, event: Request) -> None:
        """Start the application, and offer the ASGI extension, unless the handshake was refused."""
        super().handle_connect(event)
        if self.close_sent:
            self.conn.forget_refusal(event)
        else:
            self._frames_out = DirectFrames(self._write, self.transport.get_write_buffer_size, self.close)
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self._frames_out

    def data_received(self, data: bytes) -> None:
        """Handle incoming bytes. If they begin a close, limit its time."""
        payload = self.conn.whole_text(data)
        if payload is None:
            super().data_received(data)
        else:
            self.curr_msg_data_type, self.frames = "text", [payload]
            self.send_receive_event_to_app()
        self._end_what_closes()

    def send_receive_event_to_app(self) -> None:
        """Pass a whole message to the application. A text that is not UTF-8 fails the connection."""
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        text = text_of(data) if self.curr_msg_data_type == "text" else ""
        if text is None:
            self.conn.fail(CloseCode.INVALID_DATA, "text is UTF-8")
            self.handle_parser_exception()
        elif self.curr_msg_data_type != "text" or not self._is_taken(text):
            self.frames = [data]
            super().send_receive_event_to_app()

    def _is_taken(self, text: str) -> bool:
        take = self._frames_out.on_text if self._frames_out is not None else None
        return take is not None and not self.close_sent and self.queue.empty() and take(text)

    def _write(self, data: bytes) -> None:
        """Write data frames. Raises RuntimeError after a close frame, because nothing may follow it (RFC 6455, 5.5.1).

        The transport itself would still accept frames while it is closing.
        """
        if self.close_sent or self.transport.is_closing():
            raise RuntimeError("the connection is closing")
        self.transport.write(data)

    def handle_ping(self) -> None:
        """Send the pong. If a close frame came in the same read, send nothing: `handle_close` sends the pong later."""
        if self.conn.close_rcvd is None:
            super().handle_ping()

    def pause_writing(self) -> None:
        """Stop reading while nothing can be written, because incoming frames may need answers."""
        super().pause_writing()
        self.transport.pause_reading()
        self._tell_blocked(True)

    def resume_writing(self) -> None:
        """Start reading again."""
        super().resume_writing()
        self._read_on()
        self._tell_blocked(False)

    def _tell_blocked(self, blocked: bool) -> None:
        if self._frames_out is not None and self._frames_out.on_blocked is not None:
            self._frames_out.on_blocked(blocked)

    def _read_on(self) -> None:
        if self.writable.is_set() and not self.read_paused:
            self.transport.resume_reading()

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next message for the application."""
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self._read_on()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message of the application. A close does not wait for a client that does not read."""
        if message["type"] == "websocket.close" and self.handshake_complete and self.initial_response is None:
            self.close(message.get("code", 1000), message.get("reason", "") or "")
        else:
            await super().send(message)
            if message["type"] == "websocket.accept":
                self._forget_handshake()

    def _forget_handshake(self) -> None:
        """Drop the headers, which are not needed any more. A browser's headers have some KiB."""
        self.request.headers.clear()  # the parser keeps the request
        del self.request, self.response

    def close(self, code: int, reason: str) -> None:
        """Send a close frame after all written frames. The connection ends within `close_within_s`.

        Does nothing if the connection is closing already, for example because the client asked to close.
        """
        if self.close_sent or self.transport.is_closing() or self.conn.state is not State.OPEN:
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent, self.read_paused = True, False
        self.transport.resume_reading()  # so that the answer to the close frame is read
        self._end_soon()

    async def run_asgi(self) -> None:
        """Run the application, and close when it returns."""
        await super().run_asgi()
        self._end_what_closes()

    def shutdown(self) -> None:
        """Close, because the server shuts down."""
        if self.transport.is_closing() and not self.close_sent:
            self.stop_keepalive()  # the client's close was answered; another close frame would raise InvalidState
        else:
            super().shutdown()
        self._end_what_closes()

    def send_keepalive_ping(self) -> None:
        """Send a ping, and remember how many bytes the client must read up to the end of the ping."""
        super().send_keepalive_ping()
        self._unsent_at_ping = self.transport.get_write_buffer_size()

    def keepalive_timeout(self) -> None:
        """End a connection whose client did not answer a ping. But wait again while the client reads older data,
        because it reads the ping only after that data.
        """
        unsent = self.transport.get_write_buffer_size()
        if not self.writable.is_set() and unsent < self._unsent_at_ping and self.ping_timeout is not None:
            self._unsent_at_ping = unsent
            self.pong_timer = self.loop.call_later(self.ping_timeout, self.keepalive_timeout)
        else:
            super().keepalive_timeout()
            self._end_what_closes()

    def _end_what_closes(self) -> None:
        if self.transport.is_closing() and not self.disconnected:
            self._end_soon()

    def _end_soon(self) -> None:
        if self.close_timer is None:
            self.close_timer = self.loop.call_later(self.close_within_s, self.transport.abort)
