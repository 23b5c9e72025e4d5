"""A server that is doomed: it dies of kill -9 at a point of its code with a name, once it has passed there so often.

`arm` is for the prelude of a `kit.server.Server`. What happens before the server serves does not count.
"""

import os
import signal
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import iscoroutinefunction
from random import Random
from typing import Any

_PLACES = {
    "append": "store.valkey:ValkeyStore.append",
    "answer of the store": "store.connections:TcpConnection.read_answers",
    "telling": "gateway.ws.hub:Hub.committed",
    "ack": "gateway.ws.connection:Connection.reply",
    "announcing": "store.valkey:ValkeyStore.announce",
    "hearing": "rooms.live:LiveRoom.hear",
    "reading on": "store.valkey:ValkeyStore.read",
    "heads": "store.valkey:ValkeyStore.heads",
    "snapshot": "store.valkey:ValkeyStore.save_snapshot",
    "greeting": "gateway.ws.connection:Connection.greet",
}
_MOST_PASSES = 20
POINTS = tuple(f"{when} {place}" for place in _PLACES for when in ("before", "after"))


def doomed(point: str, chance: Random) -> str:
    """Write the prelude of a server that dies at a point, at one of the first times when it comes there."""
    return f"from kit.doom import arm\narm({point!r}, {chance.randint(1, _MOST_PASSES)})"


class _Doom:
    """Counts how often the point was passed."""

    def __init__(self, point: str, passes: int) -> None:
        self.is_serving = False
        self._point, self._left = point, passes

    def passed(self) -> None:
        self._left -= self.is_serving
        if self._left <= 0:
            sys.stderr.write(f"dies {self._point}\n")
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str, passes: int) -> None:
    """Let this process die at a point, when it comes there for the `passes`th time."""
    when, _, place = point.partition(" ")
    vars(import_module("dreadclock_server.rooms.writer"))["SNAPSHOT_EVERY"] = 8  # entries: soon enough to wait for one
    doom = _Doom(point, passes)
    _wrap(_PLACES[place], before=doom.passed if when == "before" else None, after=doom.passed)

    def serve() -> None:
        doom.is_serving = True

    _wrap("rooms.registry:Rooms.start", before=serve, after=None)


def _wrap(path: str, before: Callable[[], None] | None, after: Callable[[], None] | None) -> None:
    """Call `before` before each call of a method, else `after` after it."""
    module, _, names = path.partition(":")
    owner_name, _, name = names.partition(".")
    owner = getattr(import_module(f"dreadclock_server.{module}"), owner_name)
    method: Callable[..., Any] = getattr(owner, name)

    @wraps(method)
    def call(*args: Any, **more: Any) -> Any:
        if before is not None:
            before()
            return method(*args, **more)
        result = method(*args, **more)
        if after is not None:
            after()
        return result

    @wraps(method)
    async def call_async(*args: Any, **more: Any) -> Any:
        if before is not None:
            before()
            return await method(*args, **more)
        result = await method(*args, **more)
        if after is not None:
            after()
        return result

    setattr(owner, name, call_async if iscoroutinefunction(method) else call)
