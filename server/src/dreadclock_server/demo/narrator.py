"""The one who tells the story, a sentence for each event."""

from collections.abc import Awaitable, Callable

from dreadclock import Acknowledged, narration
from dreadclock.client.outcomes import ViewReplaced
from dreadclock.narration import is_quiet
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record
from dreadclock_server.demo.table import DemoFailed, Table


class Storyteller:
    """Tells what reaches the spectator, in order, and, set off, what only the gm is told."""

    def __init__(self, table: Table, say: Callable[[str], None]) -> None:
        self._spectator, self._gm, self._say = table.spectator, table.gm, say
        self._words = narration.Narrator()
        self._records = table.spectator.records()
        self._told = table.spectator.positions[Channel.PUBLIC].seq
        for record in table.spectator.view.public.recent:
            self._tell(record)

    def heading(self, text: str) -> None:
        """Begin a chapter."""
        self._say(f"\n{text}\n")

    async def hear(self, done: Awaitable[Acknowledged]) -> Acknowledged:
        """Let a command be done, and tell all that it led to."""
        acknowledged = await done
        while self._told < acknowledged.positions[Channel.PUBLIC]:
            record = await anext(self._records)
            if isinstance(record, ViewReplaced):
                raise DemoFailed(f"The spectator lost the thread: {record.reason}.")
            self._told = record.seq
            self._tell(record)
        for record in acknowledged.records:
            if record.channel is Channel.GM and not is_quiet(record.event):
                self._say(f"      {self._words.told(record, self._gm.view)}")
        return acknowledged

    def _tell(self, record: Record) -> None:
        if not is_quiet(record.event):
            self._say(self._words.sentence(record, self._spectator.view))
