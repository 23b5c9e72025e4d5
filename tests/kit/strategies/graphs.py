"""Random graphs of consequences, among a bit of everything in public, sealed, and known to the gm alone.

Ids and texts of hidden things hold `zz`, those of hidden consequences `qq`.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from random import Random

from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.records import Record
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room
from kit.strategies.picks import Fields, Picks
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, GM, Table

MOST, COMMANDS = 60, 4  # of a graph
ROOMS = 8  # different ones, in which graphs are drawn
OF_CONSEQUENCES = "qq"

CLOCKS = tuple(f"c{n}" for n in range(12))
HIDDEN_CLOCKS = tuple(f"gm-zz-c{n}" for n in range(12))
COUNTDOWNS = ("fever", "alarm", "loop")
HIDDEN_COUNTDOWNS = ("gm-zz-plot", "gm-zz-rot")
CHARACTERS = ("ada", "bea")
HIDDEN: Fields = {"visibility": "gm"}
STAGES = [{"at": 2, "effect": "Steps"}, {"at": 1, "effect": "Torches"}]
SCENE: tuple[Fields, ...] = (
    {"type": "open_scene", "id": "keep", "name": "Keep", "clock": 8},
    {
        "type": "start_situation",
        "id": "flight",
        "scene_id": "keep",
        "name": "Flight",
        "clock": 2,
        "content": "combat",
        "kind": "standard",
    },
    {"type": "add_challenge", "id": "gate", "situation_id": "flight", "name": "Gate", "kind": "barrier", "clock": 3},
)
_ROLLS: tuple[Fields, ...] = (
    {"type": "propose_check", "id": "jump", "character_id": "ada", "score": 2},
    {"type": "propose_check", "id": "gm-zz-lie", "character_id": "bea", "score": 2, **HIDDEN},
    {"type": "propose_total", "id": "climb", "character_id": "ada", "attribute": 2},
    {"type": "set_required", "total_id": "climb", "required": 7, "crisis": "physical"},
)
_END: Fields = {"when": "end"}
_ALL_CLOCKS = (*CLOCKS, "flight-clock", "keep-clock", "gate-clock", *HIDDEN_CLOCKS, "tide")
_ALL_COUNTDOWNS = (*COUNTDOWNS, *HIDDEN_COUNTDOWNS, "gas")
_OF_CLOCKS = (CLOCKS, CLOCKS, HIDDEN_CLOCKS, _ALL_CLOCKS)
_MOMENTS: tuple[Fields, ...] = (
    *({"of": {"kind": "clock", "id": some}, "when": _END} for some in _OF_CLOCKS),
    {"of": {"kind": "countdown", "id": _ALL_COUNTDOWNS}, "when": _END},
    {"of": {"kind": "countdown", "id": _ALL_COUNTDOWNS}, "when": {"when": "stage", "at": (1, 2)}},
    {"of": {"kind": "check", "id": ("jump", "gm-zz-lie")}, "when": {"when": ("fumble", "fail", "success", "lost")}},
    {"of": {"kind": "total", "id": "climb"}, "when": {"when": ("succeeded", "failed", "crisis")}},
)
_FIRE: Fields = {"name": "Fire", "pool": (1, 2), "stages": ([], STAGES)}
_SLIP: tuple[list[Fields], ...] = (
    [{"does": "give_state", "name": "down"}],
    [{"does": "tick", "thing_id": "c1", "by": 1}],
)
_EFFECTS: tuple[Fields, ...] = (
    *({"does": "tick", "thing_id": some, "by": (1, 1, 2)} for some in (CLOCKS, CLOCKS, HIDDEN_CLOCKS)),
    {"does": "tick", "thing_id": _ALL_CLOCKS, "by": (-1, 1)},
    *({"does": does, "thing_id": _ALL_COUNTDOWNS} for does in ("roll", "roll", "roll", "stabilize", "resume")),
    {"does": "replenish", "thing_id": _ALL_COUNTDOWNS, "by": (1, 58)},
    *({"does": "start", "countdown": {**_FIRE, "visibility": ("public", "sealed", "gm")}} for _ in range(2)),
    {"does": "take_off", "thing_id": "gate", "by": (1, 3)},
    {"does": "leave", "thing_id": CHARACTERS, "fate": ("leaves", "dies")},
    *({"does": does, "thing_id": CHARACTERS, "name": "wet"} for does in ("give_state", "drop_state")),
    {"does": "move_track", "thing_id": CHARACTERS, "name": "breath", "by": (-1, 1)},
    {"does": "give_token", "thing_id": CHARACTERS, "token": ("momentum", "interference")},
    {"does": "set_fumble", "thing_id": (*CHARACTERS, "keep", "flight"), "text": "You slip.", "do": (None, _SLIP)},
    {"does": "drop_fumble", "thing_id": (*CHARACTERS, "keep", "flight"), "text": "You slip."},
    {"does": "reveal", "thing_id": ("gas", "tide", *HIDDEN_CLOCKS[:3], *HIDDEN_COUNTDOWNS, "gm-zz-lie")},
    {"does": "tell", "text": "A cry."},
)
_QUIET: tuple[Fields, ...] = (  # leave no trace for others
    *({"does": "tick", "thing_id": HIDDEN_CLOCKS, "by": by} for by in (1, 2)),
    {"does": "roll", "thing_id": HIDDEN_COUNTDOWNS},
    {"does": "start", "countdown": {**_FIRE, **HIDDEN}},
    {"does": "tell", "text": "A cry."},
)
_COMMANDS: tuple[Fields, ...] = (
    *({"type": "tick_clock", "clock_id": some} for some in (CLOCKS, CLOCKS, HIDDEN_CLOCKS, _ALL_CLOCKS)),
    *({"type": "roll_countdown", "countdown_id": _ALL_COUNTDOWNS} for _ in range(2)),
    *({"type": "end_turn"} for _ in range(2)),
    {"type": "roll_check", "check_id": ("jump", "jump", "gm-zz-lie")},
    {"type": "roll_total", "total_id": "climb"},
    {"type": "resolve_situation", "situation_id": "flight", "how": "They fly"},
    {"type": "amend_countdown", "countdown_id": COUNTDOWNS, "pool": (0, 1), "reason": "a slip"},
)


@dataclass(frozen=True)
class Graph:
    """The orders that attach consequences, and those that set them off, each at a place of its own.

    `setting_off`: who gives those, the gm or the player who owns much of what they move.
    """

    room: int
    setting_off: Actor
    attached: dict[int, Fields]
    commands: dict[int, Fields]


def graph_of(chance: Random, given: list[bool]) -> Graph:
    """Draw a graph: some are wide, some hold long chains; c0 is ticked to its end first."""
    draw = chance.choice((_wide, _long, _any, _any, _any))
    room, drawn = chance.randrange(ROOMS), [draw(Picks(chance.getrandbits(320)), place) for place in range(MOST)]
    commands = [_command(Picks(chance.getrandbits(80))) for _ in range(COMMANDS - 1)]
    first: Fields = {"type": "tick_clock", "clock_id": "c0", "by": 2}
    attached = {place: order for place, order in enumerate(drawn) if given[place]}
    return Graph(room, chance.choice((GM, ANN)), attached, dict(enumerate((first, *commands), MOST)))


def _command(p: Picks) -> Fields:
    return p.fields(p.one(_COMMANDS))


def _order(p: Picks, place: int, moment: Fields, *effects: Fields) -> Fields:
    order = {
        "type": "attach_consequence",
        "id": f"on-{place}",
        **p.fields(moment),
        "do": [p.fields(e) for e in effects],
    }
    return hidden(order) if p.one((True, False)) else order


def hidden(order: Fields) -> Fields:
    """Let a consequence be the gm's, and mark it."""
    return {**order, **HIDDEN, "id": f"gm-{OF_CONSEQUENCES}-{order['id']}", "do": [*map(_marked, order["do"])]}


