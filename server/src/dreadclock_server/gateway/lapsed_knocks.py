"""Which knocks made room for later ones, as far as this process has seen.

Of each room, be there such a room or not: who is told that a knock has lapsed does not learn whether there is one.
"""

from typing import Any

from dreadclock.wire.base import MillisecondsUtc, RoomId
from dreadclock.wire.frames import KnockId
from dreadclock_server.gateway.knocks import MOST_KNOCKS, PICKED_UP_WITHIN_S

MOST_ROOMS = 1024  # at which somebody knocked lately
MOST_LAPSED = 4096  # of all rooms; the knocker of an older one waits until it expires


class LapsedKnocks:
    """Follows what the store does with the knocks of a room: of too many, the one that is over first goes."""

    def __init__(self) -> None:
        self._waiting: dict[RoomId, dict[KnockId, MillisecondsUtc]] = {}
        self._lapsed: dict[KnockId, None] = {}  # the oldest first

    def __contains__(self, knock: KnockId) -> bool:
        """Tell whether a knock has lapsed before its time."""
        return knock in self._lapsed

    def put(self, room_id: RoomId, knock: KnockId, expires_at: MillisecondsUtc, now_ms: int) -> None:
        """Note a new knock."""
        earlier = self._waiting.pop(room_id, {})
        waiting = {knock_id: over_at for knock_id, over_at in earlier.items() if now_ms < over_at}
        in_order = sorted((over_at, knock_id) for knock_id, over_at in waiting.items())
        for _, oldest in in_order[: max(0, len(waiting) - MOST_KNOCKS + 1)]:
            del waiting[oldest]
            self._lapsed[oldest] = None
        self._waiting[room_id] = {**waiting, knock: expires_at}
        _forget_oldest(self._waiting, MOST_ROOMS)
        _forget_oldest(self._lapsed, MOST_LAPSED)

    def answered(self, room_id: RoomId, knock: KnockId) -> None:
        """Note that a knock was answered: its answer can be fetched for a while longer."""
        waiting = self._waiting.get(room_id, {})
        if knock in waiting:
            waiting[knock] += PICKED_UP_WITHIN_S * 1000

    def withdrawn(self, room_id: RoomId, knock: KnockId) -> None:
        """Note that nobody asks for a knock any more."""
        self._waiting.get(room_id, {}).pop(knock, None)


def _forget_oldest(notes: dict[str, Any], most: int) -> None:
    while len(notes) > most:
        del notes[next(iter(notes))]
