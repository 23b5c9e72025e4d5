"""Sealed and hidden things, and how they are revealed. Source: rules.md E4.

Players see that a sealed thing exists, and its name. Of a hidden thing they see nothing. If dice will be rolled for a
sealed thing, it has a lane: a series of rolls whose dice the server fixed in advance.
"""

from typing import ClassVar, Final, Literal

from dreadclock.rules.limits import ROLLS_KEPT
from dreadclock.wire.base import HiddenKind, Id, Kind, Later, Model, Name, Value32
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo
from dreadclock.wire.families.challenges import Challenge, Effort
from dreadclock.wire.families.characters import Character
from dreadclock.wire.families.checks import Check, forgotten_checks
from dreadclock.wire.families.clocks import Clock, forgotten_clocks
from dreadclock.wire.families.contents import FIELDS, Contents, contents_of, without
from dreadclock.wire.families.countdowns import Countdown, forgotten_countdowns
from dreadclock.wire.families.dice import TOKEN, Lane, Roll, forgotten_rolls, lane_closed
from dreadclock.wire.families.fates import forgotten_characters
from dreadclock.wire.families.folds import NOTHING, Changes, Fold, ViewPart, counted, dropped, limited, put, too_old
from dreadclock.wire.families.scenes import Scene
from dreadclock.wire.families.situations import Situation


class Sealed(Model):
    """What everyone sees of a sealed thing."""

    kind: HiddenKind
    id: Id
    name: Name
    seat_id: Id | None = None  # the seat that started the thing; absent if no dice are rolled for it
    lane: str | None = None  # the label of its lane
    key: Value32 | None = None  # the server's first key of the lane, k_0


class Things(Model):
    """Things that are revealed together."""

    countdowns: tuple[Countdown, ...] = ()
    clocks: tuple[Clock, ...] = ()
    scenes: tuple[Scene, ...] = ()
    situations: tuple[Situation, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    efforts: tuple[Effort, ...] = ()
    rolls: tuple[Roll, ...] = ()
    checks: tuple[Check, ...] = ()
    characters: Later[tuple[Character, ...]] = ()


def gather(part: ViewPart, contents: Contents) -> Things:
    """Return the things with the ids in `contents`, in the order in which they were started."""
    chosen = {
        field: tuple(thing for key, thing in getattr(part, field).items() if key in keys)
        for field, keys in contents.items()
    }
    return Things(**chosen)


# Commands


class Reveal(CommandBase):
    """Show everyone a hidden thing, with everything in it."""

    type: Literal["reveal"] = "reveal"
    thing_id: Id


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class SealedStarted(EventBase):
    """A sealed thing was started.

    If dice will be rolled for the thing, `key` of `thing` commits the server to these dice.
    """

    type: Literal["sealed_started"] = "sealed_started"
    no_undo: ClassVar[NoUndo | None] = NoUndo.SEALED
    thing: Sealed


class SealedChanged(EventBase):
    """A sealed thing may have changed, because a command was about this thing. `kind`: never `character`."""

    type: Literal["sealed_changed"] = "sealed_changed"
    kind: HiddenKind
    id: Id
    name: Name


class Revealed(EventBase):
    """A hidden thing was revealed to everyone, with everything in it.

    `things`: all revealed things as they are now. Situations of a revealed scene stay hidden if the gm hid or prepared
    them separately.
    """

    type: Literal["revealed"] = "revealed"
    no_undo: ClassVar[NoUndo | None] = NoUndo.SHOWN
    kind: HiddenKind
    id: Id
    things: Things


class MadePublic(EventBase):
    """A thing moved from the gm's channel to the public channel. The public event `revealed` has the thing."""

    type: Literal["made_public"] = "made_public"
    no_undo: ClassVar[NoUndo | None] = NoUndo.SHOWN
    kind: HiddenKind
    id: Id


# How these events change a view


# A view keeps only the latest ended things. By field, these functions return what to drop when things are revealed.
# Scenes and situations are missing: old ones are dropped when another one is started.
_FORGOTTEN: Final = {
    "countdowns": forgotten_countdowns,
    "clocks": forgotten_clocks,
    "rolls": forgotten_rolls,
    "checks": forgotten_checks,
    "characters": forgotten_characters,
}


def _sealed_started(part: ViewPart, event: SealedStarted) -> Changes:
    """Add a sealed thing and its lane, and drop the oldest sealed rolls with their lanes.

    A seat's first dice token after this event is hashed into the lane's `witness`, which goes into its dice.
    Tokens of the seat that started the thing are not.
    """
    thing = event.thing
    sealed: dict[Id, Sealed] = {**part.sealed, thing.id: thing}
    forgotten = too_old(sealed, lambda thing: thing.kind is Kind.ROLL, ROLLS_KEPT)
    changes = [put("sealed", thing), *dropped("sealed", forgotten)]
    changes += dropped("lanes", [label for key in forgotten if (label := sealed[key].lane) is not None])
    if thing.lane is not None and thing.key is not None and thing.seat_id is not None:
        before = part.made.get(TOKEN, 0)
        lane = Lane(label=thing.lane, started_by=thing.seat_id, key=thing.key, tokens_before=before, tokens=())
        changes.append(("lanes", thing.lane, lane))
    return changes + counted(part, thing.kind, thing.id)


def _revealed(part: ViewPart, event: Revealed) -> Changes:
    was_sealed = event.id in part.sealed
    changes = dropped("sealed", [event.id]) if was_sealed else counted(part, event.kind, event.id)
    for field in FIELDS:
        arrived = [put(field, thing) for thing in getattr(event.things, field)]
        changes += limited(part, field, arrived, _FORGOTTEN.get(field)) if arrived else arrived
    return changes + lane_closed(part, event.kind, event.id)


def _made_public(part: ViewPart, event: MadePublic) -> Changes:
    gone = contents_of(part, event.kind, event.id, shown=True)
    return without(gone) + lane_closed(part, event.kind, event.id)


FOLDS: dict[type[EventBase], Fold] = {
    SealedStarted: _sealed_started,
    SealedChanged: NOTHING,
    Revealed: _revealed,
    MadePublic: _made_public,
}
