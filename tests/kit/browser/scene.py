"""A table in mid-game, for people to look at: an evening in a flooded vault, with dice that are the same every time."""

from typing import Any

import dreadclock
from kit.browser.company import link
from kit.rooms import Table, http_client
from kit.server import Server

TITLE = "The flooded vault"
PEOPLE = (("tom", "player", "Tom"), ("ines", "player", "Ines"), ("wren", "spectator", "Wren"))
Order = dict[str, Any]

_SHEETS: list[Order] = [
    {"id": "rook", "name": "Rook", "level": 3, "attributes": {"Might": 5, "Stealth": 4}, "reflex": 3},
    {"id": "sparks", "name": "Sparks", "level": 3, "attributes": {"Wits": 4, "Machines": 3}}
    | {"specials": [{"name": "Locks", "starred": True}]},
]
_STORY: list[Order] = [
    {"type": "open_scene", "id": "vault", "name": "Out of the vault", "clock": 8},
    {"type": "start_situation", "id": "way-out", "scene_id": "vault", "name": "The way out", "kind": "race", "clock": 3}
    | {"content": "exploration", "level": 3},
    {"type": "add_challenge", "id": "door", "situation_id": "way-out", "name": "The outer door", "kind": "barrier"},
    {
        "type": "add_challenge",
        "id": "lock",
        "situation_id": "way-out",
        "name": "The lock",
        "kind": "puzzle",
        "clock": 2,
    },
    {"type": "add_challenge", "id": "turret", "situation_id": "way-out", "name": "The turret", "kind": "foe"},
    {"type": "attempt_effort", "challenge_id": "door", "character_id": "rook", "success": True},
    {"type": "end_round", "situation_id": "way-out"},
    {"type": "start_clock", "id": "alarm", "name": "The guards wake", "size": 6, "direction": "up"},
    {"type": "tick_clock", "clock_id": "alarm", "by": 2},
    {"type": "start_countdown", "id": "water", "name": "The water rises", "pool": 7, "speed": "medium"}
    | {
        "stages": [{"at": 4, "effect": "to the knees"}, {"at": 2, "effect": "to the neck"}],
        "ending": "the vault is full",
    }
    | {"bound_to": "turn"},
    {"type": "attach_consequence", "of": {"kind": "countdown", "id": "water"}, "when": {"when": "stage", "at": 4}}
    | {"do": [{"does": "tick", "thing_id": "alarm", "by": 1}, {"does": "tell", "text": "The pumps howl."}]},
    {"type": "roll_countdown", "countdown_id": "water", "faces": [2, 6, 3, 5, 1, 4, 2]},
    {"type": "start_countdown", "id": "below", "name": "What wakes below", "pool": 9, "visibility": "sealed"}
    | {"bound_to": "nothing"},
    {"type": "roll_countdown", "countdown_id": "below"},
]
_AIR: Order = {
    "type": "start_countdown",
    "id": "air",
    "name": "Air in the mask",
    "pool": 6,
    "stages": [{"at": 3, "effect": "everyone is dizzy"}],
    "ending": "Rook breathes water",
    "bound_to": "turn",
    "replenishable": True,
}
_ROLLS: list[Order] = [
    {"type": "propose_total", "id": "pick", "character_id": "sparks", "attribute": "Wits", "purpose": "open the lock"}
    | {"tool": {"name": "picks", "quality": 1}, "effort": {"challenge_id": "lock"}},
    {"type": "set_required", "total_id": "pick", "required": 13, "crisis": "physical"},
    {"type": "roll_total", "total_id": "pick", "faces": [3, 4, 2, 2, 3]},
    {"type": "offer_push", "total_id": "pick"},
    {"type": "propose_check", "id": "dodge", "character_id": "rook", "attribute": "Stealth"}
    | {"purpose": "dodge the turret", "venture": {"level": 1, "what": "a clear shot"}},
]


async def flooded_vault(server: Server) -> Table:
    """Open the room and play on until a check is ready and a push is on offer."""
    async with http_client(server) as http:
        opened = (await http.post("/api/rooms", json={"title": TITLE})).json()
    table = Table(server, opened["room_id"], TITLE, {"gm": opened["gm"]})
    for name, role, called in PEOPLE:
        table.grants[name] = await table.invite(called.lower(), role)
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        for order in _orders(table):
            await room.submit(order)
    return table


def _orders(table: Table) -> list[Order]:
    owners = table.seat("tom"), table.seat("ines")
    sheets = zip(_SHEETS, owners, strict=True)
    return [
        {"type": "set_policy", "physical_dice": "everyone"},
        *({"type": "add_character", **sheet, "owner": owner} for sheet, owner in sheets),
        *_STORY,
        {**_AIR, "owner": owners[0]},
        {"type": "roll_countdown", "countdown_id": "air", "faces": [5, 3, 6, 1, 4, 2]},
        {"type": "end_turn"},
        *_ROLLS,
    ]
