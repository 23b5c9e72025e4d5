"""The undo log: a room's latest commands, what each told and touched, and how things were before it."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Model
from dreadclock.wire.families.base import Change, Changes, NoUndo
from dreadclock.wire.families.corrections import RESTORED_FIELDS, rests_on_real_dice
from dreadclock.wire.records import Record
from dreadclock.wire.things import Place, Restored
from dreadclock.wire.views import ChannelView, View

UNDO_KEPT = 64
_IN_PUBLIC = f"{Channel.PUBLIC}/"


# These two never change once they are made. Each command makes some, and frozen they would take three times as long.


@dataclass(slots=True)
class ToldIn:
    """What a command told in one channel: its records, the type of the first of its own, and the state before it."""

    first: int
    last: int
    what: str
    only_hints: bool  # whether it told of nothing but that sealed things changed
    before: Restored
    physical: bool = False  # whether it threw dice, which were all real ones


@dataclass(slots=True)
class UndoEntry:
    """One command that told of something."""

    told: dict[Channel, ToldIn]
    hints: tuple[e.SealedChanged, ...] = ()
    touched: tuple[str, ...] = ()  # `channel/family/id` of what is not as it was before it
    # why it cannot be taken back; `bar` in snapshots
    reason: Annotated[NoUndo | None, Field(alias="bar")] = None
    giver: Id | None = None  # the seat that gave it, or for which it was given; None in older snapshots
    public_reason: NoUndo | None = NoUndo.UNKNOWN  # why not, for those who see what it did in public alone
    left: tuple[str, ...] = ()  # of `touched`, what stayed as it was when the rest was taken back

    @property
    def standing(self) -> tuple[str, ...]:
        """What is not as it was before it: what was left if it was taken back, nothing if it took another one back."""
        return self.left if self.reason is NoUndo.VOIDED else () if self.reason is NoUndo.VOID else self.touched

    @property
    def in_public(self) -> "UndoEntry":
        """The entry as it would be had the command done nothing but what everyone saw. It must be told in public."""
        if len(self.told) == 1 and not self.hints:
            return self
        touched = tuple(key for key in self.touched if key.startswith(_IN_PUBLIC))
        parts = {Channel.PUBLIC: self.told[Channel.PUBLIC]}
        return UndoEntry(parts, (), touched, self.public_reason, self.giver, self.public_reason)

    def without(self, taken_back: Set[Channel]) -> "UndoEntry":
        """Return the entry once it was taken back in these channels."""
        left = tuple(key for key in self.touched if key.split("/")[0] not in taken_back)
        public_reason = NoUndo.VOIDED if Channel.PUBLIC in taken_back else self.public_reason
        return replace(self, reason=NoUndo.VOIDED, public_reason=public_reason, left=left)


UNDO_ENTRIES: TypeAdapter[tuple[UndoEntry, ...]] = TypeAdapter(tuple[UndoEntry, ...])


UndoLog = tuple[UndoEntry, ...]  # the latest, oldest first


def place_of(log: UndoLog, channel: Channel, seq: int) -> int | None:
    """Return the place of the command that a record is of, None if it is not among these."""
    for place, entry in enumerate(log):
        part = entry.told.get(channel)
        if part is not None and part.first <= seq <= part.last:
            return place
    return None


class UndoLogs(NamedTuple):
    """A room's undo log, and beside it that of what everyone saw.

    Separate logs, so that the depth of the public one does not tell how many hidden commands came since.
    """

    all: UndoLog
    public: UndoLog

    @classmethod
    def of(cls, entries: Sequence[UndoEntry]) -> "UndoLogs":
        """Sort entries, oldest first, into both."""
        in_public = [entry for entry in entries if Channel.PUBLIC in entry.told]
        return cls(tuple(entries[-UNDO_KEPT:]), tuple(in_public[-UNDO_KEPT:]))

    def then(self, entry: UndoEntry) -> "UndoLogs":
        """Return these with one more."""
        public = (*self.public[1 - UNDO_KEPT :], entry) if Channel.PUBLIC in entry.told else self.public
        return UndoLogs((*self.all[1 - UNDO_KEPT :], entry), public)

    @property
    def entries(self) -> tuple[UndoEntry, ...]:
        """Those of both, each once, oldest first."""
        listed = {entry.told[Channel.PUBLIC].first for entry in self.all if Channel.PUBLIC in entry.told}
        return (*(entry for entry in self.public if entry.told[Channel.PUBLIC].first not in listed), *self.all)


_ORDER = list(NoUndo)
OF_DICE = (NoUndo.DICE, NoUndo.CRISIS)  # which real dice, that may be mistyped, are no reasons for


def reason_against(events: Sequence[e.Event], before: View | ChannelView) -> NoUndo | None:
    """Return the first reason why a command with these events can never be taken back, None if there is none.

    `before`: what was seen before it. Real dice can be mistyped, so what they brought can go back. Source: rules.md E7.
    """
    reasons = [why for event in events if (why := event.why_no_undo()) is not None]
    if reasons and rests_on_real_dice(events, before):
        reasons = [reason for reason in reasons if reason not in OF_DICE]
    return min(reasons, key=_ORDER.index, default=None)


# Recording a command

NOTHING = Restored()
_BESIDE = (e.SealedChanged, e.EditionChanged)  # what a command tells of besides itself
_MODELS = type(Model)  # the class of models: isinstance takes longer where something is none
_SCALARS = ("turn", "policy")
_FINAL = ("title", "closed", "seats", "sealed", "lanes", "shown")  # what never goes back
_NOTED = frozenset((*RESTORED_FIELDS, *_SCALARS, *_FINAL))
_Differing = Mapping[str, Sequence[Any]]  # by field of a channel's view: the keys that differ, [None] if it has none


def recorded(
    logs: UndoLogs,
    before: View,
    after: View,
    changes: Mapping[Channel, Changes],
    records: Sequence[Record],
    *,
    is_whole: bool,
) -> UndoLogs:
    """Return the undo logs with one more command, which made these changes and wrote these records.

    `is_whole`: whether these are all its records, and no others.
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
        parts[channel] = _told(written, NOTHING if stands else _restoring(old, new, differing[channel]), stands)
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
    """Return the reason against taking a command back, and the one for those who know only its public part."""
    unknown = None if is_whole else NoUndo.UNKNOWN
    reason = reason_against(events, before) or unknown or _lasting(differing.values())
    if reason is None or len(records) == 1:
        return reason, reason
    return reason, _in_public(before, records, differing) or unknown


