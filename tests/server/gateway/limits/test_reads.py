"""How much an address may read: calls beyond it are refused, whoever connects or resyncs waits."""

import asyncio
import time
from collections.abc import AsyncIterator, Hashable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.app import Application
from dreadclock_server.core.room import Room
from dreadclock_server.gateway.limits.in_flight import PIECE
from dreadclock_server.gateway.limits.rates import KIB, SOONEST_MS, Buckets, Limits, Rate, Rates
from dreadclock_server.rooms.views import ViewCache
from dreadclock_server.settings.table import Settings
from kit.event_reader import event_reader
from kit.raw import RawClient
from kit.rooms import Table, open_table
from kit.server import Server
from kit.servers.in_process import in_process
from kit.waiting import until
from server.gateway.limits.test_rates import Hand

PUBLIC, BOTH = (Channel.PUBLIC,), (Channel.PUBLIC, Channel.GM)
RATE = Rate(64, 1, 256)  # KiB
SECRET = {"type": "start_clock", "name": "Tide", "size": 6, "visibility": "gm"}
ELSEWHERE = {"X-Forwarded-For": "10.3.0.1"}
CALLS = ("", "/undoable", "/log")


def test_the_default_is_2_mib_a_second_and_16_mib_at_once():
    assert Settings().rates.reads == Rate(2048, 1, 16 * 1024)


def test_a_read_may_take_more_than_is_left_and_those_after_it_wait():
    hand = Hand()
    reader = Limits(Rates(reads=RATE), hand).reader("10.0.0.1", PUBLIC)

    reader.demand()
    reader.spend(255 * KIB)
    assert reader.wait_s() == 0
    reader.spend(129 * KIB)  # 2 s more than there was
    assert reader.wait_s() == pytest.approx(2)
    hand.s += 1.5
    with pytest.raises(Refused) as refused:
        reader.demand()
    assert (refused.value.code, refused.value.details) == (Code.RATE_LIMITED, {"retry_ms": 501, "retry_s": 1})
    hand.s += 0.501
    reader.demand()


def test_nobody_is_told_to_come_again_at_once():
    hand = Hand()
    reader = Limits(Rates(reads=RATE), hand).reader("10.0.0.1", PUBLIC)
    reader.spend(256 * KIB)
    with pytest.raises(Refused) as refused:
        reader.demand()
    assert refused.value.details["retry_ms"] == SOONEST_MS


def test_each_address_and_each_set_of_channels_is_counted_apart():
    limits = Limits(Rates(reads=RATE), Hand())
    limits.reader("10.0.0.1", BOTH).spend(10_000 * KIB)

    waits = [limits.reader(*of).wait_s() > 0 for of in (("10.0.0.1", BOTH), ("10.0.0.1", PUBLIC), ("10.0.0.2", BOTH))]
    assert waits == [True, False, False]


def test_without_a_rate_there_is_no_limit_and_nothing_is_kept():
    limits = Limits(Rates(), Hand())
    reader = limits.reader("10.0.0.1", PUBLIC)
    reader.spend(1 << 40)
    assert (reader.wait_s(), len(limits.reads)) == (0, 0)


# On a server


class Watched(Buckets):
    """Buckets that count how often somebody asked for how long to wait."""

    asked = 0

    def wait_s(self, key: Hashable) -> float:
        """Count, and answer."""
        self.asked += 1
        return super().wait_s(key)

    async def asked_on(self) -> None:
        """Return once somebody who waits has asked again, and again."""
        enough = self.asked + 3
        await until(lambda: self.asked >= enough)


@dataclass
class Place:
    """A room on a server in this process, on which the time of this one limit stands still."""

    app: Application
    table: Table
    hand: Hand
    reads: Watched

    def spent_kib(self) -> float:
        """Return what 127.0.0.1 has read of the public channel since the time stands still."""
        return (self.reads._full_at["127.0.0.1", PUBLIC] - self.hand()) * RATE.often

    def use_up(self, channels: tuple[Channel, ...] = PUBLIC) -> None:
        """Leave nothing for 127.0.0.1; some of it would be back after a twentieth of a second."""
        self.reads.spend(("127.0.0.1", channels), RATE.burst + RATE.often / 20)


