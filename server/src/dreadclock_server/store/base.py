"""The contract that every store must fulfil.

The log of a room is authoritative: entries numbered 1, 2, 3 ... without gaps, chained by hash. An entry contains
records: events, each with a channel (`public` or `gm`) and a seq, its number in the channel. The store does not parse
entries. The caller passes it index rows, which say where in an entry the records of each channel are.

Beside the log, a store keeps for each room a dice secret, tokens, shared recaps, a snapshot (a cache), the connected
seats, and the knocks (requests for a seat). Connected seats and knocks may be lost without harm.

Several server processes, called nodes, may share a store. All of them may append to the same room.

    StoreError
    +-- StaleWrite        another node was first: read, decide again, append again
    +-- StoreUnavailable  no answer, or no writes: the same batch may be sent again
    +-- RoomUnknown       no such room in the store
    +-- RoomExists        another batch opened a room with this id before
    +-- RoomFull          a demo room needs more reserved memory; nothing was written
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from dreadclock_server.store.in_play import TablesInPlay

MAX_TOKENS = 1024  # tokens of a room
MAX_SNAPSHOT_BYTES = 8 * 1024 * 1024
NODE_SILENT_MS = 30_000  # after this time without a call of `set_here`, a node's connected seats are ignored


@dataclass(slots=True)  # immutable by convention: `frozen=True` would slow down every command
class Position:
    """Where a room's log ends."""

    number: int  # how many entries the log has; entries are numbered 1, 2, 3 ...
    digest: str  # hex; the SHA-256 chain over all entries so far

    def after(self, entry: bytes) -> "Position":
        """Return the position after one more `entry`. Its digest is SHA256(the current digest's 32 bytes || entry)."""
        digest = hashlib.sha256(bytes.fromhex(self.digest) + entry).hexdigest()
        return Position(self.number + 1, digest)


EMPTY = Position(0, "0" * 64)


class IndexRow(NamedTuple):
    """The places of a channel's records in an entry."""

    number: int  # the number of the entry
    channel: str
    last_seq: int  # the seq of the channel's last record in the entry
    ranges: str  # the bytes of these records in the entry, counted from 1: "first-last,first-last"
    records: bytes | None = None  # a copy of the records, one per line, if the entry has much other content


@dataclass(slots=True)  # immutable by convention, like Position
class Batch:
    """An entry with its index rows, which are appended together. A caller may retry until the outcome is known."""

    batch_id: str  # unique among all batches of the room
    entry: bytes  # bytes that the store does not parse
    rows: Sequence[IndexRow] = ()  # one row for each channel that has records in the entry
    announce: bool = True  # a note for the caller: the store itself announces nothing
    public_bytes: int = 0  # how much the entry adds to the room's `LogBytes.public`


class LogBytes(NamedTuple):
    """How many bytes of a room's log count against each of the room's two caps.

    `public` is the sum of `Batch.public_bytes`. `hidden` is the sum of all other bytes of the entries.
    """

    public: int
    hidden: int


@dataclass(frozen=True, slots=True)
class Meta:
    """The data of a room that is stored beside its log."""

    position: Position
    tokens_version: int  # increased whenever a token is added, replaced or deleted
    session_key: bytes
    log_id: str
    indexed: int  # the index of channels covers the entries 1 to `indexed`
    counted: LogBytes | None = None  # None in a room of an earlier version, until `begin_count` sets it
    cap_bytes: int | None = None  # the room's own limit of `counted.public`, in addition to the server's


class RoomHead(NamedTuple):
    """The fields of Meta that may change."""

    position: Position
    tokens_version: int
    counted: LogBytes | None = None
    cap_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """How much memory a store uses."""

    used_bytes: int
    limit_bytes: int  # above this, the store takes no writes; 0 if there is no limit


RESTORE = (
    "Restore a backup into a new folder: dreadclock restore BACKUP --data NEW_FOLDER. "
    "Then serve from that folder, and keep this one until all is well."
)


class Trouble(StrEnum):
    """Why a store fails. The values are texts for operators."""

    AWAY = "the store cannot be reached"
    NO_WRITES = "the store takes no writes"
    DISK_FULL = "the disk of the store is full"
    MEMORY_FULL = "the memory of the store is full"
    TOO_MUCH = "too many writes wait for the store"
    BROKEN = "the room's log is damaged"
    NEWER = "a newer version of Dreadclock has written in the room"


class StoreError(Exception):
    """The store did not do what was asked."""

    trouble = Trouble.AWAY


