"""What a websocket's protocol waits with behaves as asyncio's own, and weighs less."""

import ast
import asyncio
import inspect
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from uvicorn.protocols.websockets import websockets_sansio_impl

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


@pytest.mark.parametrize(
    ("name", "slim", "made"), [("queue", SlimQueue, "asyncio.Queue()"), ("writable", SlimEvent, "asyncio.Event()")]
)
def test_uvicorn_makes_what_they_stand_for_and_calls_nothing_else_of_it(name: str, slim: type, made: str):
    tree = ast.parse(inspect.getsource(websockets_sansio_impl))
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == name]
    called = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == name
    }
    values = {
        ast.unparse(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.value
        and ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0]) == f"self.{name}"
    }

    assert uses
    assert values == {made}
    assert called <= {method for method in vars(slim) if not method.startswith("_")}, called


async def test_they_weigh_little():
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [(SlimQueue(), SlimEvent()) for _ in range(1000)]
    slim = tracemalloc.get_traced_memory()[0] - before
    before += slim
    kept_too: list[Any] = [(asyncio.Queue(), asyncio.Event()) for _ in range(1000)]
    usual = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()

    assert slim < 250 * len(kept)
    assert usual > 2500 * len(kept_too)  # if asyncio's own weigh less than that, these are not worth their lines
