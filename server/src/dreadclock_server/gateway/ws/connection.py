"""A websocket of a seat, after the hello: commands, replies, outgoing frames, and closing.

The hello is the first frame of a client. The connection then receives the events of the room.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import UNCOUNTED, CloseCode, Code, Details, ProtocolViolation, sentence
from dreadclock.wire.frames import MAX_UNANSWERED, Ack, Beat, Pending, RefusedFrame, ack_text, frame_text
from dreadclock_server.core.sessions import Done, Outcome
from dreadclock_server.gateway.limits.rates import Flood, Meter, too_soon
from dreadclock_server.gateway.parsing import read_command
from dreadclock_server.gateway.tokens import Bearer
from dreadclock_server.gateway.ws.outbox import Frame, Sender
from dreadclock_server.rooms.answers import QueuedCommand
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.live import LiveRoom

# How many bytes may be unsent, not counting those of `greet`. A slower reader is disconnected, and resumes later.
MOST_UNSENT = 1 << 20
BEAT_EVERY_S = 20.0  # the same interval as for pings of websockets
_BEAT = Frame(frame_text(Beat()))
_TOO_FAR_BEHIND = "too far behind: reconnect and resume"


class Connection:
    """A websocket or event stream that has joined a room."""

    def __init__(self, sender: Sender, holder: Bearer, session: str) -> None:
        self.holder, self.session, self.sender = holder, session, sender
        self.unanswered = 0
        # hears_knocks: whether the connection gets `knocks` frames; told_of_knocks: the text of the last such frame
        self.hears_knocks, self.told_of_knocks = False, ""
        self.next_n: int | None = None  # the next number of the session's commands; None before the first command
        # is_leaving: whether new commands are ignored, because the connection will close
        self.closed = self.is_leaving = False
        self.closed_with: int | None = None
        self._dismissal: tuple[int, str] | None = None  # code and reason for the close after the last reply
        self._most_unsent = MOST_UNSENT
        self._next_beat: asyncio.TimerHandle | None = None
        sender.on_stall = self._fall_behind

    @property
    def direct(self) -> Callable[[bytes], None] | None:
        """A function that writes the bytes of frames without checks; None if frames must go through `send` now."""
        return self.sender.direct if self.hears else None

    @property
    def hears(self) -> bool:
        """Whether the connection receives the events of the room."""
        return not self.closed and self._dismissal is None

    def greet(self, frames: Sequence[Frame]) -> None:
        """Send frames with missed records or a view. They may have any size: the client is not a slow reader.

        Until the client has read them, the limit of unsent bytes is higher by their size.
        """
        for frame in frames:
            self.sender.send(frame)
        self._most_unsent += self.sender.unsent

    def start_beats(self) -> None:
        """Send a `beat` frame every BEAT_EVERY_S until `stop_beats`, because scripts of pages cannot see pings."""
        self._next_beat = asyncio.get_running_loop().call_later(BEAT_EVERY_S, self._beat)

    def _beat(self) -> None:
        self.send(_BEAT)
        self.start_beats()

    def stop_beats(self) -> None:
        """Cancel the next beat."""
        if self._next_beat is not None:
            self._next_beat.cancel()
            self._next_beat = None  # the timer's callback would keep this connection in memory

    def send(self, *frames: Frame) -> None:
        """Send all these frames. If the reader is too far behind, close the connection instead."""
        if self.closed:
            return
        unsent = self.sender.unsent
        if unsent > self._most_unsent:
            self._fall_behind()
            return
        if unsent < MOST_UNSENT:
            self._most_unsent = MOST_UNSENT  # the client has read the frames of `greet`
        for frame in frames:
            self.sender.send(frame)

    def _fall_behind(self) -> None:
        if not self.closed:
            self.sender.forget()
            self.close(CloseCode.SLOW_CONSUMER, _TOO_FAR_BEHIND)

    def close(self, code: int, reason: str) -> None:
        """Close after all frames are sent. Abort if the client does not read them in time."""
        if not self.closed:
            self.closed, self.closed_with = True, code
            self.sender.close(code, reason)

    def dismiss(self, code: int, reason: str) -> None:
        """Close after all unanswered commands are answered. Until then, send no events and ignore new commands."""
        self.is_leaving, self._dismissal = True, (code, reason)
        self._close_if_dismissed()

    def _close_if_dismissed(self) -> None:
        if self._dismissal is not None and self.unanswered == 0:
            self.close(*self._dismissal)

    def expects(self, n: int) -> bool:
        """Return whether `n` is the number of the next command, or of an earlier command.

        The first command of a connection may have any number.
        """
        return self.next_n is None or n <= self.next_n

    def took(self, n: int) -> bool:
        """Count command `n` as unanswered. Return False if the client now has more than MAX_UNANSWERED."""
        self.next_n = n + 1 if self.next_n is None else max(self.next_n, n + 1)
        self.unanswered += 1
        return self.unanswered <= MAX_UNANSWERED

    def reply(self, n: int, outcome: Outcome | None) -> None:
        """Answer a command. If `outcome` is None, answer `pending`: the outcome follows later."""
        if outcome is None:
            self.send(Frame(frame_text(Pending(n=n))))
        elif isinstance(outcome, Done):
            self.unanswered -= 1
            self.send(Frame(ack_text(n, **_seen(self.holder.actor.channels, outcome))))
        else:
            self.unanswered -= 1
            if outcome.code in UNCOUNTED:
                self._expect_again(n)
            self.refuse(n, outcome.code, outcome.details)
        if self._dismissal is not None:
            self._close_if_dismissed()

    def hold(self, n: int, wait_ms: int) -> None:
        """Refuse a command that the client must retry after `wait_ms`, before its later commands."""
        self._expect_again(n)
        self.refuse(n, Code.RATE_LIMITED, too_soon(wait_ms).details)

    def _expect_again(self, n: int) -> None:
        self.next_n = n if self.next_n is None else min(self.next_n, n)

    def refuse(self, n: int, code: Code, details: dict[str, str | int]) -> None:
        """Answer a command with a refusal."""
        frame = RefusedFrame(n=n, code=code, sentence=sentence(code, details), details=details)
        self.send(Frame(frame_text(frame)))


class CommandReader:
    """Handles the texts that a client sends. They come by a callback of the sender, or by `receive` of the websocket.

    `ask_for_view`: called when the client asks for the whole view (a `resync` frame).
    """

    def __init__(
        self, live: LiveRoom, connection: Connection, meter: Meter, counters: Counters, ask_for_view: Callable[[], None]
    ) -> None:
        self._ask_for_view = ask_for_view
        self._live, self._connection, self._meter, self._counters = live, connection, meter, counters
        self._error: Exception | None = None
        connection.sender.listen(self._takes)

    async def run(self, socket: WebSocket) -> None:
        """Handle texts from `receive` until either side closes. Raises the error that ends the connection."""
        while not self._connection.closed:
            text = await next_text(socket)
            self._raise_error()
            self._take(text)

    def _raise_error(self) -> None:
        """Raise the error of a text. Drop the reference to it, because its traceback refers to this reader
        (test_unreleased).
        """
        error, self._error = self._error, None
        try:
            if error is not None:
                raise error
        finally:
            del error

    def _takes(self, text: str) -> bool:
        """Handle a text from the callback. Return False after an error, which must end the connection.

        The text then also comes by `receive`, so that `run` wakes up and raises the error.
        """
        if self._error is None:
            try:
                self._take(text)
            except Exception as error:
                self._error = error
        return self._error is None

    def _take(self, text: str) -> None:
        connection = self._connection
        if connection.closed or connection.is_leaving:
            return  # the command is neither applied nor answered: the client sends it again after reconnecting
        numbered = read_command(text)
        if numbered is None:
            self._resync()
            return
        n, command = numbered
        if not connection.expects(n):
            details: Details = {"n": n, "expected": connection.next_n or 1}
            self._refuse(Code.OUT_OF_ORDER, partial(connection.refuse, n, Code.OUT_OF_ORDER, details))
        elif wait_ms := self._meter.take():
            self._refuse(Code.RATE_LIMITED, partial(connection.hold, n, wait_ms))
        elif connection.took(n):
            reply = partial(connection.reply, n)
            self._live.submit(QueuedCommand(connection.holder.actor, command, connection.session, n, reply))
        else:
            raise ProtocolViolation("too many unanswered commands")

    def _resync(self) -> None:
        """Ask for the view. The request counts as a command. Raises Flood if the client asks too often.

        Beyond the rate limit, the request also counts as refused, but is still answered.
        """
        if self._meter.take() and not self._meter.may_refuse():
            raise Flood("too many requests for the view")
        self._ask_for_view()

    def _refuse(self, code: Code, refuse: Callable[[], None]) -> None:
        self._counters.refusals.labels(code).inc()
        refuse()
        if not self._meter.may_refuse():
            raise Flood("too many refused commands")


async def next_text(socket: WebSocket) -> str:
    """Return the next text. Raises WebSocketDisconnect at the end, and ProtocolViolation for bytes."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text: str | None = message.get("text")
    if text is None:
        raise ProtocolViolation("frames are text")
    return text


def ack_for(channels: Sequence[Channel], n: int, outcome: Done) -> Ack:
    """Return the reply to an applied command, restricted to the channels that the sender sees."""
    return Ack.trusted(n=n, **_seen(channels, outcome))


def _seen(channels: Sequence[Channel], outcome: Done) -> dict[str, Any]:
    return {
        "positions": {channel: seq for channel, seq in outcome.positions.items() if channel in channels},
        "events": {channel: both for channel, both in outcome.events.items() if channel in channels},
    }
