"""How often seats and addresses may do something, and what happens to those who do it more often."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import httpx
import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from dreadclock.wire.base import Role
from dreadclock_server.core.draft import Actor
from dreadclock_server.gateway.limits import rates
from kit.raw import RawClient, raw_client
from kit.rooms import Table, http_client, open_table
from kit.server import Server, running_server

ROLL = {"type": "roll_dice", "pool": 1}
ODDS = "/api/odds/total?dice=3"
FLOOD = 1008


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.s = 1000.0

    def __call__(self) -> float:
        return self.s


# Buckets


def test_what_is_left_of_a_burst_can_be_taken_at_once_and_then_one_after_the_other():
    hand = Hand()
    buckets = rates.Buckets(rates.Rate(20, 1, 40), hand)

    assert [buckets.take("ann") for _ in range(41)] == [0] * 40 + [500]  # until a quarter of it is back
    hand.s += 0.049
    assert buckets.take("ann") > 0
    hand.s += 0.001
    assert buckets.take("ann") == 0
    assert buckets.take("ann") > 0


def test_who_comes_again_when_told_finds_a_quarter_of_the_burst_back():
    hand = Hand()
    buckets = rates.Buckets(rates.Rate(2, 1, 10), hand)
    while not (wait_ms := buckets.take("eve")):
        pass

    hand.s += wait_ms / 1000
    assert [bool(buckets.take("eve")) for _ in range(3)] == [False, False, True]


def test_nobody_is_told_to_come_again_sooner_than_a_quarter_of_a_second():
    buckets = rates.Buckets(rates.Rate(1000, 1, 1), Hand())
    assert [buckets.take("ann") for _ in range(2)] == [0, rates.SOONEST_MS]


def test_each_key_has_a_bucket_of_its_own_and_what_is_put_back_can_be_taken():
    buckets = rates.Buckets(rates.Rate(1, 60, 1), Hand())

    assert [bool(buckets.take(key)) for key in ("ann", "ann", "ben")] == [False, True, False]
    buckets.put_back("ann")
    buckets.put_back("nobody")
    assert [bool(buckets.take(key)) for key in ("ann", "ben")] == [False, True]


def test_without_a_rate_there_is_no_limit_and_nothing_is_kept():
    buckets = rates.Buckets(None, Hand())
    assert not any(buckets.take("ann") for _ in range(10_000))
    assert len(buckets) == 0


def test_full_buckets_are_forgotten_and_others_are_not():
    hand = Hand()
    buckets = rates.Buckets(rates.Rate(1, 1, 10), hand)
    while not buckets.take("busy"):
        pass
    for number in range(rates.FEW_BUCKETS):
        buckets.take(number)

    hand.s += max(1.0, rates.FORGET_EVERY_S)  # those are full again
    buckets.take("new")

    assert len(buckets) == 2
    assert [bool(buckets.take("busy")) for _ in range(2)] == [False, True]


def test_beyond_the_most_buckets_newcomers_share_one():
    hand = Hand()
    buckets = rates.Buckets(rates.Rate(1, 3600, 2), hand)
    for number in range(rates.MOST_BUCKETS):
        buckets.take(number)

    assert [bool(buckets.take(f"new {number}")) for number in range(4)] == [False, False, True, True]
    assert not buckets.take(0)  # who was there before has a bucket still
    assert len(buckets) == rates.MOST_BUCKETS + 1


RATES = st.builds(rates.Rate, st.integers(1, 50), st.sampled_from([1, 60]), st.integers(1, 40))
STEPS = st.lists(st.tuples(st.integers(0, 3000), st.integers(1, 60)), max_size=30)  # ms of rest, then so many tries


@given(RATES, STEPS)
def test_no_more_is_taken_than_the_burst_and_what_came_back(rate: rates.Rate, steps: list[tuple[int, int]]):
    hand = Hand()
    buckets = rates.Buckets(rate, hand)
    tokens = float(rate.burst)
    for rest_ms, tries in steps:
        hand.s += rest_ms / 1000
        tokens = min(float(rate.burst), tokens + rest_ms / 1000 * rate.often / rate.every_s)
        got = sum(not buckets.take("ann") for _ in range(tries))
        assert min(tries, int(tokens - 1e-6)) <= got <= min(tries, int(tokens + 1e-6))
        tokens -= got


@given(RATES, st.integers(1, 200))
def test_who_waits_as_told_is_never_refused_twice_in_a_row(rate: rates.Rate, wishes: int):
    hand = Hand()
    buckets = rates.Buckets(rate, hand)
    for _ in range(wishes):
        wait_ms = buckets.take("ann")
        if wait_ms:
            hand.s += wait_ms / 1000
            assert buckets.take("ann") == 0


def test_a_command_that_the_seat_may_not_send_costs_its_address_nothing():
    limits = rates.Limits(rates.Rates(player=rates.Rate(1, 60, 1), commands=rates.Rate(1, 60, 2)), Hand())
    ann = limits.meter("room", Actor("player-1", Role.PLAYER), "10.0.0.1")
    ben = limits.meter("room", Actor("player-2", Role.PLAYER), "10.0.0.1")
    eve = limits.meter("room", Actor("player-3", Role.PLAYER), "10.0.0.1")

    assert [bool(meter.take()) for meter in (ann, ann, ann, ben, eve)] == [False, True, True, False, True]


def test_a_household_is_one_address():
    limits = rates.Limits(rates.Rates(commands=rates.Rate(1, 60, 1)), Hand())
    hosts = ("2001:db8:0:1::7", "2001:db8:0:1:ffff::8", "2001:db8:0:2::7")

    taken = [bool(limits.meter("room", Actor("gm", Role.GM), host).take()) for host in hosts]
    assert taken == [False, True, False]


# On a server


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def strict(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server on which little may be done at once, and next to nothing comes back while tests run."""
    limits = {
        "PLAYER": "1/h:5",
        "SPECTATOR": "1/h:1",
        "GM": "none",
        "COMMANDS": "1/h:20",
        "REFUSALS": "1/h:40",
        "JOINS": "1/h:9",
        "CALLS": "1/h:12",
        "ODDS": "1/h:2",
        "ROOMS": "1/h:2",
        "IMPORTS": "1/h:1",
    }
    environment = {f"DREADCLOCK_LIMIT_{name}": rate for name, rate in limits.items()}
    data = tmp_path_factory.mktemp("strict") / "data"
    async with running_server(data, environment=environment | {"DREADCLOCK_LIMITS": "yes"}) as strict:
        yield strict


