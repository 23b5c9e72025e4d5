"""Watches a connection: its dice, the rolls of its own seat, and its log."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from dreadclock.client.links import Link
from dreadclock.client.newer import read_record
from dreadclock.client.outcomes import Acknowledged, Answered, Output, ViewReplaced
from dreadclock.client.protocol import ClientProtocol
from dreadclock.client.trust.alarms import Alarm
from dreadclock.client.trust.noted_heads import LogKeeper, Noted, NotedHeads
from dreadclock.client.trust.own_rolls import OwnRolls, anchor_of
from dreadclock.client.trust.roller import Roller
from dreadclock.client.unanswered import Ticket
from dreadclock.dice.asked_rolls import rolls
from dreadclock.dice.verify import DiceAlarm
from dreadclock.wire.base import Channel, RollProof
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.errors import ProtocolViolation, Refused
from dreadclock.wire.fold import proof_of
from dreadclock.wire.records import Record, is_understood, room_bytes


class Watch:
    """Checks what a connection sends and receives, and raises alarms.

    `directory`: the folder for noted heads; None: note nothing. `roller`: sends the rolls with
    dice tokens, the client's secret values; None if this client uses no tokens.
    """

    def __init__(
        self,
        link: Link,
        protocol: ClientProtocol,
        directory: Path | None,
        roller: Roller | None,
        raise_alarm: Callable[[Alarm], None],
    ) -> None:
        self._protocol, self._raise_alarm = protocol, raise_alarm
        self._room16, self._roller = room_bytes(link.room), roller
        self._rolls = OwnRolls(roller.is_elsewhere) if roller else OwnRolls()
        self._log = LogKeeper(link, NotedHeads(directory), raise_alarm, self._missed)

    def begin(self) -> None:
        """Start watching from the first welcome."""
        self._log.begin(self._standing(), self._protocol.welcome.seat)

    def send(self, ticket: Ticket, command: CommandBase) -> None:
        """Remember a command that is sent, to compare it with the log."""
        self._rolls.send(ticket, command, self._protocol.mirror.view)

    def hear(self, outputs: Sequence[Output]) -> None:
        """Check the outputs of a frame."""
        for output in outputs:
            for alarm in self._alarms_of(output):
                self._raise_alarm(alarm)
        self._log.follow(self._standing())
        if any(isinstance(output, Answered) and _may_be_unknown(output) for output in outputs):
            self._log.note()

    async def close(self) -> None:
        """Store the number and hash of the last public record, after a check that is under way."""
        await self._log.close()

    def _alarms_of(self, output: Output) -> Sequence[Alarm]:
        view = self._protocol.mirror.view
        match output:
            case DiceAlarm():
                return [output]
            case Record() if self._protocol.mirror.complete:
                return self._rolls.hear(output, self._protocol.welcome.seat, view)
            case Answered():
                return self._rolls.answer(output.ticket, self._in_doubt(output.outcome), view)
            case ViewReplaced():
                self._rolls.forget()
                self._log.replaced(output, self._standing())
        return []

    def _in_doubt(self, outcome: Acknowledged | Refused) -> Acknowledged | Refused:
        """Return an outcome, marked as incomplete if this version does not understand some of its records."""
        if isinstance(outcome, Refused):
            return outcome
        is_known = self._protocol.mirror.complete and all(map(is_understood, outcome.records))
        return outcome if is_known else replace(outcome, complete=False)

    def _missed(self, texts: list[str]) -> None:
        """Check the records that this seat made while no client of the seat was connected on this device."""
        records = [record for text in texts if (record := _read(text)) is not None]
        for alarm in self._rolls.missed(records, self._protocol.welcome.seat, self._is_of_this_device):
            self._raise_alarm(alarm)

    def _is_of_this_device(self, proof: RollProof) -> bool:
        anchor = anchor_of(self._room16, proof)
        return anchor is not None and self._roller is not None and self._roller.is_here(anchor)

    def _standing(self) -> Noted:
        head = self._protocol.mirror.positions[Channel.PUBLIC]
        return Noted(log_id=self._protocol.welcome.log_id, seq=head.seq, hash=head.hash)


def _may_be_unknown(answered: Answered) -> bool:
    """Tell whether a command rolled without a token. After a restart, this device could not recognize such a roll."""
    outcome = answered.outcome
    if not isinstance(outcome, Acknowledged):
        return False
    return any(rolls(record) and not getattr(proof_of(record.event), "token", None) for record in outcome.records)


def _read(text: str) -> Record | None:
    """Read a record of the log; None if it is malformed."""
    try:
        return read_record(text)[0]
    except ProtocolViolation:
        return None
