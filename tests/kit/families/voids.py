"""A table at which things are taken back, and what there is to take back."""

from typing import Any

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.views import ChannelView
from dreadclock_server.core.draft import Actor
from kit.families import races
from kit.tables import GM, Order, Table

PUBLIC, HIDDEN = Channel.PUBLIC, Channel.GM
CLOCK = {"type": "start_clock", "id": "guards", "name": "Guards", "size": 6}
TICK = {"type": "tick_clock", "clock_id": "guards", "by": 2}
SCENE = {"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 8}
RUN = {**races.RUN, "kind": "standard", "content": "social", "clock": 2}
RACE = {**RUN, "kind": "race", "level": 1, "difficulty": "easy"}
DOOR = {"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier"}
POLICY = {"type": "set_policy", "player_countdowns": False}
FEVER = {"type": "start_countdown", "id": "fever", "name": "Fever", "bound_to": "nothing", "pool": 3}
ADA = {"type": "add_character", "id": "ada", "name": "Ada"}
LEAP = {"type": "propose_check", "id": "leap", "character_id": "ada", "score": 2}
CLIMB = {"type": "propose_total", "id": "climb", "character_id": "ada", "attribute": 3}
REQUIRE = {"type": "set_required", "total_id": "climb", "required": 9}


def table_with(*orders: Order) -> Table:
    table = Table(physical_dice="everyone", check_approval="open")
    for order in orders:
        table.do(order)
    return table


def last(table: Table, channel: Channel = PUBLIC) -> int:
    return table.room.seq(channel)


def void(seq: int, channel: Channel = PUBLIC, reason: str = "a slip") -> dict[str, Any]:
    return {"type": "void_command", "seq": seq, "channel": channel, "reason": reason}


def told(part: ChannelView) -> ChannelView:
    """Leave out of a view what goes on whatever is taken back."""
    return part.model_copy(update={"made": {}, "taken": (), "recent": ()})


def voids(table: Table, order: Order, by: Actor = GM) -> list[Any]:
    """Do something and take it back, see that nothing is left of it, and return what was told of that."""
    before = {channel: told(part) for channel, part in table.view.channels.items()}
    records = table.write(order, by=by)
    events = table.do(void(records[-1].seq, records[-1].channel))
    for channel, part in table.view.channels.items():
        assert told(part) == before[channel]
        assert all(list(getattr(part, name)) == list(getattr(before[channel], name)) for name in ("scenes", "checks"))
    return events


def code_and_why(table: Table, seq: int, channel: Channel = PUBLIC) -> tuple[Code, Any]:
    refused = table.refused(void(seq, channel))
    return refused.code, refused.details.get("why", refused.details.get("id"))
