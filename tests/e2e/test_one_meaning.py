"""A command that leaves fields out means the same however it reaches the server. Source: rules.md A12 and C19."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from dreadclock.cli import main
from dreadclock.client.connection import Backoff
from dreadclock.client.room import connect
from kit.assistants import sitting
from kit.puppet import needs_node, puppet
from kit.rooms import Table

Fields = dict[str, Any]
Submit = Callable[[Fields], Awaitable[object]]


@asynccontextmanager
async def over_rest(table: Table) -> AsyncIterator[Submit]:
    async with table.http("gm") as http:

        async def submit(command: Fields) -> None:
            answer = await http.post(table.path("/commands"), json=command)
            assert answer.status_code == 200, answer.text

        yield submit


@asynccontextmanager
async def by_typed_methods(table: Table) -> AsyncIterator[Submit]:
    async with connect(table.server.url, table.id, table.token("gm"), backoff=Backoff(longest_s=0.05)) as room:

        async def submit(command: Fields) -> None:
            fields = dict(command)
            await getattr(room, fields.pop("type"))(**fields)

        yield submit


@asynccontextmanager
async def by_the_command_line(table: Table) -> AsyncIterator[Submit]:
    async def submit(command: Fields) -> None:
        sent = ("send", table.grants["gm"]["link"], json.dumps(command))
        assert await asyncio.to_thread(main, sent) == 0

    yield submit


@asynccontextmanager
async def by_an_assistant(table: Table) -> AsyncIterator[Submit]:
    async with sitting(table, "gm") as gm:

        async def submit(command: Fields) -> None:
            fields = dict(command)
            await gm.call(fields.pop("type"), **fields)

        yield submit


@asynccontextmanager
async def by_javascript(table: Table) -> AsyncIterator[Submit]:
    async with puppet() as gm:
        await gm.do("connect", link=f"{table.server.url}/r/{table.id}#{table.token('gm')}")

        async def submit(command: Fields) -> None:
            await gm.do("submit", command=command)

        yield submit


SURFACES = [
    *(over_rest, by_typed_methods, by_the_command_line, by_an_assistant),
    pytest.param(by_javascript, marks=needs_node),
]
VENTURE = {"level": 1, "beneficiary": "han", "what": "a head start"}
FEINT = {"type": "propose_check", "id": "feint", "character_id": "ada", "score": 2, "venture": VENTURE}
SWING = {**FEINT, "id": "swing", "venture": {**VENTURE, "benefits": "damage", "what": "a wound"}, "character_id": "eli"}
BEFORE: list[Fields] = [
    {"type": "set_policy", "physical_dice": "everyone"},
    *({"type": "add_character", "id": name, "name": name.title()} for name in ("ada", "eli", "han", "bea")),
    {"type": "open_scene", "id": "vault", "name": "Vault", "clock": 8},
    {"type": "start_clock", "id": "water", "name": "Water", "size": 1},
    *(FEINT, {"type": "roll_check", "check_id": "feint", "faces": [5, 5]}),
    *(SWING, {"type": "roll_check", "check_id": "swing", "faces": [5, 5]}),
]
STARTS = {"does": "start", "countdown": {"name": "Tide", "pool": 3}}
LEAPS = {"type": "propose_check", "character_id": "han", "score": 2}
LEFT_OUT: list[Fields] = [
    {"type": "start_countdown", "name": "Fever", "pool": 3},
    {"type": "introduce_complication", "scene_id": "vault", "text": "Gas!", "countdown": {"name": "Gas", "pool": 3}},
    {
        "type": "attach_consequence",
        "id": "flood",
        "of": {"kind": "clock", "id": "water"},
        "when": {"when": "end"},
        "do": [STARTS],
    },
    {**LEAPS, "id": "leap"},
    {"type": "propose_check", "id": "duel", "character_id": "ada", "score": 2, "contest": True},
    {"type": "oppose_check", "check_id": "duel", "character_id": "han", "score": 2},
    {"type": "propose_check", "id": "lift", "character_id": "ada", "score": 2},
    {"type": "help_check", "check_id": "lift", "character_id": "han", "score": 2},
    {"type": "roll_dice", "id": "hit", "pool": 2, "character_id": "han", "purpose": "damage", "faces": [1, 2]},
]
SAID = {**LEAPS, "id": "sure", "claim": True}


@pytest.mark.rule("A12", "C19", "E5")
@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.__name__)
async def test_what_is_left_out_means_the_same_on_every_surface(table: Table, surface: Any) -> None:
    async with over_rest(table) as prepare:
        for command in BEFORE:
            await prepare(command)
    ready = (await table.view())["channels"]["public"]["characters"]["han"]["bonuses"]
    assert [(bonus["benefits"], bonus["dice"]) for bonus in ready] == [("check", 1), ("damage", 1)]

    async with surface(table) as submit:
        for command in LEFT_OUT:
            await submit(command)
        stored = (await table.view())["channels"]["public"]["consequences"]["flood"]
        await submit({"type": "tick_clock", "clock_id": "water"})
        await submit(SAID)

    view = (await table.view())["channels"]["public"]
    assert stored["do"][0]["countdown"]["bound_to"] == "turn"
    bound = {one["name"]: one["bound_to"] for one in view["countdowns"].values()}
    assert bound == dict.fromkeys(("Fever", "Gas", "Tide"), "turn")
    claims = {
        f"{check}/{part['character_id']}": part["claims"] for check in view["checks"] for part in parts(view, check)
    }
    nobody = ("leap/han", "duel/ada", "duel/han", "lift/ada", "lift/han")
    assert {key: claims[key] for key in nobody} == {key: [] for key in nobody}
    assert view["rolls"]["hit"]["paid"] == 0
    assert claims["sure/han"] == [ready[0]["id"]]


def parts(view: Fields, check: str) -> list[Fields]:
    found: list[Fields] = view["checks"][check]["parts"]
    return found
