"""How events of the room, of plain rolls and of secrets change a view."""

from collections.abc import Callable
from typing import Any

from dreadclock.wire import events as e
from dreadclock.wire.base import HiddenKind, Id, Kind, RollProof, Visibility
from dreadclock.wire.family import FIELDS, Changes, family_of, without
from dreadclock.wire.folds.keeping import counted, latest
from dreadclock.wire.things import Lane, Roll
from dreadclock.wire.views import ChannelView

ROLLS_KEPT = 32
LANE_LENGTH = 1024  # rolls


def lane_used(part: ChannelView, proof: RollProof) -> dict[str, Lane]:
    """Count a roll in its lane."""
    lane = part.lanes[proof.lane].model_copy(update={"used": proof.n})
    return {**part.lanes, proof.lane: lane}


def lane_closed(part: ChannelView, kind: HiddenKind, thing_id: Id) -> Changes:
    """Forget the lane of a hidden thing that will not be rolled again."""
    label = f"thing/{kind}/{thing_id}"
    return {"lanes": {key: lane for key, lane in part.lanes.items() if key != label}} if label in part.lanes else {}


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
    }


def _lane_opened(part: ChannelView, event: e.LaneOpened) -> Changes:
    fresh = event.lane
    current = {
        label: lane
        for label, lane in part.lanes.items()
        if fresh.seat_id is None or lane.seat_id != fresh.seat_id or lane.used < LANE_LENGTH
    }
    counts = counted(part, f"lane/{fresh.seat_id}") if fresh.seat_id is not None else {}
    return {"lanes": {**current, fresh.label: fresh}, **counts}


def _character_added(part: ChannelView, event: e.CharacterAdded) -> Changes:
    one = event.character
    return {"characters": {**part.characters, one.id: one}, **counted(part, Kind.CHARACTER, one.id)}


def _character_updated(part: ChannelView, event: e.CharacterUpdated) -> Changes:
    return {"characters": {**part.characters, event.character.id: event.character}}


def _dice_rolled(part: ChannelView, event: e.DiceRolled) -> Changes:
    kept = _latest_rolls({**part.rolls, event.roll.id: event.roll})
    return {"rolls": kept, **counted(part, Kind.ROLL, event.roll.id), **lane_closed(part, Kind.ROLL, event.roll.id)}


def _latest_rolls(rolls: dict[Id, Roll]) -> dict[Id, Roll]:
    """Keep the latest sealed ones on their own, so that they last exactly as long as their stubs in public."""
    rolls = latest(rolls, lambda roll: roll.visibility is Visibility.SEALED, ROLLS_KEPT)
    return latest(rolls, lambda roll: roll.visibility is not Visibility.SEALED, ROLLS_KEPT)


def _sealed_started(part: ChannelView, event: e.SealedStarted) -> Changes:
    thing = event.thing
    sealed = latest({**part.sealed, thing.id: thing}, lambda one: one.kind is Kind.ROLL, ROLLS_KEPT)
    return {"sealed": sealed, **counted(part, thing.kind, thing.id)}


def _revealed(part: ChannelView, event: e.Revealed) -> Changes:
    was_sealed = event.id in part.sealed
    changes: Changes = {} if was_sealed else counted(part, event.kind, event.id)
    changes["sealed"] = {key: thing for key, thing in part.sealed.items() if key != event.id}
    for field in FIELDS:
        if arrived := getattr(event.things, field):
            changes[field] = {**getattr(part, field), **{thing.id: thing for thing in arrived}}
    if event.things.rolls:
        changes["rolls"] = _latest_rolls({**part.rolls, **{roll.id: roll for roll in event.things.rolls}})
    return changes


def _made_public(part: ChannelView, event: e.MadePublic) -> Changes:
    return {**without(part, family_of(part, event.kind, event.id)), **lane_closed(part, event.kind, event.id)}


def _cancelled(part: ChannelView, event: e.Cancelled) -> Changes:
    return without(part, family_of(part, event.kind, event.id))


FOLDS: dict[type[e.EventBase], Callable[[ChannelView, Any], Changes]] = {
    e.RoomOpened: _opened,
    e.RoomClosed: lambda part, event: {"closed": True},
    e.PolicySet: lambda part, event: {"policy": event.policy},
    e.SeatJoined: _seat_joined,
    e.SeatRenamed: _seat_renamed,
    e.SeatRemoved: _seat_removed,
    e.CharacterAdded: _character_added,
    e.CharacterUpdated: _character_updated,
    e.LaneOpened: _lane_opened,
    e.DiceRolled: _dice_rolled,
    e.SealedStarted: _sealed_started,
    e.SealedChanged: lambda part, event: {},
    e.Revealed: _revealed,
    e.MadePublic: _made_public,
    e.Cancelled: _cancelled,
}
