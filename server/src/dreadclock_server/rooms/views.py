"""What viewers see of rooms, as JSON: each view is written once for all who ask for it."""

from collections import OrderedDict
from collections.abc import Sequence

from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.records import Head
from dreadclock.wire.views import View
from dreadclock_server.core.room import Room

MOST_BYTES = 32 << 20  # of all cached texts together
_OVERHEAD = 1024  # bytes that an entry takes beside its text, roughly

_Key = tuple[RoomId, tuple[Channel, ...]]


def part_of(view: View, channels: Sequence[Channel]) -> View:
    """Return what a viewer of these channels sees. This is decided here alone."""
    return View.model_construct(channels={channel: view.channels[channel] for channel in channels})


class ViewCache:
    """An LRU cache of views as JSON: for each room and set of channels the latest text.

    A text is valid as long as the heads of its own channels stand. Nothing else may count, such as the room's entry
    number: a miss would tell a player that something hidden happened.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes, self._bytes = most_bytes, 0
        self._texts = OrderedDict[_Key, tuple[list[Head], bytes]]()

    def text(self, room: Room, channels: Sequence[Channel]) -> bytes:
        """Return what a viewer of these channels sees of a room, as JSON in UTF-8."""
        key, heads = (room.room_id, tuple(channels)), [room.positions[channel] for channel in channels]
        cached = self._texts.get(key)
        if cached is not None and cached[0] == heads:
            self._texts.move_to_end(key)
            return cached[1]
        self._forget(key)
        text = part_of(room.view, channels).model_dump_json(exclude_none=True).encode()
        self._keep(key, heads, text)
        return text

    def _keep(self, key: _Key, heads: list[Head], text: bytes) -> None:
        size = len(text) + _OVERHEAD
        if size > self._most_bytes:
            return
        self._texts[key], self._bytes = (heads, text), self._bytes + size
        while self._bytes > self._most_bytes:
            self._forget(next(iter(self._texts)))

    def _forget(self, key: _Key) -> None:
        _, text = self._texts.pop(key, (None, None))
        if text is not None:
            self._bytes -= len(text) + _OVERHEAD
