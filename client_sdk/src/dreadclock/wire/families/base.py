"""What all families of things share: what commands and events have in common, and how folds change a view.

A family's file holds its things, its commands, its events, and how those events change a view. Things and events
are the storage format: a field may be added with a default, never renamed or given another meaning. Events carry the
state of what they changed, so that folds copy and never recompute: a later change of a rule cannot change what old
rooms replay to.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol, Self, TypeVar

from pydantic import ConfigDict

from dreadclock.wire.base import DiceToken, Faces, Id, Kind, Model, Text
from dreadclock.wire.ids import is_server_made

Changes = dict[str, object]  # fields of a ChannelView and their new values
_Things = Mapping[Id, Any]
_Kept = Callable[[Any], object]
_Fields = list[tuple[str, str, str]]  # a field that changes, how, and the event's field with the new value
_Thing = TypeVar("_Thing")


class HoldsRolls(Protocol):
    """What keeps checks and totals: a view, or a channel's part of one."""

    @property
    def checks(self) -> _Things: ...
    @property
    def totals(self) -> _Things: ...


class HoldsThings(HoldsRolls, Protocol):
    """What keeps all things: a `View`, or a `ChannelView`.

    Those classes hold the families' things and records of their events, so the families cannot import them.
    """

    @property
    def characters(self) -> _Things: ...
    @property
    def countdowns(self) -> _Things: ...
    @property
    def clocks(self) -> _Things: ...
    @property
    def scenes(self) -> _Things: ...
    @property
    def situations(self) -> _Things: ...
    @property
    def challenges(self) -> _Things: ...
    @property
    def efforts(self) -> _Things: ...
    @property
    def seats(self) -> _Things: ...
    @property
    def sealed(self) -> _Things: ...
    @property
    def rolls(self) -> _Things: ...
    @property
    def secrets(self) -> _Things: ...
    @property
    def consequences(self) -> _Things: ...


class ViewPart(HoldsThings, Protocol):
    """What folds read of a `ChannelView`."""

    @property
    def lanes(self) -> _Things: ...
    @property
    def shown(self) -> Mapping[Id, int]: ...
    @property
    def made(self) -> Mapping[str, int]: ...
    @property
    def taken(self) -> tuple[Id, ...]: ...
    def model_copy(self, *, update: Changes) -> Self: ...


class AnyView(HoldsThings, Protocol):
    """What questions ask of a `View`."""

    @property
    def public(self) -> HoldsThings: ...
    @property
    def turn(self) -> int: ...


Fold = Callable[[ViewPart, Any], Changes]  # what an event changes


class CommandBase(Model):
    """An imperative wish of a seat; it may be refused."""

    note: Text | None = None  # shown with one of its events, to the gm alone if it is about something hidden
    act_for: Id | None = None  # the player's seat that an integration acts for, which was lent to it


class RollingCommand(CommandBase):
    """A command that rolls dice: the server's, or `faces` read from physical ones."""

    dice: DiceToken | None = None
    faces: Faces | None = None


class EventBase(Model):
    """A past fact of a room."""

    note: Text | None = None  # of the command that caused it


class UnknownEvent(EventBase):
    """An event of a type, or with a content, that only newer versions know; its other fields are kept as they came.

    No record is read with one by these models: only a client makes it, of what a newer server sends.
    """

    model_config = ConfigDict(extra="allow")

    type: str


# What most events do, as data: scripts/generate_js_limits.py writes each `partial` out for the fold in JavaScript. From
# `clocks`, the view's field, follow the event's fields: `clock` if it holds the whole thing, `clock_id` if it names it.


def sets(things: str, told: str = "", **given: object) -> partial[Changes]:
    """Set fields of a thing: those that `told` lists, from the event, and the fixed values in `given`.

    `pool` copies the event's `pool`; `pool:remaining` sets `pool` to the event's `remaining`; `parts+part` appends the
    event's `part` to the thing's `parts`.
    """
    return partial(_set, things, f"{things[:-1]}_id", _fields(told), given)


def _set(things: str, id_field: str, told: _Fields, given: Changes, part: ViewPart, event: Any) -> Changes:
    known, key = getattr(part, things).copy(), getattr(event, id_field)
    known[key] = known[key].model_copy(update=_said(told, given, event, known[key]))
    return {things: known}


