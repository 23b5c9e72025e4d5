"""A company at one table: clients of all sorts, and in the end the history of what they did and heard."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from random import Random

from dreadclock.export import write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Head, Positions
from dreadclock_server.evening.verify import verify
from kit.history.judging import hold
from kit.history.recorded import Denied, Done, History
from kit.raw import Frame
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until
from kit.workload.book import Book, settled_by
from kit.workload.passing import LOST, Hasty, Resumer
from kit.workload.steady import Steady, steady

WRITERS = ("gm", "ann", "ben")
PATIENCE_S = 180.0  # for what takes a second on a machine that is not busy


class Company:
    """The clients of one room, each on a wire of its own."""

    def __init__(
        self, table: Table, book: Book, steady: Sequence[Steady], resumers: Sequence[Resumer], hasty: Hasty
    ) -> None:
        self.table, self.book, self.steady, self.resumers, self.hasty = table, book, steady, resumers, hasty
        self._log: list[str] = []  # as last read
        self._writing: list[asyncio.Task[None]] = []
        self._passing: list[asyncio.Task[None]] = []

    @property
    def writers(self) -> list[Steady]:
        """Those of the SDK who write."""
        return [each for each in self.steady if each.name in WRITERS]

    def begin(self) -> None:
        """Let everyone begin."""
        self._writing = [asyncio.create_task(each.write()) for each in self.writers]
        passing = [*(each.look_on() for each in self.resumers), self.hasty.come_and_go()]
        self._passing = [asyncio.create_task(each) for each in passing]

    async def end(self, servers: Sequence[Server]) -> History:
        """Let everyone finish, and give the history. Raises AssertionError if it does not hold."""
        self.book.stopped = True
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*self._writing)
        await _ended(self._passing)
        history = await self._told(servers)
        hold(history)
        self._check_dice(history)
        return history

    async def leave(self) -> None:
        """Stop at once whoever is still at it."""
        self.book.stopped = True
        await _ended([*self._writing, *self._passing])

    async def _told(self, servers: Sequence[Server]) -> History:
        """Read the log once nothing more is under way and everyone has heard it; all servers must tell the same."""
        for server in servers:
            await until(partial(self._had_last_word, server), PATIENCE_S)
        await until(partial(self._is_settled, servers), 2 * PATIENCE_S)
        welcome = await self._welcome(servers[0])
        streams = [each.recorder.heard for each in self.steady] + [each.heard for each in self.resumers]
        views = {each.name: each.room.view for each in self.steady}
        log_id, heads = welcome["log_id"], _heads(welcome)
        return History(self.table.id, log_id, self._log, heads, self.book.operations, streams, views)

    async def _is_settled(self, servers: Sequence[Server]) -> bool:
        """Read the log, let everyone hear it, and tell whether it is the same afterwards, on all servers."""
        self._log = await self._log_on(servers[0])
        await self._all_hear(_heads(await self._welcome(servers[0])))
        return all([await self._log_on(server) == self._log for server in servers])

    async def _had_last_word(self, server: Server) -> bool:
        """Let a server do one more command, if it can: what it was given before comes before that."""
        command, start = self.book.name("cid (last)"), time.monotonic()
        outcome: Done | Denied | None = None
        with suppress(*LOST):
            async with self.table.connected("cid", server) as client:
                outcome = settled_by(await client.do({"type": "roll_dice", "pool": 1, "faces": [1], "note": command}))
        self.book.note("cid (last)", command, start, outcome)
        return isinstance(outcome, Done)

    async def _log_on(self, server: Server) -> list[str]:
        async with self.table.http("gm", server) as http:
            answer = await http.get(self.table.path("/log"))
        assert answer.status_code == 200, answer.text
        return answer.text.splitlines()

    async def _welcome(self, server: Server) -> Frame:
        async with self.table.connected("gm", server) as client:
            return client.welcome

    async def _all_hear(self, heads: Positions) -> None:
        """Give everyone the time to hear the end; who does not is for the judge."""
        with suppress(TimeoutError, AssertionError):
            async with asyncio.timeout(PATIENCE_S):
                await until(lambda: all(_at(each.room.positions, heads) for each in self.steady), PATIENCE_S)
                for resumer in self.resumers:
                    while not _at(resumer.positions, heads):
                        await resumer.visit(1)

    def _check_dice(self, history: History) -> None:
        """Check dice and rules from the log alone, as anybody can."""
        for each in self.steady:
            assert each.room.alarms == (), each.name
        lines = write_export(history.room, history.log_id, list(Channel), history.log)
        report = verify("".join(lines).encode())
        assert report.faults == ()


async def _ended(tasks: Sequence[asyncio.Task[None]]) -> None:
    """End tasks that may be in the middle of anything. Raises what one of them had stumbled over."""
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception):
            raise outcome


def _heads(welcome: Frame) -> Positions:
    return {Channel(name): Head(**head) for name, head in welcome["positions"].items()}


def _at(positions: Positions, heads: Positions) -> bool:
    return bool(positions) and all(head.seq >= heads[channel].seq for channel, head in positions.items())


@asynccontextmanager
async def company(title: str, seed: int, server: Server, url: str, pause_s: float) -> AsyncIterator[Company]:
    """Open a room, and let a company sit down at it, who come by way of `url`."""
    table, book = await open_table(server, title, physical_dice="everyone"), Book(pause_s)
    await table.invite("cid", "player")  # a seat without an SDK client, which would be alarmed by rolls not its own

    def chance(name: str) -> Random:
        return Random(f"{seed}/{title}/{name}")

    async with AsyncExitStack() as stack:
        sitting = [
            await stack.enter_async_context(steady(table, name, url, book, chance(name))) for name in (*WRITERS, "eve")
        ]
        resumers = [Resumer(table, name, url, book, chance(f"{name} resuming")) for name in ("gm", "eve")]
        company = Company(table, book, sitting, resumers, Hasty(table, "cid", url, book, chance("hasty")))
        try:
            yield company
        finally:
            await company.leave()
