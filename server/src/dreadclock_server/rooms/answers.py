"""Outcomes of commands as they are stored in an entry's envelope."""

from collections.abc import Sequence
from typing import Any

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.decide import Decision
from dreadclock_server.core.sessions import Answer, Done, No, Outcome
from dreadclock_server.store.base import RoomUnknown, StoreError, StoreUnavailable, Trouble

_REFUSED = {
    Trouble.AWAY: Refused(Code.UNAVAILABLE, why="The store cannot be reached right now"),
    Trouble.NO_WRITES: Refused(Code.UNAVAILABLE, why="The store takes no writes right now"),
    Trouble.DISK_FULL: Refused(Code.UNAVAILABLE, why="The server's disk is full, and whoever runs it must make room"),
    Trouble.MEMORY_FULL: Refused(
        Code.UNAVAILABLE, why="The memory of the server's store is full, and whoever runs it must make room"
    ),
    Trouble.TOO_MUCH: Refused(Code.UNAVAILABLE, why="Too much happens in this room right now"),
    Trouble.BROKEN: Refused(
        Code.UNAVAILABLE, why="What is stored of this room is damaged, and whoever runs the server must look at it"
    ),
    Trouble.NEWER: Refused(
        Code.UNAVAILABLE,
        why="A newer version of Dreadclock has written in this room, and whoever runs the server must start that one",
    ),
}


def trouble_of(error: BaseException) -> Trouble:
    """Return what is wrong with a store that raised this."""
    return error.trouble if isinstance(error, StoreError) else Trouble.AWAY


def unavailable(trouble: Trouble) -> No:
    """Return the outcome of a command that is not stored because of this."""
    refused = _REFUSED[trouble]
    return No(refused.code, refused.details)


def not_stored(error: Exception) -> No:
    """Return the outcome of a command that this kept from being stored."""
    is_known = isinstance(error, StoreUnavailable | RoomUnknown) or trouble_of(error) is Trouble.NEWER
    return unavailable(trouble_of(error)) if is_known else No(Code.BUG, {})


def done(decision: Decision) -> Done:
    """Return the outcome of a command that was applied."""
    ranges: dict[Channel, tuple[int, int]] = {}
    for written in decision.written:
        record = written.record
        first = ranges.get(record.channel, (record.seq, 0))[0]
        ranges[record.channel] = (first, record.seq)
    return Done({channel: head.seq for channel, head in decision.room.positions.items()}, ranges)


def to_json(answer: Answer) -> list[Any]:
    """Write an answer for the envelope."""
    outcome = answer.outcome
    if isinstance(outcome, Done):
        body: dict[str, Any] = {"at": outcome.positions, "events": outcome.events}
    else:
        body = {"no": outcome.code, "details": outcome.details}
    return [answer.seat_id, answer.session, answer.n, body]


def from_json(row: Sequence[Any]) -> Answer:
    """Read an answer from an envelope."""
    seat_id, session, n, body = row
    outcome: Outcome
    if "no" in body:
        outcome = No(Code(body["no"]), body["details"])
    else:
        events = {Channel(name): (first, last) for name, (first, last) in body["events"].items()}
        outcome = Done({Channel(name): seq for name, seq in body["at"].items()}, events)
    return Answer(seat_id, session, n, outcome)
