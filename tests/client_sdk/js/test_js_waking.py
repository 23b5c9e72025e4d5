"""How the JavaScript client notices that a connection has died without a word, after sleep or on another network."""

import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from dreadclock.wire.base import Channel
from kit.puppet import Puppet, needs_node, puppet
from kit.servers.table_server import TableServer
from kit.table import ROOM, rolled
from kit.waiting import until

pytestmark = [needs_node, pytest.mark.asyncio(loop_scope="module")]
ROLL = {"type": "roll_dice", "pool": 1}
HOURS_MS = 10_000_000


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(Channel.PUBLIC) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module")
async def client(server: TableServer, visitor: Puppet) -> Puppet:
    """A client that has opened the room; its rolls go without tokens, which this table knows nothing of."""
    await visitor.do("connect", link=link_to(server), dice=False)
    return visitor


def link_to(server: TableServer) -> str:
    return f"{server.url}/r/{ROOM}#token"


async def misses(server: TableServer, client: Puppet, number: int) -> None:
    """See that something that happened while nothing got through arrives now."""
    seen = await client.do("until", seqs={"public": number})
    assert seen["view"] == server.table.log.view.model_dump(mode="json", exclude_none=True)


async def test_a_command_that_is_met_with_silence_is_sent_on_a_new_connection(server: TableServer, client: Puppet):
    assert (await client.submit("roll_dice", pool=1))["n"] == 1
    server.forsake()
    submitted = client.order("submit", command=ROLL)
    await client.do("sleep", ms=11_000)

    assert (await submitted)["ok"]["n"] == 2
    assert (len(server.table.hellos), len(server.table.done)) == (2, 2)
    assert (await client.submit("roll_dice", pool=1))["n"] == 3


async def counted(client: Puppet, what: str, number: int) -> None:
    """Wait until the client has counted so many `changes` (frames taken in), or `sockets` opened."""

    async def reached() -> bool:
        return bool((await client.do("look"))["heard"][what] >= number)

    await until(reached)


async def test_a_server_that_takes_its_time_is_asked_less_and_less_often(server: TableServer, client: Puppet):
    greeting = 2  # a welcome and who is here; on the second connection also what was rolled
    await counted(client, "changes", greeting)
    server.keep_silent()
    submitted = client.order("submit", command=ROLL)
    for patience, times in (([9], 1), ([2], 2), ([14, 5], 2), ([2], 3), ([14, 14, 11], 3), ([2], 4)):
        for seconds in patience:
            await client.do("sleep", ms=seconds * 1000)
            await client.do("ticks")
        await counted(client, "changes", times * greeting + (times > 1))
        assert len(server.table.hellos) == times
    server.speak()

    assert (await submitted)["ok"]["n"] == 1
    assert len(server.table.done) == 1


async def test_silence_is_fine_while_nothing_is_asked(server: TableServer, client: Puppet):
    assert (await client.submit("roll_dice", pool=1))["n"] == 1
    for _ in range(3):
        await client.do("sleep", ms=12_000)
        await client.do("ticks")

    assert len(server.table.hellos) == 1


@pytest.mark.parametrize("sign", ["slept", "online", "seen again", "told"])
async def test_a_connection_that_may_have_died_is_made_anew(server: TableServer, client: Puppet, sign: str):
    server.forsake()
    server.table.log.write(rolled(1))
    match sign:
        case "slept":
            await client.do("sleep", ms=60_000)
        case "online":
            await client.do("online")
        case "seen again":
            await client.do("hide")
            await client.do("sleep", ms=16_000)
            await client.do("show")
        case "told":
            await client.do("wake")

    await misses(server, client, 1)
    assert len(server.table.hellos) == 2
    assert (await client.submit("roll_dice", pool=1))["n"] == 1


