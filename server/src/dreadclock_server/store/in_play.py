"""Demo rooms (tables in play) in the store: their memory, and when they are deleted.

Visitors open demo rooms, in which a server process plays a scripted story. Each demo room has a mark (the key
`in-play`), which decides when the room is deleted. The room's meta has three fields:

    cap      limit of public bytes in its log, unless the server's setting is lower
    held     bytes of its entries and their rows in the index, with overhead
    granted  limit of `held`; append.lua accepts no entry beyond this limit

The granted bytes depend on the room's public bytes only, and include the maximum of hidden bytes from the start. So
neither a refusal in this room nor the memory left for other rooms reveals how much is hidden.

Data about all demo rooms is under a hash tag of its own. DEMO_ROOMS has a row for each demo room, with its reserved
bytes. TABLES_IN_PLAY has the time of the next check of each demo room. The row is written before the room, so that
rooms never have more bytes than are reserved. The time is written before the row, so that a later check can repair an
interrupted change. Demo rooms have no snapshots.
"""

import hmac
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import ceil
from typing import Any

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
from dreadclock_server.store.scripts import Arg

SILENT_MS = 600_000  # a node that is silent for so long is gone; longer than NODE_SILENT_MS, because clocks may differ
ENDS_AFTER_MS = 24 * 3600 * 1000  # a demo room is deleted after this time, even if somebody is connected
UNLIMITED_SHARE = 64 << 20  # bytes of all demo rooms if the store has no limit; if it has, they get an eighth of it
CAP_BYTES = 1 << 20
# the limit of hidden bytes, 1/4 + 1/16 of the cap (the gm's reserve), twice: the index may have a copy of each record
_FOR_HIDDEN = 5 * CAP_BYTES // 8
_PER_PUBLIC_BYTE = 3  # stored bytes per public byte, at most: for the envelope, and a copy in the index
_AHEAD = 16 << 10  # maximum of public bytes that a command adds
_STEP = 64 << 10  # a grant is raised to a multiple of this
FIRST_GRANT_BYTES = 3 * _STEP + _FOR_HIDDEN  # more bytes than the story needs
_MOST_GRANTED = _FOR_HIDDEN + _PER_PUBLIC_BYTE * (CAP_BYTES + 4 * _AHEAD)
_ASIDE = 32 << 10  # bytes reserved for tokens, knocks, recaps and presence

_OTHERS = [part for part in PARTS if part not in (IN_PLAY, HERE)]


