"""What the client's protocol returns: records, dice alarms, replies to commands, and replaced views."""

from dataclasses import dataclass, field
from typing import Literal

from dreadclock.client.unanswered import Ticket
from dreadclock.dice.verify import DiceAlarm
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Refused
from dreadclock.wire.events import Event
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.records import Record


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A command was applied, and is stored as durably as the room promises.

    `positions`: the seq of each channel's last record after the command. `records`: the command's records that this
    viewer may see, in order; may be empty. `complete` is False if the client does not have these records, because
    they are old, or the view was replaced after them.
    """

    n: int
    positions: dict[Channel, int]
    records: tuple[Record, ...]
    complete: bool = True

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the command."""
        return tuple(record.event for record in self.records)


@dataclass(frozen=True, slots=True)
class Answered:
    """A command has its final reply."""

    ticket: Ticket
    outcome: Acknowledged | Refused


@dataclass(frozen=True, slots=True)
class Stalled:
    """Some commands wait to be sent again. `refusal`: why the server could not take the first of them."""

    refusal: Refused


@dataclass(frozen=True, slots=True)
class ViewReplaced:
    """The server replaced the view. The new view does not follow from the records that the client has received.

    After a fork, the log differs from the log that the client has read. `differs`: the first changed seq of each
    channel, if the server knows it. Streams of events yield this between events, so it has a `type`, too.
    """

    reason: ResetReason
    differs: dict[Channel, int] | None = None
    type: Literal["view_replaced"] = field(default="view_replaced", init=False)  # like the `type` of events


Output = Record | DiceAlarm | ViewReplaced | Answered | Stalled
