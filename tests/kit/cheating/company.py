"""People at the table of a server that cheats; their clients are those of the SDK, and nobody has changed them."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import dreadclock
from dreadclock import Acknowledged
from dreadclock.client.trust.alarms import Alarm, LogAlarm
from dreadclock.client.trust.dice_secrets import DiceSecrets
from dreadclock.wire.events import DiceRolled
from dreadclock.wire.records import Record
from kit.cheating.rewriting import Change, put_back, rewrite
from kit.cheating.server import Cheater
from kit.rooms import Table, open_table
from kit.waiting import until

POOL = 8
ROLL = {"type": "roll_dice", "pool": POOL}
FORK = "fork"


@dataclass
class Company:
    """Ann, who rolls, and Ben, who rolled once and looks on; both with the SDK."""

    cheater: Cheater
    table: Table
    ann: dreadclock.Room
    ben: dreadclock.Room
    seqs: dict[str, int] = field(default_factory=dict)  # of the rolls at the beginning

    async def named(self) -> tuple[set[str], set[str]]:
        """Say what alarms Ann and Ben, once both have heard all there is."""
        positions = self.cheater.rooms.live[self.table.id].room.positions
        await until(lambda: all(room.positions.items() <= positions.items() for room in (self.ann, self.ben)))
        return {name_of(each) for each in self.ann.alarms}, {name_of(each) for each in self.ben.alarms}

    async def gm_does(self, order: dict[str, Any]) -> None:
        """Let the gm give a command, by REST: she has no client that would watch over her."""
        async with self.table.http("gm") as http:
            answer = await http.post(self.table.path("/commands"), json=order)
        assert answer.status_code == 200, answer.text

    async def past_is_changed(self, change: Change) -> None:
        """Change the log in the store, and let the server find out."""
        rewrite(self.cheater.store_url, self.table.id, change)
        await self._found_out()

    async def past_is_set_back(self, before: dict[str, bytes]) -> None:
        """Set the log in the store back, and let the server find out."""
        put_back(self.cheater.store_url, before)
        await self._found_out()

    async def _found_out(self) -> None:
        live = self.cheater.rooms.live[self.table.id]
        before = live.room
        live.catch_up()
        await until(lambda: live.room is not before)

    async def log(self) -> list[Record]:
        """Return the public log as the server tells it now."""
        return [Record.model_validate_json(text) for text in await self.table.log("ben")]

    def seq_of(self, roll_id: str) -> int:
        """Return the number of the record that a roll stood in when all was honest."""
        return self.seqs[roll_id]


def seqs_of(done: Acknowledged) -> dict[str, int]:
    """Return the numbers of the records that rolls stand in."""
    return {each.event.roll.id: each.seq for each in done.records if isinstance(each.event, DiceRolled)}


def name_of(alarm: Alarm) -> str:
    """Name what an alarm is about."""
    return FORK if isinstance(alarm, LogAlarm) else alarm.flaw


@asynccontextmanager
async def gathered(cheater: Cheater) -> AsyncIterator[Company]:
    """Open a room, connect both, and let them roll honestly."""
    table = await open_table(cheater.server)
    async with AsyncExitStack() as stack:
        ann, ben = [
            await stack.enter_async_context(
                dreadclock.connect(cheater.url, table.id, table.token(name), dice_secrets=DiceSecrets(None))
            )
            for name in ("ann", "ben")
        ]
        company = Company(cheater, table, ann, ben)
        for number, room in enumerate((company.ann, company.ben, company.ann, company.ann), 1):
            company.seqs |= seqs_of(await room.submit({**ROLL, "id": f"r{number}"}))
        assert await company.named() == (set(), set())
        yield company
