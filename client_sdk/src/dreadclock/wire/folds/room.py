"""How events of the room and of plain rolls change a view."""

from collections.abc import Callable
from typing import Any

from dreadclock.rules.limits import ROLLS_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Visibility
from dreadclock.wire.family import Changes
from dreadclock.wire.folds.carried import continued
from dreadclock.wire.folds.keeping import counted, latest
from dreadclock.wire.folds.lanes import lane_closed, lane_opened
from dreadclock.wire.things import Roll
from dreadclock.wire.views import ChannelView


def _opened(part: ChannelView, event: e.RoomOpened) -> Changes:
    return {"title": event.title, "policy": event.policy}


def _seat_joined(part: ChannelView, event: e.SeatJoined) -> Changes:
    return {"seats": {**part.seats, event.seat.id: event.seat}, **counted(part, "seat")}


def _seat_renamed(part: ChannelView, event: e.SeatRenamed) -> Changes:
    seat = part.seats[event.seat_id].model_copy(update={"name": event.name})
    return {"seats": {**part.seats, seat.id: seat}}


def _seat_removed(part: ChannelView, event: e.SeatRemoved) -> Changes:
    return {
        "seats": {key: seat for key, seat in part.seats.items() if key != event.seat_id},
        "lanes": {label: lane for label, lane in part.lanes.items() if lane.seat_id != event.seat_id},
        "made": {key: count for key, count in part.made.items() if key != f"lane/{event.seat_id}"},
        "shown": {key: number for key, number in part.shown.items() if key != event.seat_id},
    }


def _dice_rolled(part: ChannelView, event: e.DiceRolled) -> Changes:
    kept = latest_rolls({**part.rolls, event.roll.id: event.roll})
    return {"rolls": kept, **counted(part, Kind.ROLL, event.roll.id), **lane_closed(part, Kind.ROLL, event.roll.id)}


def latest_rolls(rolls: dict[Id, Roll]) -> dict[Id, Roll]:
    """Keep the latest sealed ones on their own, so that they last exactly as long as their stubs in public."""
    rolls = latest(rolls, lambda roll: roll.visibility is Visibility.SEALED, ROLLS_KEPT)
    return latest(rolls, lambda roll: roll.visibility is not Visibility.SEALED, ROLLS_KEPT)


FOLDS: dict[type[e.EventBase], Callable[[ChannelView, Any], Changes]] = {
    e.RoomOpened: _opened,
    e.RoomContinued: continued,
    e.RoomClosed: lambda part, event: {"closed": True},
    e.PolicySet: lambda part, event: {"policy": event.policy},
    e.SeatJoined: _seat_joined,
    e.SeatRenamed: _seat_renamed,
    e.SeatRemoved: _seat_removed,
    e.LaneOpened: lane_opened,
    e.DiceRolled: _dice_rolled,
}
