"""The store's contract: what every store must do, whatever keeps the bytes.

A room's truth is its log: entries numbered 1, 2, 3 ... without gaps, chained by hash. To the
store an entry is opaque. Beside the log a room has a dice secret, tokens, shared recaps, a snapshot (a cache),
who is here and who knocks (neither is part of the truth).

    StoreError
    +-- StaleWrite        another node was first: read, decide again, append again
    +-- StoreUnavailable  the outcome is unknown: the same batch may be sent again
    +-- RoomUnknown       no such room in the store
    +-- RoomExists        a room of that id was opened before, by another batch
    +-- RoomFull          a demo room may not hold more now; nothing was written
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from dreadclock_server.store.in_play import TablesInPlay

MAX_TOKENS = 1024  # of a room
MAX_SNAPSHOT_BYTES = 8 * 1024 * 1024
NODE_SILENT_MS = 30_000


@dataclass(slots=True)  # not frozen, as each command makes some
class Position:
    """Where a room's log ends."""

    number: int  # entries so far: entry numbers count 1, 2, 3 ...
    digest: str  # hex; the SHA-256 chain over all entries so far

    def after(self, entry: bytes) -> "Position":
        """Return the position once `entry` follows: digest = SHA256(last digest's 32 bytes || entry)."""
        digest = hashlib.sha256(bytes.fromhex(self.digest) + entry).hexdigest()
        return Position(self.number + 1, digest)


EMPTY = Position(0, "0" * 64)


class IndexRow(NamedTuple):
    """Where an entry holds the records of one channel."""

    number: int  # the entry's
    channel: str
    last_seq: int  # of the channel's records in it
    ranges: str  # of the entry's bytes, counted from 1: "first-last,first-last"
    records: bytes | None = None  # one a line; a copy, where the entry holds so much else that it takes time to read


@dataclass(slots=True)  # likewise
class Batch:
    """What is appended in one piece, and may be sent again until its outcome is known."""

    batch_id: str  # unique among all batches of the room
    entry: bytes  # opaque
    rows: Sequence[IndexRow] = ()  # one for each channel that has records in it
    announce: bool = True  # for the caller: the store announces nothing by itself
    public_bytes: int = 0  # what it adds to the room's `LogBytes.public`


class LogBytes(NamedTuple):
    """How many bytes of a room's log count against each of the room's two caps.

    `public` is the sum of what each batch says. `hidden` is the sum of what each entry has beyond that.
    """

    public: int
    hidden: int


@dataclass(frozen=True, slots=True)
class Meta:
    """What is known of a room without reading its log."""

    position: Position
    tokens_version: int  # goes up with every token put or deleted
    session_key: bytes
    log_id: str
    indexed: int  # entries, from the first on, that the index of channels covers
    counted: LogBytes | None = None  # None: an earlier version wrote the room; see `begin_count`
    cap_bytes: int | None = None  # the most that `counted.public` may be, whatever the server's own limit


class RoomHead(NamedTuple):
    """What changes of what is known of a room without reading its log."""

    position: Position
    tokens_version: int
    counted: LogBytes | None = None
    cap_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """What a store has in memory."""

    used_bytes: int
    limit_bytes: int  # above which it takes no writes; 0 if there is no limit


RESTORE = (
    "Restore a backup into a new folder: dreadclock restore BACKUP --data NEW_FOLDER. "
    "Then serve from that folder, and keep this one until all is well."
)


class Trouble(StrEnum):
    """What is wrong with a store that cannot be asked, as operators read it."""

    AWAY = "the store cannot be reached"
    NO_WRITES = "the store takes no writes"
    DISK_FULL = "the disk of the store is full"
    MEMORY_FULL = "the memory of the store is full"
    TOO_MUCH = "more waits to be stored than the store can take"
    BROKEN = "the room's log is damaged"
    NEWER = "a newer version of Dreadclock has written in the room"


class StoreError(Exception):
    """The store did not do what was asked."""

    trouble = Trouble.AWAY