def _in_public(
    before: View, records: Mapping[Channel, Sequence[Record]], differing: Mapping[Channel, _Differing]
) -> NoUndo | None:
    """Return the reason against a command for those who do not know what else it did."""
    if (public := Channel.PUBLIC) not in records:
        return None
    events = [record.event for record in records[public]]
    return reason_against(events, before.public) or _lasting([differing[public]])


def _lasting(differing: Iterable[_Differing]) -> NoUndo | None:
    """Return the reason against what changed that never goes back."""
    return NoUndo.DICE if any(field in _FINAL for fields in differing for field in fields) else None


def _marked(logs: UndoLogs, undone: Set[tuple[Channel, int]]) -> UndoLogs:
    """Return the logs with the commands marked as taken back whose first records these are."""
    entries = []
    for entry in logs.entries:
        channels = {channel for channel, part in entry.told.items() if (channel, part.first) in undone}
        entries.append(entry.without(channels) if channels else entry)
    return UndoLogs.of(entries)


def _told(here: Sequence[Record], before: Restored, reason: NoUndo | None) -> ToldIn:
    first, last = here[0], here[-1]
    own = [record.event for record in here if type(record.event) not in _BESIDE]
    physical = reason is None and any(event.why_no_undo() in OF_DICE for event in own)
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
    """Name what changes left otherwise: what was there before comes first, in its order."""
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
        return was.__dict__ != is_now.__dict__  # what pydantic compares, too, after a look at much else
    return was != is_now


def _restoring(old: ChannelView, new: ChannelView, differing: _Differing) -> Restored:
    """Say what must be copied to undo what differs."""
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
    """Say where those of the changed things were that have gone or moved."""
    if was == is_now[: len(was)]:
        return ()
    before, left = set(was), set(is_now)
    stayed = [key for key in was if key in left] == [key for key in is_now if key in before]
    places = (key for key in changed if key in before and not (stayed and key in left))
    return tuple(Place.model_construct(id=key, after=was[at - 1] if (at := was.index(key)) else None) for key in places)