def _marked(effect: Fields) -> Fields:
    if effect["does"] == "tell":
        return {**effect, "text": f"{OF_CONSEQUENCES} {effect['text']}"}
    if effect["does"] == "start" and effect["countdown"]["visibility"] == "gm":
        return {**effect, "countdown": {**effect["countdown"], "name": f"{OF_CONSEQUENCES} Fire"}}
    return effect


def _any(p: Picks, place: int) -> Fields:
    moment, some = p.one(_MOMENTS), p.one((1, 1, 2, 3))
    return _order(p, place, moment, *(p.one(_EFFECTS) for _ in range(some)))


def _wide(p: Picks, place: int) -> Fields:
    """Let much happen at once."""
    moment: Fields = {"of": {"kind": "clock", "id": ("c0", "c0", "c0", "c1")}, "when": _END}
    return _order(p, place, moment, *(p.one((*_EFFECTS, *_EFFECTS[-1:] * 9)) for _ in range(8)))


def _long(p: Picks, place: int) -> Fields:
    """Let one clock's end move the next one, in a circle, of which each link is there more than once."""
    round_, link = divmod(place, len(CLOCKS))
    if round_ == 4:
        return _any(p, place)
    family = (CLOCKS, HIDDEN_CLOCKS)[round_ % 2]
    following = p.one((family, family, family, HIDDEN_CLOCKS, CLOCKS))
    moment: Fields = {"of": {"kind": "clock", "id": family[link]}, "when": _END}
    do = {"does": "tick", "thing_id": following[(link + 1) % len(CLOCKS)], "by": 2}
    return {"type": "attach_consequence", "id": f"on-{place}", **moment, "do": [do]}


