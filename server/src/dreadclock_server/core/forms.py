"""How earlier server versions behaved differently, within this edition of the rules.

To change what `decide` writes or refuses, add a row to OLDER (or raise EDITION), and add a golden log for the tests of
the verifier. If you add a field to a stored model, with a default other than None, mark its type as `Later`.
"""

from collections.abc import Callable
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import orjson

from dreadclock.wire import events as e
from dreadclock.wire.base import LATER, Model
from dreadclock.wire.events import Event
from dreadclock.wire.records import Record


class Form(NamedTuple):
    """The behaviour of a server version. Servers use the newest form; the verifier also tries older forms."""

    writes_all: bool = True  # write every field of an event, even with its default value
    keeps_odds: bool = True  # refuse an undo that would leave a check with outdated odds
    names_makers: bool = True  # write who made a thing, and limit the text in all things that a player made
    starts_at_stages: bool = True  # a stage (what happens at a number of dice) also happens at a countdown's start
    sees_look_alikes: bool = True  # refuse names that look like the gm's
    recounts: bool = True  # write new odds of waiting checks after consequences and changes of sheets


class Older(NamedTuple):
    """A change of behaviour between two forms. `what`: a sentence about the older form.

    `since`: the first day of the newer form. `changes`: the values that the older form has. `shows`: tells whether an
    event can only come from the newer form.
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
    """Return whether a text is a record's canonical text, or the same without some fields that were added later."""
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
OLDER = (  # the changes of behaviour, the latest first
    Older("fields that came later were not written", "2026-11-26", {"writes_all": False}),
    Older("an undo could leave a check with outdated odds", "2026-11-26", {"keeps_odds": False}),
    Older("things did not say who made them", "2026-11-26", {"names_makers": False}, _names_maker),
    Older("no stage happened as a countdown started", "2026-11-26", {"starts_at_stages": False}, _starts_at_stage),
    Older("consequences and sheets changed odds, but these were not written", "2026-11-25", {"recounts": False}),
    Older("others could have a name that reads as the gm's", "2026-11-25", {"sees_look_alikes": False}),
)
"""In an older form, False means that the server did not do this yet. Without `names_makers`, there was no limit on text
either.
"""


FORMS = tuple(accumulate(OLDER, lambda form, older: form._replace(**older.changes), initial=NEWEST))
"""All forms, the newest first. A server that lacks a change also lacks all later changes."""
