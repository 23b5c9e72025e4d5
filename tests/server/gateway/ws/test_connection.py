"""What a connection owes its reader, and for how long; by way of a queue, and straight to a transport."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import cast

import pytest

from dreadclock.wire.base import Role
from dreadclock.wire.errors import CloseCode
from dreadclock_server.core.draft import Actor
from dreadclock_server.gateway.tokens import Bearer
from dreadclock_server.gateway.ws import connection
from dreadclock_server.gateway.ws.connection import MOST_UNSENT, Connection
from dreadclock_server.gateway.ws.outbox import DirectFrames, DirectSender, Frame, QueuedSender
from dreadclock_server.rooms.answers import unavailable
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.base import Trouble
from kit.rooms import Table, open_table
from kit.server import Server
from kit.servers.in_process import in_process
from kit.waiting import until

ANN = Bearer("hash", Actor("player-1", Role.PLAYER), None)
MIB = Frame("x" * (1 << 20))
TOO_FAR_BEHIND = (CloseCode.SLOW_CONSUMER, "too far behind: reconnect and resume")


class Tap:
    """A wire that takes frames only while it is open."""

    def __init__(self) -> None:
        self.asked = 0
        self.taken: list[str] = []
        self.closed: tuple[int, str | None] | None = None
        self.open = asyncio.Event()
        self.open.set()

    def has_taken(self, frames: int) -> bool:
        return len(self.taken) == frames

    async def send_text(self, data: str) -> None:
        self.asked += 1
        await self.open.wait()
        self.taken.append(data)

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        await self.open.wait()
        self.closed = (code, reason)


class Pipe:
    """What the extension offers, with a transport that keeps what it is given until `flow`; it likes 64 KiB."""

    def __init__(self) -> None:
        self.on_blocked: Callable[[bool], None] | None = None
        self.waiting = 0
        self.written: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self.is_gone = self._blocked = False

    def write(self, data: bytes) -> None:
        if self.is_gone:
            raise RuntimeError("the handler is closed")
        self.written.append(data)
        self.waiting += len(data)
        self._tell()

    def unsent(self) -> int:
        return self.waiting

    def flow(self, amount: int) -> None:
        self.waiting -= amount
        self._tell()

    def close(self, code: int, reason: str) -> None:
        self.closed = (code, reason)

    def _tell(self) -> None:
        blocked = self.waiting > 1 << 16
        if blocked is not self._blocked and self.on_blocked is not None:
            self._blocked = blocked
            self.on_blocked(blocked)


@pytest.fixture
def tap() -> Tap:
    return Tap()


@pytest.fixture
def pipe() -> Pipe:
    return Pipe()


async def forever() -> None:
    await asyncio.Event().wait()


def queued(
    tap: Tap, close_within_s: float = 60.0, stalled_after_s: float = 60.0
) -> tuple[Connection, asyncio.Task[None]]:
    """A connection that is being written."""
    one = Connection(QueuedSender(tap, close_within_s, stalled_after_s), ANN, "session")
    return one, asyncio.create_task(one.sender.run(forever()))


def direct(pipe: Pipe, stalled_after_s: float = 60.0) -> Connection:
    """A connection whose frames go straight to a transport."""
    return Connection(DirectSender(cast(DirectFrames, pipe), stalled_after_s), ANN, "session")


def frames(*texts: str) -> list[Frame]:
    return [Frame(text) for text in texts]


async def test_frames_are_sent_in_order_and_then_it_closes(tap: Tap):
    one, writing = queued(tap)
    one.greet(frames("a", "b"))
    one.send(*frames("c", "d"))
    one.close(4001, "restart")
    one.send(Frame("too late"))
    one.close(4502, "revoked")
    await writing
    assert (tap.taken, tap.closed) == (["a", "b", "c", "d"], (4001, "restart"))


async def test_a_close_is_sent_although_the_other_side_says_something_meanwhile(tap: Tap):
    said, stopped = asyncio.Event(), asyncio.Event()

    async def read() -> None:
        await said.wait()
        stopped.set()  # as one that is closed reads no further

    one = Connection(QueuedSender(tap, 60.0), ANN, "session")
    writing = asyncio.create_task(one.sender.run(read()))
    tap.open.clear()
    one.send(Frame("a"))
    one.close(4502, "revoked")
    await until(lambda: tap.asked == 1)
    said.set()
    await until(stopped.is_set)
    tap.open.set()
    await writing
    assert (tap.taken, tap.closed) == (["a"], (4502, "revoked"))


async def test_straight_frames_are_written_at_once_and_then_it_closes(pipe: Pipe):
    one = direct(pipe)
    one.greet(frames("a", "b"))
    one.send(*frames("c", "d"))
    assert one.direct is not None
    one.close(4001, "restart")
    one.send(Frame("too late"))
    one.close(4502, "revoked")
    assert pipe.written == [b"\x81\x01a", b"\x81\x01b", b"\x81\x01c", b"\x81\x01d"]
    assert pipe.closed == (4001, "restart")
    assert one.sender.direct is None


async def test_who_reads_on_may_be_sent_any_amount(tap: Tap, pipe: Pipe):
    one, writing = queued(tap)
    other = direct(pipe)
    for number in range(10):
        one.send(MIB)
        other.send(MIB)
        await until(partial(tap.has_taken, number + 1))
        pipe.flow(pipe.waiting)
    one.close(1000, "")
    await writing
    assert (tap.closed, pipe.closed) == ((1000, ""), None)


async def test_who_falls_behind_is_told_to_come_back_and_what_waited_is_forgotten(tap: Tap):
    one, writing = queued(tap)
    tap.open.clear()
    one.send(Frame("first"))
    await until(lambda: tap.asked == 1)
    for _ in range(4):
        one.send(MIB)
    tap.open.set()
    await writing
    assert (tap.taken, tap.closed) == (["first"], TOO_FAR_BEHIND)


async def test_who_falls_behind_a_transport_is_closed_after_what_that_holds(pipe: Pipe):
    one = direct(pipe)
    for _ in range(3):
        one.send(MIB)
    assert (len(pipe.written), pipe.closed) == (1, TOO_FAR_BEHIND)


async def test_one_large_batch_makes_nobody_slow(tap: Tap, pipe: Pipe):
    one, writing = queued(tap)
    other = direct(pipe)
    for each in (one, other):
        each.send(*[MIB] * 8)
        each.close(1000, "")
    await writing
    assert (len(tap.taken), tap.closed) == (8, (1000, ""))
    assert (len(pipe.written), pipe.closed) == (8, (1000, ""))


async def test_a_long_greeting_makes_nobody_slow(tap: Tap, pipe: Pipe):
    one, writing = queued(tap)
    other = direct(pipe)
    tap.open.clear()
    for each in (one, other):
        each.greet([MIB] * 8)
        each.send(Frame("news"))
        each.close(1000, "")
    tap.open.set()
    await writing
    assert (len(tap.taken), tap.closed) == (9, (1000, ""))
    assert (len(pipe.written), pipe.closed) == (9, (1000, ""))


async def test_once_a_long_greeting_has_been_read_it_excuses_nobody(pipe: Pipe):
    one = direct(pipe)
    one.greet([MIB] * 8)
    pipe.flow(pipe.waiting)
    for _ in range(3):
        one.send(MIB)
    assert (len(pipe.written), pipe.closed) == (9, TOO_FAR_BEHIND)


async def test_who_takes_nothing_any_more_is_told_to_come_back(tap: Tap, pipe: Pipe):
    one, writing = queued(tap, close_within_s=0.05, stalled_after_s=0.01)
    other = direct(pipe, stalled_after_s=0.05)
    tap.open.clear()
    for each in (one, other):
        each.send(Frame("x" * 100_000))
    await until(lambda: one.closed and pipe.closed == TOO_FAR_BEHIND)
    await asyncio.wait({writing}, timeout=10)
    assert tap.taken == []


async def test_who_takes_a_little_now_and_then_is_not_given_up(pipe: Pipe):
    one = direct(pipe, stalled_after_s=0.2)
    one.send(MIB)
    loop = asyncio.get_running_loop()
    enough = loop.time() + 0.6

    def takes_a_little() -> bool:
        pipe.flow(1000)
        return loop.time() > enough

    await until(takes_a_little)
    assert pipe.closed is None
    pipe.flow(pipe.waiting)
    assert one.direct is not None
    one.close(1000, "")


async def test_a_blocked_transport_is_not_written_straight_to(pipe: Pipe):
    one = direct(pipe)
    changes: list[bool] = []
    one.sender.on_change = lambda: changes.append(one.direct is not None)
    one.send(Frame("x" * 100_000))
    one.send(Frame("after it"))
    pipe.flow(pipe.waiting)
    one.close(1000, "")
    assert (changes, len(pipe.written)) == ([False, True, False], 2)


async def test_what_is_sent_to_a_connection_that_is_gone_is_forgotten(pipe: Pipe):
    one = direct(pipe)
    pipe.is_gone = True
    one.greet(frames("a"))
    one.send(Frame("b"))
    assert pipe.written == []


async def test_a_reader_who_takes_nothing_more_is_given_up(tap: Tap):
    one, writing = queued(tap, close_within_s=0.01)
    tap.open.clear()
    one.send(Frame("first"))
    one.close(4502, "revoked")
    await asyncio.wait({writing}, timeout=10)
    assert writing.done()
    assert (tap.taken, tap.closed) == ([], None)


async def test_what_goes_wrong_in_reading_is_told(tap: Tap, pipe: Pipe):
    async def stumble() -> None:
        raise ValueError("stumbled")

    for sender in (QueuedSender(tap), DirectSender(cast(DirectFrames, pipe))):
        with pytest.raises(ValueError, match="stumbled"):
            await sender.run(stumble())


async def test_a_number_is_expected_again_when_it_was_not_used_up(pipe: Pipe):
    one = direct(pipe)
    assert all(one.expects(n) and one.took(n) for n in (5, 6, 7))
    assert not one.expects(9)
    one.reply(5, unavailable(Trouble.AWAY))
    assert one.expects(5)
    assert not one.expects(8)


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("", b"\x81\x00"),
        ("x" * 125, b"\x81\x7d"),
        ("x" * 126, b"\x81\x7e\x00\x7e"),
        ("é" * 32_767, b"\x81\x7e\xff\xfe"),
        ("x" * 65_536, b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"),
    ],
)
def test_a_frame_is_a_header_and_its_text(text: str, header: bytes):
    frame = Frame(text)

    assert frame.framed == header + text.encode()
    assert frame.framed is frame.framed


def test_the_limit_is_what_the_documentation_says():
    assert MOST_UNSENT == 1024 * 1024


# Heartbeats: frames for clients that cannot see pings, and only for those that asked for them


ROLL = {"type": "roll_dice", "pool": 1}


@pytest.fixture
async def hasty(server: Server, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """A server in this process whose heart beats fast."""
    assert connection.BEAT_EVERY_S == 20.0
    monkeypatch.setattr(connection, "BEAT_EVERY_S", 0.02)
    async with in_process(server, Settings(limits=False)) as (_, here):
        yield here


@pytest.fixture
async def table(server: Server) -> Table:
    return await open_table(server)


async def test_who_asks_for_heartbeats_hears_them_between_all_else(table: Table, hasty: Server):
    async with table.connected("ann", hasty, beat=True) as ann:
        for _ in range(3):
            assert await ann.expect("beat") == {"type": "beat"}
            assert (await ann.do(ROLL))["type"] == "ack"
        assert "view" in ann.welcome


async def test_who_did_not_ask_hears_none(table: Table, hasty: Server):
    async with table.connected("gm", hasty, beat=True) as gm, table.connected("ann", hasty) as ann:
        for _ in range(10):
            await gm.expect("beat")
        assert (await ann.do(ROLL))["type"] == "ack"

    assert "beat" not in {frame["type"] for frame in ann.parsed_frames()}


async def test_whoever_is_closed_hears_none_after_the_close_frame(table: Table, hasty: Server):
    async with table.connected("ann", hasty, beat=True) as ann:
        await ann.expect("beat")
        async with table.http("gm") as http:
            tokens = (await http.get(table.path("/tokens"))).json()
            (of_ann,) = [token["token_id"] for token in tokens if token["seat_id"] == table.seat("ann")]
            await http.delete(table.path(f"/tokens/{of_ann}"))
        assert (await ann.ended())[0] == 4502
