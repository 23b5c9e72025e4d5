"""Helpers for folds. A fold is a function that returns what an event changes in a view."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from dreadclock.wire.base import Id, Kind
from dreadclock.wire.ids import is_server_made

GONE: Final = object()  # as the new value of a change, it removes the key
# A field of a ChannelView, the key of the changed thing (None if the whole field changes), and the new value.
# An existing key keeps its place in the order. A key that was removed with GONE and put again comes last.
Change = tuple[str, str | None, Any]
Changes = list[Change]  # in order
_Things = Mapping[Id, Any]
# Takes all things of a field, and returns the ids of the things to drop: things that ended long ago.
Forgotten = Callable[[_Things], Iterable[Id]]
_Given = dict[str, object]
# For each field to set: the field's name, a sign, and the name of the event's field with the value. The sign `+` means
# that the value is appended. Any other sign means that it replaces the old value.
_Fields = list[tuple[str, str, str]]
_Thing = TypeVar("_Thing")


class HoldsThings(Protocol):
    """The fields that a `View` and a `ChannelView` have in common.

    Families cannot import these classes: the classes import the families.
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
    def checks(self) -> _Things: ...
    @property
    def totals(self) -> _Things: ...


class ViewPart(HoldsThings, Protocol):
    """The fields of a `ChannelView` that folds read."""

    @property
    def seats(self) -> _Things: ...
    @property
    def sealed(self) -> _Things: ...
    @property
    def efforts(self) -> _Things: ...
    @property
    def lanes(self) -> _Things: ...
    @property
    def shown(self) -> Mapping[Id, int]: ...
    @property
    def made(self) -> Mapping[str, int]: ...
    @property
    def taken(self) -> tuple[Id, ...]: ...


class AnyView(HoldsThings, Protocol):
    """The fields of a `View` that the helper functions of families read."""

    @property
    def public(self) -> HoldsThings: ...
    @property
    def turn(self) -> int: ...


Fold = Callable[[ViewPart, Any], Changes]  # returns the changes of an event, and never writes into a view


# Helpers for `FOLDS`: the dictionary in each file of this folder that has the fold of every event. They return a
# `partial`, which scripts/generate_js_limits.py writes as data for the JavaScript client. `things` is a field of the
# view, such as `clocks`. The event has the whole thing in `clock`, or its id in `clock_id`.


def sets(things: str, fields: str = "", **given: object) -> partial[Changes]:
    """Return a fold that sets fields of a thing. `fields`: copied from the event. `given`: fixed values.

    In `fields`, `pool` copies the event's `pool`; `pool:remaining` sets `pool` to the event's `remaining`; `parts+part`
    appends the event's `part` to the thing's `parts`.
    """
    return partial(_set, things, f"{things[:-1]}_id", _fields(fields), given)


def _set(things: str, id_field: str, fields: _Fields, given: _Given, part: ViewPart, event: Any) -> Changes:
    key = getattr(event, id_field)
    thing = getattr(part, things)[key]
    return [(things, key, thing.model_copy(update=_said(fields, given, event, thing)))]


def _fields(text: str) -> _Fields:
    return [(field, sign, source or field) for field, sign, source in re.findall(r"(\w+)([:+]?)(\w*)", text)]


def _said(fields: _Fields, given: _Given, event: Any, thing: Any) -> _Given:
    said = given.copy()
    for field, sign, source in fields:
        value = getattr(event, source)
        said[field] = (*getattr(thing, field), value) if sign == "+" else value
    return said


def assigns(fields: str = "", **given: object) -> partial[Changes]:
    """Return a fold that sets fields of the view itself.

    `fields`: copied from the event, as in `sets`. `given`: fixed values. If a field is in both, the fixed value is the
    default for events without the field. Only JavaScript needs this default: in Python, every event has all its fields.
    """
    return partial(_assign, _fields(fields), given)


def _assign(fields: _Fields, given: _Given, part: ViewPart, event: Any) -> Changes:
    return [(field, None, value) for field, value in _said(fields, given, event, part).items()]


