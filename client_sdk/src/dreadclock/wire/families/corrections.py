"""Cancelling things and undoing commands. Source: rules.md E3 and E7."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from pydantic import Field

from dreadclock.wire.base import CancelKind, Channel, Count, Id, Later, Model, Seq, Text
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo
from dreadclock.wire.families.challenges import Challenge, Effort
from dreadclock.wire.families.characters import Character
from dreadclock.wire.families.check_parts import CheckRolled
from dreadclock.wire.families.checks import Check, CheckAdjusted, CheckResolved
from dreadclock.wire.families.clocks import Clock
from dreadclock.wire.families.consequences import Consequence
from dreadclock.wire.families.contents import contents_of, without
from dreadclock.wire.families.countdown_changes import CountdownRepeated
from dreadclock.wire.families.countdowns import Countdown, CountdownRolled
from dreadclock.wire.families.crises import CrisisDescribed, CrisisSuffered
from dreadclock.wire.families.dice import DiceRolled, Roll
from dreadclock.wire.families.folds import Changes, Fold, HoldsThings, ViewPart, dropped
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
    """The place of a restored thing in its dictionary: right after the thing `after`, or first if that is None."""

    id: Id
    after: Id | None = None


class Restored(Model):
    """The state that an undo restores in a channel's view: the things, house rules and turn that the command
    changed.

    `removed`: the ids of things that the command started, by field. `places`: by field, the places of things that
    the command had removed or moved.
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
    rolls: Later[tuple[Roll, ...]] = ()
    checks: tuple[Check, ...] = ()
    totals: tuple[Total, ...] = ()
    secrets: tuple[SecretRequired, ...] = ()  # the secret numbers of totals
    consequences: Later[tuple[Consequence, ...]] = ()
    removed: dict[RestoredField, tuple[Id, ...]] = Field(default_factory=dict)
    places: dict[RestoredField, tuple[Place, ...]] = Field(default_factory=dict)


SLIP: Final = "slip"  # the public reason if none is given; clients do not show it


# Commands


class Cancel(CommandBase):
    """Cancel a scene, situation, challenge or free-standing clock that was started by mistake."""

    type: Literal["cancel"] = "cancel"
    thing_id: Id
    reason: Text


class VoidCommand(CommandBase):
    """Undo an earlier command. `seq` is the number of any record of this command in `channel`.

    The gm may undo any command that can be undone. Others may undo only their own commands, except starts of
    things, ends of turns and rounds, changes of totals with a secret number, and rolls. Everyone who saw the
    command sees the undo. `reason` is shown only in `channel`. Another channel of the command shows
    `public_reason`, or "slip" if there is none. Rolls of real dice can be undone, because a face may be mistyped;
    rolls of the server cannot.
    """

    type: Literal["void_command"] = "void_command"
    seq: Seq
    channel: Channel = Channel.PUBLIC
    reason: Text
    public_reason: Text | None = None

    def reason_in(self, channel: Channel) -> str:
        """Return the reason to show in a channel. A reason for the gm's channel must not become public."""
        return self.reason if channel is self.channel else self.public_reason or SLIP


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class Cancelled(EventBase):
    """A thing that was started by mistake was cancelled, with everything in it."""

    type: Literal["cancelled"] = "cancelled"
    kind: CancelKind
    id: Id
    reason: Text


class CommandVoided(EventBase):
    """An earlier command was undone: the command that caused the records `first` to `last` of this channel.

    `what`: the type of the first event in these records, not counting `sealed_changed` and `edition_changed`.
    `physical`: whether a roll of physical dice was undone. `restored`: the things that the command changed, as they
    were before. Each channel in which the command had events gets this event, except a channel that only had
    `sealed_changed`. If whoever undoes the command sees only the public channel, only the public changes are undone,
    and only the public channel gets this event. An id that the sender chose for a new thing cannot be used again.
    """

    type: Literal["command_voided"] = "command_voided"
    no_undo: ClassVar[NoUndo | None] = NoUndo.VOID
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]
    what: Annotated[str, Field(max_length=40)]
    reason: Text
    physical: Later[bool] = False  # True: a roll of real dice was undone
    restored: Restored


# How these events change a view


_TIME_PASSED = ("turn_ended", "scene_turn_ended", "round_ended")


def may_affect_hidden(what: str, restored: Restored) -> bool:
    """Tell whether hidden things could depend on the public changes of a command.

    Hidden things could refer to a thing that the command made, to a turn that it ended, or to a total with a secret
    number. A seat that sees no hidden things may not undo such a command. The answer is the same whether or not there
    are hidden things: otherwise it would reveal them.
    """
    return bool(restored.removed) or what in _TIME_PASSED or any(total.secret for total in restored.totals)


def rests_on_real_dice(events: Sequence[EventBase], before: HoldsThings) -> bool:
    """Tell whether a command depends on dice that were all physical.

    These are the dice that it rolled, or else the rolled dice of the check or total that it is about. `before`: the
    view before the command. Source: rules.md E7.
    """
    thrown = [is_physical for event in events for is_physical in _thrown(event)]
    used = thrown or [is_physical for event in events for is_physical in _rolled_before(event, before)]
    return bool(used) and all(used)


def _thrown(event: EventBase) -> tuple[bool, ...]:
    """Return for each roll in an event whether its dice were physical."""
    match event:
        case CountdownRolled() | TotalRolled():
            return (event.physical,)
        case DiceRolled():
            return (event.roll.physical,)
        case CheckRolled() if event.part.roll is not None:
            return (event.part.roll.physical,)
        case LuckPushed():
            return (event.push.physical,)
        case CheckResolved() if event.result.deals:
            return (False,)  # the server rolls the faces that settle a tie
        case CountdownRepeated() if event.faces:
            return (False,)  # the server always rolls the die for the new pool
        case _:
            return ()


def _rolled_before(event: EventBase, before: HoldsThings) -> Iterator[bool]:
    """Yield for each roll of the event's check or total whether its dice were physical."""
    named = event.crisis if isinstance(event, CrisisSuffered | CrisisDescribed) else event
    total: Total | None = before.totals.get(getattr(named, "total_id", ""))
    if total is not None and total.faces:
        yield from (total.physical, *(push.physical for push in total.pushes))
    adjusted = event.check.id if isinstance(event, CheckAdjusted) else ""
    check: Check | None = before.checks.get(getattr(event, "check_id", adjusted))
    if check is not None:
        yield from (part.roll.physical for part in check.parts if part.roll is not None)
        yield from (False for _ in (check.result.deals if check.result else ()))


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
    """Return a field as it was before a command: without the ids `removed`, and with the earlier state of `things`.

    Things that are named in `places` are put at these places.
    """
    moved = {place.id: place.after for place in places}
    result = {key: thing for key, thing in kept.items() if key not in removed and key not in moved}
    for thing in things:
        key = key_of(thing)
        result = _placed(result, key, thing, moved[key]) if key in moved else {**result, key: thing}
    return result


def _placed(things: dict[Id, Any], key: Id, thing: Any, after: Id | None) -> dict[Id, Any]:
    """Put a thing right after the thing `after`, or first if there is no such thing."""
    keys = list(things)
    at = keys.index(after) + 1 if after in things else 0
    pairs = list(things.items())
    return dict([*pairs[:at], (key, thing), *pairs[at:]])


FOLDS: dict[type[EventBase], Fold] = {
    Cancelled: lambda part, event: without(contents_of(part, event.kind, event.id)),
    CommandVoided: _voided,
}
