"""What servers of this edition of the rules have written or accepted otherwise before.

Whoever changes what `decide` writes or refuses adds a row to OLDER, or raises EDITION; and adds a golden log, which the
tests of the verifier decide again. Whoever adds a field with a default other than None marks its type as `Later`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import orjson

from dreadclock.wire import events as e
from dreadclock.wire.base import LATER, Model
from dreadclock.wire.events import Event
from dreadclock.wire.records import Record


@dataclass(frozen=True, slots=True)
class Form:
    """How a server writes. Servers that decide have the newest; the verifier tries older ones, too."""

    writes_all: bool = True  # write every field that an event has, be it what its absence means
    keeps_odds: bool = True  # refuse an undo after which a check would wait with odds of before
    names_makers: bool = True  # say who made a thing, and limit the text in the things of one maker
    starts_at_stages: bool = True  # let the stage at a countdown's starting size happen as it starts
    sees_look_alikes: bool = True  # keep the gm's name from others however it is written
    recounts: bool = True  # tell a waiting check's odds anew where a consequence or a sheet changed them


class Older(NamedTuple):
    """One thing that was otherwise.

    `since`: the day of the newer form; `changes`: what an older one's fields are; `shows`: whether an event could not
    be of an older one.
    """

    what: str
    since: str
    changes: dict[str, bool]
    shows: Callable[[Event], bool] | None = None


def _names_maker(event: Event) -> bool:
    match event:
        case e.CountdownStarted(countdown=thing) | e.ClockStarted(clock=thing) | e.CharacterAdded(character=thing):
            return thing.made_by is not None
        case e.CheckProposed(check=thing) | e.TotalProposed(total=thing):
            return thing.made_by is not None
    return False


def _starts_at_stage(event: Event) -> bool:
    return isinstance(event, e.CountdownStarted) and event.countdown.start_stage is not None


def is_of_older(text: str, record: Record) -> bool:
    """Return whether a text is a record's canonical text, but that it may lack fields that came later."""
    theirs = Record.model_validate_json(text)
    options = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
    return theirs == record and orjson.dumps(theirs, _fields_of_older, options).decode() == text


def _fields_of_older(model: Model) -> dict[str, object]:
    left_out = _later(type(model)) - model.model_fields_set
    return {name: value for name, value in model if value is not None and name not in left_out}


@cache
def _later(model: type[Model]) -> frozenset[str]:
    return frozenset(name for name, field in model.model_fields.items() if LATER in field.metadata)


NEWEST = Form()
OLDER = (  # the latest change first
    Older("fields that came later were not written", "2026-11-26", {"writes_all": False}),
    Older("an undo could leave a check with odds of before", "2026-11-26", {"keeps_odds": False}),
    Older("things did not say who made them", "2026-11-26", {"names_makers": False}, _names_maker),
    Older("no stage happened as a countdown started", "2026-11-26", {"starts_at_stages": False}, _starts_at_stage),
    Older("odds that consequences or sheets changed were not told", "2026-11-25", {"recounts": False}),
    Older("others could have a name that reads as the gm's", "2026-11-25", {"sees_look_alikes": False}),
)
"""A row also accepts what such servers accepted: a server that named no makers set no limit on their text."""


def _forms() -> tuple[Form, ...]:
    """Return all forms, the newest first: a server that lacks one change lacks all that came later."""
    forms = [NEWEST]
    for older in OLDER:
        forms.append(replace(forms[-1], **older.changes))
    return tuple(forms)


FORMS = _forms()
