"""What a websocket's protocol waits with behaves as asyncio's own, and weighs less."""

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from dreadclock_server.gateway.uvicorn.slim import SlimEvent, SlimQueue
from kit.waiting import until


def text(content: str) -> Any:
    """A message as `receive` gives it."""
    return {"type": "websocket.receive", "text": content}


@pytest.mark.parametrize("make", [asyncio.Queue, SlimQueue])
async def test_messages_come_out_as_they_came_in(make: Callable[[], Any]):
    inbox = make()
    for content in "abc":
        inbox.put_nowait(text(content))
    assert not inbox.empty()
    assert [(await inbox.get())["text"] for _ in range(3)] == ["a", "b", "c"]
    assert inbox.empty()


@pytest.mark.parametrize("make", [asyncio.Queue, SlimQueue])
async def test_a_reader_waits_for_a_message(make: Callable[[], Any]):
    inbox = make()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    assert not reading.done()
    inbox.put_nowait(text("a"))
    inbox.put_nowait(text("b"))
    assert (await reading)["text"] == "a"
    assert (await inbox.get())["text"] == "b"


@pytest.mark.parametrize("make", [asyncio.Queue, SlimQueue])
async def test_a_reader_who_gives_up_loses_nothing(make: Callable[[], Any]):
    inbox = make()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait(text("a"))
    reading.cancel()
    await asyncio.wait({reading})
    inbox.put_nowait(text("b"))
    assert [(await inbox.get())["text"] for _ in range(2)] == ["a", "b"]


@pytest.mark.parametrize("make", [asyncio.Event, SlimEvent])
async def test_all_wait_while_it_is_cleared(make: Callable[[], Any]):
    event = make()
    event.set()
    await event.wait()
    event.clear()
    event.clear()
    assert not event.is_set()
    waiting = [asyncio.create_task(event.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await until(waiting[0].done)
    assert not any(each.done() for each in waiting[1:])
    event.set()
    event.clear()  # who waited goes on, though it is cleared again
    assert await asyncio.gather(*waiting[1:]) == [True, True]
    event.set()
    assert event.is_set()
    assert await event.wait() is True


async def test_they_weigh_little():
    assert sys.getsizeof(SlimQueue()) + sys.getsizeof([]) + sys.getsizeof(SlimEvent()) < 200 < sys.getsizeof(deque())
