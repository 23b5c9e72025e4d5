"""Fan-out: records go to a room's audience, then replies to the senders of commands. A round is one combined send.

To write to hundreds of connections costs more than an append. So a round waits some milliseconds for the results of
commands that are being appended, and of those that clients are likely to send after the last round (pacing.py). It
does not wait when nothing else is under way, and not long when the store does not answer.

    add, answer     records and replies that this round will send
    gather          before a batch is decided: wait for more commands to decide with it
    end_soon, end   send all of it, soon or now
"""

import asyncio
import time
from collections.abc import Sequence, Sized

import structlog

from dreadclock_server.core.room import Room, Written
from dreadclock_server.core.sessions import Outcome
from dreadclock_server.rooms.audience import Audience
from dreadclock_server.rooms.batch import QueuedCommand, reply_all
from dreadclock_server.rooms.pacing import Pace

CROWD = 64  # connections; to fewer a round is sent at once, as that costs less than an append
APPEND_S = 0.003  # how long a round waits for one more append
_log = structlog.get_logger()


class Fanout:
    """The fan-out of one room. `queue`: its commands that are not decided yet."""

    def __init__(self, room_id: str, queue: Sized) -> None:
        self.audience: list[Audience] = []
        self._room_id, self._queue = room_id, queue
        self._span: tuple[Room, Room] | None = None  # the room before and after the records that are not sent yet
        self._written: list[Written] = []
        self._replies: list[tuple[QueuedCommand, Outcome]] = []
        self._pace = Pace()
        self._is_appending = False
        self._timer: asyncio.TimerHandle | None = None  # ends this round
        self._awaited: asyncio.Future[None] | None = None  # done once enough commands are queued, or in time

    def add(self, before: Room, after: Room, written: Sequence[Written]) -> None:
        """Add records to this round."""
        self._span = (self._span[0] if self._span else before, after)
        self._written += written

    def answer(self, replies: Sequence[tuple[QueuedCommand, Outcome]]) -> None:
        """Add replies to this round; they go out after its records."""
        self._is_appending = False
        self._replies += replies

    @property
    def expects_more(self) -> bool:
        """Whether to `gather` before the next batch is decided."""
        return self._pace.left_s > 0 and self._are_few()

    async def gather(self) -> None:
        """Wait for as many queued commands as the last rounds had, but not long."""
        self._pace.has_waited = True
        loop = asyncio.get_running_loop()
        self._awaited = loop.create_future()
        timer = loop.call_later(self._pace.left_s, _settle, self._awaited)
        await self._awaited
        timer.cancel()
        self._awaited = None

    def begin(self) -> None:
        """Note that a batch is decided and appended from now on; `answer` ends that."""
        self._is_appending = True

    def queued(self) -> None:
        """Note that one more command waits in the queue."""
        if self._awaited is not None and not self._are_few():
            _settle(self._awaited)

    def _are_few(self) -> bool:
        return len(self._replies) + len(self._queue) < self._pace.expected

    def end_soon(self) -> None:
        """End the round, now or after a short wait for more to send with it."""
        if self._queue:
            wait_s = APPEND_S if self._crowd() else 0.0
        else:
            wait_s = self._pace.left_s if len(self._replies) < max(2, self._pace.expected) else 0.0
        if wait_s <= 0:
            self.end()
        elif self._timer is None:
            self._pace.has_waited = True
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._end_after_append)

    def _crowd(self) -> int:
        """Return how many connections there are; 0 if they are no crowd."""
        count = sum([each.size for each in self.audience])
        return count if count >= CROWD else 0

    def _end_after_append(self) -> None:
        """End the round; if an append is under way, wait up to APPEND_S for it first."""
        if self._is_appending:
            self._timer = asyncio.get_running_loop().call_later(APPEND_S, self.end)
        else:
            self.end()

    def end(self) -> None:
        """Send the records, then the replies. Errors in sending are logged, no more: all is stored."""
        begun_s, replies = time.monotonic(), self._replies
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._tell()
        self._replies = []
        reply_all(replies)
        if replies:
            self._pace.note(begun_s, len(replies), self._crowd())

    def _tell(self) -> None:
        span, written = self._span, self._written
        self._span, self._written = None, []
        if span is None:
            return
        for each in list(self.audience):
            try:
                each.committed(*span, written)
            except Exception:
                _log.exception("bug", room=self._room_id)

    def put_off(self, batch: Sequence[QueuedCommand]) -> None:
        """Answer `pending` to commands whose append takes long."""
        self.end()
        reply_all((queued, None) for queued in batch)

    def replaced(self, before: Room, after: Room) -> None:
        """Send the whole room anew: the store holds another log than the one that was sent."""
        self.end()
        for each in list(self.audience):
            each.replaced(before, after)

    def gone(self) -> None:
        """Let the audience know that the room was deleted."""
        self.end()
        for each in list(self.audience):
            each.gone()


def _settle(awaited: "asyncio.Future[None]") -> None:
    if not awaited.done():
        awaited.set_result(None)
