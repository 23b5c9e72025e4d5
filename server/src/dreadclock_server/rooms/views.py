"""Caches for viewers: views as JSON, and the lists of commands that a seat can undo."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.records import Head
from dreadclock.wire.rest import Undoable
from dreadclock.wire.views import View
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room
from dreadclock_server.core.undoable import tried

MOST_BYTES = 32 << 20  # the limit of all cached texts together
_OVERHEAD = 1024  # approximate memory of a cached text in addition to the text, in bytes

_Key = tuple[RoomId, tuple[Channel, ...]]


def part_of(view: View, channels: Sequence[Channel]) -> View:
    """Return the part of a view that a viewer of these channels may see. No other code decides this."""
    return View.model_construct(channels={channel: view.channels[channel] for channel in channels})


class ViewCache:
    """An LRU cache of views as JSON. It holds the latest text for each room and set of channels.

    A text is valid until the head of one of its channels changes. A head is the seq of a channel's last record, and a
    hash over its records. Nothing else, such as a new entry in the room, may invalidate a text: the delay of the cache
    miss would tell a player that something hidden happened.
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


class Undoables:
    """A cache of what each seat of a room may undo. It keeps no reference to the room itself."""

    def __init__(self) -> None:
        self._answers: dict[Actor, tuple[Sequence[Head], asyncio.Task[list[Undoable]]]] = {}

    async def of(self, room: Room, by: Actor) -> list[Undoable]:
        """Return the commands that a seat may undo, from the cache if the seat's channels have not changed.

        Channels that the seat does not see influence neither the answer nor the time that it takes.
        """
        heads = [room.positions[channel] for channel in by.channels]
        cached = self._answers.get(by)
        if cached is None or cached[0] != heads:
            cached = self._answers[by] = heads, asyncio.create_task(_work_out(room, by))
        return await asyncio.shield(cached[1])


async def _work_out(room: Room, by: Actor) -> list[Undoable]:
    undoables = list[Undoable]()
    for undoable in tried(room, by):
        undoables += [] if undoable is None else [undoable]
        await asyncio.sleep(0)  # let other tasks run: in a full room, each undoable takes about a millisecond
    return undoables
