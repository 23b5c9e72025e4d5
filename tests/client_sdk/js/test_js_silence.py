"""How the JavaScript client notices that its network went silent or lets no websocket open, and what it does then."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from dreadclock.wire.base import Channel
from kit.puppet import Puppet, needs_node
from kit.servers.table_server import TableServer
from kit.table import ROOM, rolled
from kit.waiting import until

pytestmark = [needs_node, pytest.mark.asyncio(loop_scope="module")]
BEAT = '{"type":"beat"}'
GREETING = 2  # frames: a welcome, and who is here
LOOK_MS = 14_000  # a clock that jumps further between two looks at it has slept


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(Channel.PUBLIC) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module")
async def client(server: TableServer, visitor: Puppet) -> Puppet:
    await visitor.do("connect", link=link_to(server), dice=False)
    await until(lambda: arrived(visitor, GREETING))
    return visitor


def link_to(server: TableServer) -> str:
    return f"{server.url}/r/{ROOM}#token"


async def passes(client: Puppet, times: int) -> None:
    """Let 14 s pass so often, while the client looks at its clock."""
    for _ in range(times):
        await client.do("sleep", ms=LOOK_MS)
        await client.do("ticks")


async def heard(client: Puppet, what: str) -> int:
    """Return how often the client counted something."""
    count: int = (await client.do("look"))["heard"][what]
    return count


async def test_a_connection_without_heartbeats_for_45_s_is_doubted_and_renewed(server: TableServer, client: Puppet):
    server.forsake()
    server.table.log.write(rolled(1))
    await passes(client, 3)
    assert (await heard(client, "doubts"), len(server.said)) == (0, 1)
    await passes(client, 1)

    await client.do("until", seqs={"public": 1})
    assert [hello["beat"] for hello in server.said] == [True, True]
    assert await heard(client, "doubts") == 1


async def test_a_heartbeat_and_any_other_frame_end_the_silence(server: TableServer, client: Puppet):
    changes = await heard(client, "changes")
    for number in range(1, 4):
        await passes(client, 2)
        await server.tell(BEAT)
        await until(lambda: arrived(client, changes + 2 * number - 1))  # noqa: B023
        await passes(client, 2)
        await server.happen(rolled(number))
        await client.do("until", seqs={"public": number})

    assert (await heard(client, "doubts"), len(server.said)) == (0, 1)


async def arrived(client: Puppet, changes: int) -> bool:
    """Tell whether the client has taken in so many frames."""
    return await heard(client, "changes") >= changes


async def test_while_a_connection_is_doubted_the_client_is_not_connected(server: TableServer, client: Puppet):
    server.forsake()
    server.keep_waiting()
    seen = await client.do("offline")
    assert (seen["connected"], seen["doubtful"]) == (False, True)
    server.welcome()

    await client.do("until", seqs={"public": 0})
    assert (await client.do("look"))["doubtful"] is False
    assert len(server.said) == 2


async def test_a_hidden_page_judges_the_silence_when_it_becomes_visible(server: TableServer, client: Puppet):
    server.forsake()
    await client.do("hide")
    await passes(client, 4)
    assert (await heard(client, "doubts"), len(server.said)) == (0, 1)

    await client.do("show")
    await until(lambda: len(server.said) == 2)
    assert await heard(client, "doubts") == 1


async def test_a_clock_that_is_set_back_delays_the_judgement_by_45_s_at_most(server: TableServer, client: Puppet):
    server.forsake()
    await client.do("sleep", ms=-3_600_000)
    await client.do("ticks")
    await passes(client, 4)

    await until(lambda: len(server.said) == 2)


async def test_an_older_server_is_greeted_once_more_without_asking_for_heartbeats(server: TableServer, visitor: Puppet):
    server.turned_away.append((4500, "beat: Extra inputs are not permitted"))
    await visitor.do("connect", link=link_to(server), dice=False)
    await passes(visitor, 5)
    await server.happen(rolled(1))
    await visitor.do("until", seqs={"public": 1})

    assert [hello.get("beat") for hello in server.said] == [True, None]
    assert await heard(visitor, "doubts") == 0


async def test_a_server_that_became_older_is_greeted_so_too(server: TableServer, client: Puppet):
    server.turned_away.extend([(4500, "beat: Extra inputs are not permitted")] * 2)
    await client.do("wake")
    await until(lambda: len(server.said) == 4)
    await server.happen(rolled(1))
    await client.do("until", seqs={"public": 1})

    assert [hello.get("beat") for hello in server.said] == [True, True, True, None]


async def test_a_server_that_refuses_both_hellos_is_not_asked_again(server: TableServer, visitor: Puppet):
    server.turned_away.extend([(4500, "no hello")] * 3)
    refused = await visitor.ask("connect", link=link_to(server))

    assert (refused["ended"], len(server.said)) == ({"code": 4500, "reason": "no hello"}, 2)


async def test_firefox_opens_no_websocket_before_a_plain_request_is_answered(server: TableServer, client: Puppet):
    await client.do("firefox")
    await server.stop()
    await client.do("lost")
    for _ in range(20):
        await client.do("ticks")  # 60 ms, in which others try several times
    assert await heard(client, "sockets") == 1
    server.table.log.write(rolled(1))
    await server.start()

    await client.do("until", seqs={"public": 1})
    assert (await heard(client, "sockets"), server.asked) == (2, 1)


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
    return await heard(client, "sockets") >= number


async def test_a_firefox_whose_requests_are_blocked_tries_every_30_s(server: TableServer, client: Puppet):
    await client.do("firefox")
    await client.do("no_fetch")
    server.table.log.write(rolled(1))
    server.cut()
    await client.do("sleep", ms=20_000)  # real time passes, too
    for _ in range(20):
        await client.do("ticks")
    assert await heard(client, "sockets") == 1

    await client.do("sleep", ms=11_000)
    await client.do("until", seqs={"public": 1})
    assert await heard(client, "sockets") == 2


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
    server: TableServer,
    visitor: Puppet,
    limit: int | None,
    retry_after: str | None,
    obstacle: str,
    retry_ms: int | None,
):
    server.limit, server.retry_after, server.is_blocked = limit, retry_after, limit is None
    ended = await visitor.ask("connect", link=link_to(server))

    assert (ended["obstacle"], ended.get("retryMs")) == (obstacle, retry_ms)


async def test_a_server_that_does_not_answer_at_all_is_unreachable(server: TableServer, visitor: Puppet):
    await server.stop()
    ended = await visitor.ask("connect", link=link_to(server))

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
