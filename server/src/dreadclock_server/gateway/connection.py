"""One websocket of a seat: what it is owed, and what it still has to be sent."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import UNCOUNTED, CloseCode, Code, sentence
from dreadclock.wire.frames import MAX_UNANSWERED, Ack, Pending, RefusedFrame, frame_text
from dreadclock_server.core.sessions import Done, Outcome
from dreadclock_server.gateway.tokens import Pass

MOST_UNSENT = 1 << 20  # characters, beside the greeting; a reader further behind is closed and resumes later
CLOSE_WITHIN_S = 5.0  # in which a reader has to take what is on its way, and then the close frame


class Wire(Protocol):
    """What a connection is sent through."""

    async def send_text(self, data: str) -> None:
        """Send a frame; returns once the transport took it."""

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Close the websocket."""


class Connection:
    """One websocket, after its hello."""

    def __init__(self, wire: Wire, holder: Pass, session: str, close_within_s: float = CLOSE_WITHIN_S) -> None:
        self.holder, self.session = holder, session
        self.unanswered = 0
        self.next_n: int | None = None  # of the session's commands on this connection
        self._wire = wire
        self._outbox: deque[str] = deque()
        self._unsent, self._most_unsent = 0, MOST_UNSENT
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._close_within_s = close_within_s
        self._writing: asyncio.Task[None] | None = None

    def greet(self, frames: Sequence[str]) -> None:
        """Queue the first frames, however much they are: who missed a lot is not slow for that."""
        self._most_unsent += sum(map(len, frames))
        self.send(*frames)

    def send(self, *frames: str) -> None:
        """Queue frames that belong together. A reader who is too far behind already is closed instead."""
        if self._closing is not None:
            return
        if self._unsent > self._most_unsent:
            self._outbox.clear()
            self.close(CloseCode.SLOW_CONSUMER, "too far behind: reconnect and resume")
        else:
            self._outbox.extend(frames)
            self._unsent += sum(map(len, frames))
            self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Close once what is queued has been sent; not so politely if the other side takes nothing more."""
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()
            asyncio.get_running_loop().call_later(self._close_within_s, self._give_up)

    def _give_up(self) -> None:
        if self._writing is not None:
            self._writing.cancel()

    async def write(self) -> None:
        """Send what is queued until the connection is closed. Runs as the connection's one task."""
        self._writing = asyncio.current_task()
        while True:
            while self._outbox:
                frame = self._outbox.popleft()
                await self._wire.send_text(frame)
                self._unsent -= len(frame)
            if self._closing is not None:
                code, reason = self._closing
                return await self._wire.close(code, reason)
            self._wake.clear()
            await self._wake.wait()

    def expects(self, n: int) -> bool:
        """Tell whether a command may come now; a connection may begin anywhere in its session."""
        return self.next_n is None or n <= self.next_n

    def took(self, n: int) -> bool:
        """Count a command in, and tell whether the client keeps within what may be unanswered."""
        self.next_n = n + 1 if self.next_n is None else max(self.next_n, n + 1)
        self.unanswered += 1
        return self.unanswered <= MAX_UNANSWERED

    def reply(self, n: int, outcome: Outcome | None) -> None:
        """Answer a command; None says that the answer has to wait for the store."""
        if outcome is None:
            self.send(frame_text(Pending(n=n)))
        elif isinstance(outcome, Done):
            self.unanswered -= 1
            self.send(frame_text(ack_for(self.holder.channels, n, outcome)))
        else:
            self.unanswered -= 1
            if outcome.code in UNCOUNTED:
                self.next_n = n if self.next_n is None else min(self.next_n, n)
            self.refuse(n, outcome.code, outcome.details)

    def refuse(self, n: int, code: Code, details: dict[str, str | int]) -> None:
        """Answer a command with a refusal."""
        frame = RefusedFrame(n=n, code=code, sentence=sentence(code, details), details=details)
        self.send(frame_text(frame))


def ack_for(channels: Sequence[Channel], n: int, outcome: Done) -> Ack:
    """Make an ack that tells of no channel but the viewer's own."""
    return Ack(
        n=n,
        positions={channel: seq for channel, seq in outcome.positions.items() if channel in channels},
        events={channel: both for channel, both in outcome.events.items() if channel in channels},
    )
