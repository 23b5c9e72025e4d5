"""A history: what clients did and heard in one room, and what its log says in the end. Only data."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.records import Positions, Record
from dreadclock.wire.views import View

UNORDERED = frozenset({"room_opened", "seat_joined", "lane_opened"})
"""Events that no operation of a history brings about: the table is laid, and clients open their lanes by themselves."""


@dataclass(frozen=True, slots=True)
class Done:
    """An acknowledgement.

    `positions`: the seq of each channel after it; `events`: the first and last seq in each channel of what it brought
    about, None where the client was not told but it was something; `texts`: the canonical texts of these records as
    the client had them, None where it did not look.
    """

    positions: Mapping[Channel, int]
    events: Mapping[Channel, tuple[int, int]] | None
    texts: Sequence[str] | None = None


def spans_of(records: Iterable[Record]) -> dict[Channel, tuple[int, int]]:
    """Return the first and last seq of records in each of their channels."""
    spans: dict[Channel, tuple[int, int]] = {}
    for record in records:
        spans[record.channel] = (spans.get(record.channel, (record.seq, 0))[0], record.seq)
    return spans


@dataclass(frozen=True, slots=True)
class Denied:
    """A refusal: nothing was done; or `session_expired`, with which nobody knows, and which must not happen."""

    code: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One command, from the moment in which it was called to its reply.

    `command` is the note that its records carry, one of its own among all of the room. `start` and `end` are of one
    clock for the whole history; an `outcome` of None says that nobody learned it, and leaves `end` at infinity.
    """

    client: str
    command: str
    start: float
    end: float = inf
    outcome: Done | Denied | None = None


@dataclass(frozen=True, slots=True)
class Stands:
    """Where a client was told that its channels stand.

    `anew`: why it was sent the view anew, None where this only follows from what it heard.
    """

    heads: Positions
    anew: ResetReason | None = None


@dataclass(slots=True)
class Stream:
    """What one client was sent, over all its connections: positions, and records in their canonical texts.

    It begins with a `Stands`. `to_the_end`: the client was given the time to hear everything.
    """

    client: str
    steps: list[Stands | str] = field(default_factory=list)
    to_the_end: bool = True


@dataclass(slots=True)
class History:
    """All of one room: operations, streams, the views that clients hold in the end, and the log in the end.

    `log`: the canonical texts of both channels, in the order in which they happened; `heads`: where the store says
    that it ends.
    """

    room: RoomId
    log_id: str
    log: Sequence[str]
    heads: Positions
    operations: Sequence[Operation] = ()
    streams: Sequence[Stream] = ()
    views: Mapping[str, View] = field(default_factory=dict)
    unordered: Collection[str] = UNORDERED
