"""Atomic calls: Lua scripts. Calls that are ready at the same time share a round trip (group commit)."""

import asyncio
import hashlib
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis.exceptions import NoScriptError

from dreadclock_server.store.base import StoreUnavailable
from dreadclock_server.store.connections import RedisClient, round_trip

_CALLS_PER_TRIP = 128
_LONGEST_GATHERING_S = 0.002
_MOST_HINTS_WAITING = 4096


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script. The server identifies it by the SHA-1 of its text."""

    text: str
    sha: str


def _load(path: Path) -> Script:
    text = path.read_text(encoding="utf-8")
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


SCRIPTS = {path.stem: _load(path) for path in (Path(__file__).parent / "lua").glob("*.lua")}
Arg = str | bytes | int


@dataclass(slots=True)
class _Call:
    script: Script
    keys: Sequence[str]
    args: Sequence[Arg]
    answer: asyncio.Future[Any]
    due_s: float  # the time of the event loop after which the caller gets StoreUnavailable

    @property
    def is_wanted(self) -> bool:
        return not self.answer.done()

    def command(self, verb: str) -> tuple[Any, ...]:
        script = self.script.sha if verb == "EVALSHA" else self.script.text
        return (verb, script, len(self.keys), *self.keys, *self.args)

    def settle(self, answer: Any) -> None:
        if self.answer.done():
            return
        if isinstance(answer, Exception):
            self.answer.set_exception(answer)
        else:
            self.answer.set_result(answer)


@dataclass(slots=True)
class _Hint:
    """A command that may be lost. Its answer is ignored."""

    words: tuple[Any, ...]
    is_wanted = True
    due_s = math.inf

    def command(self, verb: str) -> tuple[Any, ...]:
        return self.words

    def settle(self, answer: Any) -> None:
        """Ignore the answer."""


class Scripts:
    """Runs scripts. While a round trip is under way, further calls wait, and then share the next one, in order.

    The waiting calls may be for different rooms. So many rooms share a round trip, and the fsync of the store.
    """

    def __init__(self, client: RedisClient, deadline_s: float) -> None:
        self._client, self._deadline_s = client, deadline_s
        self._waiting: deque[_Call | _Hint] = deque()
        self._under_way: Sequence[_Call | _Hint] = ()
        self._writer: asyncio.Task[None] | None = None
        # One timer for all calls: a timer for each call would cost too much.
        self._timer: asyncio.TimerHandle | None = None

    def run(self, script: str, keys: Sequence[str], args: Sequence[Arg]) -> "asyncio.Future[Any]":
        """Run a script, and return a future of its answer.

        The future may raise an error of the connection or of the server, or StoreUnavailable if there is no answer
        in time. If the caller is cancelled, the script may still run.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        due_s = loop.time() + self._deadline_s
        self._send_soon(_Call(SCRIPTS[script], keys, args, answer, due_s))
        if self._timer is None:
            self._timer = loop.call_at(due_s, self._give_up)
        return answer

    def _give_up(self) -> None:
        """End the calls whose time is over with StoreUnavailable, and schedule the next check."""
        loop = asyncio.get_running_loop()
        left = [call for call in (*self._under_way, *self._waiting) if call.is_wanted]
        for call in left:
            if call.due_s <= loop.time():
                call.settle(StoreUnavailable(f"the store gave no answer in {self._deadline_s:g} s: it is silent"))
        next_s = min((call.due_s for call in left if call.is_wanted), default=math.inf)
        self._timer = loop.call_at(next_s, self._give_up) if next_s < math.inf else None

    def hint(self, *words: Any) -> None:
        """Send a command with the next round trip.

        The command is lost if the round trip fails, or if _MOST_HINTS_WAITING calls wait already.
        """
        if len(self._waiting) < _MOST_HINTS_WAITING:
            self._send_soon(_Hint(words))

    def _send_soon(self, call: _Call | _Hint) -> None:
        self._waiting.append(call)
        if self._writer is None:
            self._writer = asyncio.create_task(self._drain())

    async def aclose(self) -> None:
        """Wait until no call is under way."""
        if self._writer is not None:
            await asyncio.wait({self._writer})
        if self._timer is not None:
            self._timer.cancel()

    async def _drain(self) -> None:
        try:
            await self._send_all()
        finally:  # not in a done callback: until it runs, new calls would wait for a task that has ended
            self._writer, self._under_way = None, ()

    async def _gather(self) -> None:
        """Let other ready tasks add their calls, so that these share the round trip. Stops when no task adds a call."""
        clock = asyncio.get_running_loop().time
        ends, gathered = clock() + _LONGEST_GATHERING_S, 0
        while gathered < len(self._waiting) < _CALLS_PER_TRIP and clock() < ends:
            gathered = len(self._waiting)
            await asyncio.sleep(0)

    async def _send_all(self) -> None:
        while self._waiting:
            await self._gather()
            taken = [self._waiting.popleft() for _ in range(min(_CALLS_PER_TRIP, len(self._waiting)))]
            self._under_way = calls = [call for call in taken if call.is_wanted]
            if not calls:
                continue
            try:
                await self._settle(calls)
            except Exception as error:
                for call in calls:
                    call.settle(error)

    async def _settle(self, calls: Sequence[_Call | _Hint]) -> None:
        unknown = []
        for call, answer in zip(calls, await self._send(calls, "EVALSHA"), strict=True):
            if isinstance(answer, NoScriptError):
                unknown.append(call)
            else:
                call.settle(answer)
        if unknown:
            for call, answer in zip(unknown, await self._send(unknown, "EVAL"), strict=True):
                call.settle(answer)

    async def _send(self, calls: Sequence[_Call | _Hint], verb: str) -> list[Any]:
        return await round_trip(self._client, [call.command(verb) for call in calls])
