"""A replica: this node's copy of a room, kept in step with the store; those who listen hear what it takes in."""

from collections.abc import Awaitable, Callable

import structlog

from dreadclock_server.rooms.fanout import Fanout
from dreadclock_server.rooms.log import BrokenLog, Log, NewerLog, read_on
from dreadclock_server.rooms.size import Size, public_bytes_of
from dreadclock_server.store.base import Position, Store

_log = structlog.get_logger()


class Replica:
    """One room as this node knows it. `reload` returns the room as the store has it."""

    __slots__ = ("_fanout", "_reload", "_room_id", "_size", "_store", "log")

    def __init__(
        self, store: Store, log: Log, fanout: Fanout, reload: Callable[[], Awaitable[Log]], size: Size
    ) -> None:
        self.log, self._size = log, size
        self._room_id, self._store, self._fanout, self._reload = log.room.room_id, store, fanout, reload

    def hear(self, position: Position, data: bytes) -> bool:
        """Take an announced entry, and return whether nothing is missing now; else it has to be read from the store."""
        here = self.log.position
        if position.number <= here.number:
            return True
        return position.number == here.number + 1 and here.after(data) == position and self._took(position, data)

    def _took(self, position: Position, data: bytes) -> bool:
        try:
            self._take(position.number, data)
        except BrokenLog as error:
            _log.warning("an announced entry does not fit", room=self._room_id, error=str(error))
            return False
        return True

    async def read_on(self) -> None:
        """Take in what other nodes appended; if the store tells another story, start over from it."""
        try:
            await read_on(self._store, self._room_id, self.log.position, self._take_if_new)
        except NewerLog:
            raise  # it goes on from what we know, but without us
        except BrokenLog as error:
            _log.error("the log is not the one we know", room=self._room_id, error=str(error))
            await self.start_over()

    async def start_over(self) -> None:
        """Take the room as the store has it."""
        before = self.log.room
        self.log = await self._reload()
        self._fanout.replaced(before, self.log.room)

    def _take_if_new(self, number: int, data: bytes) -> None:
        if number > self.log.position.number:  # others may have announced it while it was read
            self._take(number, data)

    def _take(self, number: int, data: bytes) -> None:
        before = self.log.room
        written = self.log.take(number, data)
        self._size.take_entry(data, public_bytes_of(self.log.room, data))
        self._fanout.add(before, self.log.room, written)
        self._fanout.end_soon()
