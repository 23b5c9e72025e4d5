"""Alarms: what a client found that should never be, of its own rolls and of the log; `verify` has those of dice."""

from dataclasses import dataclass
from typing import ClassVar

from dreadclock.dice.flaws import SENTENCES, Flaw
from dreadclock.dice.verify import DiceAlarm
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.records import Record


@dataclass(frozen=True, slots=True)
class RollAlarm:
    """A roll of this client's own seat is not what this client asked for.

    `record`: the roll, None where it is missing. `command`: what this client sent, None where it sent nothing.
    `lane`: the label of a lane that is not the one that this client's tokens are for.
    """

    flaw: Flaw
    record: Record | None = None
    command: CommandBase | None = None
    lane: str | None = None

    @property
    def is_certain(self) -> bool:
        """Whether somebody cheated or something broke; a roll that was not sent from here may be of another device."""
        return self.flaw is not Flaw.NOT_SENT

    @property
    def sentence(self) -> str:
        """Say what does not fit."""
        if self.lane is not None:
            return f"The lane {self.lane} is not to be trusted: {SENTENCES[self.flaw]}."
        if self.record is None:
            return f"A roll that this client asked for ({_type_of(self.command)}) is missing: {SENTENCES[self.flaw]}."
        judged = "is not to be trusted" if self.is_certain else "is not by this client"
        return f"Record {self.record.seq} ({self.record.event.type}) {judged}: {SENTENCES[self.flaw]}."


_ADVICE = (
    "Was a backup restored? If not, somebody changed the past: compare the six words, and ask who runs the server."
)


@dataclass(frozen=True, slots=True)
class LogAlarm:
    """The room's log is not the one that was known: its past was changed, or its end was lost.

    `seq`: the number of a record of `channel` that is the first to differ, or at or before which the first is, as
    the sentence says; None if that is not known.
    """

    channel: Channel
    seq: int | None
    problem: str
    is_certain: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Say where the log differs."""
        return f"The room's log is not the one that was known: {self.problem}. {_ADVICE}"


Alarm = DiceAlarm | RollAlarm | LogAlarm


def _type_of(command: CommandBase | None) -> str:
    return str(getattr(command, "type", "none"))
