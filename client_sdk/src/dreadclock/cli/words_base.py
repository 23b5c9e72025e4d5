"""What the sentences about every sort of event have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from dreadclock.wire.base import Channel, Id
from dreadclock.wire.events import Event, SeatRenamed
from dreadclock.wire.records import Record
from dreadclock.wire.views import View

_STARTS: Final = {  # which field holds what an event starts
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
}
_ARTICLE = re.compile(r"^(The|An|A) ")


def dice(number: int) -> str:
    """Count dice in words."""
    return "1 die" if number == 1 else f"{number or 'no'} dice"


def more_dice(number: int) -> str:
    """Count added dice in words."""
    return "1 more die" if number == 1 else f"{number} more dice"


def shown(faces: Iterable[int]) -> str:
    """Write faces as digits, in their order."""
    return " ".join(map(str, faces))


def within(name: str) -> str:
    """Write the name of somebody as it goes within a sentence: the warden, not The warden."""
    return _ARTICLE.sub(lambda article: article[0].lower(), name)


def named_id(seat_id: Id) -> str:
    """Make a name of the id of a seat that nobody knows another one of: Player 1."""
    return seat_id.replace("-", " ").capitalize()


def started(event: Event, kind: str | None = None) -> Any | None:
    """Return what an event starts, if it starts something, and it is of this kind."""
    field = _STARTS.get(event.type)
    return getattr(event, field) if field is not None and kind in (None, field) else None


class EventWords:
    """What the sentences say of an event, beside its own fields.

    Names come from `views`, of which the first that knows a thing counts, or from what they remember of its start.
    """

    def __init__(self, record: Record, *views: View) -> None:
        self._event: Any = record.event
        self._record, self._views = record, views

    def _find(self, kind: str, thing_id: Id) -> Any | None:
        """Find a thing of a kind like `check`, even one that was taken back lately."""
        for view in self._views:
            if thing_id in (things := getattr(view, f"{kind}s")):
                return things[thing_id]
        begun = (started(record.event, kind) for record in self._remembered())
        return next((thing for thing in begun if thing is not None and thing.id == thing_id), None)

    def _remembered(self) -> Iterator[Record]:
        """Go through the latest records, backwards."""
        for view in self._views:
            for part in view.channels.values():
                yield from reversed(part.recent)

    def _seat(self, seat_id: Id) -> str:
        seat = self._find("seat", seat_id)
        return within(seat.name) if seat else named_id(seat_id)

    def _name(self, kind: str, thing_id: Id) -> str:
        thing = self._find(kind, thing_id)
        return str(thing.name) if thing else thing_id

    def _character(self, character_id: Id) -> str:
        return within(self._name("character", character_id))

    @property
    def by(self) -> str:
        return self._seat(self._record.by)

    @property
    def formerly(self) -> str:
        """How a seat was called before it was renamed."""
        seat_id, now = self._event.seat_id, self._event.name
        for record in self._remembered():
            if record.channel is Channel.PUBLIC and record.seq < self._record.seq:
                seat = started(record.event, "seat")
                if seat is not None and seat.id == seat_id:
                    return str(seat.name)
                if isinstance(record.event, SeatRenamed) and record.event.seat_id == seat_id:
                    return record.event.name
        known = (view.seats[seat_id].name for view in self._views if seat_id in view.seats)
        return next((name for name in known if name != now), named_id(seat_id))

    @property
    def character(self) -> str:
        return self._character(self._event.character_id)

    @property
    def faces(self) -> str:
        return shown(self._event.faces)

    @property
    def physically(self) -> str:
        return " with dice of their own" if self._event.physical else ""