class StaleWrite(StoreError):
    """The log does not end at the expected position; nothing was written.

    A `position` behind the expected one, or level with it under another digest, means that the
    store lost or changed entries that were once read from it.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(f"the log ends at entry {position.number}")
        self.position = position


class StoreUnavailable(StoreError):
    """The store did not answer in time, or refuses writes.

    `applied`: None if the outcome is unknown, False if nothing was written for certain. Either
    way the same batch may be sent again: it is never appended twice.
    """

    def __init__(self, reason: str, *, applied: bool | None = None, trouble: Trouble = Trouble.AWAY) -> None:
        super().__init__(reason)
        self.applied, self.trouble = applied, trouble


class RoomUnknown(StoreError):
    """No such room is in the store."""


class RoomExists(StoreError):
    """A room of this id is in the store, opened by another batch."""


class RoomFull(StoreError):
    """A demo room would hold `needed` bytes with this entry, which are more than it may now; nothing was written."""

    def __init__(self, granted: int, needed: float) -> None:
        super().__init__(f"a demo room may hold {granted} bytes")
        self.granted, self.needed = granted, needed


class Listener(Protocol):
    """Hears the announcements of the rooms that it watches."""

    async def start(self) -> None:
        """Connect, and stay connected until closed; returns at the first connection or after a few seconds."""

    async def watch(self, room: str) -> None:
        """Hear a room from now on: what is announced after this returns is heard, or followed by a gap."""

    async def unwatch(self, room: str) -> None:
        """Hear no more of a room."""

    async def aclose(self) -> None:
        """Close the connection and call nobody again."""


class Store(Protocol):
    """Keeps rooms. Every method raises StoreUnavailable if the store cannot be asked in time."""

    @property
    def in_play(self) -> "TablesInPlay":
        """Return which rooms are demo rooms (tables in play), what they may hold, and when they go."""

    @property
    def durability(self) -> str:
        """Return what an answered write means: `fsync`, it is on the store's disk; `memory`, it is not."""

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

        `cap_bytes`: the room's own cap, until `in_play.keep`; None is no cap of its own. `granted_bytes`: of a demo
        room, what it may hold until `in_play.grow`. The same batch again gives the same answer. Raises RoomExists if
        another batch opened the room.
        """

    async def meta(self, room: str) -> Meta:
        """Return a room's position and what `open_room` stored. Raises RoomUnknown."""

    async def begin_count(self, room: str, number: int, public_bytes: int) -> LogBytes | None:
        """Let a room that was never counted begin with these public bytes, and no hidden ones.

        Returns the room's counts from now on, also if they were begun before. Returns None, and does nothing, if the
        log does not end at entry `number`. Raises RoomUnknown.
        """

    async def dice_secret(self, room: str) -> bytes | None:
        """Return the secret that `open_room` stored, None if it is gone: it is never made again.

        Whether it is still the same one is for the caller to find out.
        """

    async def append(self, room: str, expected: Position, batch: Batch) -> Position:
        """Append `batch` to a room, all or nothing, and return the room's position after it.

        Returns only once the batch is as durable as this store promises (`self.durability`).
        Sent again, the same batch with the same `expected` gives the first answer. To a caller
        who is cancelled the outcome is unknown. Nothing is announced: the caller does that, after
        this returns.

        Raises StaleWrite if the room moved on since `expected`; RoomUnknown; RoomFull; StoreUnavailable if
        the outcome is unknown: the same batch may be sent again, it is never appended twice.
        """

    async def read(self, room: str, after: int, limit: int = 1000) -> list[tuple[int, bytes]]:
        """Return up to `limit` entries with their numbers, from `after` + 1 on, in order.

        The numbers are the stored ones: whoever replays checks them and the digest chain.
        Raises RoomUnknown.
        """

    async def read_channel(self, room: str, channel: str, after: int, limit: int) -> list[tuple[int, bytes]]:
        """Return a channel's records numbered above `after`, in order, from up to `limit` entries that hold some.

        Each row is the seq of its last record, and its records one a line; of the first some may not be above `after`.
        What this costs depends on no other channel. Rows are missing where the index does not cover an entry (see
        `add_to_index`). About a MiB is given at most.
        """

    async def add_to_index(self, room: str, after: int, upto: int, rows: Sequence[IndexRow]) -> int:
        """Let the index of channels, which covers the entries up to `after`, cover those up to `upto`, too.

        `rows`: theirs, in order. With `after` 0 it is begun anew. Nothing is done if it covers more or less than that.
        Returns up to which entry it covers them now. Raises RoomUnknown.
        """

    async def heads(self, rooms: Sequence[str]) -> dict[str, RoomHead | None]:
        """Return each room's head in one round trip, None for a room that is gone."""

    async def load_snapshot(self, room: str) -> tuple[Position, bytes] | None:
        """Return the newest snapshot, None if there is none that fits the room's log."""

    async def save_snapshot(self, room: str, position: Position, blob: bytes) -> None:
        """Keep `blob` as the fold of the log up to `position`.

        Kept only if it fits: `position` is in the room's log, no newer snapshot is there, and
        `blob` has at most MAX_SNAPSHOT_BYTES; of a demo room never. A snapshot is a cache: losing one loses nothing.
        """

    async def token(self, room: str, token_hash: str) -> str | None:
        """Return what is stored for a token, by the hex SHA-256 of the token."""

    async def tokens(self, room: str) -> dict[str, str]:
        """Return all tokens of a room: hash to what is stored."""

    async def put_token(self, room: str, token_hash: str, value: str, most: int = MAX_TOKENS) -> bool:
        """Add or replace a token and raise tokens_version; False if the room has `most` others. Raises RoomUnknown."""

    async def delete_token(self, room: str, token_hash: str) -> bool:
        """Delete a token and raise tokens_version. False if there was none, or if a lost reply hid that there was."""

    async def touch_tokens(self, room: str, last_use: Mapping[str, int]) -> None:
        """Note when tokens were last used (ms); earlier than noted, or of a token that is gone, is ignored."""

    async def token_uses(self, room: str) -> dict[str, int]:
        """Return the last use (ms) of every token that was used."""

    async def set_here(self, room: str, node: str, seats: Mapping[str, int], now_ms: int) -> dict[str, int]:
        """Note how many connections each seat has through `node`, and return those that it has on all nodes.

        What a node says replaces what it said before. It says so again well within NODE_SILENT_MS, or its seats
        count as gone.
        """

    async def put_knock(self, room: str, knock: str, row: str, now_ms: int, most: int) -> bool:
        """Keep a knock; False if there is no such room.

        A `row` begins with the ms at which it is over and a space. Those that are over go, and of more than `most` the
        one that is over first.
        """

    async def knock(self, room: str, knock: str) -> str | None:
        """Return a knock's row, which may be over; None if there is none."""

    async def knocks(self, room: str) -> dict[str, str]:
        """Return the rows of all knocks, of which some may be over."""

    async def change_knock(self, room: str, knock: str, before: str, after: str | None) -> bool:
        """Replace a knock's row, or delete it (None); False, and nothing is done, if it is not `before` any more."""

    async def put_knockers_token(
        self, room: str, knock: str, before: str, after: str, token_hash: str, value: str, most: int = MAX_TOKENS
    ) -> bool:
        """Replace a knock's row and add a token, both or nothing.

        False if the row is not `before` any more, or the room has `most` tokens.

        Sent again, the same gives the same answer, and brings no token back that was deleted meanwhile.
        """

    async def put_recap(self, room: str, secret_hash: str, value: str, most: int) -> bool:
        """Add a shared recap; False if the room has `most` of them. Raises RoomUnknown."""

    async def recaps(self, room: str) -> dict[str, str]:
        """Return all shared recaps of a room: the hash of its secret to what is stored."""

    async def delete_recap(self, room: str, secret_hash: str) -> None:
        """Delete a shared recap; no error if there is none."""

    async def delete_room(self, room: str) -> None:
        """Delete everything of a room; no error if there is none."""

    def announce(self, room: str, payload: bytes, entry_at: Position | None = None) -> None:
        """Tell the listeners of a room, soon. A hint: it may be lost, and that is no error.

        It travels with what goes to the store next. Of the entry that `append` gave the position `entry_at` for,
        nothing is sent if nobody listened then but this store's own listeners, who need not be told.
        """

    def listen(self, on_message: Callable[[str, bytes], None], on_gap: Callable[[], None]) -> Listener:
        """Make a listener. `on_message` gets (room, payload).

        `on_gap` follows every renewed subscription: what was announced meanwhile is lost. Neither
        may block or raise.
        """

    async def ping(self) -> None:
        """Return once the store answered, and would take a write."""

    async def memory(self) -> Memory | None:
        """Return how much memory the store takes and may take; None if it does not tell."""

    async def aclose(self) -> None:
        """Wait for what is under way, then close every connection."""
