"""Points of a server's code at which it dies of kill -9, once it has passed there so often.

`arm` is for the prelude of a `kit.server.Server`. What happens before the server serves does not count.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def crash_at(point: str, chance: Random) -> str:
    """Write the prelude of a server that dies at a point, at one of the first times when it comes there."""
    return f"from kit.servers.crash_points import arm\narm({point!r}, {chance.randint(1, _MOST_PASSES)})"


class CrashPoint:
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
    vars(import_module("dreadclock_server.rooms.log"))["SNAPSHOT_EVERY"] = 8  # entries: soon enough to wait for one
    crash = CrashPoint(point, passes)
    wrap(f"dreadclock_server.{_PLACES[place]}", before=crash.passed if when == "before" else None, after=crash.passed)

    def serve() -> None:
        crash.is_serving = True

    wrap("dreadclock_server.rooms.registry:Rooms.start", before=serve, after=None)


def wrap(path: str, before: Callable[[], None] | None, after: Callable[[], None] | None) -> None:
    """Call `before` before each call of a method or a function, else `after` after it."""
    module, _, names = path.partition(":")
    owner_name, _, name = names.rpartition(".")
    owner = getattr(import_module(module), owner_name) if owner_name else import_module(module)
    method: Callable[..., Any] = getattr(owner, name)

    @wraps(method)
    def call(*args: Any, **more: Any) -> Any:
        with _between(before, after):
            return method(*args, **more)

    @wraps(method)
    async def call_async(*args: Any, **more: Any) -> Any:
        with _between(before, after):
            return await method(*args, **more)

    setattr(owner, name, call_async if iscoroutinefunction(method) else call)


@contextmanager
def _between(before: Callable[[], None] | None, after: Callable[[], None] | None) -> Iterator[None]:
    if before is not None:
        before()
    yield
    if before is None and after is not None:
        after()
