"""Fanout: what a room's audience and the senders of commands are told in one go.

To tell a crowd costs more than to append. So before a crowd is told there may be a moment's wait, for what can be
told along with it: commands that the store is about to get, and, if the last round was only just now, as many as
that one told of. Nothing waits where nothing else is under way, nor for long for a store that is silent.
"""

import asyncio
import time
from collections.abc import Sequence, Sized

import structlog

from dreadclock_server.core.room import Room, Written
from dreadclock_server.core.sessions import Outcome
from dreadclock_server.rooms.audience import Audience
from dreadclock_server.rooms.batch import QueuedCommand, reply_all

CROWD = 64  # connections; few of them are told at once, for that costs less than an append
PACE_S = 20e-6  # for each connection: how long after the beginning of a round the next one may wait for more
LONGEST_PACE_S = 0.02
APPEND_S = 0.003  # how long a round waits for one more append
MOST_DOUBTS = 5
_log = structlog.get_logger()


class Fanout:
    """The rounds of one room. `queue`: its commands that are not decided yet."""

    def __init__(self, room_id: str, queue: Sized) -> None:
        self.audience: list[Audience] = []
        self._room_id, self._queue = room_id, queue
        self._span: tuple[Room, Room] | None = None  # the room before and after what is to be told
        self._written: list[Written] = []
        self._replies: list[tuple[QueuedCommand, Outcome]] = []
        self._timer: asyncio.TimerHandle | None = None  # to the end of this round
        self._is_appending = self._has_waited = False
        self._next_s = 0.0  # until then this round may wait for what the last one leads to
        self._sizes = (0, 0)  # of the last two rounds, in commands
        self._doubts = self._skips = 0  # waits for nothing in a row, and how many rounds do not wait for that
        self._awaited: asyncio.Future[None] | None = None

    def add(self, before: Room, after: Room, written: Sequence[Written]) -> None:
        """Have records told, after those before them."""
        self._span = (self._span[0] if self._span else before, after)
        self._written += written

    def answer(self, replies: Sequence[tuple[QueuedCommand, Outcome]]) -> None:
        """Have commands answered, after the records that were added before."""
        self._is_appending = False
        self._replies += replies

    async def gather(self) -> None:
        """Wait, before the commands that have come are decided, for as many as the last rounds told of."""
        left_s = self._left_s()
        if left_s > 0 and self._are_few():
            self._has_waited = True
            loop = asyncio.get_running_loop()
            self._awaited = loop.create_future()
            timer = loop.call_later(left_s, _settle, self._awaited)
            await self._awaited
            timer.cancel()
            self._awaited = None
        self._is_appending = True

    def came(self) -> None:
        """See that one more command waits."""
        if self._awaited is not None and not self._are_few():
            _settle(self._awaited)

    def _are_few(self) -> bool:
        return len(self._replies) + len(self._queue) < min(self._sizes)

    def _left_s(self) -> float:
        return 0.0 if self._skips else self._next_s - time.monotonic()

    def end_soon(self) -> None:
        """End the round, now or when there is more to tell, but in good time."""
        wait_s = self._worth_waiting_s()
        if wait_s <= 0:
            self.end()
        elif self._timer is None:
            self._has_waited = True
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._end_after_append)

    def _worth_waiting_s(self) -> float:
        if self._queue:
            return APPEND_S if self._crowd() else 0.0
        return self._left_s() if len(self._replies) < max(2, min(self._sizes)) else 0.0

    def _crowd(self) -> int:
        """Count those who are to be told; 0 if they are no crowd."""
        count = sum(each.size for each in self.audience)
        return count if count >= CROWD else 0

    def _end_after_append(self) -> None:
        """End the round, with what the store has got by now if it answers soon."""
        if self._is_appending:
            self._timer = asyncio.get_running_loop().call_later(APPEND_S, self.end)
        else:
            self.end()

    def end(self) -> None:
        """Tell everyone who listens, and answer; what goes wrong there does not undo what is stored."""
        begun_s, replies = time.monotonic(), self._replies
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._tell()
        self._replies = []
        reply_all(replies)
        if replies:
            self._note(begun_s, len(replies))

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

    def _note(self, begun_s: float, size: int) -> None:
        """Note what the next round goes by; waiting for nothing is done the more seldom the more often it was done."""
        crowd = self._crowd()
        self._next_s = begun_s + min(LONGEST_PACE_S, crowd * PACE_S) if crowd else 0.0
        self._sizes = (size, self._sizes[0])
        self._skips = max(0, self._skips - 1)
        if size > 1:
            self._doubts = self._skips = 0
        elif self._has_waited:
            self._doubts = min(self._doubts + 1, MOST_DOUBTS)
            self._skips = (1 << self._doubts) - 1
        self._has_waited = False

    def put_off(self, batch: Sequence[QueuedCommand]) -> None:
        """Tell those whose commands take long that they have to wait."""
        self.end()
        reply_all((pending, None) for pending in batch)

    def replaced(self, before: Room, after: Room) -> None:
        """Tell that the store holds another log than the one told so far."""
        self.end()
        for each in list(self.audience):
            each.replaced(before, after)

    def gone(self) -> None:
        """Tell that the room was deleted."""
        self.end()
        for each in list(self.audience):
            each.gone()


def _settle(awaited: "asyncio.Future[None]") -> None:
    if not awaited.done():
        awaited.set_result(None)
