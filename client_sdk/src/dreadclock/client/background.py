"""Run an event loop in a background thread, for `dreadclock.sync`. The caller waits while the loop runs a coroutine."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import AbstractAsyncContextManager, contextmanager
from threading import Thread
from typing import Any, TypeVar

from dreadclock.client.methods import Commands
from dreadclock.client.outcomes import Acknowledged, ViewReplaced
from dreadclock.client.room import Room
from dreadclock.client.streams import Stream
from dreadclock.wire.errors import ConnectionEnded
from dreadclock.wire.events import Event
from dreadclock.wire.records import Record

T = TypeVar("T")
Loop = asyncio.AbstractEventLoop
_HEED_CTRL_C_EVERY_S = 1.0


@contextmanager
def entered(opening: AbstractAsyncContextManager[T]) -> Iterator[tuple[T, Loop]]:
    """Enter an asynchronous context manager in a new background loop, and leave it at the end of the block."""
    with _background() as loop:
        opened = run(loop, opening.__aenter__())
        try:
            yield opened, loop
        finally:
            run(loop, opening.__aexit__(None, None, None))


class BackgroundRoom(Commands[Acknowledged]):
    """The part of `dreadclock.sync.Room` that is not generated."""

    def __init__(self, room: Room, loop: Loop) -> None:
        self._room, self._loop = room, loop

    def events(self, timeout_s: float | None = None) -> Iterator[Event | ViewReplaced]:
        """Iterate over the events from now on, until no event has come for `timeout_s`. None: wait for ever."""
        return self._stream(self._room.events, timeout_s)

    def records(self, timeout_s: float | None = None) -> Iterator[Record | ViewReplaced]:
        """Iterate over the records from now on, with seq, channel, time and seat. `timeout_s`: end when no
        record has come for this long. None: wait for ever."""
        return self._stream(self._room.records, timeout_s)

    def _stream(self, start: Callable[[], Stream[T]], timeout_s: float | None) -> Iterator[T | ViewReplaced]:
        stream = run(self._loop, _called(start))  # subscribe now, not at the first `next`
        return self._items(stream, timeout_s)

    def _items(self, stream: Stream[T], timeout_s: float | None) -> Iterator[T | ViewReplaced]:
        while True:
            following = _next(stream, timeout_s)
            item = run(self._loop, following)
            if item is None:
                return
            yield item


async def _called(start: Callable[[], T]) -> T:
    return start()


async def _next(stream: Stream[T], timeout_s: float | None) -> T | ViewReplaced | None:
    """Return the next item; None at the end of the stream, or if none has come for `timeout_s`."""
    try:
        async with asyncio.timeout(timeout_s):
            return await anext(stream, None)
    except TimeoutError:
        return None


def run(loop: Loop, work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in the loop's thread and return its result. Ctrl-C cancels the coroutine.

    Raises what the coroutine raises, and ConnectionEnded if the loop is closed.
    """
    if loop.is_closed():
        work.close()
        raise ConnectionEnded(None, "this client closed the connection")
    outcome: Future[T] = Future()  # created first, so that Ctrl-C always has a future to cancel
    try:
        loop.call_soon_threadsafe(_start, work, outcome, loop)
        while not wait((outcome,), _HEED_CTRL_C_EVERY_S).done:
            pass  # waits are short: on some systems, Ctrl-C takes effect only when the current wait ends
        return outcome.result()
    except BaseException:
        outcome.cancel()
        raise


def _start(work: Coroutine[Any, Any, T], outcome: Future[T], loop: Loop) -> None:
    """Run `work` as a task of the loop. Cancels the task if its future is cancelled."""
    task = loop.create_task(work)
    task.add_done_callback(lambda _: _settle(task, outcome))
    outcome.add_done_callback(lambda _: loop.call_soon_threadsafe(task.cancel))


def _settle(task: asyncio.Task[T], outcome: Future[T]) -> None:
    error = CancelledError() if task.cancelled() else task.exception()
    if not outcome.set_running_or_notify_cancel():
        return
    if error is not None:
        outcome.set_exception(error)
    else:
        outcome.set_result(task.result())


def run_once(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a new background loop and return its result."""
    with _background() as loop:
        return run(loop, work)


@contextmanager
def _background() -> Iterator[Loop]:
    """Run an event loop in a thread of its own for as long as the block lasts."""
    ready: Future[tuple[Loop, asyncio.Event]] = Future()

    async def stay() -> None:
        stop = asyncio.Event()
        ready.set_result((asyncio.get_running_loop(), stop))
        await stop.wait()

    thread = Thread(target=lambda: asyncio.run(stay()), name="dreadclock", daemon=True)
    thread.start()
    loop, stop = ready.result()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
