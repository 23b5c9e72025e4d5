"""What each seat may take back, worked out once for all who ask, and between other work."""

import asyncio
from collections.abc import Sequence

from dreadclock.wire.records import Head
from dreadclock.wire.rest import Undoable
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room
from dreadclock_server.core.undoable import tried

_Found = list[Undoable]


class Undoables:
    """The latest answer about a room for each seat that asked. It holds no room."""

    def __init__(self) -> None:
        self._answers: dict[Actor, tuple[Sequence[Head], asyncio.Task[_Found]]] = {}

    async def of(self, room: Room, by: Actor) -> _Found:
        """Return what `core.undoable` does: worked out now, or before if nothing happened since that the seat sees.

        What it does not see has no part in the answer, nor in whether that comes at once.
        """
        stands = [room.positions[channel] for channel in by.channels]
        known = self._answers.get(by)
        if known is None or known[0] != stands:
            known = self._answers[by] = stands, asyncio.create_task(_work_out(room, by))
        return await asyncio.shield(known[1])


async def _work_out(room: Room, by: Actor) -> _Found:
    found = _Found()
    for each in tried(room, by):
        found += [] if each is None else [each]
        await asyncio.sleep(0)  # others' turn: in a full room one takes about a millisecond
    return found
