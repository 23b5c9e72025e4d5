"""The JavaScript client at a real table: all four systems, and a server that dies under it."""

from collections.abc import Mapping
from typing import Any

from kit.puppet import Puppet, needs_node, puppet
from kit.rooms import Table, chained, open_table
from kit.server import Server

pytestmark = needs_node
Json = dict[str, Any]

POLICY = {"type": "set_policy", "check_approval": "open", "physical_dice": "everyone"}
COUNTDOWN = {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 6, "bound_to": "turn"}
SECRET = {**COUNTDOWN, "id": "gm-mole", "name": "Mole", "visibility": "gm"}
SCENE = {"type": "open_scene", "id": "chapel", "name": "The chapel", "clock": 8}
RACE = {"type": "start_situation", "id": "run", "scene_id": "chapel", "name": "Run", "kind": "race", "clock": 2}
DOOR = {"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier"}


def link_to(table: Table, name: str) -> str:
    return f"{table.server.url}/r/{table.id}#{table.token(name)}"


async def do(client: Puppet, command: Mapping[str, object]) -> list[str]:
    """Submit a command, and return the types of its events."""
    done = await client.do("submit", command=command)
    return [event["type"] for event in done["events"]]


async def caught_up(client: Puppet, table: Table, name: str) -> Json:
    """Return what somebody's client shows once it has heard all, having checked that REST says the same."""
    texts = await table.log(name)
    channels = ("public", "gm") if name == "gm" else ("public",)
    logs = {channel: [text for text in texts if f'"channel":"{channel}"' in text] for channel in channels}
    seqs = {channel: len(log) for channel, log in logs.items()}
    seen: Json = await client.do("until", seqs=seqs, here=2)
    assert seen["view"] == await table.view(name)
    assert seen["positions"] == {
        channel: {"seq": seqs[channel], "hash": chained(table.id, seen["log_id"], channel, log)}
        for channel, log in logs.items()
    }
    return seen


async def play(gm: Puppet, ann: Puppet) -> None:
    """Play a little of all four systems."""
    await do(gm, POLICY)
    assert await do(gm, COUNTDOWN) == ["countdown_started"]
    assert await do(gm, SECRET) == ["lane_opened", "countdown_started"]
    assert "turn_ended" in await do(gm, {"type": "end_turn"})
    await do(gm, SCENE)
    await do(gm, {**RACE, "content": "exploration", "level": 3, "difficulty": "hard"})
    await do(gm, DOOR)
    assert await do(ann, {"type": "add_character", "id": "ada", "name": "Ada", "attributes": {"Grace": 3}}) == [
        "character_added"
    ]
    assert "effort_made" in await do(ann, {"type": "attempt_effort", "challenge_id": "door", "character_id": "ada"})
    await do(ann, {"type": "propose_check", "id": "leap", "character_id": "ada", "attribute": "Grace"})
    assert "check_resolved" in await do(ann, {"type": "roll_check", "check_id": "leap"})
    await do(ann, {"type": "propose_total", "id": "climb", "character_id": "ada", "attribute": "Grace"})
    done = await gm.do("submit", command={"type": "set_required", "total_id": "climb", "required": 21, "secret": True})
    await ann.do("until", seqs={"public": done["positions"]["public"]})  # she rolls for what she has seen
    assert await do(ann, {"type": "roll_total", "total_id": "climb"}) == ["total_rolled"]


async def test_a_server_that_dies_is_found_again_and_nothing_is_missed_or_done_twice(mortal: Server):
    table = await open_table(mortal)
    async with puppet() as gm, puppet() as ann:
        await gm.do("connect", link=link_to(table, "gm"))
        before = await ann.do("connect", link=link_to(table, "ann"))
        await play(gm, ann)
        await mortal.kill()
        submitted = [ann.order("submit", command={"type": "roll_dice", "pool": 2, "id": f"r{i}"}) for i in range(5)]
        await mortal.start()

        done = [(await each)["ok"] for each in submitted]
        shown, told = await caught_up(gm, table, "gm"), await caught_up(ann, table, "ann")

        assert [each["n"] for each in done] == list(range(done[0]["n"], done[0]["n"] + 5))
        assert list(told["view"]["channels"]["public"]["rolls"]) == [f"r{i}" for i in range(5)]
        for seen in (shown, told):
            assert (seen["heard"]["alarms"], seen["heard"]["replaced"]) == ([], [])
        heard = [seq for _, seq in told["heard"]["records"]]
        assert heard == list(range(before["positions"]["public"]["seq"] + 1, told["positions"]["public"]["seq"] + 1))
        assert told["session"] == before["session"]
