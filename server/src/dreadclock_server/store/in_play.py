"""Tables in play as the store knows them: which rooms go by themselves, and when, whoever played there.

Each room has a mark of its own, which alone decides. Beside the rooms lies an index of when to look at which: a hint,
which is written first and put right by whoever looks.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from dreadclock_server.store import scripts
from dreadclock_server.store.keys import HERE, IN_PLAY, PARTS, TABLES_IN_PLAY, key, keys
from dreadclock_server.store.scripts import Arg, Script

SILENT_MS = 600_000  # longer than for presence: no process's clock is to end what people watch

_OTHERS = [part for part in PARTS if part not in (IN_PLAY, HERE)]


class TablesInPlay:
    """The marks of tables in play. Each method raises StoreUnavailable if the store cannot be asked in time."""

    def __init__(
        self,
        ask: Callable[..., Awaitable[Any]],
        run: Callable[[Script, Sequence[str], Sequence[Arg]], Awaitable[Any]],
    ) -> None:
        self._ask, self._run = ask, run

    async def mark(self, room: str, for_ms: int, now_ms: int) -> None:
        """Let a room, which need not be there yet, go when it is not marked again within `for_ms`."""
        await self._ask("HSET", TABLES_IN_PLAY, room, now_ms + for_ms)
        await self._run(scripts.MARK_IN_PLAY, [key(room, IN_PLAY)], [for_ms, now_ms, 1])

    async def mark_again(self, room: str, for_ms: int, now_ms: int) -> None:
        """Let a room stay for `for_ms` from now on, and for as long again while somebody is there; no other."""
        await self._run(scripts.MARK_IN_PLAY, [key(room, IN_PLAY)], [for_ms, now_ms, 0])

    async def keep(self, room: str) -> None:
        """Let a room stay for ever."""
        await self._ask("UNLINK", key(room, IN_PLAY))
        await self._ask("HDEL", TABLES_IN_PLAY, room)

    async def due(self, every_ms: int, now_ms: int) -> list[str]:
        """Name rooms to `end`; none if another process asked in the last `every_ms`: one looks for all."""
        flat = await self._run(scripts.DUE_IN_PLAY, [TABLES_IN_PLAY], [now_ms, every_ms])
        rows = zip(flat[::2], flat[1::2], strict=True)
        return [room.decode() for room, look_ms in rows if room and int(look_ms) <= now_ms]

    async def end(self, room: str, now_ms: int, *, at_once: bool = False) -> bool:
        """Delete a room whose time is over, or any time `at_once`, unless somebody is there; tell whether it went."""
        names = keys(room, IN_PLAY, HERE, *_OTHERS)
        found, *due = await self._run(scripts.END_IN_PLAY, names, [now_ms, SILENT_MS, int(at_once)])
        if found == b"LATER":
            await self._ask("HSET", TABLES_IN_PLAY, room, int(due[0]))
        else:
            await self._ask("HDEL", TABLES_IN_PLAY, room)
        return bool(found == b"DONE")
