"""What is large and under way has a limit, for all together."""

import asyncio
from collections import deque

import pytest
from starlette.requests import Request

from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.limits import in_flight as in_flight_module
from dreadclock_server.gateway.limits.in_flight import MOST, RETRY_MS, SMALL, InFlightBudget
from dreadclock_server.gateway.rest.calls import body_of
from dreadclock_server.settings.table import Settings
from kit.links.intruder import intruder
from kit.rooms import Table
from kit.servers.in_process import in_process
from kit.waiting import until

FULL = 4002


def full() -> InFlightBudget:
    in_flight = InFlightBudget(most=10 * SMALL)
    in_flight.track("somebody", lambda: 9 * SMALL)
    return in_flight


def test_what_would_be_too_much_is_refused_with_a_time_to_come_again():
    with pytest.raises(Refused) as refused:
        full().demand(2 * SMALL)
    assert (refused.value.code, refused.value.details["retry_ms"]) == (Code.RATE_LIMITED, RETRY_MS)
    assert refused.value.sentence == "Too much at once: try again in 1 s."


def test_what_is_small_or_fits_may_go():
    full().demand(SMALL)
    in_flight = InFlightBudget(most=10 * SMALL)
    in_flight.track("somebody", lambda: 8 * SMALL)
    in_flight.demand(2 * SMALL)


def test_one_piece_alone_may_be_larger_than_all_together():
    InFlightBudget(most=SMALL).demand(100 * SMALL)


def test_what_an_owner_has_already_does_not_count_against_it():
    full().demand(10 * SMALL, "somebody")


def test_what_has_arrived_is_counted_no_more():
    left = [9 * SMALL]
    in_flight = InFlightBudget(most=10 * SMALL)
    in_flight.track("somebody", lambda: left[0])
    left[0] = 0
    in_flight.demand(10 * SMALL)
    assert len(in_flight) == 0


def test_who_is_unloaded_is_counted_no_more():
    in_flight = full()
    in_flight.release("somebody")
    in_flight.release("nobody")
    in_flight.demand(10 * SMALL)


async def test_who_is_sent_away_for_load_keeps_no_room_in_memory(shared_table: Table, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(in_flight_module, "SMALL", 0)
    async with in_process(shared_table.server, Settings()) as (app, here), shared_table.unwelcomed(here) as ann:
        app.in_flight.track("somebody", lambda: MOST)
        await ann.send({"type": "hello", "v": 1, "token": shared_table.token("ann")})
        assert (await ann.ended())[0] == FULL
        assert app.rooms.live[shared_table.id].idle


async def test_a_body_that_says_it_is_too_large_is_refused_before_it_comes(shared_table: Table):
    async with intruder(shared_table.server.port) as peer:
        peer.send(
            f"POST {shared_table.path('/commands')} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000000\r\n"
            f"Authorization: Bearer {shared_table.token('ann')}\r\n\r\n".encode()
        )
        assert (await peer.head()).startswith(b"HTTP/1.1 422 ")


class Body:
    """A request's body, as it comes in from somewhere: `pieces` at once, then no more for now."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = deque(pieces)
        self.rest = asyncio.Event()

    async def receive(self) -> dict[str, object]:
        if self._pieces:
            return {"type": "http.request", "body": self._pieces.popleft(), "more_body": True}
        await self.rest.wait()
        return {"type": "http.request", "body": b"", "more_body": False}

    async def read(self, in_flight: InFlightBudget) -> bytes:
        scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": []}
        return await body_of(in_flight, Request(scope, self.receive), limit=100 * SMALL)


async def test_bodies_of_many_together_have_a_limit():
    in_flight = InFlightBudget(most=10 * SMALL)
    first = Body(*[b"x" * SMALL] * 8)
    reading = asyncio.create_task(first.read(in_flight))
    await until(lambda: len(in_flight) == 1)

    with pytest.raises(Refused):
        await Body(*[b"x" * SMALL] * 3).read(in_flight)
    small = Body(b"x" * SMALL)
    small.rest.set()
    assert await small.read(in_flight) == b"x" * SMALL

    first.rest.set()
    assert await reading == b"x" * SMALL * 8
    assert len(in_flight) == 0
