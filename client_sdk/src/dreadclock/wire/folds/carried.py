"""How a room takes over what another one left open."""

from dreadclock.wire.events import RoomContinued
from dreadclock.wire.family import FIELDS, Changes
from dreadclock.wire.views import ChannelView


def continued(part: ChannelView, event: RoomContinued) -> Changes:
    """Add what is carried over; it goes on being counted, and its ids stay taken."""
    carried = event.carried
    fields = (*FIELDS, "characters", "totals")
    things = {name: {**getattr(part, name), **{one.id: one for one in getattr(carried, name)}} for name in fields}
    return {
        **things,
        "secrets": {**part.secrets, **{one.total_id: one for one in carried.secrets}},
        "turn": event.turn,
        "made": {**part.made, **carried.made},
        "taken": tuple(dict.fromkeys((*part.taken, *carried.taken))),
    }