def ends(things: str, fields: str = "", forgotten: Forgotten | None = None, **given: object) -> partial[Changes]:
    """Return a fold that ends a thing: it sets fields, as `sets` does, and moves the thing to the last place.

    Also removes the long-ended things that `forgotten` returns.
    """
    return partial(_end, things, f"{things[:-1]}_id", _fields(fields), given, forgotten)


def _end(
    things: str, id_field: str, fields: _Fields, given: _Given, forgotten: Forgotten | None, part: ViewPart, event: Any
) -> Changes:
    key = getattr(event, id_field)
    thing = getattr(part, things)[key]
    ended = thing.model_copy(update=_said(fields, given, event, thing))
    return limited(part, things, [(things, key, GONE), (things, key, ended)], forgotten)


def puts(things: str) -> partial[Changes]:
    """Return a fold that puts the event's thing into the view, in place of its earlier state."""
    return partial(_put, things, things[:-1])


def _put(things: str, kind: str, part: ViewPart, event: Any) -> Changes:
    return [put(things, getattr(event, kind))]


def adds(things: str, forgotten: Forgotten | None = None) -> partial[Changes]:
    """Return a fold that adds the event's thing and counts it. It also drops the old things that `forgotten` names."""
    return partial(_add, things, things[:-1], forgotten=forgotten)


def _add(things: str, kind: str, part: ViewPart, event: Any, forgotten: Forgotten | None) -> Changes:
    thing = getattr(event, kind)
    return [*limited(part, things, [put(things, thing)], forgotten), *counted(part, kind, thing.id)]


def drops(things: str) -> partial[Changes]:
    """Return a fold that removes a thing, if it exists."""
    return partial(_drop, things, f"{things[:-1]}_id")


def _drop(things: str, id_field: str, part: ViewPart, event: Any) -> Changes:
    return [(things, getattr(event, id_field), GONE)]


def _keep(part: ViewPart, event: Any) -> Changes:
    return []


NOTHING = partial(_keep)  # the fold for events that change nothing in a view


def joins(*folds: partial[Changes]) -> partial[Changes]:
    """Combine several folds. No fold may change a field that another fold reads."""
    return partial(_join, folds)


def _join(folds: tuple[partial[Changes], ...], part: ViewPart, event: Any) -> Changes:
    return [change for fold in folds for change in fold(part, event)]


def put(field: str, thing: Any) -> Change:
    """Return the change that adds a thing under its id, or replaces the thing with this id."""
    return field, thing.id, thing


def updated(part: ViewPart, field: str, key: Id, **values: object) -> Change:
    """Return the change that sets `values` in the thing with the id `key`. `field`: the things' field in the view."""
    return field, key, getattr(part, field)[key].model_copy(update=values)


def dropped(field: str, keys: Iterable[Id]) -> Changes:
    """Return the changes that remove these things. Ids that the field does not have are ignored."""
    return [(field, key, GONE) for key in keys]


def limited(part: ViewPart, field: str, changes: Changes, forgotten: Forgotten | None) -> Changes:
    """Return changes of one field, followed by the removal of the things that `forgotten` returns."""
    if forgotten is None:
        return changes
    things = dict(getattr(part, field))
    for _, key, thing in changes:
        if thing is GONE:
            del things[key]
        else:
            things[key] = thing
    return changes + dropped(field, forgotten(things))


def counted(part: ViewPart, kind: Kind | str, thing_id: Id | None = None) -> Changes:
    """Return the changes that count one more thing of a kind. If a command chose its id, nobody may
    choose this id again."""
    changes: Changes = [("made", kind, part.made.get(kind, 0) + 1)]
    if thing_id is not None and not is_server_made(thing_id):
        changes.append(("taken", None, (*part.taken, thing_id)))
    return changes


def forgets(ended: Callable[[Any], bool], most: int) -> Forgotten:
    """Return a function that names the things to drop: all ended things except the latest `most`."""
    return lambda things: too_old(things, ended, most)


def too_old(things: Mapping[Id, _Thing], ended: Callable[[_Thing], bool], most: int) -> list[Id]:
    """Return the ids of all ended things except the latest `most`, the oldest first."""
    over = [key for key, thing in things.items() if ended(thing)]
    return over[: max(0, len(over) - most)]
