"""What no room holds more of: a log that goes beyond it is not read on, however long it is."""

from __future__ import annotations

from dreadclock.rules.limits import MOST_HELD
from dreadclock.wire.views import ChannelView, View


def overfull(before: View, after: View) -> str | None:
    """Name what has become too many; None if nothing has."""
    for channel, part in after.channels.items():
        earlier = before.channels[channel]
        if part is not earlier and (name := _overfull(earlier, part)) is not None:
            return name
    return None


def _overfull(before: ChannelView, after: ChannelView) -> str | None:
    grown = (name for name in MOST_HELD if getattr(before, name) is not getattr(after, name))
    return next((name for name in grown if len(getattr(after, name)) > MOST_HELD[name]), None)
