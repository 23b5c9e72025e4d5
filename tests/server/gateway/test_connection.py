"""What a connection owes its reader, and for how long."""

import asyncio
from functools import partial

import pytest

from dreadclock.wire.base import Role
from dreadclock.wire.errors import CloseCode, Code
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.sessions import No
from dreadclock_server.gateway.connection import MOST_UNSENT, Connection
from dreadclock_server.gateway.tokens import Pass
from kit.waiting import until

ANN = Pass("hash", Actor("player-1", Role.PLAYER), None)
MIB = "x" * (1 << 20)


class Tap:
    """A wire that takes frames only while it is open."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.closed: tuple[int, str | None] | None = None
        self.open = asyncio.Event()
        self.open.set()

    def has_taken(self, frames: int) -> bool:
        return len(self.taken) == frames

    async def send_text(self, data: str) -> None:
        await self.open.wait()
        self.taken.append(data)

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        await self.open.wait()
        self.closed = (code, reason)


@pytest.fixture
def tap() -> Tap:
    return Tap()


def connection(tap: Tap, close_within_s: float = 60.0) -> tuple[Connection, "asyncio.Task[None]"]:
    """A connection that is being written."""
    one = Connection(tap, ANN, "session", close_within_s)
    return one, asyncio.create_task(one.write())


async def test_frames_are_sent_in_order_and_then_it_closes(tap: Tap):
    one, writing = connection(tap)
    one.greet(["a", "b"])
    one.send("c", "d")
    one.close(4001, "restart")
    one.send("too late")
    one.close(4502, "revoked")
    await writing
    assert (tap.taken, tap.closed) == (["a", "b", "c", "d"], (4001, "restart"))


async def test_who_reads_on_may_be_sent_any_amount(tap: Tap):
    one, writing = connection(tap)
    for number in range(10):
        one.send(MIB)
        await until(partial(tap.has_taken, number + 1))
    one.close(1000, "")
    await writing
    assert tap.closed == (1000, "")


async def test_who_falls_behind_is_told_to_come_back_and_what_waited_is_forgotten(tap: Tap):
    one, writing = connection(tap)
    tap.open.clear()
    one.send("first")
    await asyncio.sleep(0)  # the writer waits with it
    for _ in range(4):
        one.send(MIB)
    tap.open.set()
    await writing
    assert tap.taken == ["first"]
    assert tap.closed == (CloseCode.SLOW_CONSUMER, "too far behind: reconnect and resume")


async def test_one_large_batch_makes_nobody_slow(tap: Tap):
    one, writing = connection(tap)
    one.send(*[MIB] * 8)
    one.close(1000, "")
    await writing
    assert (len(tap.taken), tap.closed) == (8, (1000, ""))


async def test_a_long_greeting_makes_nobody_slow(tap: Tap):
    one, writing = connection(tap)
    tap.open.clear()
    one.greet([MIB] * 8)
    one.send("news")
    tap.open.set()
    one.close(1000, "")
    await writing
    assert (len(tap.taken), tap.closed) == (9, (1000, ""))


async def test_a_reader_who_takes_nothing_more_is_given_up(tap: Tap):
    one, writing = connection(tap, close_within_s=0.01)
    tap.open.clear()
    one.send("first")
    one.close(4502, "revoked")
    await asyncio.wait({writing}, timeout=10)
    assert writing.cancelled()
    assert (tap.taken, tap.closed) == ([], None)


async def test_a_number_is_expected_again_when_it_was_not_used_up(tap: Tap):
    one, writing = connection(tap)
    assert all(one.expects(n) and one.took(n) for n in (5, 6, 7))
    assert not one.expects(9)
    one.reply(5, No(Code.UNAVAILABLE, {}))
    assert one.expects(5)
    assert not one.expects(8)
    one.close(1000, "")
    await writing


def test_the_limit_is_what_the_documentation_says():
    assert MOST_UNSENT == 1024 * 1024
