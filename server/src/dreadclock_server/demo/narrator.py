"""Play the worked examples at a table, and print a sentence for each event."""

from collections.abc import Callable

from dreadclock import Acknowledged, narration
from dreadclock.client.outcomes import ViewReplaced
from dreadclock.narration import is_quiet
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record
from dreadclock.wire.views import View
from dreadclock_server.demo.script import GM
from dreadclock_server.demo.table import DemoFailed, Table
from dreadclock_server.demo.worked import ROOK, SPARKS


class Storyteller:
    """Carries out a script, and prints a sentence for each event that is worth one. The gm's events are indented."""

    def __init__(self, table: Table, say: Callable[[str], None]) -> None:
        self._spectator, self._gm, self._print = table.spectator, table.gm, say
        self._seats = {GM: table.gm, ROOK: table.rook, SPARKS: table.sparks}
        self._words = narration.Narrator()
        self._records = table.spectator.records()
        self._heard = table.spectator.positions[Channel.PUBLIC].seq
        for record in table.spectator.view.public.recent:
            self._tell(record)

    @property
    def view(self) -> View:
        """The gm's current view."""
        return self._gm.view

    def text(self, key: str) -> str:
        """Return `key`, because the worked examples use each text as its own key."""
        return key

    async def say(self, key: str, about: str | None = None) -> None:
        """Print `key` as a heading."""
        self._print(f"\n{key}\n")

    async def do(self, who: str, kind: str, /, **fields: object) -> bool:
        """Submit a command, and print its events once the gm and the spectator have received them. Return True.

        Raises Refused if the server refuses the command, and DemoFailed if the spectator's view was replaced.
        """
        if "owner" in fields:
            fields["owner"] = self._seats[str(fields["owner"])].seat
        acknowledged = await self._seats[who].submit({"type": kind, **fields})
        await self._gm.wait_for(lambda _: self._gm.positions[Channel.PUBLIC].seq >= self._public(acknowledged))
        while self._heard < self._public(acknowledged):
            record = await anext(self._records)
            if isinstance(record, ViewReplaced):
                raise DemoFailed(f"The spectator's view was replaced: {record.reason}.")
            self._heard = record.seq
            self._tell(record)
        for record in acknowledged.records:
            if record.channel is Channel.GM and not is_quiet(record.event):
                self._print(f"      {self._words.told(record, self._gm.view)}")
        return True

    def _public(self, acknowledged: Acknowledged) -> int:
        return acknowledged.positions[Channel.PUBLIC]

    def _tell(self, record: Record) -> None:
        if not is_quiet(record.event):
            self._print(self._words.sentence(record, self._spectator.view))
