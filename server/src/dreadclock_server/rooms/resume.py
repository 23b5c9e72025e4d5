"""What a viewer missed who was here before."""

from dreadclock.wire.base import Channel
from dreadclock.wire.records import Positions
from dreadclock_server.rooms.history import Forked, Missed, TooOld
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.store.base import StoreUnavailable


async def missed(live: LiveRoom, known: Positions) -> dict[Channel, Missed]:
    """Return what followed `known`, channel by channel, up to the moment of returning.

    Raises TooOld if that is more than is sent record by record, Forked if the viewer knows another log, and
    StoreUnavailable if that cannot be told yet: the viewer may have heard elsewhere what follows an append of this
    node's that is not confirmed.
    """
    try:
        return await _all_missed(live, known)
    except Forked:
        await live.refresh()  # the viewer may come from a node that is ahead of this one
    try:
        return await _all_missed(live, known)
    except Forked:
        if await live.is_behind():
            raise StoreUnavailable("an append is not confirmed yet") from None
        raise


async def _all_missed(live: LiveRoom, known: Positions) -> dict[Channel, Missed]:
    parts = {channel: await live.missed(channel, head) for channel, head in known.items()}
    return {channel: _completed(live, channel, part) for channel, part in parts.items()}


def _completed(live: LiveRoom, channel: Channel, part: Missed) -> Missed:
    """Add what has happened since it was read."""
    since = live.missed_recently(channel, part.head)
    if since is None:
        raise TooOld
    return Missed([*part.texts, *since.texts], since.head)
