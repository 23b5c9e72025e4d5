"""What the client in JavaScript tells of its rolls."""

from typing import Any

from kit.puppet import Puppet
from kit.rooms import Table

Json = dict[str, Any]
ROLL = {"type": "roll_dice", "pool": 2}
LANE = "seat/player-1/1"


def link_to(table: Table, name: str, url: str | None = None) -> str:
    return f"{url or table.server.url}/r/{table.id}#{table.token(name)}"


def proofs(*acknowledged: Json) -> list[Json]:
    events = [event for each in acknowledged for event in each["events"]]
    return [(event.get("roll") or event)["proof"] for event in events if "roll" in event or "proof" in event]


def slots(*acknowledged: Json) -> list[tuple[str, int]]:
    return [(proof["lane"], proof["n"]) for proof in proofs(*acknowledged)]


async def alarms(client: Puppet) -> list[str]:
    return [flaw for flaw, _ in (await client.do("look"))["alarms"]]
