"""The store over one Redis (6.2 or newer) or Valkey server."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, TypeVar

from redis.exceptions import ResponseError

from dreadclock.wire.base import Channel
from dreadclock_server.store.base import (
    EMPTY,
    MAX_SNAPSHOT_BYTES,
    MAX_TOKENS,
    NODE_SILENT_MS,
    Batch,
    IndexRow,
    LogBytes,
    Memory,
    Meta,
    Position,
    RoomExists,
    RoomFull,
    RoomHead,
    RoomUnknown,
    StaleWrite,
    StoreUnavailable,
    Trouble,
)
from dreadclock_server.store.connections import RedisClient, round_trip
from dreadclock_server.store.in_play import TablesInPlay
from dreadclock_server.store.index import args_of
from dreadclock_server.store.keys import (
    DICE,
    HERE,
    KNOCKS,
    LOG,
    META,
    PARTS,
    RECAPS,
    SNAPSHOT,
    TOKENS,
    USES,
    channel,
    index_of,
    key,
    keys,
    room_of,
)
from dreadclock_server.store.listener import ValkeyListener
from dreadclock_server.store.retries import OUTCOME_UNKNOWN, retry_until_known
from dreadclock_server.store.scripts import Arg, Scripts

DEADLINE_S = 3.0
_HEADS_PER_TRIP = 500
_MOST_READ_BYTES = 1 << 20
_HEAD = ("number", "digest", "tokens_version", "public", "hidden", "cap")  # the fields of a room's meta for RoomHead

T = TypeVar("T")


class ValkeyStore:
    """The methods of `Store` in base.py, over one server. `connect` in preflight.py makes a ValkeyStore."""

    def __init__(self, client: RedisClient, *, durability: str, deadline_s: float = DEADLINE_S) -> None:
        self.durability = durability
        self.check: Callable[[], Awaitable[None]] = _nothing_to_check
        """Check again that the server's settings keep what `durability` promises. Raises StoreUnfit or StoreSilent."""
        self.is_disk_full: Callable[[], bool] = lambda: False
        """Return whether the store's disk is full. Used because the server's own errors do not always say so."""
        self._client = client
        self._scripts = Scripts(client, deadline_s)
        self._deadline_s = deadline_s
        self.in_play = TablesInPlay(self._ask, self._run)
        self._listeners: list[ValkeyListener] = []
        # By room: the last entry's position, if no other process listened at its append. This entry is not announced.
        self._unheard: dict[str, Position] = {}

    # The room and its log

    async def open_room(
        self,
        room: str,
        *,
        log_id: str,
        session_key: bytes,
        dice_secret: bytes,
        tokens: Mapping[str, str],
        batch: Batch,
        cap_bytes: int | None = None,
        granted_bytes: int | None = None,
    ) -> Position:
        first = EMPTY.after(batch.entry)
        names = keys(room, META, LOG, DICE, TOKENS, USES, SNAPSHOT, *[index_of(row.channel) for row in batch.rows])
        args: list[Arg] = [log_id, session_key, dice_secret, batch.batch_id, batch.entry, first.digest]
        args += [batch.public_bytes, *("" if limit is None else limit for limit in (cap_bytes, granted_bytes))]
        answer = await self._run("open_room", names, [*args, *_row_args(batch.rows), *_flat(tokens)])
        if answer[0] == b"EXISTS":
            raise RoomExists(room)
        return _position(answer[1:])

    async def append(self, room: str, expected: Position, batch: Batch) -> Position:
        after = expected.after(batch.entry)
        names = _appended_to(room, *[row.channel for row in batch.rows])
        args: list[Arg] = [expected.number, expected.digest, batch.batch_id, batch.entry, after.digest, channel(room)]
        args.append(batch.public_bytes)
        for row in batch.rows:
            args += args_of(row)
        answer = await self._run("append", names, args)
        if answer[0] == b"CONFLICT":
            raise StaleWrite(_position(answer[1:]))
        if answer[0] == b"FULL":
            raise RoomFull(int(answer[1]), float(answer[2]))
        position = _position(answer[1:3])
        if answer[3:] and answer[3] <= sum([listener.hears(room) for listener in self._listeners]):
            self._unheard[room] = position
        return position

    async def read(self, room: str, after: int, limit: int = 1000) -> list[tuple[int, bytes]]:
        rows = await self._ask("XRANGE", key(room, LOG), f"{after + 1}-0", "+", "COUNT", limit)
        if not rows and not await self._ask("EXISTS", key(room, META)):
            raise RoomUnknown(room)
        return [(int(entry_id.partition(b"-")[0]), fields[b"e"]) for entry_id, fields in rows]

    async def read_channel(self, room: str, channel: str, after: int, limit: int) -> list[tuple[int, bytes]]:
        names = keys(room, LOG, index_of(channel))
        flat = await self._run("read_channel", names, [after, limit, _MOST_READ_BYTES])
        return [(int(seq), records) for seq, records in zip(flat[::2], flat[1::2], strict=True)]

    async def add_to_index(self, room: str, after: int, upto: int, rows: Sequence[IndexRow]) -> int:
        channels = list(Channel)
        args: list[Arg] = [after, upto]
        for row in rows:
            args += [channels.index(Channel(row.channel)) + 2, *args_of(row)]
        answer = await self._run("add_to_index", keys(room, META, *map(index_of, channels)), args)
        return int(answer[0])

    async def meta(self, room: str) -> Meta:
        fields = ("session_key", "log_id", "indexed")
        session_key, log_id, indexed, *head = await self._ask("HMGET", key(room, META), *fields, *_HEAD)
        room_head = _head(head)
        if room_head is None:
            raise RoomUnknown(room)
        position, version, counted, cap = room_head
        return Meta(position, version, session_key, log_id.decode(), int(indexed or 0), counted, cap)

    async def begin_count(self, room: str, number: int, public_bytes: int) -> LogBytes | None:
        answer = await self._run("begin_count", keys(room, META), [number, public_bytes])
        return LogBytes(int(answer[1]), int(answer[2])) if answer[0] == b"DONE" else None

    async def heads(self, rooms: Sequence[str]) -> dict[str, RoomHead | None]:
        heads: dict[str, RoomHead | None] = {}
        for start in range(0, len(rooms), _HEADS_PER_TRIP):
            part = rooms[start : start + _HEADS_PER_TRIP]
            rows = await self._retry(partial(self._heads_of, part))
            heads |= {room: _head(row) for room, row in zip(part, rows, strict=True)}
        return heads

    async def _heads_of(self, rooms: Sequence[str]) -> list[Any]:
        rows = await round_trip(self._client, [("HMGET", key(room, META), *_HEAD) for room in rooms])
        for row in rows:
            if isinstance(row, Exception):
                raise row
        return rows

    async def dice_secret(self, room: str) -> bytes | None:
        try:
            secret: bytes | None = await self._ask("GET", key(room, DICE))
        except ResponseError as error:
            if str(error).startswith("WRONGTYPE"):
                return None  # something else replaced the key
            raise
        return secret

    async def delete_room(self, room: str) -> None:
        await self._ask("UNLINK", *keys(room, *PARTS))

    # Snapshots

    async def load_snapshot(self, room: str) -> tuple[Position, bytes] | None:
        answer = await self._run("load_snapshot", keys(room, LOG, SNAPSHOT), [])
        return None if answer[0] == b"NONE" else (_position(answer[1:3]), answer[3])

    async def save_snapshot(self, room: str, position: Position, blob: bytes) -> None:
        if len(blob) <= MAX_SNAPSHOT_BYTES:
            args: list[Arg] = [position.number, position.digest, blob]
            await self._run("save_snapshot", keys(room, LOG, SNAPSHOT, META), args)

    # Tokens

    async def token(self, room: str, token_hash: str) -> str | None:
        value = await self._ask("HGET", key(room, TOKENS), token_hash)
        return None if value is None else value.decode()

    async def tokens(self, room: str) -> dict[str, str]:
        rows = await self._ask("HGETALL", key(room, TOKENS))
        return {token_hash.decode(): value.decode() for token_hash, value in rows.items()}

    async def put_token(self, room: str, token_hash: str, value: str, most: int = MAX_TOKENS) -> bool:
        return await self._runs("put_token", keys(room, META, TOKENS), [token_hash, value, most])

    async def delete_token(self, room: str, token_hash: str) -> bool:
        answer = await self._run("delete_token", keys(room, META, TOKENS, USES), [token_hash])
        return bool(answer[1])

    async def touch_tokens(self, room: str, last_use: Mapping[str, int]) -> None:
        await self._run("touch_tokens", keys(room, TOKENS, USES), _flat(last_use))

    async def token_uses(self, room: str) -> dict[str, int]:
        rows = await self._ask("HGETALL", key(room, USES))
        return {token_hash.decode(): int(at_ms) for token_hash, at_ms in rows.items()}

    # Presence

    async def set_here(self, room: str, node: str, seats: Mapping[str, int], now_ms: int) -> dict[str, int]:
        says = json.dumps({"at_ms": now_ms, "seats": dict(seats)}) if seats else ""
        flat = await self._run("set_here", [key(room, HERE)], [node, says])
        rows = dict(zip(flat[::2], flat[1::2], strict=True))
        said = {node: json.loads(text) for node, text in rows.items()}
        silent = [node for node, words in said.items() if now_ms - words["at_ms"] > NODE_SILENT_MS]
        if silent:
            await self._run("sweep_here", [key(room, HERE)], _flat({node: rows[node] for node in silent}))
        connections: dict[str, int] = {}
        for node in said.keys() - silent:
            for seat, count in said[node]["seats"].items():
                connections[seat] = connections.get(seat, 0) + count
        return connections

    # Knocks

    async def put_knock(self, room: str, knock: str, row: str, now_ms: int, most: int) -> bool:
        return await self._runs("put_knock", keys(room, META, KNOCKS), [knock, row, now_ms, most])

    async def knock(self, room: str, knock: str) -> str | None:
        row = await self._ask("HGET", key(room, KNOCKS), knock)
        return None if row is None else row.decode()

    async def knocks(self, room: str) -> dict[str, str]:
        rows = await self._ask("HGETALL", key(room, KNOCKS))
        return {knock.decode(): row.decode() for knock, row in rows.items()}

    async def change_knock(self, room: str, knock: str, before: str, after: str | None) -> bool:
        return await self._runs("change_knock", [key(room, KNOCKS)], [knock, before, after or ""])

    async def put_knockers_token(
        self, room: str, knock: str, before: str, after: str, token_hash: str, value: str, most: int = MAX_TOKENS
    ) -> bool:
        names = keys(room, META, TOKENS, KNOCKS)
        args: list[Arg] = [knock, before, after, token_hash, value, most]
        return await self._runs("put_knockers_token", names, args)

    # Shared recaps

    async def put_recap(self, room: str, secret_hash: str, value: str, most: int) -> bool:
        return await self._runs("put_recap", keys(room, META, RECAPS), [secret_hash, value, most])

    async def recaps(self, room: str) -> dict[str, str]:
        rows = await self._ask("HGETALL", key(room, RECAPS))
        return {secret_hash.decode(): value.decode() for secret_hash, value in rows.items()}

    async def delete_recap(self, room: str, secret_hash: str) -> None:
        await self._ask("HDEL", key(room, RECAPS), secret_hash)

    # Announcements

    def announce(self, room: str, payload: bytes, entry_at: Position | None = None) -> None:
        if entry_at is None or self._unheard.pop(room, None) != entry_at:
            self._scripts.hint("PUBLISH", channel(room), payload)

    def listen(self, on_message: Callable[[str, bytes], None], on_gap: Callable[[], None]) -> ValkeyListener:
        listener = ValkeyListener(self._client.connection_pool.make_connection, on_message, on_gap)
        self._listeners.append(listener)
        return listener

    # The connection

    async def ping(self) -> None:
        # a write that changes nothing, but fails whenever other writes fail
        await self._ask("SET", key("nothing", META), "", "XX")

    async def memory(self) -> Memory | None:
        try:
            said = await self._ask("INFO", "memory")
            return Memory(int(said["used_memory"]), int(said["maxmemory"]))
        except (ResponseError, KeyError):  # a hosted server may refuse this command
            return None

    async def aclose(self) -> None:
        await self._scripts.aclose()
        await self._client.aclose()

    async def _ask(self, *command: Any) -> Any:
        """Send a command that is safe to repeat, and return its answer. Repeats the command while its outcome is
        unknown.
        """
        return await self._retry(lambda: self._client.execute_command(*command))

    async def _run(self, script: str, names: Sequence[str], args: Sequence[Arg]) -> Any:
        """Run a script, and return its answer. Repeats the script if the outcome is unknown.

        The script must be safe to run twice. Raises RoomUnknown.
        """
        try:
            answer = await self._scripts.run(script, names, args)
        except (*OUTCOME_UNKNOWN, ResponseError) as error:
            answer = await self._retry(partial(self._scripts.run, script, names, args), error)
        if answer and answer[0] == b"NOROOM":
            raise RoomUnknown(room_of(names[0]))
        return answer

    async def _runs(self, script: str, names: Sequence[str], args: Sequence[Arg]) -> bool:
        """Run a script, and return whether it answered DONE. Raises RoomUnknown."""
        return bool((await self._run(script, names, args))[0] == b"DONE")

    async def _retry(self, call: Callable[[], Awaitable[T]], failed: Exception | None = None) -> T:
        """Call `retry_until_known`. If it fails while the disk is full, raise StoreUnavailable with DISK_FULL."""
        try:
            return await retry_until_known(call, self._deadline_s, failed)
        except StoreUnavailable as error:
            if self.is_disk_full():
                full = Trouble.DISK_FULL
                raise StoreUnavailable(full, applied=error.applied, trouble=full) from error
            raise


async def _nothing_to_check() -> None:
    """Do nothing, because the durability `memory` promises nothing."""


@lru_cache(maxsize=4096)
def _appended_to(room: str, *channels: str) -> list[str]:
    """Return the keys that an append with records of these channels uses."""
    return keys(room, META, LOG, *map(index_of, channels))


def _head(row: Sequence[bytes | None]) -> RoomHead | None:
    """Read the fields _HEAD of a room's meta; None if there is no such room."""
    number, digest, version, public, hidden, cap = row
    if number is None or digest is None or version is None:
        return None
    counted = LogBytes(int(public), int(hidden or 0)) if public is not None else None
    return RoomHead(_position((number, digest)), int(version), counted, None if cap is None else int(cap))


def _position(row: Sequence[bytes]) -> Position:
    number, digest = row
    return Position(int(number), digest.decode())


def _row_args(rows: Sequence[IndexRow]) -> list[Arg]:
    return [arg for row in rows for arg in args_of(row)]


def _flat(pairs: Mapping[Any, Any]) -> list[Arg]:
    return [part for pair in pairs.items() for part in pair]