def quiet(number: int, place: int) -> Fields:
    """Make a hidden consequence that nobody but the gm could notice."""
    p = Picks(number)
    order = {**p.fields(p.one(_MOMENTS)), "do": [p.fields(p.one(_QUIET)) for _ in range(p.one((1, 2, 8)))]}
    return hidden({"type": "attach_consequence", "id": f"quiet-{place}", **order})


# At a table


def table_of(graph: Graph, *, quietly: bool = False) -> Table:
    """Return a table with the things of a graph's room; with `quietly` hidden ones do nothing in public."""
    table = Table(dice=LEDGER)
    table.room, records, texts = _started(graph.room, quietly)
    table.records, table.texts = list(records), list(texts)
    return table


@cache
def _started(room: int, quietly: bool) -> tuple[Room, tuple[Record, ...], tuple[str, ...]]:
    table = Table(dice=LEDGER)
    for order in _things(Random(room), quietly):
        table.do(order, dice=LEDGER)
    return table.room, tuple(table.records), tuple(table.texts)


def _things(chance: Random, quietly: bool) -> Iterator[Fields]:
    for one in CHARACTERS:
        yield {"type": "add_character", "id": one, "name": one, "owner": ANN.seat_id}
        yield {"type": "set_track", "character_id": one, "track": "breath", "value": 3, "most": 6}
    for one in (*CLOCKS, *HIDDEN_CLOCKS):
        seen = HIDDEN if one in HIDDEN_CLOCKS else {"owner": ANN.seat_id}
        yield {"type": "start_clock", "id": one, "name": one, "size": chance.choice((1, 1, 1, 2)), **seen}
    yield {"type": "start_clock", "id": "tide", "name": "Tide", "size": 2, "visibility": "sealed"}
    for one in _ALL_COUNTDOWNS:
        yield _countdown(one, chance, quietly and one in HIDDEN_COUNTDOWNS)
    yield from (*SCENE, *_ROLLS)
    fumble = {
        "effect": "You trip.",
        "do": [{"does": "give_state", "name": "down"}, {"does": "tick", "thing_id": "c0", "by": 1}],
    }
    yield {"type": "set_effects", "thing_id": "ada", "fumble_effects": ["You trip."], "fumble_does": [fumble]}


def _countdown(one: str, chance: Random, quietly: bool) -> Fields:
    may = {name: chance.random() < 0.5 for name in ("stabilizable", "replenishable")}
    seen = HIDDEN if one in HIDDEN_COUNTDOWNS else {"visibility": "sealed"} if one == "gas" else {"owner": ANN.seat_id}
    ends: Fields = {"about": "bea", "fate": "dies"} if chance.random() < 0.3 and not quietly else {}
    again: Fields = {"repeats": chance.choice(("same", "d6"))} if one == "loop" else {}
    some = {"pool": chance.choice((1, 2, 3)), "speed": chance.choice(("slow", "fast")), "stages": STAGES}
    start = {"type": "start_countdown", "id": one, "name": one, "bound_to": "nothing"}
    return {**start, **some, **may, **seen, **ends, **again}


def attach(table: Table, place: int, order: Fields, *, or_hidden: bool = True) -> None:
    """Attach a consequence, if it can be; one that names what is hidden is hidden, too, or left out."""
    try:
        _write(table, place, order, GM)
    except Refused as refused:
        if or_hidden and refused.code is Code.SECRET_NAMED:
            attach(table, place, hidden(order))


def give(table: Table, place: int, order: Fields, by: Actor) -> list[Record]:
    """Give an order, which leaves no trace if it is refused."""
    with suppress(Refused):
        return _write(table, place, order, by)
    return []


def _write(table: Table, place: int, order: Fields, by: Actor) -> list[Record]:
    table.now_ms, fresh = 2_000 + place, count(place * 1_000)
    table.fresh = lambda: f"{next(fresh):012x}"  # type: ignore[method-assign]
    return table.write(order, by=by, dice=LEDGER)
