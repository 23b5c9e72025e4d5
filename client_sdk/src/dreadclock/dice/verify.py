"""Verify the dice of public rolls while records arrive, without trusting the server.

A wrong roll causes an alarm, not an error, because the log continues. The check starts from a view, and does not verify
the rolls before that view.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dreadclock.dice.flaws import SENTENCES, Flaw
from dreadclock.dice.lanes import Lanes
from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.records import Record
from dreadclock.wire.views import ChannelView


@dataclass(frozen=True, slots=True)
class DiceAlarm:
    """A record whose dice do not fit: the server cheated, or it is broken."""

    record: Record
    flaw: Flaw
    is_certain: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Describe the problem in a sentence."""
        return f"Record {self.record.seq} ({self.record.event.type}) is not to be trusted: {SENTENCES[self.flaw]}."


class Verifier:
    """Checks the public records of a room, starting from a view."""

    def __init__(self, room_id: RoomId, public: ChannelView) -> None:
        self._lanes = Lanes.of(room_id, public)

    def check(self, before: ChannelView, record: Record) -> Iterator[DiceAlarm]:
        """Yield an alarm if a roll of a record is wrong.

        `before`: the view of the record's channel before the record.
        """
        if record.channel is not Channel.PUBLIC:
            return
        for judged in list(self._lanes.check(before, record)):
            # Skip rolls of hidden things: the server did not commit in public to these dice before the rolls.
            if judged.flaw is not None and (judged.lane is None or judged.lane.is_committed):
                yield DiceAlarm(record, judged.flaw)
                return
