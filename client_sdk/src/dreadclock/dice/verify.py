"""Checking dice as they come in: every public roll against the lane that it comes from, without trusting the server.

What does not fit is an alarm, never an error: the log goes on. The lanes begin as a view says: who is shown a view
anew trusts what it says of the rolls before it.
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
    """A record of dice that does not fit; someone has cheated, or something is badly broken."""

    record: Record
    flaw: Flaw
    is_certain: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Say what does not fit."""
        return f"Record {self.record.seq} ({self.record.event.type}) is not to be trusted: {SENTENCES[self.flaw]}."


class Verifier:
    """Checks the public records of a room one after the other, from a view of it on."""

    def __init__(self, room_id: RoomId, public: ChannelView) -> None:
        self._lanes = Lanes.of(room_id, public)

    def check(self, before: ChannelView, record: Record) -> Iterator[DiceAlarm]:
        """Give what does not fit in a record; `before` is its channel's view before it."""
        if record.channel is not Channel.PUBLIC:
            return
        for judged in list(self._lanes.check(before, record)):
            # what only the gm knew was fixed by nothing in public: its rolls rest on the gm's word
            if judged.flaw is not None and (judged.lane is None or judged.lane.is_committed):
                yield DiceAlarm(record, judged.flaw)
                return
