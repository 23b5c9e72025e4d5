"""Taking things and commands back. Source: rules.md E3."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

from pydantic import Field

from dreadclock.wire.base import CancelKind, Channel, Count, Id, Model, Seq, Text
from dreadclock.wire.families.base import Changes, CommandBase, EventBase, Fold
from dreadclock.wire.families.challenges import Challenge, Effort
from dreadclock.wire.families.characters import Character
from dreadclock.wire.families.checks import Check
from dreadclock.wire.families.clocks import Clock
from dreadclock.wire.families.consequences import Consequence
from dreadclock.wire.families.contents import contents_of, without
from dreadclock.wire.families.countdowns import Countdown
from dreadclock.wire.families.room import Policy
from dreadclock.wire.families.scenes import Scene
from dreadclock.wire.families.situations import Situation
from dreadclock.wire.families.totals import SecretRequired, Total

if TYPE_CHECKING:
    from dreadclock.wire.views import ChannelView


RestoredField = Literal[
    "characters",
    "countdowns",
    "clocks",
    "scenes",
    "situations",
    "challenges",
    "efforts",
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
    checks: tuple[Check, ...] = ()
    totals: tuple[Total, ...] = ()
    secrets: tuple[SecretRequired, ...] = ()  # by total
    consequences: tuple[Consequence, ...] = ()
    removed: dict[RestoredField, tuple[Id, ...]] = Field(default_factory=dict)
    places: dict[RestoredField, tuple[Place, ...]] = Field(default_factory=dict)


# Commands


class Cancel(CommandBase):
    """Take back a scene, situation, challenge or free-standing clock that was opened by mistake."""

    type: Literal["cancel"] = "cancel"
    thing_id: Id
    reason: Text


class VoidCommand(CommandBase):
    """Take an earlier command back after a slip of the hand; `seq` is any record of it in that channel.

    Everyone who saw what it did sees this, and reads the `reason`.
    """

    type: Literal["void_command"] = "void_command"
    seq: Seq
    channel: Channel = Channel.PUBLIC
    reason: Text


CorrectionCommand = Cancel | VoidCommand


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class Cancelled(EventBase):
    """A thing opened by mistake was taken back, with all that is in it."""

    type: Literal["cancelled"] = "cancelled"
    kind: CancelKind
    id: Id
    reason: Text


class CommandVoided(EventBase):
    """The gm took an earlier command back: its records of this channel, `first` to `last`.

    One in each channel in which it was told of, but for `sealed_changed`. `restored` is the state before it, as far
    as it had changed it; ids that it chose stay taken. `what` is the type of the first of those records' events,
    `sealed_changed` left out.
    """

    type: Literal["command_voided"] = "command_voided"
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]
    what: Annotated[str, Field(max_length=40)]
    reason: Text
    restored: Restored


CorrectionEvent = Cancelled | CommandVoided


# How these events change a view


def _cancelled(part: "ChannelView", event: Cancelled) -> Changes:
    return without(part, contents_of(part, event.kind, event.id))


RESTORED_FIELDS: Final[tuple[RestoredField, ...]] = get_args(RestoredField)


def key_of(thing: Any) -> Id:
    """Return the id under which a view keeps a thing."""
    key: Id = getattr(thing, "id", None) or thing.total_id
    return key


def _voided(part: "ChannelView", event: CommandVoided) -> Changes:
    restored = event.restored
    changes: Changes = {name: value for name in ("policy", "turn") if (value := getattr(restored, name)) is not None}
    for field in RESTORED_FIELDS:
        things, removed = getattr(restored, field), restored.removed.get(field, ())
        if things or removed:
            places = restored.places.get(field, ())
            changes[field] = _as_before(getattr(part, field), things, removed, places)
    return changes


def _as_before(
    known: Mapping[Id, Any], things: Sequence[Any], removed: Sequence[Id], places: Sequence[Place]
) -> dict[Id, Any]:
    """Put things back as they were; those that a place is given for, there, one after the other."""
    moved = {place.id: place.after for place in places}
    result = {key: thing for key, thing in known.items() if key not in removed and key not in moved}
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