class TablesInPlay:
    """The demo rooms of a store. Every method raises StoreUnavailable if the store does not answer in time."""

    def __init__(
        self,
        ask: Callable[..., Awaitable[Any]],
        run: Callable[[str, Sequence[str], Sequence[Arg]], Awaitable[Any]],
    ) -> None:
        self._ask, self._run = ask, run

    async def reserve(
        self, room: str, opened_by: Mapping[str, int], most: int, *, plays_ms: int, for_ms: int, now_ms: int
    ) -> bool:
        """Reserve memory for a new demo room, and mark the room. Return False if no memory or no place is left.

        `opened_by`: its keys are the address of the opener and the network of this address. Each value is
        the share of the demo rooms and of their memory that the key may use, in quarters: 1 means 25 %.
        `most`: in how many rooms the story may play at a time.
        For `plays_ms`, the room counts as a room in which the story plays. After `for_ms`, the room is deleted if it is
        not marked again.
        """
        who = {await self._hash_of(name): quarters for name, quarters in opened_by.items()}
        row = json.dumps({"bytes": _memory_of(FIRST_GRANT_BYTES), "plays": now_ms + plays_ms, "who": who})
        await self._ask("HSET", TABLES_IN_PLAY, room, now_ms + for_ms)
        await self._run("mark_in_play", [key(room, IN_PLAY)], [for_ms, now_ms, now_ms + ENDS_AFTER_MS])
        if await self._reserved(room, row, now_ms, most):
            return True
        await self.keep(room)
        return False

    async def grow(self, room: str, needed: float, now_ms: int) -> int | None:
        """Raise the granted bytes of a demo room to `needed` or more, and return them; None if there is no memory."""
        if needed > _MOST_GRANTED:
            return None
        granted = ceil(needed / _STEP) * _STEP
        if not await self._reserved(room, json.dumps({"bytes": _memory_of(granted)}), now_ms, ""):
            return None
        await self._run("grant_demo", [key(room, META)], [granted])
        return granted

    async def _reserved(self, room: str, row: str, now_ms: int, most: Arg) -> bool:
        args: list[Arg] = [room, row, UNLIMITED_SHARE, now_ms, most]
        return bool((await self._run("reserve_demo", [DEMO_ROOMS], args))[0] == b"DONE")

    async def _hash_of(self, name: str) -> str:
        """Return an HMAC of an address, to store instead of the address. The HMAC's key is in the store, too."""
        await self._ask("SET", OPENERS_KEY, secrets.token_bytes(32), "NX")
        return hmac.digest(await self._ask("GET", OPENERS_KEY), name.encode(), "sha256").hex()[:32]

    async def playing(self, rooms: Sequence[str], until_ms: int) -> None:
        """Store that a process plays the story in these rooms until `until_ms`. 0 means that it has stopped."""
        if rooms:
            await self._run("note_playing", [DEMO_ROOMS], [until_ms, *rooms])

    async def is_playing(self, room: str, now_ms: int) -> bool:
        """Return whether a process plays the story in a room now."""
        row = await self._ask("HGET", DEMO_ROOMS, room)
        return row is not None and json.loads(row)["plays"] > now_ms

    async def ends_at(self, room: str) -> int | None:
        """Return when a demo room is deleted at the latest (ms); None for other rooms."""
        ends_ms = await self._ask("HGET", key(room, IN_PLAY), "ends")
        return None if ends_ms is None else int(ends_ms)

    async def mark_again(self, room: str, for_ms: int, now_ms: int) -> None:
        """Keep a demo room for at least another `for_ms`, but not beyond its end. Does nothing for other rooms.

        If somebody is connected when this time is over, it is extended by `for_ms` again.
        """
        await self._run("mark_in_play", [key(room, IN_PLAY)], [for_ms, now_ms, ""])

    async def keep(self, room: str) -> None:
        """Turn a demo room into an ordinary room, which is not deleted by itself."""
        await self._run("keep_in_play", keys(room, IN_PLAY, META), [])
        await self.forget(room)

    async def due(self, every_ms: int, now_ms: int) -> list[str]:
        """Return the rooms that are due for a check by `end`.

        The list is empty if any process has called this method less than `every_ms` ago: one process checks all rooms.
        """
        flat = await self._run("due_in_play", [TABLES_IN_PLAY], [now_ms, every_ms])
        rows = zip(flat[::2], flat[1::2], strict=True)
        return [room.decode() for room, look_ms in rows if room and int(look_ms) <= now_ms]

    async def end(self, room: str, now_ms: int, *, at_once: bool = False) -> bool:
        """Delete a demo room if its time is over. Return whether the room was deleted.

        `at_once`: its time counts as over. While somebody is connected, the room stays, but at most ENDS_AFTER_MS after
        its opening.
        """
        names = keys(room, IN_PLAY, HERE, *_OTHERS)
        outcome, *due = await self._run("end_in_play", names, [now_ms, SILENT_MS, int(at_once)])
        if outcome == b"LATER":
            await self._ask("HSET", TABLES_IN_PLAY, room, int(due[0]))
        else:
            await self.forget(room)
        return bool(outcome == b"DONE")

    async def forget(self, room: str) -> None:
        """Release the reserved memory of a room that is gone or no longer a demo room, and forget who opened it."""
        await self._ask("HDEL", DEMO_ROOMS, room)
        await self._ask("HDEL", TABLES_IN_PLAY, room)  # last: while this row exists, the room is checked again


def needed_for(public_bytes: int) -> int:
    """Return how many bytes must be granted to a demo room with this many public bytes before another command."""
    return _FOR_HIDDEN + _PER_PUBLIC_BYTE * (public_bytes + _AHEAD)


def public_bytes_in(granted: int) -> int:
    """Return the number of public bytes up to which a demo room with this grant takes another command."""
    return (granted - _FOR_HIDDEN) // _PER_PUBLIC_BYTE - _AHEAD


def _memory_of(granted: int) -> int:
    """Return the memory to reserve for so many granted bytes. The store's allocator may waste up to 41 %."""
    return _ASIDE + granted * 3 // 2
