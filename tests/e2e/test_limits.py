"""Scripts that do more at once than their seat may: it takes them longer, and nothing is lost or done twice."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from dreadclock import connect
from kit.puppet import needs_node, puppet
from kit.rooms import Table, http_client, open_table
from kit.server import Server, running_server

COMMANDS = 100
BURST = 12
REFUSED = 'dreadclock_refusals_total{code="rate_limited"}'


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def busy(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server on which a player may do little at once, and enough in a second that a test need not wait."""
    environment = {"DREADCLOCK_LIMITS": "yes", "DREADCLOCK_LIMIT_PLAYER": f"60/s:{BURST}"}
    async with running_server(tmp_path_factory.mktemp("busy") / "data", environment=environment) as busy:
        yield busy


async def refused(server: Server) -> float:
    """Ask how often this server has refused something as too much."""
    async with http_client(server) as http:
        figures = (await http.get("/metrics")).text
    return next(float(line.split()[-1]) for line in figures.splitlines() if line.startswith(REFUSED))


def link_to(table: Table, name: str) -> str:
    return f"{table.server.url}/r/{table.id}#{table.token(name)}"


async def test_a_hundred_commands_of_the_sdk_are_all_done_once_and_in_order(busy: Server):
    table = await open_table(busy)
    before = await refused(busy)

    async with connect(link_to(table, "ann"), dice_secrets=False) as room:
        sent = [room.roll_dice(1, note=str(number)) for number in range(COMMANDS)]
        done = await asyncio.gather(*sent)

    assert [each.n for each in done] == list(range(1, COMMANDS + 1))
    assert [each.records[0].event.note for each in done] == [str(number) for number in range(COMMANDS)]
    assert len([text for text in await table.log() if '"dice_rolled"' in text]) == COMMANDS
    assert await refused(busy) > before


@needs_node
async def test_a_hundred_commands_of_the_javascript_client_are_all_done_once(busy: Server):
    table = await open_table(busy)
    before = await refused(busy)

    async with puppet() as client:
        await client.do("connect", link=link_to(table, "ben"), dice=False)
        command = {"type": "roll_dice", "pool": 1}
        done = await asyncio.gather(*(client.do("submit", command=command) for _ in range(COMMANDS)))

    assert sorted(each["n"] for each in done) == list(range(1, COMMANDS + 1))
    assert len([text for text in await table.log() if '"dice_rolled"' in text]) == COMMANDS
    assert await refused(busy) > before
