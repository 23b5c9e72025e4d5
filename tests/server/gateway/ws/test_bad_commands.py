"""Commands that are none, or that the room cannot take: a refusal, nothing stored, and nobody else disturbed."""

import json

import pytest
import pytest_asyncio

from kit.raw import RawClient
from kit.rooms import Table

LONG = "x" * 10_000
RACE = {
    "type": "start_situation",
    "scene_id": "bomb",
    "name": "Run",
    "kind": "race",
    "content": "exploration",
    "clock": 3,
    "level": 3,
}
CHECK = {"type": "propose_check", "character_id": "ada", "score": 2}

BAD_COMMANDS: dict[str, dict[str, object]] = {
    "an unknown type": {"type": "win_the_game"},
    "a type of 10,000 letters": {"type": LONG},
    "nothing": {},
    "an inner command": {"type": "join_seat", "role": "gm"},
    "an extra field that says who": {"type": "roll_dice", "pool": 1, "by": "gm"},
    "a pool that is no number at all": {"type": "roll_dice", "pool": float("nan")},
    "a pool without end": {"type": "roll_dice", "pool": float("inf")},
    "a party of level 10": {**RACE, "party_levels": [1, 10]},
    "65 characters": {**RACE, "party_levels": [1] * 65},
    "a venture for a roll that is none": {**CHECK, "venture": {"level": 1, "what": "A taunt.", "benefits": "supper"}},
    "a penalty below 0": {**CHECK, "penalty": -1},
    "a side that is none": {**CHECK, "type": "help_check", "check_id": "dive", "side": "both"},
    "nine stunts": {"type": "adjust_check", "check_id": "dive", "stunts": ["x"] * 9},
    "an answer that is none": {"type": "answer_cost", "check_id": "dive", "answer": "maybe"},
    "a total of true": {"type": "propose_total", "character_id": "ada", "attribute": True},
    "a number of 0": {"type": "set_required", "total_id": "climb", "required": 0},
    "a number of 100": {"type": "set_required", "total_id": "climb", "required": 100},
    "a crisis of a third kind": {"type": "offer_push", "total_id": "climb", "crisis": "spiritual"},
    "an attribute of 10,000 letters": {"type": "add_character", "name": "Ann", "attributes": {LONG: 1}},
    "a policy in capitals": {"type": "set_policy", "physical_dice": "EVERYONE"},
}

REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "somebody else's countdown": ({"type": "roll_countdown", "countdown_id": "bens"}, "not_allowed"),
    "an id twice": ({"type": "start_countdown", "id": "bens", "name": "F", "pool": 1}, "id_taken"),
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def prepared(shared_table: Table) -> Table:
    """A table with a countdown of ben's."""
    async with shared_table.connected("gm") as gm:
        start = {"type": "start_countdown", "id": "bens", "name": "F", "pool": 9, "owner": shared_table.seat("ben")}
        assert (await gm.do(start))["type"] == "ack"
    return shared_table


async def refused_and_forgotten(table: Table, client: RawClient, command: dict[str, object]) -> dict[str, object]:
    """Have a command refused, and see that nothing is stored and that everyone, its sender too, plays on."""
    before = await table.log()
    async with table.connected("eve") as eve:
        refusal = await client.do(command)
        assert refusal["type"] == "refused", refusal
        assert len(json.dumps(refusal)) < 1000
        assert await table.log() == before
        assert (await client.do({"type": "roll_dice", "pool": 1}))["type"] == "ack"
        events = await eve.expect("events")
        assert [record["event"]["type"] for record in events["records"]] == ["dice_rolled"]
    return refusal


@pytest.mark.parametrize("command", BAD_COMMANDS.values(), ids=BAD_COMMANDS)
async def test_what_is_no_command_is_refused_and_changes_nothing(shared_table: Table, command: dict[str, object]):
    async with shared_table.connected("gm") as gm:
        assert (await refused_and_forgotten(shared_table, gm, command))["code"] == "bad_command"


@pytest.mark.parametrize(("command", "code"), REFUSED.values(), ids=REFUSED)
async def test_what_a_room_cannot_take_changes_nothing(prepared: Table, command: dict[str, object], code: str):
    async with prepared.connected("ann") as client:
        assert (await refused_and_forgotten(prepared, client, command))["code"] == code


async def test_a_token_of_one_room_does_nothing_in_another(table: Table, prepared: Table):
    before = await prepared.log()

    async with table.connected("gm") as gm:
        refusal = await gm.do({"type": "roll_countdown", "countdown_id": "bens"})
        assert (refusal["code"], refusal["details"]) == ("unknown", {"kind": "countdown", "id": "bens"})
    async with table.http("gm") as http:
        answer = await http.post(prepared.path("/commands"), json={"type": "roll_countdown", "countdown_id": "bens"})
        assert answer.status_code == 401

    assert await prepared.log() == before
