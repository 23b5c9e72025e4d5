"""Taking things and commands back. Source: rules.md E3 and E7."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from pydantic import Field

from dreadclock.wire.base import CancelKind, Channel, Count, Id, Model, Seq, Text
from dreadclock.wire.families.base import Changes, CommandBase, EventBase, Fold, HoldsRolls, NoUndo, ViewPart, dropped
from dreadclock.wire.families.challenges import Challenge, Effort
from dreadclock.wire.families.characters import Character
from dreadclock.wire.families.check_parts import CheckRolled, Part
from dreadclock.wire.families.checks import Check, CheckAdjusted, CheckResolved
from dreadclock.wire.families.clocks import Clock
from dreadclock.wire.families.consequences import Consequence
from dreadclock.wire.families.contents import contents_of, without
from dreadclock.wire.families.countdown_changes import CountdownRepeated
from dreadclock.wire.families.countdowns import Countdown, CountdownRolled
from dreadclock.wire.families.crises import CrisisDescribed, CrisisSuffered
from dreadclock.wire.families.dice import DiceRolled, Roll
from dreadclock.wire.families.pushes import LuckPushed
from dreadclock.wire.families.room import Policy
from dreadclock.wire.families.scenes import Scene
from dreadclock.wire.families.situations import Situation
from dreadclock.wire.families.totals import SecretRequired, Total, TotalRolled

RestoredField = Literal[
    "characters",
    "countdowns",
    "clocks",
    "scenes",
    "situations",
    "challenges",
    "efforts",
    "rolls",
    "checks",
    "totals",
    "secrets",
    "consequences",
]


class Place(Model):
    """Where a thing goes that had left its place: right after another one of its kind, or first."""

    id: Id
    after: Id | None = None


class Restored(Model):
    """What a channel's view holds again: things as they were, and the house rules and the turn where they changed.

    `removed`: what had been started, by field. `places`: of things that had gone, or had moved; the others stay
    where they are.
    """

    policy: Policy | None = None
    turn: Count | None = None
    characters: tuple[Character, ...] = ()
    countdowns: tuple[Countdown, ...] = ()
    clocks: tuple[Clock, ...] = ()
    scenes: tuple[Scene, ...] = ()
    situations: tuple[Situation, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    efforts: tuple[Effort, ...] = ()
    rolls: tuple[Roll, ...] = ()
    checks: tuple[Check, ...] = ()
    totals: tuple[Total, ...] = ()
    secrets: tuple[SecretRequired, ...] = ()  # by total
    consequences: tuple[Consequence, ...] = ()
    removed: dict[RestoredField, tuple[Id, ...]] = Field(default_factory=dict)
    places: dict[RestoredField, tuple[Place, ...]] = Field(default_factory=dict)


SLIP: Final = "slip"  # a reason that says nothing: sentences leave it out


# Commands


class Cancel(CommandBase):
    """Cancel a scene, situation, challenge or free-standing clock that was started by mistake."""

    type: Literal["cancel"] = "cancel"
    thing_id: Id
    reason: Text


class VoidCommand(CommandBase):
    """Undo an earlier command; `seq` is any record of it in that channel.

    The gm takes back what anyone did, others what they did themselves, but for what they made. Everyone who saw
    what it did sees this. `reason` is told in `channel` alone; any other channel that the command was told in reads
    `public_reason`, or "slip" without one. Real dice may have been mistyped; others stand.
    """

    type: Literal["void_command"] = "void_command"
    seq: Seq
    channel: Channel = Channel.PUBLIC
    reason: Text
    public_reason: Text | None = None

    def reason_in(self, channel: Channel) -> str:
        """Return the reason to tell in a channel: a reason given for the gm's channel must not reach the public one."""
        return self.reason if channel is self.channel else self.public_reason or SLIP


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class Cancelled(EventBase):
    """A thing that was started by mistake was cancelled, with everything in it."""

    type: Literal["cancelled"] = "cancelled"
    kind: CancelKind
    id: Id
    reason: Text


class CommandVoided(EventBase):
    """An earlier command was undone: its records `first` to `last` of this channel.

    One in each channel in which it was told of, but for `sealed_changed`. `restored` is the state before it, as far
    as it had changed it; ids that it chose stay taken. `what` is the type of the first of those records' events,
    `sealed_changed` left out.
    """

    type: Literal["command_voided"] = "command_voided"
    no_undo: ClassVar[NoUndo | None] = NoUndo.VOID
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]
    what: Annotated[str, Field(max_length=40)]
    reason: Text
    physical: bool = False  # whether dice were taken back, which were all real ones
    restored: Restored


