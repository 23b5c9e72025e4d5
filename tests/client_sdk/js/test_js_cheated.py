"""What a server may try with the rolls of a seat, and how the JavaScript client of that seat finds it out."""

import json
from collections.abc import AsyncIterator

import pytest

from kit.cheating.tampering import Tamperer, tampering, unchanged
from kit.puppet import Puppet, needs_node, puppet
from kit.puppet_rolls import LANE, ROLL, Json, alarms, link_to, proofs, slots
from kit.rooms import Table

pytestmark = needs_node


@pytest.fixture
async def client() -> AsyncIterator[Puppet]:
    async with puppet() as client:
        yield client


@pytest.fixture
async def tamperer(table: Table) -> AsyncIterator[Tamperer]:
    async with tampering(table.server) as one:
        yield one


@pytest.fixture
async def deceived(table: Table, tamperer: Tamperer, client: Puppet) -> Puppet:
    """Ann, who has rolled once and is connected through the tamperer."""
    await client.do("connect", link=link_to(table, "ann", tamperer.url), keeps=True)
    await client.do("submit", command=ROLL)
    return client


def refused(frame: Json, code: str, **details: object) -> Json:
    return {"type": "refused", "n": frame["n"], "code": code, "sentence": "No.", "details": details}


async def test_a_server_that_refuses_a_roll_and_logs_it_is_found_out(tamperer: Tamperer, deceived: Puppet):
    tamperer.to_client = lambda frame: refused(frame, "not_allowed", allowed="no") if frame["type"] == "ack" else frame

    assert (await deceived.ask("submit", command=ROLL))["refused"]["code"] == "not_allowed"

    assert [each["flaw"] for each in await deceived.do("alarmed", times=1)] == ["refused"]


async def test_a_server_that_drops_a_roll_is_found_out(tamperer: Tamperer, deceived: Puppet):
    """It sees the token and likes the faces not: it does something else instead, and calls the roll done."""

    def swap(frame: Json) -> Json:
        return {**frame, "command": {"type": "add_character", "id": "ada", "name": "Ada"}}

    tamperer.to_server = swap
    await deceived.do("submit", command=ROLL)

    assert await alarms(deceived) == ["dropped"]


async def test_a_server_that_rolls_without_the_token_is_found_out(tamperer: Tamperer, deceived: Puppet):
    tamperer.to_server = lambda frame: {**frame, "command": {k: v for k, v in frame["command"].items() if k != "dice"}}

    await deceived.do("submit", command=ROLL)

    assert await alarms(deceived) == ["without_token"]


async def test_a_server_that_rolls_something_else_with_the_token_is_found_out(tamperer: Tamperer, deceived: Puppet):
    tamperer.to_server = lambda frame: {**frame, "command": {**frame["command"], "pool": 3}}

    await deceived.do("submit", command=ROLL)

    assert await alarms(deceived) == ["dropped", "other_thing"]


async def test_a_server_that_turns_a_token_away_gains_no_other_one(tamperer: Tamperer, deceived: Puppet):
    def spoil(frame: Json) -> Json:
        command = frame["command"]
        return {**frame, "command": {**command, "dice": {**command["dice"], "token": "A" * 43}}}

    tamperer.to_server = spoil
    assert (await deceived.ask("submit", command=ROLL))["refused"]["code"] == "bad_token"
    assert await alarms(deceived) == ["denied"]
    tamperer.to_server = unchanged

    assert slots(await deceived.do("submit", command=ROLL)) == [(LANE, 2)]
    denied, again = (json.loads(text)["command"]["dice"]["token"] for text in tamperer.sent[-2:])
    assert denied == again


async def test_a_server_that_opens_a_lane_for_other_tokens_gets_none(table: Table, tamperer: Tamperer, client: Puppet):
    def replace(frame: Json) -> Json:
        if frame.get("command", {}).get("type") != "open_lane":
            return frame
        return {**frame, "command": {"type": "open_lane", "anchor": "A" * 42 + "E"}}

    tamperer.to_server = replace
    await client.do("connect", link=link_to(table, "ann", tamperer.url))
    [proof] = proofs(await client.do("submit", command=ROLL))

    assert (proof["lane"], "token" in proof) == ("seat/player-1/0", False)
    assert await alarms(client) == ["opening"]
