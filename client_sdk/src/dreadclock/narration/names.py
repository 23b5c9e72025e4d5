"""Names of things for sentences: from the views, or from the views' recent records of the things' starts."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from dreadclock.wire.base import Channel, Id, Kind, Visibility
from dreadclock.wire.events import Event, SeatRenamed
from dreadclock.wire.records import Record
from dreadclock.wire.things import Roll
from dreadclock.wire.views import View

KINDS: Final = ("seat", *Kind)

_STARTS: Final = {  # the event's field with the started thing
    "seat_joined": "seat",
    "character_added": "character",
    "countdown_started": "countdown",
    "scene_opened": "scene",
    "situation_started": "situation",
    "challenge_added": "challenge",
    "clock_started": "clock",
    "effort_made": "effort",
    "dice_rolled": "roll",
    "check_proposed": "check",
    "total_proposed": "total",
    "consequence_attached": "consequence",
}


def started_id(event: Event) -> Id | None:
    """Return the id of the thing that an event starts, if commands can name it. Plain rolls: only hidden rolls."""
    thing = started(event)
    if thing is None or (isinstance(thing, Roll) and thing.visibility is Visibility.PUBLIC):
        return None
    return str(thing.id)


def started(event: Event, kind: str | None = None) -> Any | None:
    """Return the thing of this kind that an event starts; None if it starts none."""
    field = _STARTS.get(event.type)
    return getattr(event, field) if field is not None and kind in (None, field) else None


def find(views: Sequence[View], kind: str, thing_id: Id) -> Any | None:
    """Find a thing in the views, or in their recent records, because the thing may be undone by now."""
    for view in views:
        if thing_id in (things := getattr(view, f"{kind}s")):
            return things[thing_id]
    begun = (started(record.event, kind) for record in _remembered(views))
    return next((thing for thing in begun if thing is not None and thing.id == thing_id), None)


def name_before(views: Sequence[View], record: Record) -> str | None:
    """Return the name of a seat before it was renamed."""
    event: Any = record.event
    for earlier in told_before(views, record):
        seat = started(earlier.event, "seat")
        if seat is not None and seat.id == event.seat_id:
            return str(seat.name)
        if isinstance(earlier.event, SeatRenamed) and earlier.event.seat_id == event.seat_id:
            return earlier.event.name
    names = (view.seats[event.seat_id].name for view in views if event.seat_id in view.seats)
    return next((name for name in names if name != event.name), None)


def told_before(views: Sequence[View], record: Record) -> Iterator[Record]:
    """Yield the recent public records before a record, backwards."""
    records = _remembered(views) if record.channel is Channel.PUBLIC else ()
    return (earlier for earlier in records if earlier.channel is Channel.PUBLIC and earlier.seq < record.seq)


def _remembered(views: Sequence[View]) -> Iterator[Record]:
    """Yield the recent records of the views, backwards."""
    for view in views:
        for part in view.channels.values():
            yield from reversed(part.recent)