# How these events change a view


def _cancelled(part: ViewPart, event: Cancelled) -> Changes:
    return without(contents_of(part, event.kind, event.id))


_TIME_PASSED = ("turn_ended", "scene_turn_ended", "round_ended")


def may_bear_more(what: str, restored: Restored) -> bool:
    """Tell whether hidden things may rest on what a command did in public, be there any or not.

    They may be about what it made, go by the time that it let pass, or hold the secret number of a total. So only
    who sees them takes it back.
    """
    return bool(restored.removed) or what in _TIME_PASSED or any(total.secret for total in restored.totals)


def rests_on_real_dice(events: Sequence[EventBase], before: HoldsRolls) -> bool:
    """Tell whether a command threw dice, or went by those of a check or total, and all of them were physical. E7.

    `before`: what was seen before the command.
    """
    thrown = [is_physical for event in events for is_physical in _thrown(event)]
    gone_by = thrown or [is_physical for event in events for is_physical in _gone_by(event, before)]
    return bool(gone_by) and all(gone_by)


def _thrown(event: EventBase) -> tuple[bool, ...]:
    """Tell of each throw in an event whether its dice were physical."""
    match event:
        case CountdownRolled() | TotalRolled():
            return (event.physical,)
        case DiceRolled():
            return (event.roll.physical,)
        case CheckRolled():
            return tuple(_rolled(event.part))
        case LuckPushed():
            return (event.push.physical,)
        case CheckResolved() if event.result.deals:
            return (False,)  # the server deals
        case CountdownRepeated() if event.faces:
            return (False,)  # the server deals
        case _:
            return ()


def _gone_by(event: EventBase, before: HoldsRolls) -> Iterator[bool]:
    """Tell of each throw of the check or total that an event is about whether its dice were physical."""
    named = event.crisis if isinstance(event, CrisisSuffered | CrisisDescribed) else event
    total: Total | None = before.totals.get(getattr(named, "total_id", ""))
    if total is not None and total.faces:
        yield from (total.physical, *(push.physical for push in total.pushes))
    adjusted = event.check.id if isinstance(event, CheckAdjusted) else ""
    check: Check | None = before.checks.get(getattr(event, "check_id", adjusted))
    if check is not None:
        yield from (is_physical for part in check.parts for is_physical in _rolled(part))
        yield from (False for _ in (check.result.deals if check.result else ()))


def _rolled(part: Part) -> Iterator[bool]:
    if part.roll is not None:
        yield part.roll.physical


RESTORED_FIELDS: Final[tuple[RestoredField, ...]] = get_args(RestoredField)


def key_of(thing: Any) -> Id:
    """Return the id under which a view keeps a thing."""
    key: Id = getattr(thing, "id", None) or thing.total_id
    return key


def _voided(part: ViewPart, event: CommandVoided) -> Changes:
    restored = event.restored
    scalars = ((name, getattr(restored, name)) for name in ("policy", "turn"))
    changes: Changes = [(name, None, value) for name, value in scalars if value is not None]
    for field in RESTORED_FIELDS:
        things, removed = getattr(restored, field), restored.removed.get(field, ())
        if things or removed:
            kept, places = getattr(part, field), restored.places.get(field, ())
            changes += dropped(field, kept)
            changes += [(field, key, thing) for key, thing in _as_before(kept, things, removed, places).items()]
    return changes


def _as_before(
    kept: Mapping[Id, Any], things: Sequence[Any], removed: Sequence[Id], places: Sequence[Place]
) -> dict[Id, Any]:
    """Put things back as they were; those that a place is given for, there, one after the other."""
    moved = {place.id: place.after for place in places}
    result = {key: thing for key, thing in kept.items() if key not in removed and key not in moved}
    for thing in things:
        key = key_of(thing)
        result = _placed(result, key, thing, moved[key]) if key in moved else {**result, key: thing}
    return result


def _placed(things: dict[Id, Any], key: Id, thing: Any, after: Id | None) -> dict[Id, Any]:
    """Put a thing right after another one, or first if that is not there."""
    keys = list(things)
    at = keys.index(after) + 1 if after in things else 0
    pairs = list(things.items())
    return dict([*pairs[:at], (key, thing), *pairs[at:]])


FOLDS: dict[type[EventBase], Fold] = {
    Cancelled: _cancelled,
    CommandVoided: _voided,
}
