"""How events of sealed and hidden things change a view: they start, come to light, and are taken back."""

from collections.abc import Callable
from typing import Any, Final

from dreadclock.rules.limits import ROLLS_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind
from dreadclock.wire.family import FIELDS, Changes, family_of, without
from dreadclock.wire.folds.checks import latest_checks
from dreadclock.wire.folds.countdowns import latest_countdowns
from dreadclock.wire.folds.keeping import counted, latest
from dreadclock.wire.folds.lanes import lane_closed, sealed_lanes
from dreadclock.wire.folds.room import latest_rolls
from dreadclock.wire.folds.scenes import latest_clocks
from dreadclock.wire.views import ChannelView

# What comes to light counts among the latest that are remembered; scenes and situations see to theirs themselves.
_FORGOTTEN: Final[dict[str, Callable[[dict[Id, Any]], dict[Id, Any]]]] = {
    "countdowns": latest_countdowns,
    "clocks": latest_clocks,
    "rolls": latest_rolls,
    "checks": latest_checks,
}


def _sealed_started(part: ChannelView, event: e.SealedStarted) -> Changes:
    thing = event.thing
    sealed = latest({**part.sealed, thing.id: thing}, lambda one: one.kind is Kind.ROLL, ROLLS_KEPT)
    return {"sealed": sealed, **sealed_lanes(part, sealed, thing), **counted(part, thing.kind, thing.id)}


def _revealed(part: ChannelView, event: e.Revealed) -> Changes:
    was_sealed = event.id in part.sealed
    changes: Changes = {} if was_sealed else counted(part, event.kind, event.id)
    changes["sealed"] = {key: thing for key, thing in part.sealed.items() if key != event.id}
    for field in FIELDS:
        if arrived := getattr(event.things, field):
            known = {**getattr(part, field), **{thing.id: thing for thing in arrived}}
            changes[field] = _FORGOTTEN.get(field, _nothing)(known)
    return {**changes, **lane_closed(part, event.kind, event.id)}


def _nothing(things: dict[Id, Any]) -> dict[Id, Any]:
    return things


def _made_public(part: ChannelView, event: e.MadePublic) -> Changes:
    return {**without(part, family_of(part, event.kind, event.id)), **lane_closed(part, event.kind, event.id)}


def _cancelled(part: ChannelView, event: e.Cancelled) -> Changes:
    return without(part, family_of(part, event.kind, event.id))


FOLDS: dict[type[e.EventBase], Callable[[ChannelView, Any], Changes]] = {
    e.SealedStarted: _sealed_started,
    e.SealedChanged: lambda part, event: {},
    e.Revealed: _revealed,
    e.MadePublic: _made_public,
    e.Cancelled: _cancelled,
}
