"""Alarms: problems that a client detects in the rolls of its own seat, and in the log.

`dice/verify.py` has the alarms about faces. A lane is a series of rolls whose dice a seat and the server fixed in
advance.
"""

from dataclasses import dataclass
from typing import ClassVar

from dreadclock.dice.flaws import SENTENCES, Flaw
from dreadclock.dice.verify import DiceAlarm
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.records import Record


@dataclass(frozen=True, slots=True)
class RollAlarm:
    """The rolls of this client's seat do not match the commands that this client sent.

    `record`: the roll; None if the roll is missing or the alarm is about a lane. `command`: the client's command; None
    if the client sent none. `lane`: the label of a lane that is not to be trusted; None if the alarm is about a roll.
    """

    flaw: Flaw
    record: Record | None = None
    command: CommandBase | None = None
    lane: str | None = None

    @property
    def is_certain(self) -> bool:
        """Whether this is certainly an error. False for `NOT_SENT`: another device may have sent the roll."""
        return self.flaw is not Flaw.NOT_SENT

    @property
    def sentence(self) -> str:
        """Describe the problem in a sentence."""
        if self.lane is not None:
            return f"The lane {self.lane} is not to be trusted: {SENTENCES[self.flaw]}."
        if self.record is None:
            kind = getattr(self.command, "type", "none")
            return f"A roll that this client asked for ({kind}) is missing: {SENTENCES[self.flaw]}."
        judged = "is not to be trusted" if self.is_certain else "is not by this client"
        return f"Record {self.record.seq} ({self.record.event.type}) {judged}: {SENTENCES[self.flaw]}."


_ADVICE = (
    "Was a backup restored? If not, somebody changed the past: compare the six words, and ask who runs the server."
)


@dataclass(frozen=True, slots=True)
class LogAlarm:
    """The room's log differs from the log that this device knew: its past was changed, or its end was lost.

    `seq`: the record of `channel` that the sentence names: the first that differs, or a later one. None:
    unknown.
    """

    channel: Channel
    seq: int | None
    problem: str
    is_certain: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Return a sentence about how the log differs."""
        return f"The room's log has changed: {self.problem}. {_ADVICE}"


Alarm = DiceAlarm | RollAlarm | LogAlarm