@pytest.fixture
async def place(server: Server) -> AsyncIterator[Place]:
    """A place where all may be read at first."""
    async with in_process(server, Settings(limits=False)) as (app, served):
        hand, table = Hand(), await open_table(served)
        reads = app.limits.reads = Watched(RATE, hand)
        yield Place(app, table, hand, reads)


async def get(http: httpx.AsyncClient, table: Table, rest: str) -> httpx.Response:
    return await http.get(table.path(rest))


@pytest.mark.parametrize("rest", CALLS)
async def test_a_call_beyond_it_is_refused_with_the_time_and_no_other_address_is(place: Place, rest: str):
    table = place.table
    async with table.http("ann") as ann, table.http("ben") as ben, table.http("gm") as gm:
        assert (await get(ann, table, rest)).status_code == 200
        place.use_up()

        for player in (ann, ben):
            answer = await get(player, table, rest)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
            assert answer.json()["code"] == "rate_limited"
        assert (await get(gm, table, rest)).status_code == 200, "who sees other channels is counted apart"
        ann.headers.update(ELSEWHERE)
        assert (await get(ann, table, rest)).status_code == 200
        ann.headers.pop("X-Forwarded-For")
        place.hand.s += 0.1
        assert (await get(ann, table, rest)).status_code == 200


@pytest.mark.parametrize("rest", CALLS)
async def test_what_is_sent_is_what_counts(place: Place, rest: str):
    table = place.table
    for number in range(8):
        async with table.http("ann") as ann:
            say = {"type": "narrate", "text": f"{number}" * 250}
            assert (await ann.post(table.path("/commands"), json=say)).status_code == 200
    place.use_up()
    place.hand.s += 0.1
    before = place.reads._full_at["127.0.0.1", PUBLIC]
    async with table.http("ann") as ann:
        answer = await get(ann, table, rest)

    spent_s = place.reads._full_at["127.0.0.1", PUBLIC] - before
    assert spent_s == pytest.approx(len(answer.content) / KIB / RATE.often)


async def test_what_is_hidden_costs_a_player_nothing(place: Place):
    place.use_up(BOTH)
    async with place.table.connected("ann"), place.table.http("ann") as ann, place.table.http("gm") as gm:
        assert (await gm.post(place.table.path("/commands"), json=SECRET)).status_code == 200
        assert [(await get(ann, place.table, rest)).status_code for rest in CALLS] == [200] * 3


async def test_a_welcome_waits_and_then_shows_the_room_as_it_is_by_then(place: Place):
    place.use_up()
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(place.table.unwelcomed()) for _ in range(3)]
        welcomes = [asyncio.create_task(client.hello(place.table.token("ann"))) for client in clients]
        await place.reads.asked_on()
        async with place.table.http("gm") as gm:
            say = {"type": "narrate", "text": "It rains."}
            assert (await gm.post(place.table.path("/commands"), json=say)).status_code == 200
        assert not any(welcome.done() for welcome in welcomes)

        place.hand.s += 10
        for welcome in await asyncio.gather(*welcomes):
            assert "It rains." in str(welcome["view"])


async def test_of_many_who_wait_each_is_counted_before_the_next_is_let_in(place: Place):
    place.use_up()
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(place.table.unwelcomed()) for _ in range(6)]
        waiting = {asyncio.create_task(client.hello(place.table.token("ann"))) for client in clients}
        await place.reads.asked_on()
        while waiting:
            place.hand.s += place.reads.wait_s(("127.0.0.1", PUBLIC)) + 0.001
            welcomed, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            assert len(welcomed) == 1
            await place.reads.asked_on() if waiting else None


async def test_who_resumes_waits_and_gets_what_was_missed(place: Place):
    async with place.table.connected("ann") as ann:
        positions = ann.positions()
    place.use_up()
    async with place.table.unwelcomed() as client:
        welcome = asyncio.create_task(client.hello(place.table.token("ann"), positions=positions))
        await place.reads.asked_on()
        assert not welcome.done()
        place.hand.s += 10
        assert (await welcome)["resumed"] is True


async def test_who_is_revoked_while_waiting_is_not_let_in(place: Place):
    late = await place.table.invite("late", "player")
    place.use_up()
    async with place.table.unwelcomed() as client, place.table.http("gm") as gm:
        await client.send({"type": "hello", "v": 1, "token": late["token"]})
        await place.reads.asked_on()
        assert (await gm.delete(place.table.path(f"/tokens/{late['token_id']}"))).status_code == 204
        place.hand.s += 10
        assert (await client.ended())[0] == 4501
        assert client.frames == []


