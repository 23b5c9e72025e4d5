"""Knocks that were displaced by later knocks, as far as this process has seen.

Also counts knocks at rooms that do not exist. So a displaced knocker does not learn whether the room exists.
"""

from typing import Any

from dreadclock.wire.base import MillisecondsUtc, RoomId
from dreadclock.wire.frames import KnockId
from dreadclock_server.gateway.knocks import MOST_KNOCKS, PICKED_UP_WITHIN_S

MOST_ROOMS = 1024  # rooms with recent knocks
MOST_LAPSED = 4096  # of all rooms; older displaced knocks wait until they expire


class LapsedKnocks:
    """Mirrors the store's rule: if a room has too many knocks, the knock that expires first is deleted."""

    def __init__(self) -> None:
        self._waiting: dict[RoomId, dict[KnockId, MillisecondsUtc]] = {}
        self._lapsed: dict[KnockId, None] = {}  # the oldest first

    def __contains__(self, knock: KnockId) -> bool:
        """Tell whether a knock was displaced before it expired."""
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
        """Note that a knock was answered. Its answer can be fetched a little longer."""
        waiting = self._waiting.get(room_id, {})
        if knock in waiting:
            waiting[knock] += PICKED_UP_WITHIN_S * 1000

    def withdrawn(self, room_id: RoomId, knock: KnockId) -> None:
        """Note that a knock was withdrawn."""
        self._waiting.get(room_id, {}).pop(knock, None)


def _forget_oldest(notes: dict[str, Any], most: int) -> None:
    while len(notes) > most:
        del notes[next(iter(notes))]