async def test_a_glance_elsewhere_is_no_reason(server: TableServer, client: Puppet):
    await client.do("hide")
    await client.do("sleep", ms=14_000)
    await client.do("show")
    await client.do("ticks")

    assert (await client.submit("roll_dice", pool=1))["n"] == 1
    assert len(server.table.hellos) == 1


async def test_what_happens_to_the_clock_out_of_sight_is_no_reason(server: TableServer, client: Puppet):
    await client.do("hide")
    for _ in range(3):
        await client.do("sleep", ms=60_000)
        await client.do("ticks")
    assert len(server.table.hellos) == 1

    await client.do("show")
    await until(lambda: len(server.table.hellos) == 2)


async def test_several_signs_at_once_make_one_new_connection(server: TableServer, client: Puppet):
    for order in ("online", "wake", "hide", "show", "online"):
        client.order(order)
    await until(lambda: len(server.closed_with) == 1)

    assert (await client.submit("roll_dice", pool=1))["n"] == 1
    assert (len(server.table.hellos), server.connected) == (2, 1)


async def test_the_old_connection_is_closed_once_the_new_one_is_welcomed(server: TableServer, client: Puppet):
    server.keep_waiting()
    await client.do("wake")
    await until(lambda: len(server.table.hellos) == 2)
    await client.do("ticks")
    assert server.closed_with == []
    server.welcome()
    await until(lambda: len(server.closed_with) == 1)

    assert server.closed_with == [1005]
    await server.happen(rolled(1))
    await misses(server, client, 1)


async def test_where_no_new_connection_can_be_made_the_old_one_counts_as_lost(server: TableServer, client: Puppet):
    server.forsake()
    await server.listen_no_more()
    await client.do("online")
    await client.do("lost")
    server.table.log.write(rolled(1))
    await server.start()

    await misses(server, client, 1)


async def test_a_new_connection_that_is_turned_away_is_the_end(server: TableServer, client: Puppet):
    server.turned_away.append((4502, "revoked"))
    waiting = client.order("never")
    await client.do("wake")

    assert (await waiting)["ended"] == {"code": 4502, "reason": "revoked"}


@pytest.mark.parametrize("sign", ["online", "show", "wake"])
async def test_nobody_waits_for_the_next_try_once_there_is_a_sign(server: TableServer, visitor: Puppet, sign: str):
    backoff = {"firstMs": HOURS_MS, "longestMs": HOURS_MS}
    await visitor.do("connect", link=link_to(server), backoff=backoff)
    await server.stop()
    await visitor.do("lost")
    server.table.log.write(rolled(1))
    await server.start()
    await visitor.do(sign)

    await misses(server, visitor, 1)


async def test_a_try_that_leads_nowhere_is_given_up_for_a_better_one(server: TableServer, visitor: Puppet):
    await visitor.do("connect", link=link_to(server), backoff={"firstMs": HOURS_MS, "longestMs": HOURS_MS})
    await server.stop()
    await visitor.do("lost")
    with socket.create_server(("127.0.0.1", urlsplit(server.url).port)) as nowhere:
        nowhere.setblocking(False)
        await visitor.do("online")
        with await reached(nowhere):
            await visitor.do("online")
            await visitor.do("sleep", ms=3_000)
            assert (await visitor.do("look"))["heard"]["sockets"] == 2
            await visitor.do("online")
            await counted(visitor, "sockets", 3)


async def reached(listener: socket.socket) -> socket.socket:
    """Wait until somebody connects to a listener that does not block."""
    found: list[socket.socket] = []

    def accepted() -> bool:
        with suppress(BlockingIOError):
            found.append(listener.accept()[0])
        return bool(found)

    await until(accepted)
    return found[0]


async def test_who_closes_the_room_meanwhile_leaves_nothing_behind(server: TableServer):
    async with puppet() as client:  # whose process ends by itself
        await client.do("connect", link=link_to(server), dice=False)
        server.forsake()
        client.order("wake")
        await client.do("close")

        assert (await client.ask("submit", command=ROLL))["ended"]["code"] is None