def _fields(told: str) -> _Fields:
    return [(field, sign, source or field) for field, sign, source in re.findall(r"(\w+)([:+]?)(\w*)", told)]


def _said(told: _Fields, given: Changes, event: Any, thing: Any) -> Changes:
    changes = given.copy()
    for field, sign, source in told:
        value = getattr(event, source)
        changes[field] = (*getattr(thing, field), value) if sign == "+" else value
    return changes


def assigns(told: str = "", **given: object) -> partial[Changes]:
    """Set fields of the view itself; of `given`, JavaScript also takes what an event leaves out."""
    return partial(_assign, _fields(told), given)


def _assign(told: _Fields, given: Changes, part: ViewPart, event: Any) -> Changes:
    return _said(told, given, event, part)


def ends(things: str, told: str = "", kept: _Kept | None = None, **given: object) -> partial[Changes]:
    """Set fields of a thing that ends, and put it last; `kept` says which of all are remembered."""
    return partial(_end, things, f"{things[:-1]}_id", _fields(told), given, kept)


def _end(
    things: str, id_field: str, told: _Fields, given: Changes, kept: _Kept | None, part: ViewPart, event: Any
) -> Changes:
    known, key = getattr(part, things).copy(), getattr(event, id_field)
    thing = known.pop(key)
    known[key] = thing.model_copy(update=_said(told, given, event, thing))
    return {things: kept(known) if kept else known}


def puts(things: str) -> partial[Changes]:
    """Put a thing in its place."""
    return partial(_put, things, things[:-1])


def _put(things: str, kind: str, part: ViewPart, event: Any) -> Changes:
    return put(part, things, getattr(event, kind))


def adds(things: str, kept: _Kept = dict) -> partial[Changes]:
    """Add a thing and count it; `kept` says which of all are remembered."""
    return partial(_add, things, things[:-1], kept=kept)


def _add(things: str, kind: str, part: ViewPart, event: Any, kept: _Kept) -> Changes:
    thing = getattr(event, kind)
    return {things: kept({**getattr(part, things), thing.id: thing}), **counted(part, kind, thing.id)}


def drops(things: str) -> partial[Changes]:
    """Take a thing away, if it is there."""
    return partial(_drop, things, f"{things[:-1]}_id")


def _drop(things: str, id_field: str, part: ViewPart, event: Any) -> Changes:
    return dropped(part, things, getattr(event, id_field))


def _keep(part: ViewPart, event: Any) -> Changes:
    return {}


NOTHING = partial(_keep)  # for events that change nothing in a view


def joins(*folds: partial[Changes]) -> partial[Changes]:
    """Do several of these, none of which changes a field that another one reads."""
    return partial(_join, folds)


def _join(folds: tuple[partial[Changes], ...], part: ViewPart, event: Any) -> Changes:
    changes: Changes = {}
    for fold in folds:
        changes |= fold(part, event)
    return changes


def put(part: ViewPart, field: str, thing: Any) -> Changes:
    """Add a thing under its id, or replace the one that is there."""
    return {field: {**getattr(part, field), thing.id: thing}}


def updated(part: ViewPart, field: str, key: Id, **changes: object) -> Changes:
    """Change some fields of the thing that a view keeps under `key`."""
    things = getattr(part, field)
    return {field: {**things, key: things[key].model_copy(update=changes)}}


def dropped(part: ViewPart, field: str, key: Id) -> Changes:
    """Take a thing away, if it is there."""
    return {field: {each: thing for each, thing in getattr(part, field).items() if each != key}}


def counted(part: ViewPart, kind: Kind | str, thing_id: Id | None = None) -> Changes:
    """Count one more thing of its kind, and remember an id that a command chose."""
    changes: Changes = {"made": {**part.made, kind: part.made.get(kind, 0) + 1}}
    if thing_id is not None and not is_server_made(thing_id):
        changes["taken"] = (*part.taken, thing_id)
    return changes


def latest(things: Mapping[Id, _Thing], ended: Callable[[_Thing], bool], most: int) -> dict[Id, _Thing]:
    """Drop the oldest of the things that have ended, until at most `most` of them are left."""
    over = sum(map(ended, things.values())) - most
    kept: dict[Id, _Thing] = {}
    for key, thing in things.items():
        if over > 0 and ended(thing):
            over -= 1
        else:
            kept[key] = thing
    return kept
