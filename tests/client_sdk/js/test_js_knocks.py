"""Knocking from JavaScript, and hearing and answering it as a gm."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from kit.knocks import knock_at
from kit.puppet import Puppet, needs_node, puppet
from kit.rooms import Table
from kit.server import Server

pytestmark = [needs_node, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(loop_scope="module")
async def client(visitor: Puppet) -> Puppet:
    return visitor


@pytest_asyncio.fixture(loop_scope="module")
async def gm(table: Table) -> AsyncIterator[Puppet]:
    async with puppet() as client:
        await client.do("connect", link=link_to(table), knocks=True)
        yield client


def link_to(table: Table) -> str:
    return f"{table.server.url}/r/{table.id}#{table.token('gm')}"


async def answer(gm: Puppet, table: Table, **wanted: object) -> Any:
    """Answer the one who knocks."""
    [row] = await gm.do("knocks", number=1)
    return await gm.do("rest", call="answerKnock", given=[link_to(table), row["knock"], wanted])


async def test_who_knocks_is_heard_and_gets_the_link_of_a_seat(table: Table, client: Puppet, gm: Puppet):
    wanted = {"name": "Ines", "wants": "player", "client": "my module"}
    said = await client.do("knock", given=[f"{table.server.url}/", table.id, wanted])
    [row] = await gm.do("knocks", number=1)
    assert {name: row[name] for name in wanted} == wanted
    assert (row["code"], 290_000 < said["leftMs"] <= 300_000) == (said["code"], True)
    assert await gm.do("rest", call="knocks", given=[link_to(table)]) == [row]

    told = await answer(gm, table, accept=True, role="spectator")
    grant = await client.do("seated")

    assert told == {"state": "seated", "seat_id": "spectator-4", "role": "spectator"}
    seen = await client.do("connect", link=grant["link"], knocks=True)
    assert (seen["seat"], seen["role"]) == ("spectator-4", "spectator")
    await client.do("withdraw")
    assert await gm.do("knocks", number=0) == []


async def test_who_is_turned_away_is_told_so(table: Table, client: Puppet, gm: Puppet):
    await client.do("knock", given=[table.server.url, table.id, {"name": "Ines"}])
    await answer(gm, table, accept=False)

    assert (await client.ask("seated"))["refused"]["code"] == "turned_away"


async def test_a_wait_can_be_given_up_and_the_knock_withdrawn(table: Table, client: Puppet, gm: Puppet):
    await client.do("knock", given=[table.server.url, table.id, {"name": "Ines"}])
    await gm.do("knocks", number=1)

    assert "TimeoutError" in (await client.ask("seated", withinMs=1))["failed"]
    await client.do("withdraw")

    assert await gm.do("knocks", number=0) == []


async def test_a_knock_that_makes_no_sense_is_refused(table: Table, client: Puppet):
    refused = await client.ask("knock", given=[table.server.url, table.id, {"name": "Ines", "wants": "gm"}])
    assert refused["refused"]["code"] == "bad_request"


async def test_a_gm_who_does_not_ask_hears_nothing_of_knocks(table: Table, server: Server, client: Puppet):
    await client.do("connect", link=link_to(table))
    await knock_at(server, table.id)
    await client.do("submit", command={"type": "roll_dice", "pool": 1})

    assert await client.do("knocks", number=0) == []
