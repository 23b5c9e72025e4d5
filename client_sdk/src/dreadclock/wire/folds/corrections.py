"""How taking a command back changes a view: it copies what the event carries."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, get_args

from dreadclock.wire import events as e
from dreadclock.wire.base import Id
from dreadclock.wire.family import Changes
from dreadclock.wire.things import Place
from dreadclock.wire.things.corrections import Family
from dreadclock.wire.views import ChannelView

FAMILIES: Final[tuple[Family, ...]] = get_args(Family)


def key_of(thing: Any) -> Id:
    """Return the id under which a family keeps a thing."""
    key: Id = getattr(thing, "id", None) or thing.total_id
    return key


def _voided(part: ChannelView, event: e.CommandVoided) -> Changes:
    restored = event.restored
    changes: Changes = {name: value for name in ("policy", "turn") if (value := getattr(restored, name)) is not None}
    for family in FAMILIES:
        things, removed = getattr(restored, family), restored.removed.get(family, ())
        if things or removed:
            places = restored.places.get(family, ())
            changes[family] = _as_before(getattr(part, family), things, removed, places)
    return changes


def _as_before(
    known: Mapping[Id, Any], things: Sequence[Any], removed: Sequence[Id], places: Sequence[Place]
) -> dict[Id, Any]:
    """Put things back as they were; those that a place is given for, there, one after the other."""
    moved = {place.id: place.after for place in places}
    result = {key: thing for key, thing in known.items() if key not in removed and key not in moved}
    for thing in things:
        key = key_of(thing)
        result = _placed(result, key, thing, moved[key]) if key in moved else {**result, key: thing}
    return result


def _placed(things: dict[Id, Any], key: Id, thing: Any, after: Id | None) -> dict[Id, Any]:
    """Put a thing right after another one, or first if that is not there."""
    keys = list(things)
    at = keys.index(after) + 1 if after in things else 0
    pairs = list(things.items())
    return dict([*pairs[:at], (key, thing), *pairs[at:]])


FOLDS: dict[type[e.EventBase], Callable[[ChannelView, Any], Changes]] = {e.CommandVoided: _voided}
