"""What the JavaScript client does where no websocket opens: it asks by HTTP why, and in Firefox before each try."""

from collections.abc import AsyncIterator

import pytest

from dreadclock.wire.base import Channel
from kit.puppet import Puppet, needs_node, puppet
from kit.servers.table_server import TableServer
from kit.table import ROOM, rolled
from kit.waiting import until

pytestmark = needs_node


@pytest.fixture
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(Channel.PUBLIC) as server:
        yield server


@pytest.fixture
async def client(server: TableServer) -> AsyncIterator[Puppet]:
    async with puppet() as client:
        await client.do("connect", link=link_to(server), dice=False)
        yield client


def link_to(server: TableServer) -> str:
    return f"{server.url}/r/{ROOM}#token"


async def sockets(client: Puppet) -> int:
    """Return how many websockets the client has opened."""
    count: int = (await client.do("look"))["heard"]["sockets"]
    return count


async def test_firefox_opens_no_websocket_before_the_server_answers_a_plain_request(
    server: TableServer, client: Puppet
):
    await client.do("firefox")
    await server.stop()
    await client.do("lost")
    for _ in range(20):
        await client.do("ticks")  # 60 ms, in which others try several times
    assert await sockets(client) == 1
    server.table.log.write(rolled(1))
    await server.start()

    await client.do("until", seqs={"public": 1})
    assert (await sockets(client), server.asked) == (2, 1)


async def test_firefox_tries_on_where_the_server_answers_but_the_websocket_fails(server: TableServer, client: Puppet):
    await client.do("firefox")
    server.is_blocked = True
    server.cut()
    await until(lambda: opened(client, 4))
    server.is_blocked = False
    server.table.log.write(rolled(1))

    await client.do("until", seqs={"public": 1})
    assert server.asked >= 3


async def opened(client: Puppet, number: int) -> bool:
    """Tell whether the client has opened so many websockets."""
    return await sockets(client) >= number


async def test_a_firefox_whose_requests_are_blocked_tries_every_30_s(server: TableServer, client: Puppet):
    await client.do("firefox")
    await client.do("no_fetch")
    server.table.log.write(rolled(1))
    server.cut()
    await client.do("sleep", ms=29_000)
    for _ in range(20):
        await client.do("ticks")
    assert await sockets(client) == 1

    await client.do("sleep", ms=2_000)
    await client.do("until", seqs={"public": 1})
    assert await sockets(client) == 2


async def test_other_browsers_do_not_ask_before_they_try(server: TableServer, client: Puppet):
    server.table.log.write(rolled(1))
    server.cut()
    await client.do("until", seqs={"public": 1})

    assert server.asked == 0


@pytest.mark.parametrize(
    ("limit", "retry_after", "obstacle", "retry_ms"),
    [
        (None, "7", "blocked", None),
        (429, "7", "limit", 7_000),
        (429, None, "limit", 10_000),
        (503, "7", "limit", 7_000),
        (503, None, "blocked_or_limit", 10_000),  # of a proxy, and not of this server
        (404, "7", "blocked_or_limit", 7_000),
    ],
)
async def test_the_end_of_a_first_connection_says_what_stopped_it(
    server: TableServer, limit: int | None, retry_after: str | None, obstacle: str, retry_ms: int | None
):
    server.limit, server.retry_after, server.is_blocked = limit, retry_after, limit is None
    async with puppet() as client:
        ended = await client.ask("connect", link=link_to(server))

    assert (ended["obstacle"], ended.get("retryMs")) == (obstacle, retry_ms)


async def test_a_server_that_does_not_answer_at_all_is_unreachable(server: TableServer):
    await server.stop()
    async with puppet() as client:
        ended = await client.ask("connect", link=link_to(server))

    assert (ended["obstacle"], ended.get("retryMs")) == ("unreachable", None)


async def test_while_it_comes_back_a_client_knows_what_stops_it(server: TableServer, client: Puppet):
    server.is_blocked = True
    server.cut()
    await until(lambda: is_stopped_by(client, "blocked"))
    await server.stop()
    await until(lambda: is_stopped_by(client, "unreachable"))
    server.is_blocked = False
    server.table.log.write(rolled(1))
    await server.start()

    await client.do("until", seqs={"public": 1})
    assert (await client.do("look"))["obstacle"] is None


async def is_stopped_by(client: Puppet, obstacle: str) -> bool:
    """Tell what the client says of its latest try."""
    return bool((await client.do("look"))["obstacle"] == obstacle)
