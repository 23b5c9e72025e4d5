"""Attacks on a real server: each costs the attacker the connection, and the others notice nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio
from websockets.exceptions import ConnectionClosed

from kit.links.intruder import CLOSE, CUT, PING, Intruder, frame, intruder
from kit.raw import RawClient
from kit.rooms import Table, open_table
from kit.server import Server, running_server
from kit.waiting import until

ROLL = {"type": "roll_dice", "pool": 1}
UPGRADED = b"HTTP/1.1 101 Switching Protocols"
FULL = 4002
Attack = Callable[[Intruder], Coroutine[Any, Any, int]]
CAP, ROOM_CAP, SEAT_CAP = 100, 60, 4
_OTHERS_WAIT_AT_MOST_S = 20.0  # a hang is what it shows; how long a roll takes is for the benchmarks
_HASTY = """
from dreadclock_server.gateway.uvicorn.http_protocol import ServerConfig
ServerConfig.request_within_s = 3.0
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def fort(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server with caps that a test can reach."""
    environment = {
        "DREADCLOCK_MAX_CONNECTIONS_PER_ADDRESS": str(CAP),
        "DREADCLOCK_MAX_CONNECTIONS_PER_ROOM": str(ROOM_CAP),
        "DREADCLOCK_MAX_CONNECTIONS_PER_SEAT": str(SEAT_CAP),
        "DREADCLOCK_HELLO_WITHIN_S": "60",
    }
    data = tmp_path_factory.mktemp("fort") / "data"
    async with running_server(data, environment=environment, prelude=_HASTY) as fort:
        yield fort


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def held(fort: Server) -> Table:
    """A room on that server."""
    return await open_table(fort)


async def goes_on(ben: RawClient) -> None:
    """See that somebody else's roll is answered in good time."""
    async with asyncio.timeout(_OTHERS_WAIT_AT_MOST_S):
        assert (await ben.do(ROLL))["type"] == "ack"


def after_a_handshake(said: bytes) -> Attack:
    async def attack(attacker: Intruder) -> int:
        assert await attacker.ask("/ws/" + "a" * 26) == UPGRADED
        attacker.send(said)
        return await attacker.closed_with()

    return attack


FLOODED = (1008, CUT)  # what was not read any more may cut short what was said about it
ATTACKS: dict[str, tuple[Attack, tuple[int, ...]]] = {
    "300,000 empty fragments": (after_a_handshake(frame(fin=False) + frame(b"", 0, fin=False) * 300_000), FLOODED),
    "a ping flood": (after_a_handshake(frame(b"x" * 125, PING) * 10_000), FLOODED),
    "a huge close frame": (after_a_handshake(frame(b"x" * 60_000, CLOSE)), (1002, CUT)),
    "a message of 2^62 bytes": (
        after_a_handshake(b"\x81\xff" + (1 << 62).to_bytes(8, "big") + b"x" * 99_999),
        (1009, CUT),
    ),
    "a flood of empty messages": (after_a_handshake(frame() * 100_000), FLOODED),
}


@pytest.mark.parametrize(("attack", "codes"), ATTACKS.values(), ids=ATTACKS)
async def test_an_attack_ends_its_own_connection_and_no_other(held: Table, attack: Attack, codes: tuple[int, ...]):
    async with held.connected("ben") as ben, intruder(held.server.port) as attacker:
        attacking = asyncio.create_task(attack(attacker))
        await goes_on(ben)
        assert await attacking in codes
        await goes_on(ben)


async def test_headers_without_an_end_and_bodies_without_a_reader_end_and_no_others(held: Table):
    length = b"Content-Length: 100000000\r\n\r\n"
    async with (
        held.connected("ben") as ben,
        intruder(held.server.port) as endless,
        intruder(held.server.port) as heavy,
        intruder(held.server.port) as hasty,
    ):
        endless.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-More: and more\r\n" * 10_000)
        heavy.send(b"POST /api/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\n" + length + b"x" * (1 << 21))
        hasty.send(b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100)
        await goes_on(ben)
        assert await endless.is_cut()
        assert await heavy.is_cut()
        assert (await hasty.head()).startswith(b"HTTP/1.1 200 OK\r\n")
        await goes_on(ben)


async def test_a_seat_has_a_cap_and_the_seats_of_an_audience_have_only_the_rooms(held: Table):
    async with AsyncExitStack() as stack:
        ann = [await stack.enter_async_context(held.connected("ann")) for _ in range(SEAT_CAP)]
        async with held.unwelcomed() as one_more:
            await one_more.send({"type": "hello", "v": 1, "token": held.token("ann")})
            assert await one_more.ended() == (FULL, "this seat has too many connections: close one, or come back later")
        for _ in range(ROOM_CAP - SEAT_CAP):
            await stack.enter_async_context(held.connected("eve"))
        async with held.unwelcomed() as one_more:
            await one_more.send({"type": "hello", "v": 1, "token": held.token("ben")})
            assert await one_more.ended() == (FULL, "this room has too many connections: come back later")
        await goes_on(ann[0])

    async def ann_gets_in() -> bool:
        async with held.unwelcomed() as again:
            await again.send({"type": "hello", "v": 1, "token": held.token("ann")})
            try:
                await again.expect("welcome")
            except ConnectionClosed:
                return False
            return True

    await until(ann_gets_in)
