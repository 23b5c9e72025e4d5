"""Folds: functions that apply an event to a view. A view is what one viewer sees of a room.

A fold copies values from the event and applies no rules. A fold never refuses an event: an event is a past fact.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from operator import attrgetter
from typing import Any

from dreadclock.rules.limits import RECENT
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, RollProof
from dreadclock.wire.families import FAMILIES
from dreadclock.wire.families.base import EventBase
from dreadclock.wire.families.dice import lane_rolled
from dreadclock.wire.families.folds import GONE, Changes, Fold
from dreadclock.wire.records import Record
from dreadclock.wire.views import ChannelView, View, copied

FOLDS: dict[type[EventBase], Fold] = {
    event: change
    for family in FAMILIES
    for event, change in import_module(f"dreadclock.wire.families.{family}").FOLDS.items()
}


def fold(view: View, record: Record) -> View:
    """Return the view after a record. The view must include the record's channel.

    Raises KeyError if the record names a thing that the view does not have.
    """
    folding = Folding(view)
    folding.take(record.channel, changes_of(view.channels[record.channel], record.event))
    return folding.end([record])


def changes_of(part: ChannelView, event: e.Event) -> Changes:
    """Return the changes that an event makes in its channel's view, in order.

    If the server rolled the dice, these include changes of a lane: the series of fixed dice from which the roll came.
    """
    changes = FOLDS[type(event)](part, event)
    find = _PROOFS.get(type(event))
    proof = None if find is None else find(event)
    if proof is None or proof.lane not in part.lanes or "lanes" in [field for field, _, _ in changes]:
        return changes
    return changes + lane_rolled(part, proof)


class Folding:
    """A mutable copy of a view, to which events are applied. No other code writes into views.

    Copy on write: a field is copied before its first change, and then changed in place. The original view does not
    change. `view` includes all events so far. Only its `recent` records are missing until `end`. The next event
    changes `view` and its dictionaries, so callers must not keep references to them.
    """

    def __init__(self, view: View) -> None:
        self.view: View
        self.view, self._merged = copied(view)
        self._own: dict[Channel, set[str]] = {}  # by channel, the fields that were copied or replaced

    def take(self, channel: Channel, changes: Changes) -> None:
        """Apply the changes that an event of this channel makes."""
        own = self._own.get(channel)
        if own is None:
            own = self._own[channel] = set()
            self.view.channels[channel] = self.view.channels[channel].model_copy()
        fields = self.view.channels[channel].__dict__
        for field, key, value in changes:
            if key is None:
                fields[field] = value
            else:
                if field not in own:
                    fields[field] = fields[field].copy()
                if value is GONE:
                    fields[field].pop(key, None)
                else:
                    fields[field][key] = value
                self._merged.pop(field, None)
            own.add(field)

    def end(self, records: Sequence[Record]) -> View:
        """Add `records`, the records of the events, to `recent`, and return the view.

        Do not use this object afterwards.
        """
        latest: dict[Channel, list[Record]] = {}
        for record in records:
            latest.setdefault(record.channel, []).append(record)
        for channel, added in latest.items():
            recent = (*self.view.channels[channel].recent, *added)[-RECENT:]
            self.take(channel, [("recent", None, recent)])
        for channel, fields in self._own.items():
            self.view.channels[channel].mark_given(fields)
        return self.view


def proof_of(event: e.Event) -> RollProof | None:
    """Return the proof of an event's roll; None if the server rolled no dice for the event."""
    find = _PROOFS.get(type(event))
    return None if find is None else find(event)


_PROOFS: dict[type[EventBase], Callable[[Any], RollProof | None]] = {
    e.CountdownRolled: attrgetter("proof"),
    e.CountdownRepeated: attrgetter("proof"),
    e.TotalRolled: attrgetter("proof"),
    e.DiceRolled: attrgetter("roll.proof"),
    e.CheckRolled: lambda event: event.part.roll.proof if event.part.roll else None,
    e.CheckResolved: attrgetter("result.proof"),
    e.LuckPushed: attrgetter("push.proof"),
}
