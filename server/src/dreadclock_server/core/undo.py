"""The undo log: a room's latest commands, with their records, their changes, and the state before them."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, TypeAdapter

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Model
from dreadclock.wire.families.base import NoUndo
from dreadclock.wire.families.corrections import RESTORED_FIELDS, rests_on_real_dice
from dreadclock.wire.families.folds import Change, Changes
from dreadclock.wire.records import Record
from dreadclock.wire.things import Place, Restored
from dreadclock.wire.views import ChannelView, View

UNDO_KEPT = 64
_IN_PUBLIC = f"{Channel.PUBLIC}/"
# Snapshots store a reason as words. Earlier servers used other words for some reasons: map them to today's. A snapshot
# with unknown words would be invalid, and its room would have to be rebuilt from its whole log.
_EARLIER_WORDS = {
    "a crisis stands": NoUndo.CRISIS,
    "it touched dice, or what they brought": NoUndo.DICE,
    "it sealed something, and only cancelling shows what that was": NoUndo.SEALED,
}
_Reason = Annotated[NoUndo | None, BeforeValidator(lambda words: _EARLIER_WORDS.get(words, words))]


# The next two classes are immutable by convention. `frozen=True` would triple the construction time, and every command
# makes such objects.


@dataclass(slots=True)
class ToldIn:
    """What a command did in one channel.

    `first`, `last`: the seqs of its first and last record. `what`: the type of its first event, except for events that
    only accompany others. `before`: the state to restore.
    """

    first: int
    last: int
    what: str
    only_hints: bool  # whether it only has `sealed_changed` events here
    before: Restored
    physical: bool = False  # whether it rolled dice, all of them physical


@dataclass(slots=True)
class UndoEntry:
    """A command in the undo log. `told`: what it did, by channel. `hints`: its `sealed_changed` events."""

    told: dict[Channel, ToldIn]
    hints: tuple[e.SealedChanged, ...] = ()
    touched: tuple[str, ...] = ()  # `channel/family/id` of everything that the command changed
    # why the command cannot be undone; snapshots name this field `bar`
    reason: Annotated[_Reason, Field(alias="bar")] = None
    giver: Id | None = None  # the seat that sent the command, or for which it was sent; None in older snapshots
    public_reason: _Reason = NoUndo.UNKNOWN  # the reason for viewers who see only its public part
    left: tuple[str, ...] = ()  # the part of `touched` that was not undone

    @property
    def standing(self) -> tuple[str, ...]:
        """The part of `touched` that later undos must not overwrite.

        For an undone command, these are only the changes that were not undone. For an undo, there are none.
        """
        return self.left if self.reason is NoUndo.VOIDED else () if self.reason is NoUndo.VOID else self.touched

    @property
    def in_public(self) -> "UndoEntry":
        """The entry restricted to the public channel. The command must have public events."""
        if len(self.told) == 1 and not self.hints:
            return self
        touched = tuple(key for key in self.touched if key.startswith(_IN_PUBLIC))
        parts = {Channel.PUBLIC: self.told[Channel.PUBLIC]}
        return UndoEntry(parts, (), touched, self.public_reason, self.giver, self.public_reason)

    def without(self, taken_back: Set[Channel]) -> "UndoEntry":
        """Return the entry after an undo in these channels."""
        left = tuple(key for key in self.touched if key.split("/")[0] not in taken_back)
        public_reason = NoUndo.VOIDED if Channel.PUBLIC in taken_back else self.public_reason
        return replace(self, reason=NoUndo.VOIDED, public_reason=public_reason, left=left)


UNDO_ENTRIES: TypeAdapter[tuple[UndoEntry, ...]] = TypeAdapter(tuple[UndoEntry, ...])


UndoLog = tuple[UndoEntry, ...]  # the latest commands, the oldest first


def place_of(log: UndoLog, channel: Channel, seq: int) -> int | None:
    """Return the index of the command that wrote a record; None if this log does not have that command."""
    for place, entry in enumerate(log):
        part = entry.told.get(channel)
        if part is not None and part.first <= seq <= part.last:
            return place
    return None


class UndoLogs(NamedTuple):
    """The undo logs of a room: of all channels, and of the public channel alone.

    Separate logs, so that the depth of the public log does not reveal hidden commands.
    """

    all: UndoLog
    public: UndoLog

    @classmethod
    def of(cls, entries: Sequence[UndoEntry]) -> "UndoLogs":
        """Make both logs from entries, the oldest first."""
        in_public = [entry for entry in entries if Channel.PUBLIC in entry.told]
        return cls(tuple(entries[-UNDO_KEPT:]), tuple(in_public[-UNDO_KEPT:]))

    def then(self, entry: UndoEntry) -> "UndoLogs":
        """Return the logs with another entry."""
        public = (*self.public[1 - UNDO_KEPT :], entry) if Channel.PUBLIC in entry.told else self.public
        return UndoLogs((*self.all[1 - UNDO_KEPT :], entry), public)

    @property
    def entries(self) -> tuple[UndoEntry, ...]:
        """The entries of both logs, without duplicates, the oldest first."""
        listed = {entry.told[Channel.PUBLIC].first for entry in self.all if Channel.PUBLIC in entry.told}
        return (*(entry for entry in self.public if entry.told[Channel.PUBLIC].first not in listed), *self.all)


_ORDER = list(NoUndo)
OF_DICE = (NoUndo.DICE, NoUndo.CRISIS)  # reasons that do not hold for physical dice, because faces may be mistyped


def reason_against(events: Sequence[e.Event], before: View | ChannelView) -> NoUndo | None:
    """Return the first reason, in the order of NoUndo, why a command with these events can never be undone, or None.

    `before`: the view before the command. The faces of physical dice can be mistyped, so their results can be undone.
    Source: rules.md E7.
    """
    reasons = [why for event in events if (why := event.no_undo) is not None]
    if reasons and rests_on_real_dice(events, before):
        reasons = [reason for reason in reasons if reason not in OF_DICE]
    return min(reasons, key=_ORDER.index, default=None)


# Recording a command

NOTHING = Restored()
_BESIDE = (e.SealedChanged, e.EditionChanged)  # events that only accompany a command's own events
_MODELS = type(Model)  # the metaclass of models: `isinstance(value, Model)` is slow for other objects
_SCALARS = ("turn", "policy")
_FINAL = ("title", "closed", "seats", "sealed", "lanes", "shown")  # fields of a view that are never restored
_NOTED = frozenset((*RESTORED_FIELDS, *_SCALARS, *_FINAL))
# By field of a view: the keys whose values differ, or [None] if the field is no dictionary.
_Differing = Mapping[str, Sequence[Any]]


def recorded(
    logs: UndoLogs,
    before: View,
    after: View,
    changes: Mapping[Channel, Changes],
    records: Sequence[Record],
    *,
    is_whole: bool,
) -> UndoLogs:
    """Return the undo logs with another command, which made these changes and wrote these records.

    `is_whole`: whether these are all records of exactly one command. If not, the entry cannot be undone. If the
    command is itself an undo, the command that it undid is marked.
    """
    by_channel: dict[Channel, list[Record]] = {}
    events: list[e.Event] = []
    hints: list[e.SealedChanged] = []
    undone: set[tuple[Channel, int]] = set()
    for record in records:
        by_channel.setdefault(record.channel, []).append(record)
        events.append(record.event)
        if type(record.event) is e.SealedChanged:
            hints.append(record.event)
        elif type(record.event) is e.CommandVoided:
            undone.add((record.channel, record.event.first))
    differing: dict[Channel, _Differing] = {}
    touched: list[str] = []
    for channel in by_channel:
        fields = _differing(before.channels[channel], after.channels[channel], changes.get(channel, ()))
        touched += _touched(channel, fields)
        differing[channel] = fields
    reason, public_reason = _reasons(before, by_channel, events, differing, is_whole=is_whole)
    parts: dict[Channel, ToldIn] = {}
    for channel, written in by_channel.items():
        stands = public_reason if channel is Channel.PUBLIC else reason
        old, new = before.channels[channel], after.channels[channel]
        parts[channel] = _told_in(written, NOTHING if stands else _restoring(old, new, differing[channel]), stands)
    giver = records[0].acted_for or records[0].by
    entry = UndoEntry(parts, tuple(hints), tuple(touched), reason, giver, public_reason)
    return (_marked(logs, undone) if undone else logs).then(entry)


def _reasons(
    before: View,
    records: Mapping[Channel, Sequence[Record]],
    events: Sequence[e.Event],
    differing: Mapping[Channel, _Differing],
    *,
    is_whole: bool,
) -> tuple[NoUndo | None, NoUndo | None]:
    """Return why a command cannot be undone, first for viewers of all of it, then for viewers of its public part only.

    A reason is None if the command can be undone.
    """
    unknown = None if is_whole else NoUndo.UNKNOWN
    reason = reason_against(events, before) or unknown or _lasting(differing.values())
    if reason is None or len(records) == 1:
        return reason, reason
    public = [record.event for record in records.get(Channel.PUBLIC, ())]
    in_public = reason_against(public, before.public) or _lasting([differing.get(Channel.PUBLIC, {})])
    return reason, in_public or unknown


def _lasting(differing: Iterable[_Differing]) -> NoUndo | None:
    """Return NoUndo.DICE if a field changed that an undo never restores, otherwise None."""
    return NoUndo.DICE if any(field in _FINAL for fields in differing for field in fields) else None


def _marked(logs: UndoLogs, undone: Set[tuple[Channel, int]]) -> UndoLogs:
    """Return the logs after undos. `undone`: a channel of each undone command, and its first seq there."""
    entries = []
    for entry in logs.entries:
        channels = {channel for channel, part in entry.told.items() if (channel, part.first) in undone}
        entries.append(entry.without(channels) if channels else entry)
    return UndoLogs.of(entries)


def _told_in(records: Sequence[Record], before: Restored, reason: NoUndo | None) -> ToldIn:
    first, last = records[0], records[-1]
    own = [record.event for record in records if type(record.event) not in _BESIDE]
    physical = reason is None and any(event.no_undo in OF_DICE for event in own)
    return ToldIn(first.seq, last.seq, (own[0] if own else first.event).type, not own, before, physical)


def _touched(channel: Channel, differing: _Differing) -> list[str]:
    touched: list[str] = []
    for field, keys in differing.items():
        if field in _SCALARS:
            touched.append(f"{channel}/{field}")
        elif field not in _FINAL:
            touched += [f"{channel}/{field}/{key}" for key in keys]
    return touched


def _differing(old: ChannelView, new: ChannelView, changes: Iterable[Change]) -> _Differing:
    """Return, by field, the keys whose values differ after the changes: old keys in their order, then new keys."""
    changed: dict[str, dict[str | None, None]] = {}
    for field, key, _ in changes:
        if field in _NOTED:
            changed.setdefault(field, {})[key] = None
    differing: dict[str, list[str | None]] = {}
    for field, keys in changed.items():
        was, is_now = getattr(old, field), getattr(new, field)
        if len(keys) > 1:
            keys = dict.fromkeys([key for things in (was, is_now) for key in things if key in keys])
        for key in keys:
            before, after = (was, is_now) if key is None else (was.get(key), is_now.get(key))
            if before is not after and _differs(before, after):
                differing.setdefault(field, []).append(key)
    return differing


def _differs(was: object, is_now: object) -> bool:
    if type(was) is type(is_now) and type(type(was)) is _MODELS:
        return was.__dict__ != is_now.__dict__  # as pydantic's `__eq__`, but faster
    return was != is_now


def _restoring(old: ChannelView, new: ChannelView, differing: _Differing) -> Restored:
    """Return what an undo has to copy: the old values, the ids of new things, and the old places of moved things."""
    fields: dict[str, Any] = {field: getattr(old, field) for field in _SCALARS if field in differing}
    removed: dict[str, tuple[Id, ...]] = {}
    places: dict[str, tuple[Place, ...]] = {}
    for field, keys in differing.items():
        if field in _SCALARS:
            continue
        was = getattr(old, field)
        fields[field] = tuple(was[key] for key in keys if key in was)
        if gone := tuple(key for key in keys if key not in was):
            removed[field] = gone
        if moved := _places(list(was), list(getattr(new, field)), keys):
            places[field] = moved
    return Restored.trusted(**fields, removed=removed, places=places)


def _places(was: list[Id], is_now: list[Id], changed: Sequence[Id]) -> tuple[Place, ...]:
    """Return the old places of changed things that were removed or moved. A place names the thing before it, None for
    the first place.
    """
    if was == is_now[: len(was)]:
        return ()
    before, left = set(was), set(is_now)
    stayed = [key for key in was if key in left] == [key for key in is_now if key in before]
    places = (key for key in changed if key in before and not (stayed and key in left))
    return tuple(Place.model_construct(id=key, after=was[at - 1] if (at := was.index(key)) else None) for key in places)
