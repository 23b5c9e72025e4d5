"""What no room holds more of: a log that goes beyond it is not read on, however long it is."""

from __future__ import annotations

from typing import Final

from dreadclock.rules.limits import MAX_CHARACTERS
from dreadclock.wire.views import ChannelView, View

_MOST: Final = {  # in each channel, be they over or not
    "seats": 256,
    "characters": MAX_CHARACTERS,
    **dict.fromkeys(("countdowns", "scenes", "situations", "checks", "totals", "efforts", "secrets"), 1_024),
    **dict.fromkeys(("rolls", "sealed"), 1_024),
    **dict.fromkeys(("challenges", "clocks"), 2_048),
    "lanes": 4_096,
}


def overfull(before: View, after: View) -> str | None:
    """Name what has become too many; None if nothing has."""
    for channel, part in after.channels.items():
        earlier = before.channels[channel]
        if part is not earlier and (name := _overfull(earlier, part)) is not None:
            return name
    return None


def _overfull(before: ChannelView, after: ChannelView) -> str | None:
    return next(
        (name for name, most in _MOST.items() if _grew(before, after, name) and _size(after, name) > most), None
    )


def _size(part: ChannelView, name: str) -> int:
    return len(getattr(part, name))


def _grew(before: ChannelView, after: ChannelView, name: str) -> bool:
    return getattr(before, name) is not getattr(after, name)
