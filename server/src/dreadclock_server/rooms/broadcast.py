"""Broadcasts: send records (stored events) to all connections of a room, then replies to the senders of commands.

Writing to hundreds of connections costs more than an append. So a broadcast to many connections waits some
milliseconds. It can then also send the records of commands that come in meanwhile. `Delay` computes how long to wait.

    add          adds records to the next broadcast
    gather       waits for more commands before a batch is decided, so that these commands join the batch
    send_soon    sends the broadcast with its replies after the delay
    send         sends the broadcast with its replies now
"""

import asyncio
import time
from collections.abc import Sequence, Sized
from typing import Protocol

import structlog

from dreadclock_server.core.room import Room, Written
from dreadclock_server.core.sessions import Outcome
from dreadclock_server.rooms.answers import QueuedCommand, reply_all

CROWD = 64  # connections; a broadcast to fewer connections costs less than an append
PACE_S = 20e-6  # delay per connection
LONGEST_PACE_S = 0.02
APPEND_S = 0.003
_MOST_SKIPPED = 31
_log = structlog.get_logger()


class Audience(Protocol):
    """Connections that receive the events of a room."""

    @property
    def size(self) -> int:
        """The number of connections."""

    def committed(self, before: Room, after: Room, written: Sequence[Written]) -> None:
        """Send records. They are already stored."""

    def reset(self, before: Room, after: Room) -> None:
        """Send the whole room again, because the store's log differs from the log that was sent."""

    def deleted(self) -> None:
        """Close the connections: the room was deleted."""


class Delay:
    """How long a broadcast waits for more commands. Times are seconds of a monotonic clock.

    Only a broadcast to CROWD or more connections waits. The wait ends some time after the last broadcast began: 20 us
    per connection, at most 20 ms. It ends earlier if the broadcast has two commands, and as many commands as the
    smaller of the last two broadcasts had. If further commands are in the queue, the broadcast waits 3 ms for their
    append instead. If the append is still under way then, the broadcast waits 3 ms more. Back-off: after a wait in
    which no second command came, the next broadcast does not wait for commands that are not queued yet. If the wait
    after that is useless, too, the next 3 broadcasts do not wait; after further useless waits, the next 7, 15 and at
    most 31.
    """

    __slots__ = ("_ends_s", "_last", "_skipped", "_to_skip", "expected")

    def __init__(self) -> None:
        self.expected = 0  # the smaller number of commands in the last two broadcasts
        self._last = 0  # the number of commands in the last broadcast
        self._ends_s = 0.0  # when the wait ends
        # Back-off after a useless wait: how many broadcasts do not wait, and how many of these are yet to come.
        self._skipped = self._to_skip = 0

    def left_s(self, now_s: float) -> float:
        """Return how many seconds to wait for commands that are not queued yet; 0 or less: do not wait."""
        return 0.0 if self._to_skip else self._ends_s - now_s

    def wait_s(self, now_s: float, commands: int, queued: int, connections: int) -> float:
        """Return how many seconds a broadcast of `commands` commands waits; 0 or less: do not wait.

        `queued`: how many further commands are in the queue. If `queued` is 0, `connections` is not used.
        """
        if queued:
            return APPEND_S if connections >= CROWD else 0.0
        return self.left_s(now_s) if commands < max(2, self.expected) else 0.0

    def sent(self, began_s: float, commands: int, connections: int, *, has_waited: bool) -> None:
        """Compute the next wait from a broadcast that began at `began_s`.

        `has_waited`: whether this broadcast waited for commands that were not queued yet.
        """
        is_crowd = connections >= CROWD
        self._ends_s = began_s + min(LONGEST_PACE_S, connections * PACE_S) if is_crowd else 0.0
        self.expected, self._last = min(commands, self._last), commands
        if commands > 1:
            self._skipped = self._to_skip = 0
        elif has_waited:
            self._skipped = self._to_skip = min(2 * self._skipped + 1, _MOST_SKIPPED)
        elif self._to_skip:
            self._to_skip -= 1


