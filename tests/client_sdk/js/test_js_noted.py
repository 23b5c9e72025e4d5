"""The JavaScript client notes where a room's log stood, and holds the log against it when it comes back."""

import json
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


async def come(client: Puppet, table: Table, name: str = "ann") -> dict[str, Any]:
    """Load the page, and return what it shows."""
    shown: dict[str, Any] = await client.do(
        "connect", link=f"{table.server.url}/r/{table.id}#{table.token(name)}", keeps=True
    )
    return shown


async def noted(client: Puppet, table: Table) -> dict[str, Any]:
    note: dict[str, Any] = json.loads(dict(await client.do("kept"))[f"dreadclock.head/{table.id}"])
    return note


async def note(client: Puppet, table: Table, **fields: object) -> None:
    """Change what is noted."""
    text = json.dumps({**await noted(client, table), **fields})
    await client.do("keep", key=f"dreadclock.head/{table.id}", value=text)


@pytest.mark.parametrize("name", ["ann", "gm"])
async def test_a_log_that_goes_on_from_the_note_is_no_news(table: Table, client: Puppet, name: str):
    await come(client, table, name)
    done = await client.do("submit", command={"type": "add_character", "id": "ada", "name": "Ada"})
    seen = await client.do("until", seqs={"public": done["positions"]["public"]})
    assert await noted(client, table) == {"logId": seen["log_id"], **seen["positions"]["public"]}
    await client.do("close")
    async with puppet() as other:
        await come(other, table, "gm")
        for i in range(3):
            await other.do(
                "submit", command={"type": "start_countdown", "name": f"C{i}", "pool": 3, "visibility": "gm"}
            )
            await other.do("submit", command={"type": "start_countdown", "name": f"D{i}", "pool": 3})

    await come(client, table, name)
    done = await client.do("submit", command={"type": "add_character", "id": "bea", "name": "Bea"})

    seen = await client.do("until", seqs={"public": done["positions"]["public"]})
    await client.do("noted", seq=seen["positions"]["public"]["seq"])
    assert (await client.do("look"))["forked"] is None


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"hash": "0" * 64}, id="another record at the same number"),
        pytest.param({"seq": 2, "hash": "0" * 64}, id="another record earlier on"),
        pytest.param({"seq": 100}, id="more records"),
        pytest.param({"logId": "f" * 32}, id="another log"),
    ],
)
async def test_a_log_that_left_the_note_is_told_of_once(table: Table, client: Puppet, change: dict[str, Any]):
    await come(client, table)
    await client.do("close")
    before = await noted(client, table)
    await note(client, table, **change)

    await come(client, table)

    forked = await client.do("forked")
    assert (forked["type"], forked["seq"]) == ("forked", change.get("seq", before["seq"]))
    assert forked["sentence"] == "This log is not the one that was shown here before."
    assert "forked" in (await client.do("look"))["heard"]["told"]
    assert await noted(client, table) == before
    await client.do("close")
    assert (await come(client, table))["forked"] is None


async def test_that_a_log_cannot_be_fetched_is_said_and_the_note_stays(table: Table, client: Puppet):
    """The table is behind a proxy that lets only websockets through, say."""
    await come(client, table)
    await client.do("close")
    await note(client, table, seq=2, hash="0" * 64)
    before = await noted(client, table)
    await client.do("no_fetch")

    shown = await come(client, table)
    done = await client.do("submit", command={"type": "add_character", "id": "ada", "name": "Ada"})
    await client.do("until", seqs={"public": done["positions"]["public"]})
    await client.do("unchecked")

    seen = await client.do("look")
    assert (shown["forked"], seen["forked"]) == (None, None)
    assert "unchecked" in seen["heard"]["told"]
    assert seen["unchecked"].endswith("could not be learned.")
    assert await noted(client, table) == before


# Knocking from JavaScript, and hearing and answering it as a gm


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