ADDRESSES = count(1)


class Place:
    """An address that nobody else has: what a proxy says of it is believed on the loopback."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.headers = {"X-Forwarded-For": f"10.1.0.{next(ADDRESSES)}"}

    def http(self, name: str | None = None) -> httpx.AsyncClient:
        """Make a REST client, with somebody's authority or without."""
        return _with(http_client(self.table.server, self.table.token(name) if name else None), self.headers)

    @asynccontextmanager
    async def connected(self, name: str, **hello: object) -> AsyncIterator[RawClient]:
        """Open the room's websocket as somebody."""
        address = self.table.server.websocket_url + self.table.id
        async with raw_client(address, additional_headers=self.headers) as client:
            await client.hello(self.table.token(name), **hello)
            yield client


@pytest.fixture
async def held(strict: Server, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A fresh room on that server."""
    elsewhere = {"X-Forwarded-For": f"10.2.0.{next(ADDRESSES)}"}
    monkeypatch.setattr("kit.rooms.http_client", lambda *of: _with(http_client(*of), elsewhere))
    table = await open_table(strict)
    monkeypatch.undo()
    return table


def _with(client: httpx.AsyncClient, headers: dict[str, str]) -> httpx.AsyncClient:
    client.headers.update(headers)
    return client


async def test_a_command_too_many_is_refused_with_the_time_and_uses_up_no_number(held: Table):
    async with Place(held).connected("ann") as ann, Place(held).connected("ben") as ben:
        for _ in range(5):
            assert (await ann.do(ROLL))["type"] == "ack"
        refused = await ann.do(ROLL)
        behind = await ann.do(ROLL)
        again = await ann.do(ROLL, n=6)

        assert (refused["code"], refused["n"]) == ("rate_limited", 6)
        assert refused["details"]["retry_ms"] > 60_000
        assert (behind["code"], behind["details"]) == ("out_of_order", {"n": 7, "expected": 6})
        assert (again["code"], again["n"]) == ("rate_limited", 6)
        assert (await ben.do(ROLL))["type"] == "ack"
        assert len(ben.records()) == 6


async def test_all_connections_of_a_seat_and_rest_share_a_bucket(held: Table):
    async with (
        Place(held).connected("ann") as here,
        Place(held).connected("ann") as there,
        Place(held).http("ann") as http,
    ):
        for ann in (here, there, here, there):
            assert (await ann.do(ROLL))["type"] == "ack"
        assert (await http.post(held.path("/commands"), json=ROLL)).status_code == 200
        assert (await there.do(ROLL))["code"] == "rate_limited"
        answer = await http.post(held.path("/commands"), json=ROLL)

    assert answer.status_code == 429
    problem = answer.json()
    assert problem["code"] == "rate_limited"
    assert int(answer.headers["retry-after"]) == -(-problem["details"]["retry_ms"] // 1000)


async def test_seats_at_one_address_share_what_an_address_may(held: Table):
    place = Place(held)
    async with place.connected("gm") as gm, place.connected("ann") as ann, Place(held).connected("gm") as elsewhere:
        for _ in range(20):
            assert (await gm.do(ROLL))["type"] == "ack"
        assert (await ann.do(ROLL))["code"] == "rate_limited"
        assert (await elsewhere.do(ROLL))["type"] == "ack"


async def test_a_first_command_that_is_refused_is_waited_for(held: Table):
    async with Place(held).connected("eve") as eve:
        await eve.do(ROLL)
        session = eve.welcome["session"]
    async with Place(held).connected("eve", session=session) as eve:
        assert (await eve.do(ROLL, n=2))["code"] == "rate_limited"
        assert (await eve.do(ROLL, n=3))["details"] == {"n": 3, "expected": 2}


async def test_a_flood_of_refused_commands_ends_with_a_close_and_nobody_else_notices(held: Table):
    async with Place(held).connected("ann") as ann, Place(held).connected("ben") as ben:
        for _ in range(46):
            await ann.order(ROLL)
        assert (await ann.ended())[0] == FLOOD
        assert len([frame for frame in ann.parsed_frames() if frame["type"] == "refused"]) == 41
        assert (await ben.do(ROLL))["type"] == "ack"


async def test_numbers_out_of_order_on_and_on_are_a_flood_too(held: Table):
    async with Place(held).connected("gm") as gm:
        assert (await gm.do(ROLL))["type"] == "ack"
        for _ in range(41):
            await gm.order(ROLL, n=99)
        assert (await gm.ended())[0] == FLOOD


async def test_more_wishes_for_the_view_than_commands_may_be_are_a_flood(held: Table):
    async with Place(held).connected("ann") as ann:
        for _ in range(46):
            await ann.send({"type": "resync"})
        assert (await ann.ended())[0] == FLOOD


async def test_websockets_are_opened_so_often_from_one_address_and_from_others_still(held: Table):
    place = Place(held)
    for _ in range(9):
        async with place.connected("ann"):
            pass
    with pytest.raises(InvalidStatus) as turned_away:
        async with place.connected("ann"):
            pass
    response = turned_away.value.response
    assert (response.status_code, int(response.headers["retry-after"]) > 60) == (429, True)
    async with Place(held).connected("ann"):
        pass


async def test_rest_calls_of_an_address_are_limited_but_not_what_operators_ask(held: Table):
    async with Place(held).http("ann") as http:
        answers = [await http.get(held.path("/undoable" if number % 2 else "")) for number in range(13)]
        assert [answer.status_code for answer in answers] == [200] * 12 + [429]
        assert [(await http.get(path)).status_code for path in ("/healthz", "/readyz", "/openapi.json")] == [200] * 3


async def test_questions_for_odds_are_limited(held: Table):
    async with Place(held).http() as http:
        assert [(await http.get(ODDS)).status_code for _ in range(3)] == [200, 200, 429]


async def test_rooms_and_imports_are_limited(held: Table):
    async with Place(held).http() as http:
        imports = [await http.post("/api/rooms/import", content=b"no export") for _ in range(2)]
        opened = [await http.post("/api/rooms", json={"title": "One more"}) for _ in range(2)]

    assert [answer.status_code for answer in imports] == [422, 429]
    assert [answer.status_code for answer in opened] == [201, 429]
    assert opened[1].json()["code"] == "rate_limited"
