"""Recording commands in the undo log: what each told and touched, and how things were before it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Model
from dreadclock.wire.families.corrections import RESTORED_FIELDS, RestoredField
from dreadclock.wire.records import Record
from dreadclock.wire.things import Place, Restored
from dreadclock.wire.views import ChannelView
from dreadclock_server.core.room import Room, Written, with_undo_log
from dreadclock_server.core.undo_log import OF_DICE, Reason, ToldIn, UndoEntry, UndoLog, reason_against, reason_of

NOTHING = Restored()
_BESIDE = (e.SealedChanged, e.EditionChanged)  # what a command tells of besides itself
_families = attrgetter(*RESTORED_FIELDS)
_SCALARS = ("turn", "policy")
_FINAL = ("title", "closed", "seats", "sealed", "lanes", "shown")  # what never goes back


def recorded(before: Room, after: Room, written: Sequence[Written], *, is_whole: bool = True) -> Room:
    """Return the room with one more command noted; `is_whole` tells whether these are all its records, and no others.

    `before`: the room before the first of them, `after` the one after the last.
    """
    if not written:
        return after
    records = [each.record for each in written]
    events = [record.event for record in records]
    reason = reason_against(events, before.view) or (None if is_whole else Reason.UNKNOWN)
    told: dict[Channel, ToldIn] = {}
    touched: list[str] = []
    for channel in dict.fromkeys([record.channel for record in records]):
        old, new = before.view.channels[channel], after.view.channels[channel]
        scalars, changed = _differing(old, new, _SCALARS), _changed(old, new)
        touched += _touched(channel, scalars, changed)
        reason = reason or (Reason.DICE if _differing(old, new, _FINAL) else None)
        here = [record for record in records if record.channel is channel]
        told[channel] = _told(here, NOTHING if reason else _restoring(old, new, scalars, changed), reason)
    hints = tuple([event for event in events if type(event) is e.SealedChanged])
    entry = UndoEntry(told, hints, tuple(touched), reason)
    return with_undo_log(after, _with_voided(before, records).then(entry))


def _with_voided(before: Room, records: Sequence[Record]) -> UndoLog:
    """Return the undo log so far; an entry that was just taken back is marked."""
    taken_back = {(each.channel, each.event.first) for each in records if type(each.event) is e.CommandVoided}
    return UndoLog(_marked(entry, taken_back) for entry in before.undo_log) if taken_back else before.undo_log


def _marked(entry: UndoEntry, taken_back: set[tuple[Channel, int]]) -> UndoEntry:
    is_voided = any((channel, told.first) in taken_back for channel, told in entry.told.items())
    return replace(entry, reason=Reason.VOIDED) if is_voided else entry


def _told(here: Sequence[Record], before: Restored, reason: Reason | None) -> ToldIn:
    own = [record for record in here if type(record.event) not in _BESIDE]
    physical = reason is None and any(reason_of(record.event) in OF_DICE for record in own)
    return ToldIn(here[0].seq, here[-1].seq, (own or here)[0].event.type, not own, before, physical)


def _changed(old: ChannelView, new: ChannelView) -> dict[RestoredField, list[Id]]:
    """Name what differs, by family: what was there before comes first, in its order."""
    changed: dict[RestoredField, list[Id]] = {}
    for family, was, is_now in zip(RESTORED_FIELDS, _families(old), _families(new), strict=True):
        if was is not is_now:
            keys = [key for key, thing in was.items() if _differs(thing, is_now.get(key))]
            keys += [key for key in is_now if key not in was]
            if keys:
                changed[family] = keys
    return changed


def _touched(channel: Channel, scalars: Sequence[str], changed: Mapping[RestoredField, Sequence[Id]]) -> list[str]:
    things = [f"{channel}/{family}/{key}" for family, keys in changed.items() for key in keys]
    return [f"{channel}/{name}" for name in scalars] + things


def _differing(old: ChannelView, new: ChannelView, names: Sequence[str]) -> list[str]:
    return [name for name in names if _differs(getattr(old, name), getattr(new, name))]


def _differs(one: object, other: object) -> bool:
    if one is other:
        return False
    if isinstance(one, Model) and type(one) is type(other):
        return one.__dict__ != other.__dict__  # what pydantic compares, too, after a look at much else
    return one != other


def _restoring(
    old: ChannelView, new: ChannelView, scalars: Sequence[str], changed: Mapping[RestoredField, Sequence[Id]]
) -> Restored:
    """Say what must be copied to undo what differs."""
    fields: dict[str, Any] = {name: getattr(old, name) for name in scalars}
    removed: dict[RestoredField, tuple[Id, ...]] = {}
    places: dict[RestoredField, tuple[Place, ...]] = {}
    for family, keys in changed.items():
        was = getattr(old, family)
        fields[family] = tuple(was[key] for key in keys if key in was)
        if gone := tuple(key for key in keys if key not in was):
            removed[family] = gone
        if moved := _places(list(was), list(getattr(new, family)), keys):
            places[family] = moved
    return Restored.model_construct(**fields, removed=removed, places=places)


def _places(was: list[Id], is_now: list[Id], changed: Sequence[Id]) -> tuple[Place, ...]:
    """Say where those of the changed things were that have gone or moved."""
    if was == is_now[: len(was)]:
        return ()
    known, left = set(was), set(is_now)
    stayed = [key for key in was if key in left] == [key for key in is_now if key in known]
    places = (key for key in changed if key in known and not (stayed and key in left))
    return tuple(Place.model_construct(id=key, after=was[at - 1] if (at := was.index(key)) else None) for key in places)
