"""The limit on the text of things that a player or an integration made. Source: rules.md E2."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

from pydantic import StringConstraints

from dreadclock.rules.limits import MAX_MADE_TEXT_BYTES
from dreadclock.wire.base import ChosenName, Id, Model, Name, Text
from dreadclock.wire.families.checks import resolved
from dreadclock.wire.things import Character, Check, Clock, Countdown, Total
from dreadclock.wire.views import ChannelView

_FAMILIES = ("countdowns", "clocks", "characters", "checks", "totals")
_PATTERNS = {constraint.pattern for kind in (Name, ChosenName, Text) for constraint in get_args(kind)[1:]}

Made = Countdown | Clock | Character | Check | Total


def text_limit_passed(before: ChannelView, after: ChannelView) -> int | None:
    """Return the limit, in bytes, that a maker's things exceed after they gained text; None if none is exceeded.

    The limit is MAX_MADE_TEXT_BYTES for open things, and twice as much for open and ended things together.
    """
    for count, most in ((_open_text, MAX_MADE_TEXT_BYTES), (text_bytes, 2 * MAX_MADE_TEXT_BYTES)):
        gains = _gains(before, after, count)
        if any(_text_of(after, maker, count) > most for maker, gain in gains.items() if gain > 0):
            return most
    return None


def _gains(before: ChannelView, after: ChannelView, count: Callable[[Made], int]) -> Counter[Id]:
    """Return, by maker, how many bytes of text things gained. Compares things by identity, because a new view shares
    unchanged things with the old view.

    Does not subtract the text of things that left the view. New things displace them, and must count as a gain.
    """
    gains = Counter[Id]()
    for family in _FAMILIES:
        old, new = getattr(before, family), getattr(after, family)
        for thing_id, thing in new.items() if new is not old else ():
            was = old.get(thing_id)
            if thing is not was and thing.made_by is not None:
                gains[thing.made_by] += count(thing) - (0 if was is None else count(was))
    return gains


def _text_of(part: ChannelView, maker: Id, count: Callable[[Made], int]) -> int:
    things = (thing for family in _FAMILIES for thing in getattr(part, family).values())
    return sum(count(thing) for thing in things if thing.made_by == maker)


def _open_text(thing: Made) -> int:
    return text_bytes(thing) if _is_open(thing) else 0


def _is_open(thing: Made) -> bool:
    if isinstance(thing, Clock):
        return not thing.done
    return not (resolved(thing) if isinstance(thing, Check) else thing.is_over)


def text_bytes(value: object, *, is_text: bool = False) -> int:
    """Return the UTF-8 bytes of the names and texts in a thing. `is_text`: whether `value` is a name or text itself."""
    if isinstance(value, Model):
        return sum([text_bytes(getattr(value, name), is_text=holds) for name, holds in _fields(type(value))])
    if isinstance(value, str):
        return len(value.encode()) if is_text else 0
    if isinstance(value, Mapping):
        return sum([text_bytes(part, is_text=is_text) for pair in value.items() for part in pair])
    return sum([text_bytes(part, is_text=is_text) for part in value]) if isinstance(value, tuple) else 0


@cache
def _fields(model: type[Model]) -> tuple[tuple[str, bool], ...]:
    """Return a model's fields. True marks fields that hold names or texts."""
    hints = get_type_hints(model, include_extras=True)
    return tuple((name, _holds_text(hints[name])) for name in model.model_fields)


def _holds_text(hint: Any) -> bool:
    if isinstance(hint, StringConstraints):
        return hint.pattern in _PATTERNS
    return any(map(_holds_text, (*get_args(hint), *getattr(hint, "__metadata__", ()))))
