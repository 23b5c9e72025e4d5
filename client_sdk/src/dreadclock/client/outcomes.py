"""What comes of what a client sends and hears."""

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
    """A command was done, and is as durable as the room promises.

    `positions`: the seq of each channel after it. `records`: what it caused and this viewer may see, in order,
    perhaps nothing. `complete` is False where those came too long ago or before a reset, and are not at hand.
    """

    n: int
    positions: dict[Channel, int]
    records: tuple[Record, ...]
    complete: bool = True

    @property
    def events(self) -> tuple[Event, ...]:
        """What the command caused."""
        return tuple(record.event for record in self.records)


@dataclass(frozen=True, slots=True)
class Answered:
    """A command has its final reply."""

    ticket: Ticket
    outcome: Acknowledged | Refused


@dataclass(frozen=True, slots=True)
class Stalled:
    """Commands wait to be sent again: the server could not take the first of them, for this reason."""

    refusal: Refused


@dataclass(frozen=True, slots=True)
class ViewReplaced:
    """The view does not follow from the records before: the server sent it anew.

    After a fork the log is another one than the one known; `differs` gives the first seq of each channel that
    is not the same, where the server knows it. Streams of events yield it between them, so that it has a `type`, too.
    """

    reason: ResetReason
    differs: dict[Channel, int] | None = None
    type: Literal["view_replaced"] = field(default="view_replaced", init=False)  # as events have one


Output = Record | DiceAlarm | ViewReplaced | Answered | Stalled
