"""The latest commands of a room, as it remembers them: what each told and touched, and how things were before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import overload

from pydantic import TypeAdapter

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.things import Restored

STEPS_KEPT = 64


class Bar(StrEnum):
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


@dataclass(frozen=True, slots=True)
class Told:
    """What a command told in one channel: its records, the type of the first of its own, and the state before it."""

    first: int
    last: int
    what: str
    only_hints: bool  # whether it told of nothing but that sealed things changed
    before: Restored


@dataclass(frozen=True, slots=True)
class Step:
    """One command that told of something."""

    told: dict[Channel, Told]
    hints: tuple[e.SealedChanged, ...] = ()
    touched: tuple[str, ...] = ()  # `channel/family/id` of what is not as it was before it
    bar: Bar | None = None  # why it cannot be taken back

    @property
    def is_undone(self) -> bool:
        """Whether all that it touched is as it was before it, or it brought that about."""
        return self.bar in (Bar.VOIDED, Bar.VOID)


STEPS: TypeAdapter[tuple[Step, ...]] = TypeAdapter(tuple[Step, ...])


class Steps(Sequence[Step]):
    """The latest steps, oldest first. It never changes: what follows from it shares its list, and sees more of it."""

    __slots__ = ("_end", "_list")

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._list = list(steps)[-STEPS_KEPT:]
        self._end = len(self._list)

    def then(self, step: Step) -> "Steps":
        """Return these with one more, without a look at the others; the oldest goes if there are too many."""
        known, end = self._list, self._end
        if end != len(known) or end >= 2 * STEPS_KEPT:  # another one followed already, or too many are kept
            known = known[max(0, end - STEPS_KEPT + 1) : end]
        known.append(step)
        following = Steps.__new__(Steps)
        following._list, following._end = known, len(known)
        return following

    @property
    def _latest(self) -> list[Step]:
        return self._list[max(0, self._end - STEPS_KEPT) : self._end]

    def __len__(self) -> int:
        return min(self._end, STEPS_KEPT)

    @overload
    def __getitem__(self, place: int) -> Step: ...
    @overload
    def __getitem__(self, place: slice) -> list[Step]: ...
    def __getitem__(self, place: int | slice) -> Step | list[Step]:
        return self._latest[place]

    def __iter__(self) -> Iterator[Step]:
        return iter(self._latest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Steps) and self._latest == other._latest

    __hash__ = None  # type: ignore[assignment]


_BARS: Mapping[type[e.EventBase], Bar] = {
    **dict.fromkeys((e.RoomOpened, e.RoomContinued, e.RoomClosed), Bar.ROOM),
    **dict.fromkeys((e.SeatJoined, e.SeatRenamed, e.SeatRemoved), Bar.PEOPLE),
    **dict.fromkeys((e.Revealed, e.MadePublic, e.RequiredRevealed), Bar.SHOWN),
    **dict.fromkeys(
        (e.CrisisDue, e.CrisisSuffered, e.CrisisDescribed, e.CharacterDied, e.CharacterRetired), Bar.CRISIS
    ),
    **dict.fromkeys((e.LaneOpened, e.DiceRolled, e.CountdownRolled, e.TotalRolled, e.LuckPushed), Bar.DICE),
    **dict.fromkeys((e.CheckRolled, e.CheckResolved, e.EffectsOffered), Bar.DICE),
    **dict.fromkeys((e.MomentumGained, e.MomentumSpent, e.InterferenceGained, e.InterferenceSpent), Bar.DICE),
    **dict.fromkeys((e.VentureEarned, e.VenturePaid, e.VentureLapsed), Bar.DICE),
    e.SealedStarted: Bar.SEALED,
    e.CommandVoided: Bar.VOID,
}
_ORDER = list(Bar)


def bar_of(events: Iterable[e.Event]) -> Bar | None:
    """Return the first reason why a command with these events can never be taken back, None if there is none."""
    bars = [bar for event in events if (bar := _bar(event)) is not None]
    return min(bars, key=_ORDER.index, default=None)


def _bar(event: e.Event) -> Bar | None:
    bar = _BARS.get(type(event))
    if bar is not None:
        return bar
    if isinstance(event, e.CheckAdjusted) and any(part.roll for part in event.check.parts):
        return Bar.DICE
    if isinstance(event, e.RequiredSet) and event.enough is not None:
        return Bar.DICE  # the number judged what was rolled
    return None
