"""The JavaScript client comes back to a seat: rolls without tokens that it did not send are named, its own are not."""

from typing import Any

import pytest
import pytest_asyncio

from kit.puppet import Puppet, needs_node
from kit.puppet_rolls import ROLL, Json, alarms, link_to
from kit.rooms import Table, open_table
from kit.server import Server

pytestmark = [needs_node, pytest.mark.asyncio(loop_scope="module")]
TYPED = {"type": "roll_dice", "pool": 2, "faces": [3, 6]}


@pytest_asyncio.fixture(loop_scope="module")
async def client(visitor: Puppet) -> Puppet:
    return visitor


@pytest_asyncio.fixture(loop_scope="module")
async def table(server: Server) -> Table:
    return await open_table(server, physical_dice="everyone")


async def come(client: Puppet, table: Table, name: str = "ann", tab: str = "one") -> None:
    """Load the page, and wait until what was missed is looked through: only then the head is noted."""
    seen = await client.do("connect", link=link_to(table, name), keeps=True, tab=tab)
    await client.do("noted", seq=seen["positions"]["public"]["seq"], tab=tab)


async def by_rest(table: Table, name: str, command: Json = ROLL) -> Any:
    """Let somebody roll without a token, as a server can in anybody's name."""
    async with table.http(name) as http:
        answer = await http.post(table.path("/commands"), json=command)
    assert answer.status_code == 200, answer.text


async def test_each_roll_without_a_token_while_nobody_was_there_is_named_once(table: Table, client: Puppet):
    await come(client, table)
    await client.do("submit", command=ROLL)
    await client.do("close")
    for _ in range(2):
        await by_rest(table, "ann")

    await come(client, table)
    told = await client.do("alarmed", times=2)
    assert [each["flaw"] for each in told] == ["not_sent"] * 2
    await client.do("close")
    await come(client, table)
    await client.do("submit", command=ROLL)
    assert await alarms(client) == []


async def test_each_roll_without_a_token_is_named_while_she_looks_on(table: Table, client: Puppet):
    await come(client, table)
    for _ in range(2):
        await by_rest(table, "ann")

    assert [each["flaw"] for each in await client.do("alarmed", times=2)] == ["not_sent"] * 2


async def test_her_own_rolls_of_last_time_and_those_of_another_tab_are_no_news(table: Table, client: Puppet):
    await come(client, table)
    await client.do("submit", command=ROLL)
    await client.do("submit", command=TYPED)
    await client.do("close")
    await come(client, table, tab="two")
    await client.do("submit", command=ROLL, tab="two")
    await client.do("submit", command=TYPED, tab="two")
    await client.do("close", tab="two")
    await by_rest(table, "gm")

    await come(client, table)
    await client.do("submit", command=ROLL)

    assert await alarms(client) == []


async def test_a_lost_note_marks_rolls_with_tokens_of_this_browser_no_more_than_before(table: Table, client: Puppet):
    await come(client, table)
    seen = dict(await client.do("kept"))
    await client.do("submit", command=ROLL)
    await client.do("submit", command=ROLL)
    await client.do("close")
    for key in (f"dreadclock.head/{table.id}", f"dreadclock.head/{table.id}/player-1"):
        await client.do("keep", key=key, value=seen[key])
    await by_rest(table, "ann")

    await come(client, table)

    assert [each["flaw"] for each in await client.do("alarmed", times=1)] == ["not_sent"]
    await client.do("submit", command=ROLL)
    assert len(await alarms(client)) == 1


async def test_another_seat_in_the_same_browser_hides_nothing(table: Table, client: Puppet):
    await come(client, table)
    await client.do("close")
    await by_rest(table, "ann")
    await come(client, table, "ben", tab="two")
    await client.do("close", tab="two")

    await come(client, table)

    assert [each["flaw"] for each in await client.do("alarmed", times=1)] == ["not_sent"]
