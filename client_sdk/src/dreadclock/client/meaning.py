"""What people mean by a command where the wire, unasked, goes on as it did. Source: rules.md A12."""

from collections.abc import Mapping, Sequence
from typing import Any

from dreadclock.wire.commands import BoundTo, Effect, NewCountdown


def bound_to_turn(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Bind to the turn each countdown within a command's fields that says nothing else.

    It is a complication's `countdown`, or one that a consequence of `do` starts; what is none of ours stays as it is.
    """
    bound = {name: _BINDS[name](value) for name, value in fields.items() if name in _BINDS}
    return {**fields, **bound}


def _countdown(value: Any) -> Any:
    if isinstance(value, NewCountdown):
        return value if "bound_to" in value.model_fields_set else value.model_copy(update={"bound_to": BoundTo.TURN})
    return {"bound_to": "turn", **value} if isinstance(value, Mapping) else value


def _effect(value: Any) -> Any:
    if isinstance(value, Effect):
        return value.model_copy(update={"countdown": _countdown(value.countdown)})
    return bound_to_turn(value) if isinstance(value, Mapping) else value


def _effects(value: Any) -> Any:
    return [_effect(each) for each in value] if isinstance(value, Sequence) and not isinstance(value, str) else value


_BINDS = {"countdown": _countdown, "do": _effects}
