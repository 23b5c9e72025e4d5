"""Watching over one connection: its dice, the rolls of its own seat, and the log that they stand in."""

from collections.abc import Callable, Sequence
from pathlib import Path

from dreadclock.alarms import Alarm
from dreadclock.links import Link
from dreadclock.noted_heads import LogKeeper, NotedHeads
from dreadclock.outcomes import Answered, Output, ViewReplaced
from dreadclock.own_rolls import OwnRolls
from dreadclock.protocol import ClientProtocol
from dreadclock.roller import Roller
from dreadclock.unanswered import Ticket
from dreadclock.verify import DiceAlarm
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.records import Head, Record


class Watch:
    """Finds in what a connection sends and hears what should never be, and raises alarms.

    `directory`: where heads are noted, None for nowhere. `roller`: what rolls with tokens, if anything does.
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
        self._rolls = OwnRolls(roller.is_elsewhere) if roller else OwnRolls()
        self._log = LogKeeper(link, NotedHeads(directory), raise_alarm)

    def begin(self) -> None:
        """Start from the first welcome."""
        self._log.begin(*self._standing())

    def send(self, ticket: Ticket, command: CommandBase) -> None:
        """Note a command that is sent."""
        self._rolls.send(ticket, command, self._protocol.mirror.view)

    def hear(self, outputs: Sequence[Output]) -> None:
        """Take what comes of a frame."""
        for output in outputs:
            for alarm in self._found(output):
                self._raise_alarm(alarm)
        self._log.follow(*self._standing())

    async def close(self) -> None:
        """Note where the log stands."""
        await self._log.close()

    def _found(self, output: Output) -> Sequence[Alarm]:
        view = self._protocol.mirror.view
        match output:
            case DiceAlarm():
                return [output]
            case Record():
                return self._rolls.hear(output, self._protocol.welcome.seat, view)
            case Answered():
                return self._rolls.answer(output.ticket, output.outcome, view)
            case ViewReplaced():
                self._rolls.forget()
                self._log.replaced(output, *self._standing())
        return []

    def _standing(self) -> tuple[str, Head]:
        return self._protocol.welcome.log_id, self._protocol.mirror.positions[Channel.PUBLIC]
