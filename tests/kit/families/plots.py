"""A scene that everyone sees with a hidden situation in it: commands, and what is told of them."""

from typing import Any

from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.events import Event, MadePublic, Revealed, SealedChanged, SealedStarted
from dreadclock.wire.things import Sealed
from kit.families.races import RUN, opened
from kit.tables import Order, Table

PUBLIC, HIDDEN = Channel.PUBLIC, Channel.GM
PARLEY = {**RUN, "id": "parley", "name": "Parley", "kind": "standard", "content": "social", "clock": 1} | {
    "visibility": "sealed"
}
PLOT = {**PARLEY, "id": "gm-plot", "name": "Plot", "visibility": "gm"}
STARTED = SealedStarted(thing=Sealed(kind=Kind.SITUATION, id="parley", name="Parley"))
CHANGED = SealedChanged(kind=Kind.SITUATION, id="parley", name="Parley")


def spy(situation_id: str) -> dict[str, Any]:
    return {"type": "add_challenge", "id": "gm-spy", "situation_id": situation_id, "name": "Spy", "kind": "foe"}


def parley(scene: int = 5) -> Table:
    """Open a scene with a sealed situation in it, and a foe in that."""
    table = opened(scene)
    table.do(PARLEY)
    table.do(spy("parley"))
    return table


def plot(scene: int = 5) -> Table:
    """Open a scene with a situation in it that only the gm knows, and a foe in that."""
    table = opened(scene)
    table.do(PLOT)
    table.do(spy("gm-plot"))
    return table


def told(table: Table, order: Order) -> list[tuple[Channel, Event | type[Revealed]]]:
    """Do a command and return its events with their channels; of a reveal only that it is one."""
    events = [(record.channel, record.event) for record in table.write(order)]
    return [(channel, Revealed if isinstance(event, Revealed) else event) for channel, event in events]


def made_public(situation_id: str) -> MadePublic:
    return MadePublic(kind=Kind.SITUATION, id=situation_id)
