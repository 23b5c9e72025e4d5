"""The wire itself: it passes everything on, and each fault does what its name says, and counts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from random import Random
from typing import Any, cast

import hiredis
import pytest

from kit.links import faulty_links
from kit.links.announced import Crier, Mischief, Town, packed
from kit.links.faulty_links import Fault, Wire, wired
from kit.waiting import until

TEXT = bytes(range(256)) * 8


class Echo:
    """A server that says again what it hears. `heard` holds what came in each piece, of all connections."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.clients: list[asyncio.StreamWriter] = []
        self.open = 0

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        try:
            while data := await reader.read(1 << 16):
                self.heard.append(data)
                writer.write(data)
        except ConnectionResetError:
            pass
        finally:
            self.open -= 1
            writer.close()


@pytest.fixture
async def echo() -> AsyncIterator[tuple[Echo, Wire]]:
    echo = Echo()
    async with await asyncio.start_server(echo.accept, "127.0.0.1", 0) as listening:
        address = listening.sockets[0].getsockname()
        async with wired(lambda: [address], Random(4)) as wire:
            wire.longest_s = 0.2
            yield echo, wire
            for client in echo.clients:
                client.close()
                with suppress(ConnectionError):
                    await client.wait_closed()


async def connected(echo: Echo, wire: Wire) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect, and see that the wire is whole."""
    reader, writer = await asyncio.open_connection("127.0.0.1", wire.port)
    echo.clients.append(writer)
    writer.write(b"hello")
    assert await reader.readexactly(5) == b"hello"
    echo.heard.clear()
    return reader, writer


async def rest(reader: asyncio.StreamReader) -> bytes | None:
    """Read to the end; None if that was a reset."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return None


@pytest.mark.parametrize("fault", [Fault.DELAY, Fault.SINGLE_BYTES, Fault.SLOW])
async def test_what_is_late_or_in_pieces_comes_whole_in_the_end(echo: tuple[Echo, Wire], fault: Fault):
    reader, writer = await connected(*echo)
    echo[1].strike(fault)
    assert not echo[1].counts

    writer.write(TEXT)

    assert await reader.readexactly(len(TEXT)) == TEXT
    assert echo[1].counts == {fault: 1}
    assert (len(echo[0].heard) > 1) == (fault is not Fault.DELAY)


class Gate:
    """A way out that takes bytes only while it is open."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.taken = b""

    def write(self, data: bytes) -> None:
        self.taken += data

    async def drain(self) -> None:
        await self.open.wait()

    def is_closing(self) -> bool:
        return False


async def test_the_slower_direction_ends_no_fault_that_came_after_the_other_was_done(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(faulty_links, "_SLOW_FOR_S", 0.01)
    up, down, end = Gate(), Gate(), cast(Any, (None, None))
    link = faulty_links.Link(end, end, Wire(list, Random(1), lambda: bytes))
    link.fault = Fault.SLOW
    up.open.set()
    slower = asyncio.create_task(link._pass(TEXT, cast(Any, down)))
    await link._pass(TEXT, cast(Any, up))
    link.fault = Fault.DELAY  # it had ended
    down.open.set()
    await slower

    assert link.fault is Fault.DELAY
    assert up.taken == down.taken == TEXT


async def test_a_wire_that_is_taken_down_ends_whoever_was_just_coming(echo: tuple[Echo, Wire]):
    coming = asyncio.Event()

    def targets() -> list[faulty_links.Address]:
        coming.set()
        return list(echo[1]._targets())

    async with asyncio.timeout(10.0):
        async with wired(targets, Random(1)) as wire:
            reader, writer = await asyncio.open_connection("127.0.0.1", wire.port)
            echo[0].clients.append(writer)
            await coming.wait()

    assert not await rest(reader)


async def test_a_reset_reaches_both_sides(echo: tuple[Echo, Wire]):
    reader, _ = await connected(*echo)

    echo[1].strike(Fault.RESET)

    assert await rest(reader) is None
    await until(lambda: echo[0].open == 0)
    assert echo[1].counts == {Fault.RESET: 1}


async def test_a_cut_leaves_a_beginning(echo: tuple[Echo, Wire]):
    reader, writer = await connected(*echo)
    echo[1].strike(Fault.CUT)

    writer.write(TEXT)

    assert not await rest(reader)
    await until(lambda: echo[0].open == 0)
    heard = b"".join(echo[0].heard)
    assert TEXT.startswith(heard)
    assert heard != TEXT
    assert echo[1].counts == {Fault.CUT: 1}


async def test_a_black_hole_swallows_all_until_it_ends(echo: tuple[Echo, Wire]):
    reader, writer = await connected(*echo)
    echo[1].strike(Fault.BLACK_HOLE)

    writer.write(TEXT)

    assert await rest(reader) is None
    assert echo[0].heard == []
    assert echo[1].counts == {Fault.BLACK_HOLE: 1}


async def test_of_a_client_that_is_gone_the_server_hears_nothing_for_a_while(echo: tuple[Echo, Wire]):
    echo[1].longest_s = 3600.0
    reader, _ = await connected(*echo)

    echo[1].strike(Fault.CLIENT_GONE)

    assert await rest(reader) is None
    assert echo[0].open == 1


async def test_of_a_server_that_is_gone_the_client_hears_nothing_for_a_while(echo: tuple[Echo, Wire]):
    echo[1].longest_s = 3600.0
    reader, writer = await connected(*echo)

    echo[1].strike(Fault.SERVER_GONE)
    await until(lambda: echo[0].open == 0)
    writer.write(TEXT)

    assert not reader.at_eof()
    assert echo[0].heard == []


# Announcements


def pushed(text: bytes) -> bytes:
    return packed([b"message", b"room", text])


def crier(**odds: int) -> Crier:
    """Make one to whom nothing happens but this."""
    town = Town(Random(1), {Mischief(name): each for name, each in odds.items()})
    one = town.crier()
    assert one(packed([b"subscribe", b"room", 1])) == packed([b"subscribe", b"room", 1])
    return one


def test_what_does_not_listen_is_not_meddled_with():
    assert Town(Random(1), {Mischief.LOST: 100}).crier()(pushed(b"1")) == pushed(b"1")


def test_announcements_get_lost():
    assert crier(lost=100)(pushed(b"1") + pushed(b"2")) == b""


def test_announcements_come_twice():
    assert crier(doubled=100)(pushed(b"1")) == pushed(b"1") * 2


def test_announcements_change_places():
    one = crier(swapped=100)
    assert one(pushed(b"1")) == b""
    one._town.odds = {}
    assert one(pushed(b"2")) == pushed(b"2") + pushed(b"1")


def test_announcements_come_late():
    one = crier(late=100)
    assert one(pushed(b"1")) == b""
    one._town.odds = {}
    passed = [one(pushed(b"%d" % number)) for number in range(2, 15)]
    assert b"".join(passed).count(pushed(b"1")) == 1
    assert pushed(b"1") not in passed[0]


@pytest.mark.parametrize("answer", [[b"pong", b""], [b"subscribe", b"room", 2], [b"\r\n", b"\0"], [None, []]])
def test_an_answer_is_written_as_it_came(answer: list[object]):
    reader = hiredis.Reader()
    reader.feed(packed(answer))
    assert reader.gets() == answer
