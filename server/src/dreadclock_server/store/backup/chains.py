"""Check that every room in a store is complete.

The entries of a room must be numbered without gaps, and must hash to the digest of the room. The records in the entries
must hash to the heads of their channels: each entry contains the head (seq and hash) of each channel after it.
"""

from dataclasses import dataclass

from dreadclock.wire.base import Channel
from dreadclock.wire.records import advance, opening_head
from dreadclock_server.store.base import EMPTY, RoomUnknown, Store
from dreadclock_server.store.codec import NewerEntry, UnreadableEntry, decode
from dreadclock_server.store.connections import RedisClient, make_client
from dreadclock_server.store.keys import HERE, IN_PLAY, KNOCKS, NO_ROOM, PARTS, REHEARSAL, key, room_of
from dreadclock_server.store.preflight import connect

_AT_ONCE = 500


class BrokenChain(Exception):
    """A room is damaged. The message names the room and the place."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rooms and entries a store has."""

    rooms: int
    entries: int
    valkey: str  # the version of the store's server


async def check(url: str) -> Counts:
    """Read every room of the store at an address from its first entry to its last.

    Raises BrokenChain, or StoreUnfit if the store cannot be used.
    """
    client, entries, rooms = make_client(url), 0, 0
    store = await connect(url, rehearse=False)
    try:
        for room in await _rooms(client):
            try:
                entries += await _check_room(store, room)
            except RoomUnknown:
                raise BrokenChain(f"room {room}: it has lost its beginning") from None
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise BrokenChain(f"room {room!r} cannot be read: {type(error).__name__}") from error
            rooms += 1
        about = await client.execute_command("INFO", "server")
        return Counts(rooms, entries, str(about.get("valkey_version", about["redis_version"])))
    finally:
        await store.aclose()
        await client.aclose()


async def _rooms(client: RedisClient) -> list[str]:
    """Return the ids of all rooms, except test rooms and deleted rooms.

    A deleted room may still have connected seats, knocks (requests for a seat), or the mark of a demo room.
    """
    rooms: set[str] = set()
    cursor = -1
    while cursor != 0:
        answer, names = await client.execute_command("SCAN", max(cursor, 0), "COUNT", _AT_ONCE)
        cursor = int(answer)
        for name in names:
            if name.startswith(key(NO_ROOM, "").encode()):
                continue
            room, part = _read(name)
            if part not in (HERE, KNOCKS, IN_PLAY) and not room.startswith(REHEARSAL):
                rooms.add(room)
    return sorted(rooms)


def _read(name: bytes) -> tuple[str, str]:
    """Return the room and the part of a key."""
    try:
        room, part = room_of(name.decode()), name.decode().rpartition(":")[2]
        if name.decode() != key(room, part) or part not in PARTS:
            raise ValueError(name)
    except ValueError as error:
        raise BrokenChain(f"{name!r} is no part of a room") from error
    return room, part


async def _check_room(store: Store, room: str) -> int:
    meta = await store.meta(room)
    position = EMPTY
    heads = {channel: opening_head(room, meta.log_id, channel) for channel in Channel}
    while rows := await store.read(room, position.number, _AT_ONCE):
        for number, data in rows:
            if number != position.number + 1:
                raise BrokenChain(f"room {room}: entry {position.number + 1} is missing")
            position = position.after(data)
            try:
                entry = decode(data)
                for text in entry.texts:
                    channel = next(channel for channel in Channel if f'"channel":"{channel}"' in text)
                    heads[channel] = advance(heads[channel], text)
            except NewerEntry as error:
                raise BrokenChain(
                    f"room {room}: entry {number} is of a newer version of Dreadclock: {error}"
                ) from error
            except (UnreadableEntry, StopIteration) as error:
                raise BrokenChain(f"room {room}: entry {number} cannot be read") from error
            if heads != entry.heads:
                raise BrokenChain(f"room {room}: the records of entry {number} do not lead to its heads")
    if position != meta.position:
        raise BrokenChain(f"room {room}: its {position.number} entries do not hash to the room's digest")
    return position.number
