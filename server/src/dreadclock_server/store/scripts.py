"""Atomic calls: Lua scripts, and those that are ready together in one round trip (group commit)."""

import asyncio
import hashlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis.exceptions import NoScriptError, ResponseError

from dreadclock_server.store.connections import Client

_WRITERS = 2
_CALLS_PER_TRIP = 64


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script, known to the server by the SHA-1 of its text."""

    text: str
    sha: str


def _load(name: str) -> Script:
    text = (Path(__file__).parent / "lua" / f"{name}.lua").read_text(encoding="utf-8")
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


APPEND = _load("append")
OPEN_ROOM = _load("open_room")
PUT_TOKEN = _load("put_token")
DELETE_TOKEN = _load("delete_token")
TOUCH_TOKENS = _load("touch_tokens")
LOAD_SNAPSHOT = _load("load_snapshot")
SAVE_SNAPSHOT = _load("save_snapshot")
SWEEP_HERE = _load("sweep_here")


Arg = str | bytes | int


@dataclass(slots=True)
class _Call:
    script: Script
    keys: Sequence[str]
    args: Sequence[Arg]
    answer: asyncio.Future[Any]

    def command(self, verb: str) -> tuple[Any, ...]:
        script = self.script.sha if verb == "EVALSHA" else self.script.text
        return (verb, script, len(self.keys), *self.keys, *self.args)


class Scripts:
    """Runs scripts. While two round trips are under way, further calls wait and share the next one."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._waiting: deque[_Call] = deque()
        self._writers: set[asyncio.Task[None]] = set()

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[Arg]) -> Any:
        """Run a script and give its answer; raises whatever the connection or the server raised.

        A caller who is cancelled does not disturb the round trip: the call may run all the same.
        """
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Call(script, keys, args, answer))
        if len(self._writers) < _WRITERS:
            writer = asyncio.create_task(self._drain())
            self._writers.add(writer)
            writer.add_done_callback(self._writers.discard)
        return await answer

    async def aclose(self) -> None:
        """Return once no call is under way."""
        if self._writers:
            await asyncio.wait(self._writers)

    async def _drain(self) -> None:
        while self._waiting:
            taken = [self._waiting.popleft() for _ in range(min(_CALLS_PER_TRIP, len(self._waiting)))]
            calls = [call for call in taken if not call.answer.done()]
            if not calls:
                continue
            try:
                await self._settle(calls)
            except Exception as error:
                for call in calls:
                    _answer(call, error)

    async def _settle(self, calls: Sequence[_Call]) -> None:
        unknown = []
        for call, answer in zip(calls, await self._send(calls, "EVALSHA"), strict=True):
            if isinstance(answer, NoScriptError):
                unknown.append(call)
            else:
                _answer(call, answer)
        if unknown:
            for call, answer in zip(unknown, await self._send(unknown, "EVAL"), strict=True):
                _answer(call, answer)

    async def _send(self, calls: Sequence[_Call], verb: str) -> list[Any]:
        if len(calls) == 1:
            return [await self._send_alone(calls[0], verb)]
        trip = self._client.pipeline(transaction=False)
        for call in calls:
            trip.execute_command(*call.command(verb))
        answers: list[Any] = await trip.execute(raise_on_error=False)
        return answers

    async def _send_alone(self, call: _Call, verb: str) -> Any:
        try:
            return await self._client.execute_command(*call.command(verb))
        except ResponseError as error:
            return error


def _answer(call: _Call, answer: Any) -> None:
    if call.answer.done():
        return
    if isinstance(answer, Exception):
        call.answer.set_exception(answer)
    else:
        call.answer.set_result(answer)
