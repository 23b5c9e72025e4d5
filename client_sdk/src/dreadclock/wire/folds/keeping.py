"""How much a view remembers: counts, ids in use, and the latest of what has ended."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from dreadclock.wire.base import Id, Kind
from dreadclock.wire.family import Changes
from dreadclock.wire.ids import is_server_made
from dreadclock.wire.views import ChannelView

_Thing = TypeVar("_Thing")


def counted(part: ChannelView, kind: Kind | str, thing_id: Id | None = None) -> Changes:
    """Count one more thing of its kind, and remember an id that a command chose."""
    changes: Changes = {"made": {**part.made, kind: part.made.get(kind, 0) + 1}}
    if thing_id is not None and not is_server_made(thing_id):
        changes["taken"] = (*part.taken, thing_id)
    return changes


def latest(things: Mapping[Id, _Thing], ended: Callable[[_Thing], bool], most: int) -> dict[Id, _Thing]:
    """Drop the oldest of the things that have ended, until at most `most` of them are left."""
    over = sum(map(ended, things.values())) - most
    kept: dict[Id, _Thing] = {}
    for key, thing in things.items():
        if over > 0 and ended(thing):
            over -= 1
        else:
            kept[key] = thing
    return kept
