"""How the JavaScript client notices that its network went silent: by heartbeats that stay out."""

from collections.abc import AsyncIterator

import pytest

from dreadclock.wire.base import Channel
from kit.puppet import Puppet, needs_node, puppet
from kit.servers.table_server import TableServer
from kit.table import ROOM, rolled
from kit.waiting import until

pytestmark = needs_node
BEAT = '{"type":"beat"}'
GREETING = 2  # frames: a welcome, and who is here
LOOK_MS = 14_000  # a clock that jumps further between two looks at it has slept


@pytest.fixture
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(Channel.PUBLIC) as server:
        yield server


@pytest.fixture
async def client(server: TableServer) -> AsyncIterator[Puppet]:
    async with puppet() as client:
        await client.do("connect", link=f"{server.url}/r/{ROOM}#token", dice=False)
        await until(lambda: arrived(client, GREETING))
        yield client


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


async def test_while_a_connection_is_doubted_the_client_says_that_it_is_not_connected(
    server: TableServer, client: Puppet
):
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


async def test_an_older_server_is_greeted_once_more_without_asking_for_heartbeats(server: TableServer):
    server.turned_away.append((4500, "beat: Extra inputs are not permitted"))
    async with puppet() as client:
        await client.do("connect", link=f"{server.url}/r/{ROOM}#token", dice=False)
        await passes(client, 5)
        await server.happen(rolled(1))
        await client.do("until", seqs={"public": 1})

        assert [hello.get("beat") for hello in server.said] == [True, None]
        assert await heard(client, "doubts") == 0


async def test_a_server_that_became_older_is_greeted_so_too(server: TableServer, client: Puppet):
    server.turned_away.extend([(4500, "beat: Extra inputs are not permitted")] * 2)
    await client.do("wake")
    await until(lambda: len(server.said) == 4)
    await server.happen(rolled(1))
    await client.do("until", seqs={"public": 1})

    assert [hello.get("beat") for hello in server.said] == [True, True, True, None]


async def test_a_server_that_refuses_both_hellos_is_not_asked_again(server: TableServer):
    server.turned_away.extend([(4500, "no hello")] * 3)
    async with puppet() as client:
        refused = await client.ask("connect", link=f"{server.url}/r/{ROOM}#token")

    assert (refused["ended"], len(server.said)) == ({"code": 4500, "reason": "no hello"}, 2)