class StaleWrite(StoreError):
    """The log does not end at the expected position; nothing was written.

    If `position` is before the expected position, or has the same number but another digest, the store has lost or
    changed entries that the caller has read.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(f"the log ends at entry {position.number}")
        self.position = position


class StoreUnavailable(StoreError):
    """The store did not answer in time, or refuses writes.

    `applied`: None if the outcome is unknown, False if it is certain that nothing was written. In both cases, the same
    batch may be sent again: it is never appended twice.
    """

    def __init__(self, reason: str, *, applied: bool | None = None, trouble: Trouble = Trouble.AWAY) -> None:
        super().__init__(reason)
        self.applied, self.trouble = applied, trouble


class RoomUnknown(StoreError):
    """The store has no such room."""


class RoomExists(StoreError):
    """The store has a room with this id already, which another batch opened."""


class RoomFull(StoreError):
    """With the entry, a demo room would need `needed` bytes, but only `granted` are reserved. Nothing was written."""

    def __init__(self, granted: int, needed: float) -> None:
        super().__init__(f"a demo room may hold {granted} bytes")
        self.granted, self.needed = granted, needed


class Listener(Protocol):
    """Receives the announcements of the rooms that it watches. `Store.listen` makes it with two callbacks."""

    async def start(self) -> None:
        """Connect, and stay connected until `aclose`. Returns once connected, or after a few seconds."""

    async def watch(self, room: str) -> None:
        """Subscribe to a room. From then on, the callback `on_gap` reports that announcements may have been lost."""

    async def unwatch(self, room: str) -> None:
        """Unsubscribe from a room."""

    async def aclose(self) -> None:
        """Close the connection. No callback is called afterwards."""


class Store(Protocol):
    """Keeps rooms. Every method raises StoreUnavailable if the store does not answer in time."""

    @property
    def in_play(self) -> "TablesInPlay":
        """The registry of demo rooms (tables in play): their limits, and when they are removed."""

    @property
    def durability(self) -> str:
        """`fsync` if an acknowledged write is on the store's disk, otherwise `memory`."""

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
        """Put a room with its secrets, first tokens and first entry into the store, all or nothing.

        `tokens`: from the hash of each token to its stored value. `cap_bytes`: the room's own limit of public bytes, or
        None; `in_play.keep` removes it. `granted_bytes`: how many bytes a demo room may have; `in_play.grow` grants
        more.
        A retry with the same batch returns the same position. Raises RoomExists if another batch opened the room.
        """

    async def meta(self, room: str) -> Meta:
        """Return the data of a room beside its log. Raises RoomUnknown."""

    async def begin_count(self, room: str, number: int, public_bytes: int) -> LogBytes | None:
        """Set the counts of a room that has none: `public_bytes` public bytes, and 0 hidden bytes.

        Returns the room's counts, which stay as they are if the room has counts already. Returns None, and does
        nothing, if the log does not end at entry `number`. Raises RoomUnknown.
        """

    async def dice_secret(self, room: str) -> bytes | None:
        """Return the secret that `open_room` stored; None if it is lost. A store never makes a new secret.

        The caller checks that the secret is the original.
        """

    async def append(self, room: str, expected: Position, batch: Batch) -> Position:
        """Append `batch` to a room's log, all or nothing, and return the room's position after the batch.

        Returns only once the batch is as durable as this store promises (`self.durability`).
        A retry with the same batch and the same `expected` returns the first result. If the caller is
        cancelled, the outcome is unknown. Does not announce the batch: the caller does that afterwards.

        Raises StaleWrite if the log does not end at `expected`; RoomUnknown; RoomFull; StoreUnavailable if the outcome
        is unknown, or the store takes no writes. A retry is safe, because a batch is never appended twice.
        """

    async def read(self, room: str, after: int, limit: int = 1000) -> list[tuple[int, bytes]]:
        """Return up to `limit` entries with their numbers, from `after` + 1 on, in order.

        The numbers come from the store: the caller checks them and the digest chain. Raises RoomUnknown.
        """

    async def read_channel(self, room: str, channel: str, after: int, limit: int) -> list[tuple[int, bytes]]:
        """Return the records of a channel after seq `after`, in order, from up to `limit` entries.

        The answer has a pair for each entry: the seq of the entry's last record in the channel, and the records, one
        per line. The first pair may also have records up to `after`. The time taken does not depend on the other
        channel, so that it reveals nothing about hidden records. Entries that the index does not cover are missing (see
        `add_to_index`). Returns about 1 MiB at most.
        """

    async def add_to_index(self, room: str, after: int, upto: int, rows: Sequence[IndexRow]) -> int:
        """Add the entries `after` + 1 to `upto` to the index of channels.

        `rows`: the rows of these entries, in order. If `after` is 0, the existing index is replaced. If not, the index
        must end at `after`, or nothing changes. Returns the number of the last entry that the index covers afterwards;
        0 if a row did not fit. Raises RoomUnknown.
        """

    async def heads(self, rooms: Sequence[str]) -> dict[str, RoomHead | None]:
        """Return the head of each room, or None for a room that does not exist. Takes few round trips."""

    async def load_snapshot(self, room: str) -> tuple[Position, bytes] | None:
        """Return the newest snapshot with its position; None if there is none, or if the position is not in the log."""

    async def save_snapshot(self, room: str, position: Position, blob: bytes) -> None:
        """Keep `blob` as the state of the room at `position`.

        Does nothing for demo rooms, or if `position` is not in the room's log, if there is a newer snapshot, if the
        store's memory is nearly full, or if `blob` has more than MAX_SNAPSHOT_BYTES. A snapshot is a cache: losing it
        loses no data.
        """

    async def token(self, room: str, token_hash: str) -> str | None:
        """Return the stored value of a token; None if there is no such token. `token_hash`: its hex SHA-256."""

    async def tokens(self, room: str) -> dict[str, str]:
        """Return all tokens of a room: a dict from hash to stored value."""

    async def put_token(self, room: str, token_hash: str, value: str, most: int = MAX_TOKENS) -> bool:
        """Add or replace a token, and increase tokens_version.

        Returns False, and changes nothing, if the room has `most` other tokens. Raises RoomUnknown.
        """

    async def delete_token(self, room: str, token_hash: str) -> bool:
        """Delete a token, and increase tokens_version. Return False if there was no such token.

        False is also possible after an internal retry: the first try deleted the token, but its reply was lost.
        """

    async def touch_tokens(self, room: str, last_use: Mapping[str, int]) -> None:
        """Store the last use (ms) of tokens. Ignores deleted tokens, and times before the stored time."""

    async def token_uses(self, room: str) -> dict[str, int]:
        """Return the last use (ms) of every token that was used."""

    async def set_here(self, room: str, node: str, seats: Mapping[str, int], now_ms: int) -> dict[str, int]:
        """Replace the connection counts of `node` by `seats`, and return each seat's count over all nodes.

        A node repeats the call well within NODE_SILENT_MS. After that time without a call, the node's counts
        are ignored.
        """

    async def put_knock(self, room: str, knock: str, row: str, now_ms: int, most: int) -> bool:
        """Store a knock, a request for a seat. Return False if there is no such room.

        A `row` begins with the time of its expiry (ms) and a space. Expired knocks are deleted. If a room has more than
        `most` knocks, the knock that expires first is deleted, too.
        """

    async def knock(self, room: str, knock: str) -> str | None:
        """Return the row of a knock, even if it has expired; None if there is no such knock."""

    async def knocks(self, room: str) -> dict[str, str]:
        """Return the rows of all knocks. Some may have expired."""

    async def change_knock(self, room: str, knock: str, before: str, after: str | None) -> bool:
        """Replace a knock's row `before` by `after`. If `after` is None, delete the knock.

        Returns False, and changes nothing, if the row is not `before`.
        """

    async def put_knockers_token(
        self, room: str, knock: str, before: str, after: str, token_hash: str, value: str, most: int = MAX_TOKENS
    ) -> bool:
        """Replace a knock's row and add a token, atomically.

        Returns False, and changes nothing, if the row is not `before`, the room has `most` tokens, or there is no room.

        A retry with the same arguments returns the same result. It does not restore a token that was deleted meanwhile.
        """

    async def put_recap(self, room: str, secret_hash: str, value: str, most: int) -> bool:
        """Add a shared recap. Return False if the room has `most` shared recaps already. Raises RoomUnknown."""

    async def recaps(self, room: str) -> dict[str, str]:
        """Return all shared recaps of a room: a dict from the hash of a recap's secret to the stored value."""

    async def delete_recap(self, room: str, secret_hash: str) -> None:
        """Delete a shared recap; no error if there is none."""

    async def delete_room(self, room: str) -> None:
        """Delete all data of a room; no error if there is no such room."""

    def announce(self, room: str, payload: bytes, entry_at: Position | None = None) -> None:
        """Send `payload` to the listeners of a room, soon. An announcement may be lost without an error.

        The announcement is sent with the next round trip to the store. `entry_at`: the position that `append`
        returned for the announced entry. If no other process listened to the room at that append, nothing is sent:
        the listeners of this process know the entry already.
        """

    def listen(self, on_message: Callable[[str, bytes], None], on_gap: Callable[[], None]) -> Listener:
        """Make a listener. It calls `on_message` with (room, payload) for each announcement.

        `on_gap` is called after every reconnect: announcements from before it may be lost. Neither callback may block
        or raise.
        """

    async def ping(self) -> None:
        """Return once the store has answered that it accepts writes. Raises StoreUnavailable if it refuses them."""

    async def memory(self) -> Memory | None:
        """Return how much memory the store uses, and its limit; None if the store does not say."""

    async def aclose(self) -> None:
        """Wait for the calls under way, then close every connection."""
