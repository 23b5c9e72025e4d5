"""Demo rooms (tables in play) as the store knows them: how much they hold, which go by themselves, and when.

Each room has a mark of its own (the key `in-play`), which alone decides when it goes, and three fields in its meta:

    cap      public bytes that its log may have, if the server's setting is not lower
    held     bytes that its entries and their rows in the index take, each with its overhead
    granted  bytes that it may hold now; append.lua takes no entry beyond that

What is granted follows from the room's public bytes, and has room for all that it may hide from the start. So neither a
refusal in this room nor what is left for others tells how much is hidden.

Beside the rooms, under a hash tag that no room has, lie a row for each demo room with the bytes that are reserved for
it, and an index of when to look at which. The row is written before the room, so that rooms never hold more than is
reserved. The index is written before both: whoever looks puts all of it right. No snapshot is kept of a demo room.
"""

import hmac
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import ceil
from typing import Any

from dreadclock_server.store import scripts
from dreadclock_server.store.keys import (
    DEMO_ROOMS,
    HERE,
    IN_PLAY,
    META,
    OPENERS_KEY,
    PARTS,
    TABLES_IN_PLAY,
    key,
    keys,
)
from dreadclock_server.store.scripts import Arg, Script

SILENT_MS = 600_000  # longer than for presence: no process's clock is to end what people watch
ENDS_AFTER_MS = 24 * 3600 * 1000
UNLIMITED_SHARE = 64 << 20  # bytes of all demo rooms where the store has no limit; otherwise an eighth of that
CAP_BYTES = 1 << 20
_FOR_HIDDEN = 5 * CAP_BYTES // 8  # a quarter of the cap and the gm's reserve, twice: the index may hold a copy
_PER_PUBLIC_BYTE = 3  # bytes at most: an entry has an envelope, and the index may hold a copy of its records
_AHEAD = 16 << 10  # public bytes that a command may add
_STEP = 64 << 10
FIRST_GRANT_BYTES = 3 * _STEP + _FOR_HIDDEN  # more than the story takes
_MOST_GRANTED = _FOR_HIDDEN + _PER_PUBLIC_BYTE * (CAP_BYTES + 4 * _AHEAD)
_ASIDE = 32 << 10  # bytes of memory for tokens, knocks, recaps and who is there

_OTHERS = [part for part in PARTS if part not in (IN_PLAY, HERE)]


