"""The undo log: a room's latest commands, what each told and touched, and how things were before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, NamedTuple, overload

from pydantic import Field, TypeAdapter

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.families.corrections import rests_on_real_dice
from dreadclock.wire.things import Restored
from dreadclock.wire.views import ChannelView, View

UNDO_KEPT = 64
_IN_PUBLIC = f"{Channel.PUBLIC}/"


class Reason(StrEnum):
    """What keeps a command from being taken back, as the end of a sentence says it."""

    ROOM = "the room itself began or ended with it"
    PEOPLE = "it was about who is at the table"
    CRISIS = "a crisis stands"
    DICE = "it touched dice, or what they brought"
    SHOWN = "it showed everyone what was hidden"
    SEALED = "it sealed something, and only cancelling shows what that was"
    VOID = "it took another command back"
    VOIDED = "it was taken back before"
    NOTHING = "it changed nothing"
    UNKNOWN = "nobody knows any more which records belong to it"


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
    reason: Annotated[Reason | None, Field(alias="bar")] = None
    giver: Id | None = None  # the seat that gave it, or for which it was given; None in older snapshots
    public_reason: Reason | None = Reason.UNKNOWN  # why not, for those who see what it did in public alone
    left: tuple[str, ...] = ()  # of `touched`, what stayed as it was when the rest was taken back

    @property
    def standing(self) -> tuple[str, ...]:
        """What is not as it was before it: what was left if it was taken back, nothing if it took another one back."""
        return self.left if self.reason is Reason.VOIDED else () if self.reason is Reason.VOID else self.touched

    @property
    def in_public(self) -> "UndoEntry":
        """The entry as it would be had the command done nothing but what everyone saw. It must be told in public."""
        if len(self.told) == 1 and not self.hints:
            return self
        touched = tuple(each for each in self.touched if each.startswith(_IN_PUBLIC))
        told = {Channel.PUBLIC: self.told[Channel.PUBLIC]}
        return UndoEntry(told, (), touched, self.public_reason, self.giver, self.public_reason)

    def without(self, taken_back: Set[Channel]) -> "UndoEntry":
        """Return the entry once it was taken back in these channels."""
        left = tuple(each for each in self.touched if each.split("/")[0] not in taken_back)
        public_reason = Reason.VOIDED if Channel.PUBLIC in taken_back else self.public_reason
        return replace(self, reason=Reason.VOIDED, public_reason=public_reason, left=left)


UNDO_ENTRIES: TypeAdapter[tuple[UndoEntry, ...]] = TypeAdapter(tuple[UndoEntry, ...])


class UndoLog(Sequence[UndoEntry]):
    """The latest entries, oldest first. It never changes: what follows from it shares its list, and sees more of it."""

    __slots__ = ("_end", "_list")

    def __init__(self, entries: Iterable[UndoEntry] = ()) -> None:
        self._list = list(entries)[-UNDO_KEPT:]
        self._end = len(self._list)

    def then(self, entry: UndoEntry) -> "UndoLog":
        """Return these with one more, without a look at the others; the oldest goes if there are too many."""
        known, end = self._list, self._end
        if end != len(known) or end >= 2 * UNDO_KEPT:  # another one followed already, or too many are kept
            known = known[max(0, end - UNDO_KEPT + 1) : end]
        known.append(entry)
        following = UndoLog.__new__(UndoLog)
        following._list, following._end = known, len(known)
        return following

    @property
    def _latest(self) -> list[UndoEntry]:
        return self._list[max(0, self._end - UNDO_KEPT) : self._end]

    def __len__(self) -> int:
        return min(self._end, UNDO_KEPT)

    def place_of(self, channel: Channel, seq: int) -> int | None:
        """Return the place of the command that a record is of, None if it is not among these."""
        for place, entry in enumerate(self):
            told = entry.told.get(channel)
            if told is not None and told.first <= seq <= told.last:
                return place
        return None

    @overload
    def __getitem__(self, place: int) -> UndoEntry: ...
    @overload
    def __getitem__(self, place: slice) -> list[UndoEntry]: ...
    def __getitem__(self, place: int | slice) -> UndoEntry | list[UndoEntry]:
        return self._latest[place]

    def __iter__(self) -> Iterator[UndoEntry]:
        return iter(self._latest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UndoLog) and self._latest == other._latest

    __hash__ = None  # type: ignore[assignment]


class UndoLogs(NamedTuple):
    """A room's undo log, and beside it that of what everyone saw.

    Two, so that how long the second one remembers a command does not tell how many hidden ones came since.
    """

    all: UndoLog
    public: UndoLog

    @classmethod
    def of(cls, entries: Sequence[UndoEntry]) -> "UndoLogs":
        """Sort entries, oldest first, into both."""
        return cls(UndoLog(entries), UndoLog(each for each in entries if Channel.PUBLIC in each.told))

    def then(self, entry: UndoEntry) -> "UndoLogs":
        """Return these with one more."""
        return UndoLogs(self.all.then(entry), self.public.then(entry) if Channel.PUBLIC in entry.told else self.public)

    @property
    def entries(self) -> tuple[UndoEntry, ...]:
        """Those of both, each once, oldest first."""
        known = {each.told[Channel.PUBLIC].first for each in self.all if Channel.PUBLIC in each.told}
        return (*(each for each in self.public if each.told[Channel.PUBLIC].first not in known), *self.all)


_REASONS: Mapping[type[e.EventBase], Reason] = {
    **dict.fromkeys((e.RoomOpened, e.RoomContinued, e.RoomClosed, e.RoomReopened), Reason.ROOM),
    **dict.fromkeys((e.SeatJoined, e.SeatRenamed, e.SeatRemoved, e.SeatLent, e.SeatTakenBack), Reason.PEOPLE),
    **dict.fromkeys((e.Revealed, e.MadePublic, e.RequiredRevealed), Reason.SHOWN),
    **dict.fromkeys((e.CrisisDue, e.CrisisSuffered, e.CrisisDescribed), Reason.CRISIS),
    **dict.fromkeys((e.LaneOpened, e.DiceRolled, e.CountdownRolled, e.CountdownRepeated), Reason.DICE),
    **dict.fromkeys((e.TotalRolled, e.LuckPushed), Reason.DICE),
    **dict.fromkeys((e.CheckRolled, e.CheckResolved, e.EffectsOffered, e.EffectHappened), Reason.DICE),
    **dict.fromkeys((e.MomentumGained, e.MomentumSpent, e.InterferenceGained, e.InterferenceSpent), Reason.DICE),
    **dict.fromkeys((e.VentureEarned, e.VenturePaid, e.VentureLapsed), Reason.DICE),
    e.SealedStarted: Reason.SEALED,
    e.CommandVoided: Reason.VOID,
}


_ORDER = list(Reason)
OF_DICE = (Reason.DICE, Reason.CRISIS)  # which real dice, that may be mistyped, are no reasons for


def reason_against(events: Sequence[e.Event], before: View | ChannelView) -> Reason | None:
    """Return the first reason why a command with these events can never be taken back, None if there is none.

    `before`: what was seen before it. Real dice can be mistyped, so what they brought can go back. Source: rules.md E7.
    """
    reasons = [each for event in events if (each := reason_of(event)) is not None]
    if reasons and rests_on_real_dice(events, before):
        reasons = [each for each in reasons if each not in OF_DICE]
    return min(reasons, key=_ORDER.index, default=None)


def reason_of(event: e.Event) -> Reason | None:
    """Return why an event is never taken back: always, or where its dice were the server's."""
    return _REASONS.get(type(event)) or _reason_within(event)


def _reason_within(event: e.Event) -> Reason | None:
    if type(event) is e.CheckAdjusted and any(part.roll for part in event.check.parts):
        return Reason.DICE
    if type(event) is e.RequiredSet and event.enough is not None:
        return Reason.DICE  # the number judged what was rolled
    return None
