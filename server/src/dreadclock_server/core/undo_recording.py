"""Recording commands in the undo log: what each told and touched, and how things were before it."""

from collections.abc import Mapping, Sequence
from itertools import compress
from operator import is_not
from typing import Any, NamedTuple

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Model
from dreadclock.wire.families.corrections import RESTORED_FIELDS, RestoredField
from dreadclock.wire.records import Record
from dreadclock.wire.things import Place, Restored
from dreadclock.wire.views import ChannelView
from dreadclock_server.core.room import Room, Written, with_undo_logs
from dreadclock_server.core.undo_log import OF_DICE, Reason, ToldIn, UndoEntry, UndoLogs, reason_against, reason_of

NOTHING = Restored()
_BESIDE = (e.SealedChanged, e.EditionChanged)  # what a command tells of besides itself
_MODELS = type(Model)  # the class of models: isinstance takes longer where something is none
_FAMILIES = frozenset(RESTORED_FIELDS)
_SCALARS = frozenset(("turn", "policy"))
_FINAL = frozenset(("title", "closed", "seats", "sealed", "lanes", "shown"))  # what never goes back


class Differing(NamedTuple):
    """What a command left otherwise in a channel, by name."""

    scalars: Sequence[str]
    things: Mapping[RestoredField, Sequence[Id]]
    final: Sequence[str]  # what never goes back


def recorded(before: Room, after: Room, written: Sequence[Written], *, is_whole: bool = True) -> Room:
    """Return the room with one more command noted; `is_whole` tells whether these are all its records, and no others.

    `before`: the room before the first of them, `after` the one after the last.
    """
    if not written:
        return after
    by_channel: dict[Channel, list[Record]] = {}
    for each in written:
        by_channel.setdefault(each.record.channel, []).append(each.record)
    events = [each.record.event for each in written]
    kinds = set(map(type, events))
    changes = {each: _differing(before.view.channels[each], after.view.channels[each]) for each in by_channel}
    unknown = None if is_whole else Reason.UNKNOWN
    reason = reason_against(events, before.view) or unknown or _lasting(changes)
    public_reason = reason
    if reason is not None and len(by_channel) > 1:
        public_reason = _in_public(before, by_channel, changes) or unknown
    touched = [name for channel, each in changes.items() for name in _touched(channel, each)]
    told = dict[Channel, ToldIn]()
    for channel, records in by_channel.items():
        stands = public_reason if channel is Channel.PUBLIC else reason
        old, new = before.view.channels[channel], after.view.channels[channel]
        told[channel] = _told(records, NOTHING if stands else _restoring(old, new, changes[channel]), stands)
    hints = tuple([event for event in events if type(event) is e.SealedChanged]) if e.SealedChanged in kinds else ()
    first = written[0].record
    entry = UndoEntry(told, hints, tuple(touched), reason, first.acted_for or first.by, public_reason)
    known = _with_voided(before.undo_logs, written) if e.CommandVoided in kinds else before.undo_logs
    return with_undo_logs(after, known.then(entry))


def _in_public(
    before: Room, told: Mapping[Channel, Sequence[Record]], changes: Mapping[Channel, Differing]
) -> Reason | None:
    """Return the reason against a command for those who do not know what else it did."""
    public = Channel.PUBLIC
    if public not in told:
        return None
    events = [each.event for each in told[public]]
    return reason_against(events, before.view.public) or _lasting({public: changes[public]})


def _lasting(changes: Mapping[Channel, Differing]) -> Reason | None:
    """Return the reason against what changed that never goes back."""
    return Reason.DICE if any(each.final for each in changes.values()) else None


def _with_voided(known: UndoLogs, written: Sequence[Written]) -> UndoLogs:
    """Return the undo logs so far, with the entry marked that was just taken back."""
    records = [each.record for each in written]
    taken_back = {(each.channel, each.event.first) for each in records if type(each.event) is e.CommandVoided}
    return UndoLogs.of([_marked(entry, taken_back) for entry in known.entries])


def _marked(entry: UndoEntry, taken_back: set[tuple[Channel, int]]) -> UndoEntry:
    channels = {channel for channel, told in entry.told.items() if (channel, told.first) in taken_back}
    return entry.without(channels) if channels else entry


def _told(here: Sequence[Record], before: Restored, reason: Reason | None) -> ToldIn:
    first, last = here[0], here[-1]
    own = [record.event for record in here if type(record.event) not in _BESIDE]
    physical = reason is None and any(reason_of(event) in OF_DICE for event in own)
    return ToldIn(first.seq, last.seq, (own[0] if own else first.event).type, not own, before, physical)


def _touched(channel: Channel, differing: Differing) -> list[str]:
    touched = [f"{channel}/{name}" for name in differing.scalars] if differing.scalars else []
    for family, keys in differing.things.items():
        touched += [f"{channel}/{family}/{key}" for key in keys]
    return touched


def _differing(old: ChannelView, new: ChannelView) -> Differing:
    """Name what differs.

    Folds leave all that they do not change the very objects that they were.
    """
    was_all, now_all = old.__dict__, new.__dict__
    scalars, final = list[str](), list[str]()
    changed: dict[RestoredField, list[Id]] = {}
    for name in compress(now_all, map(is_not, was_all.values(), now_all.values())):
        was, is_now = was_all[name], now_all[name]
        if name in _FAMILIES:
            if keys := _changed(was, is_now):
                changed[name] = keys
        elif name in _SCALARS:
            if _differs(was, is_now):
                scalars.append(name)
        elif name in _FINAL and _differs(was, is_now):
            final.append(name)
    return Differing(scalars, changed, final)


def _changed(was: Mapping[Id, object], is_now: Mapping[Id, object]) -> list[Id]:
    """Name the things of a family that differ: what was there before comes first, in its order."""
    keys = [key for key, thing in was.items() if (now := is_now.get(key)) is not thing and _differs(thing, now)]
    return keys if was.keys() == is_now.keys() else keys + [key for key in is_now if key not in was]


def _differs(one: object, other: object) -> bool:
    if type(one) is type(other) and type(type(one)) is _MODELS:
        return one.__dict__ != other.__dict__  # what pydantic compares, too, after a look at much else
    return one != other


def _restoring(old: ChannelView, new: ChannelView, differing: Differing) -> Restored:
    """Say what must be copied to undo what differs."""
    fields: dict[str, Any] = {name: getattr(old, name) for name in differing.scalars}
    removed: dict[RestoredField, tuple[Id, ...]] = {}
    places: dict[RestoredField, tuple[Place, ...]] = {}
    for family, keys in differing.things.items():
        was = getattr(old, family)
        fields[family] = tuple(was[key] for key in keys if key in was)
        if gone := tuple(key for key in keys if key not in was):
            removed[family] = gone
        if moved := _places(list(was), list(getattr(new, family)), keys):
            places[family] = moved
    return Restored.trusted(**fields, removed=removed, places=places)


def _places(was: list[Id], is_now: list[Id], changed: Sequence[Id]) -> tuple[Place, ...]:
    """Say where those of the changed things were that have gone or moved."""
    if was == is_now[: len(was)]:
        return ()
    known, left = set(was), set(is_now)
    stayed = [key for key in was if key in left] == [key for key in is_now if key in known]
    places = (key for key in changed if key in known and not (stayed and key in left))
    return tuple(Place.model_construct(id=key, after=was[at - 1] if (at := was.index(key)) else None) for key in places)
