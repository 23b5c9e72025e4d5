"""Queued commands, and the outcomes of commands in the form in which they are stored.

An append stores one entry: the records of a batch, and an envelope with the outcomes of the batch's commands.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import structlog

from dreadclock.wire.base import Channel
from dreadclock.wire.commands import Command
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import SeatJoined
from dreadclock_server.core.decide import Decision, InternalCommand
from dreadclock_server.core.draft import Actor
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
_log = structlog.get_logger()

Reply = Callable[[Outcome | None], None]
"""Called with a command's outcome. If storing takes long, called with None before that."""


@dataclass(slots=True)  # immutable by convention; `frozen=True` triples the construction time
class QueuedCommand:
    """A command that waits for its outcome."""

    actor: Actor
    command: Command | InternalCommand | Refused  # a Refused stands for a command that could not be parsed
    session: str  # the client's session; empty: clients never retry this command, so its outcome is not remembered
    n: int  # the command's number in the session
    reply: Reply


def reply_all(replies: Iterable[tuple[QueuedCommand, Outcome | None]]) -> None:
    """Call the reply of each command with its outcome. Log the errors of replies, and go on with the next reply."""
    for queued, outcome in replies:
        try:
            queued.reply(outcome)
        except Exception:
            _log.exception("bug", seat=queued.actor.seat_id, n=queued.n)


def trouble_of(error: BaseException) -> Trouble:
    """Return what is wrong with the store, from an error. An error that is no StoreError counts as AWAY."""
    return error.trouble if isinstance(error, StoreError) else Trouble.AWAY


def unavailable(trouble: Trouble) -> No:
    """Return the refusal of a command that cannot be stored because of this trouble."""
    return No(_REFUSED[trouble].code, _REFUSED[trouble].details)


def not_stored(error: Exception) -> No:
    """Return the outcome of a command whose append raised this error: `bug` if the error is unexpected, or else
    `unavailable`.
    """
    is_expected = isinstance(error, StoreUnavailable | RoomUnknown) or trouble_of(error) is Trouble.NEWER
    return unavailable(trouble_of(error)) if is_expected else No(Code.BUG, {})


def refusal(refused: Refused, room_id: str) -> No:
    """Return a refusal as an outcome.

    If JSON cannot hold the details, the error is logged, and the outcome is `bug`. With these details, the whole batch
    could not be stored.
    """
    try:
        orjson.dumps(refused.details)
    except TypeError:
        _log.exception("bug", room=room_id, code=refused.code)
        return No(Code.BUG, {})
    return No(refused.code, refused.details)


def done(decision: Decision) -> Done:
    """Return the outcome of a command that was applied."""
    ranges: dict[Channel, tuple[int, int]] = {}
    for written in decision.written:
        record = written.record
        ranges[record.channel] = (ranges.get(record.channel, (record.seq, 0))[0], record.seq)
    positions = {channel: head.seq for channel, head in decision.room.positions.items()}
    first = decision.written[0].record.event if decision.written else None
    return Done(positions, ranges, first.seat.id if type(first) is SeatJoined else None)


def to_json(answer: Answer) -> list[Any]:
    """Return an answer in JSON form, for the envelope."""
    outcome = answer.outcome
    if isinstance(outcome, Done):
        body: dict[str, Any] = {"at": outcome.positions, "events": outcome.events}
    else:
        body = {"no": outcome.code, "details": outcome.details}
    return [answer.seat_id, answer.session, answer.n, body]


def from_json(row: Sequence[Any]) -> Answer:
    """Return the answer that `to_json` turned into `row`."""
    seat_id, session, n, body = row
    outcome: Outcome
    if "no" in body:
        outcome = No(Code(body["no"]), body["details"])
    else:
        events = {Channel(name): (first, last) for name, (first, last) in body["events"].items()}
        outcome = Done({Channel(name): seq for name, seq in body["at"].items()}, events)
    return Answer(seat_id, session, n, outcome)
