"""Tables in mid-game, for people to look at: a flooded vault, a drowned bell. Their dice are the same every time."""

from typing import Any

import dreadclock
from kit.browser.company import link
from kit.knocks import knock_at
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


_BELL: list[Order] = [
    {"type": "set_policy", "physical_dice": "everyone"},
    {"type": "open_scene", "id": "bell", "name": "Ring the drowned bell", "clock": 10},
    {"type": "start_situation", "id": "race", "scene_id": "bell", "name": "The tide", "kind": "race", "clock": 3}
    | {"content": "exploration", "level": 3},
    {"type": "add_challenge", "id": "stair", "situation_id": "race", "name": "The flooded stair", "kind": "barrier"},
    {"type": "add_challenge", "id": "lock", "situation_id": "race", "name": "The rusted lock", "kind": "puzzle"}
    | {"clock": 3},
    {"type": "add_challenge", "id": "sexton", "situation_id": "race", "name": "The drowned sexton", "kind": "foe"}
    | {"clock": 4},
    {"type": "attempt_effort", "challenge_id": "stair", "character_id": "rook", "success": True},
    {"type": "end_round", "situation_id": "race"},
    {"type": "start_clock", "id": "guards", "name": "The guards wake", "size": 6, "direction": "up"},
    {"type": "tick_clock", "clock_id": "guards", "by": 2},
    {"type": "start_clock", "id": "gm-rope", "name": "The rope frays", "size": 4, "visibility": "gm"},
    {"type": "start_countdown", "id": "tide", "name": "The tide comes in", "pool": 6, "bound_to": "turn"}
    | {"stages": [{"at": 2, "effect": "to the neck"}], "ending": "the nave is full"},
    {"type": "roll_countdown", "countdown_id": "tide", "faces": [2, 6, 3, 6, 1, 6]},
]
_AIR_IN_BELL: Order = {"type": "start_countdown", "id": "air", "name": "Air in the mask", "pool": 6} | {
    "stages": [{"at": 3, "effect": "dizzy"}],
    "bound_to": "turn",
}
_MISSED: list[Order] = [
    {"type": "propose_total", "id": "pick", "character_id": "sparks", "attribute": "Wits"}
    | {"purpose": "force the rusted lock"},
    {"type": "set_required", "total_id": "pick", "required": 17, "crisis": "physical"},
    {"type": "roll_total", "total_id": "pick", "faces": [4, 2, 3, 5]},
]
_DIVERS = (
    ("tom", {"id": "rook", "name": "Rook", "attributes": {"Stealth": 4, "Might": 3}}),
    ("ines", {"id": "sparks", "name": "Sparks", "attributes": {"Machines": 3, "Wits": 4}}),
    ("noor", {"id": "ansel", "name": "Brother Ansel", "attributes": {"Lore": 4}}),
)


async def _opened(server: Server, title: str, people: tuple[tuple[str, str, str], ...]) -> Table:
    """Open a room, and seat people there."""
    async with http_client(server) as http:
        opened = (await http.post("/api/rooms", json={"title": title})).json()
    table = Table(server, opened["room_id"], title, {"gm": opened["gm"]})
    for name, role, called in people:
        table.grants[name] = await table.invite(called.lower(), role)
    return table


async def drowned_bell(server: Server) -> Table:
    """Open a full table: a race with a threat, countdowns, clocks, characters, and three things that wait."""
    table = await _opened(server, "The drowned bell", (*PEOPLE[:2], ("noor", "player", "Noor"), PEOPLE[2]))
    sheets = [{"type": "add_character", **sheet, "level": 3, "owner": table.seat(who)} for who, sheet in _DIVERS]
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        for order in (*sheets, *_BELL, _AIR_IN_BELL | {"owner": table.seat("tom")}, *_MISSED):
            await room.submit(order)
    async with dreadclock.connect(link(table, "tom")) as tom:
        await tom.propose_check("rook", attribute="Stealth", purpose="dodge the sexton", id="dodge")
    await knock_at(server, table.id, name="Wren", wants="player")
    return table


async def flooded_vault(server: Server) -> Table:
    """Open the room and play on until a check is ready and a push is on offer."""
    table = await _opened(server, TITLE, PEOPLE)
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
