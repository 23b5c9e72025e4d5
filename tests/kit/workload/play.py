"""A play: companies that are at it in a house while all goes wrong there, and what came of it."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from random import Random

from kit.history.recorded import Denied, Done, History
from kit.links.faulty_links import Fault, Wire
from kit.waiting import until
from kit.workload.amounts import Amounts
from kit.workload.company import PATIENCE_S, Company, company
from kit.workload.house import House

_LONGEST_BETWEEN_S = 5.0  # two faults, however busy the machine is


class Play:
    """Companies at play. `chance` draws what goes wrong."""

    def __init__(self, house: House, seed: int, companies: Sequence[Company]) -> None:
        self.house, self.seed, self.companies = house, seed, companies
        self.chance = Random(f"{seed}/play")
        self.counts = Counter[str]()

    @property
    def acked(self) -> int:
        """How many commands have been acknowledged so far."""
        return sum(each.book.acked for each in self.companies)

    async def some_more(self, commands: int) -> None:
        """Wait until so many more commands have been acknowledged."""
        goal = self.acked + commands
        await until(lambda: self.acked >= goal, PATIENCE_S)

    async def all_go_on(self) -> None:
        """Wait until everyone who stays has had another acknowledgement: nobody hangs."""
        now = time.monotonic()
        writers = [each for company in self.companies for each in company.writers]
        await until(lambda: all(each.acked_at > now for each in writers), PATIENCE_S)

    async def storm(self, wires: Sequence[Wire], faults: int, pause_s: float) -> Counter[Fault]:
        """Let faults happen on wires, one every `pause_s` seconds or so, until there were so many and each kind.

        Gives those that did harm.
        """
        kinds: list[Fault] = []
        before = _counted(wires)
        async with asyncio.timeout(PATIENCE_S + _LONGEST_BETWEEN_S * faults):
            while len(fired := _counted(wires) - before) < len(Fault) or fired.total() < faults:
                kinds = kinds or self.chance.sample(list(Fault), len(Fault))
                if self.chance.choice(wires).strike(kinds[-1]):
                    kinds.pop()
                await asyncio.sleep(self.chance.uniform(0.0, 2 * pause_s))
        return fired

    async def end(self) -> Counter[str]:
        """Let everyone finish and judge all that happened; gives the figures. All servers must run."""
        for each in self.companies:
            each.book.stopped = True
        histories = [await each.end(self.house.servers) for each in self.companies]
        for history in histories:
            self._count(history)
        self.counts["resumed"] += sum(each.resumed for company in self.companies for each in company.resumers)
        self.counts["sent again"] += sum(company.hasty.repeated for company in self.companies)
        return self.counts

    def _count(self, history: History) -> None:
        outcomes = [each.outcome for each in history.operations]
        self.counts["rooms"] += 1
        self.counts["records"] += len(history.log)
        self.counts["acknowledged"] += sum(isinstance(each, Done) for each in outcomes)
        self.counts["refused"] += sum(isinstance(each, Denied) for each in outcomes)
        self.counts["outcome unknown"] += sum(each is None for each in outcomes)


def _counted(wires: Sequence[Wire]) -> Counter[Fault]:
    return sum((wire.counts for wire in wires), Counter())


@asynccontextmanager
async def playing(house: House, seed: int, asked: Amounts) -> AsyncIterator[Play]:
    """Let companies play in new rooms for as long as the block lasts. An error names the seed."""
    await house.mend()
    try:
        async with AsyncExitStack() as stack:
            companies = [
                await stack.enter_async_context(company(f"Table {place}", seed, server, house.front.url, asked.pause_s))
                for place, server in zip(range(asked.rooms), cycle(house.servers), strict=False)
            ]
            for each in companies:
                each.begin()
            yield Play(house, seed, companies)
    except BaseException as error:
        error.add_note(f"again: DREADCLOCK_FAULTS_ROUNDS=1 DREADCLOCK_FAULTS_SEED={seed}")
        raise