async def test_who_leaves_while_waiting_is_forgotten_and_costs_nothing(place: Place):
    place.use_up()
    async with place.table.unwelcomed() as client:
        await client.send({"type": "hello", "v": 1, "token": place.table.token("ann")})
        await place.reads.asked_on()
    (limiter,), spent = place.app.metrics.counted_in, dict(place.reads._full_at)
    await until(lambda: limiter.in_all == 0)
    assert place.reads._full_at == spent


async def test_a_resync_waits_while_the_room_goes_on(place: Place):
    async with place.table.connected("ann") as ann, place.table.connected("gm") as gm:
        place.use_up()
        await ann.send({"type": "resync"})
        await place.reads.asked_on()
        await ann.do({"type": "narrate", "text": "It rains."})
        assert "reset" not in types(ann)

        place.hand.s += 10
        reset = await ann.expect("reset", reason="asked")
        assert reset["positions"] == ann.positions()
        assert "It rains." in str(reset["view"])
        await gm.do({"type": "roll_dice", "pool": 1})


async def test_a_welcome_a_resync_and_a_stream_count_as_what_is_sent(place: Place):
    async with place.table.unwelcomed() as client:
        await client.hello(place.table.token("ann"))
        await client.expect("presence")
        spent = [place.spent_kib()]
        await client.send({"type": "resync"})
        await client.expect("reset", reason="asked")
        spent.append(place.spent_kib() - sum(spent))
        sent = [len(frame.encode()) / KIB for frame in client.frames if '"type":"presence"' not in frame]
        assert spent == pytest.approx(sent, abs=0.2), "presence comes with the welcome"
    before = place.spent_kib()
    async with event_reader(place.table, "ann") as ann:
        await ann.expect("welcome")
    assert place.spent_kib() - before == pytest.approx(spent[0], abs=0.2)


async def test_all_ways_to_a_view_take_its_text_from_the_cache(place: Place):
    table = place.table
    live = await place.app.rooms.get(table.id)
    live.views = cache = CountedViews()
    async with table.unwelcomed() as client, table.http("ann") as http:
        await client.hello(table.token("ann"))
        assert (cache.asked, cache.written) == (1, 1)
        assert (await get(http, table, "")).status_code == 200
        async with event_reader(table, "ann") as ann:
            await ann.expect("welcome")
        await client.send({"type": "resync"})
        await client.expect("reset", reason="asked")
        assert (cache.asked, cache.written) == (4, 1)


class CountedViews(ViewCache):
    """A cache that counts how often it is asked for a text, and how often that is written."""

    asked = written = 0

    def text(self, room: Room, channels: Sequence[Channel]) -> bytes:
        """Count, and return the text."""
        self.asked += 1
        return super().text(room, channels)

    def _keep(self, *entry: Any) -> None:
        self.written += 1
        super()._keep(*entry)


def types(client: RawClient) -> list[Any]:
    """Return the types of all frames so far."""
    return [frame["type"] for frame in client.parsed_frames()]


async def test_a_stream_of_events_waits_too(place: Place):
    place.use_up()
    async with event_reader(place.table, "ann") as ann:
        head = asyncio.create_task(ann.head())
        await place.reads.asked_on()
        assert not head.done()
        place.hand.s += 10
        assert await head == 200
        assert "view" in (await ann.expect("welcome")).data


async def test_a_long_log_comes_no_faster_than_it_may(place: Place):
    table, rate = place.table, Rate(256, 1, 64)
    async with table.connected("ann") as ann:
        for _ in range(10):
            orders = [await ann.order({"type": "narrate", "text": "\N{SKULL}" * 280}) for _ in range(25)]
            assert {(await ann.reply(order))["type"] for order in orders} == {"ack"}
    place.app.limits.reads = Buckets(rate)
    began = time.monotonic()
    log = await table.log("ann")
    took_s = time.monotonic() - began

    size = sum(len(text.encode()) for text in log)
    assert len(log) > 250
    assert took_s >= (size - PIECE * 2) / KIB / rate.often - rate.burst / rate.often > 0.1