class TablesInPlay:
    """The demo rooms of a store. Each method raises StoreUnavailable if the store cannot be asked in time."""

    def __init__(
        self,
        ask: Callable[..., Awaitable[Any]],
        run: Callable[[Script, Sequence[str], Sequence[Arg]], Awaitable[Any]],
    ) -> None:
        self._ask, self._run = ask, run

    async def reserve(
        self, room: str, opened_by: Mapping[str, int], most: int, *, plays_ms: int, for_ms: int, now_ms: int
    ) -> bool:
        """Reserve memory for a room that is opened next, and mark it; False if there is none for it.

        `opened_by`: the address and its network, each with how many quarters of the rooms and bytes it may have.
        `most`: so many rooms may play at a time. The room counts as playing for `plays_ms`, and goes when it is not
        marked again within `for_ms`.
        """
        who = {await self._hash_of(name): quarters for name, quarters in opened_by.items()}
        row = json.dumps({"bytes": _memory_of(FIRST_GRANT_BYTES), "plays": now_ms + plays_ms, "who": who})
        await self._ask("HSET", TABLES_IN_PLAY, room, now_ms + for_ms)
        await self._run(scripts.MARK_IN_PLAY, [key(room, IN_PLAY)], [for_ms, now_ms, now_ms + ENDS_AFTER_MS])
        if await self._reserved(room, row, now_ms, most):
            return True
        await self.keep(room)
        return False

    async def grow(self, room: str, needed: float, now_ms: int) -> int | None:
        """Let a demo room hold `needed` bytes or a little more, and return how many; None if it may not."""
        if needed > _MOST_GRANTED:
            return None
        granted = ceil(needed / _STEP) * _STEP
        if not await self._reserved(room, json.dumps({"bytes": _memory_of(granted)}), now_ms, ""):
            return None
        await self._run(scripts.GRANT_DEMO, [key(room, META)], [granted])
        return granted

    async def _reserved(self, room: str, row: str, now_ms: int, most: Arg) -> bool:
        args: list[Arg] = [room, row, UNLIMITED_SHARE, now_ms, most]
        return bool((await self._run(scripts.RESERVE_DEMO, [DEMO_ROOMS], args))[0] == b"DONE")

    async def _hash_of(self, name: str) -> str:
        """Return what is stored instead of an address: a hash by a key that the store keeps."""
        await self._ask("SET", OPENERS_KEY, secrets.token_bytes(32), "NX")
        return hmac.digest(await self._ask("GET", OPENERS_KEY), name.encode(), "sha256").hex()[:32]

    async def playing(self, rooms: Sequence[str], until_ms: int) -> None:
        """Note that a process tells the story in these rooms until then; 0: it does no more."""
        if rooms:
            await self._run(scripts.NOTE_PLAYING, [DEMO_ROOMS], [until_ms, *rooms])

    async def is_playing(self, room: str, now_ms: int) -> bool:
        """Tell whether a process said that it tells the story in a room now."""
        row = await self._ask("HGET", DEMO_ROOMS, room)
        return row is not None and json.loads(row)["plays"] > now_ms

    async def ends_at(self, room: str) -> int | None:
        """Return the ms at which a demo room is deleted at the latest; None if it is another room."""
        ends_ms = await self._ask("HGET", key(room, IN_PLAY), "ends")
        return None if ends_ms is None else int(ends_ms)

    async def mark_again(self, room: str, for_ms: int, now_ms: int) -> None:
        """Let a demo room stay for `for_ms` from now on, and for as long again while somebody is there, up to its end.

        No other room is marked.
        """
        await self._run(scripts.MARK_IN_PLAY, [key(room, IN_PLAY)], [for_ms, now_ms, ""])

    async def keep(self, room: str) -> None:
        """Make an ordinary room of a demo room: it stays for ever, within the server's settings."""
        await self._run(scripts.KEEP_IN_PLAY, keys(room, IN_PLAY, META), [])
        await self.forget(room)

    async def due(self, every_ms: int, now_ms: int) -> list[str]:
        """Name rooms to `end`; none if another process asked in the last `every_ms`: one looks for all."""
        flat = await self._run(scripts.DUE_IN_PLAY, [TABLES_IN_PLAY], [now_ms, every_ms])
        rows = zip(flat[::2], flat[1::2], strict=True)
        return [room.decode() for room, look_ms in rows if room and int(look_ms) <= now_ms]

    async def end(self, room: str, now_ms: int, *, at_once: bool = False) -> bool:
        """Delete a room whose time is over, or any time `at_once`, and tell whether it went.

        It stays while somebody is there, but not beyond its end.
        """
        names = keys(room, IN_PLAY, HERE, *_OTHERS)
        outcome, *due = await self._run(scripts.END_IN_PLAY, names, [now_ms, SILENT_MS, int(at_once)])
        if outcome == b"LATER":
            await self._ask("HSET", TABLES_IN_PLAY, room, int(due[0]))
        else:
            await self.forget(room)
        return bool(outcome == b"DONE")

    async def forget(self, room: str) -> None:
        """Drop what is reserved for a room that is gone or is no demo room any more, and who opened it."""
        await self._ask("HDEL", DEMO_ROOMS, room)
        await self._ask("HDEL", TABLES_IN_PLAY, room)  # last: as long as it is there, somebody looks at the room


def needed_for(public_bytes: int) -> int:
    """Return the bytes that a demo room may need with so many public bytes and the next command's."""
    return _FOR_HIDDEN + _PER_PUBLIC_BYTE * (public_bytes + _AHEAD)


def public_bytes_in(granted: int) -> int:
    """Return up to how many public bytes a demo room that may hold so many bytes takes another command."""
    return (granted - _FOR_HIDDEN) // _PER_PUBLIC_BYTE - _AHEAD


def _memory_of(granted: int) -> int:
    """Return the bytes of memory that a room needs to hold so many; of the worst entries allocators waste 0.41."""
    return _ASIDE + granted * 3 // 2
