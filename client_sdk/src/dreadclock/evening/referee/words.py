"""How faults name what they are about."""

from __future__ import annotations

from dreadclock.wire import events as e


def named(sort: type[e.EventBase]) -> str:
    """Name a sort of event."""
    field = sort.model_fields.get("type")
    return f"`{field.default}`" if field is not None else "another event"


def short(value: object) -> str:
    """Write a value, or how it begins."""
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