class Broadcast:
    """The broadcasts of one room. `queue`: its commands that are not decided yet."""

    def __init__(self, room_id: str, queue: Sized) -> None:
        self.audience: list[Audience] = []
        self.is_appending = False  # whether a batch is being appended
        self._room_id, self._queue = room_id, queue
        self._span: tuple[Room, Room] | None = None  # the room before and after the records that are not sent yet
        self._written: list[Written] = []
        self._replies: list[tuple[QueuedCommand, Outcome]] = []
        self._delay, self._has_waited = Delay(), False
        self._timer: asyncio.TimerHandle | None = None  # calls `send` after the delay
        # A future while `gather` waits. It gets a result when enough commands are queued, or the time is over.
        self.gathered: asyncio.Future[None] | None = None

    def add(self, before: Room, after: Room, written: Sequence[Written]) -> None:
        """Add records to the next broadcast."""
        self._span = (self._span[0] if self._span else before, after)
        self._written += written

    @property
    def expects_more(self) -> bool:
        """Whether to `gather` before the next batch is decided."""
        commands = len(self._replies) + len(self._queue)
        return commands < self._delay.expected and self._delay.left_s(time.monotonic()) > 0

    async def gather(self) -> None:
        """Wait until there are as many commands as in the smaller of the last two broadcasts, or the time is over."""
        self._has_waited = True
        loop = asyncio.get_running_loop()
        self.gathered = loop.create_future()
        timer = loop.call_later(self._delay.left_s(time.monotonic()), _settle, self.gathered)
        await self.gathered
        timer.cancel()
        self.gathered = None

    def queued(self) -> None:
        """End the wait of `gather` if enough commands are queued. Called for each command that is queued."""
        if self.gathered is not None and len(self._replies) + len(self._queue) >= self._delay.expected:
            _settle(self.gathered)

    def send_soon(self, replies: Sequence[tuple[QueuedCommand, Outcome]] = ()) -> None:
        """Send the added records and then the replies, now or after the delay."""
        self._replies += replies
        queued = len(self._queue)
        connections = self._connections() if queued else 0  # without queued commands the number does not matter
        wait_s = self._delay.wait_s(time.monotonic(), len(self._replies), queued, connections)
        if wait_s <= 0:
            self.send()
        elif self._timer is None:
            self._has_waited = True
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._send_after_append)

    def _connections(self) -> int:
        count = 0
        for listener in self.audience:
            count += listener.size
        return count

    def _send_after_append(self) -> None:
        """Send the broadcast. If an append is under way, first wait up to APPEND_S for it."""
        if self.is_appending:
            self._timer = asyncio.get_running_loop().call_later(APPEND_S, self.send)
        else:
            self.send()

    def send(self) -> None:
        """Send the records, then the replies. Errors are only logged, because the records are stored."""
        began_s, span, written, replies = time.monotonic(), self._span, self._written, self._replies
        self._span, self._written, self._replies = None, [], []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if span is not None:
            for listener in list(self.audience):
                try:
                    listener.committed(*span, written)
                except Exception:
                    _log.exception("bug", room=self._room_id)
        reply_all(replies)
        if replies:
            self._delay.sent(began_s, len(replies), self._connections(), has_waited=self._has_waited)
            self._has_waited = False

    def put_off(self, batch: Sequence[QueuedCommand]) -> None:
        """Send the broadcast, then call the replies of these commands with None, because their append takes long."""
        self.send()
        reply_all((queued, None) for queued in batch)

    def reset(self, before: Room, after: Room) -> None:
        """Send the broadcast, then make every audience send the whole room again."""
        self.send()
        for listener in list(self.audience):
            listener.reset(before, after)

    def deleted(self) -> None:
        """Send the broadcast, then tell every audience that the room was deleted."""
        self.send()
        for listener in list(self.audience):
            listener.deleted()


def _settle(gathered: "asyncio.Future[None]") -> None:
    if not gathered.done():
        gathered.set_result(None)
