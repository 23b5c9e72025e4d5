"""Servers killed with -9 in the middle of the game: nothing that was acknowledged is lost, and nothing is done twice.

`DREADCLOCK_KILLS` says how often; three times unless it is set.
"""

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from statistics import median

import pytest

from dreadclock.wire.base import Channel
from kit.listeners import Listener, all_agree, listener
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

KILLS = int(os.environ.get("DREADCLOCK_KILLS", "3"))
AT_ONCE = 8  # commands that each player has under way
PLAYERS = ("gm", "ann", "ben")
COMES_BACK_WITHIN_S = 30.0


@dataclass
class Player:
    """Somebody who rolls without pause, every roll with a note of its own."""

    listener: Listener
    sent: int = 0
    acked: list[str] = field(default_factory=list)
    acked_at: float = 0.0
    stopped: bool = False

    async def play(self) -> None:
        """Roll until stopped; what is under way then is waited for."""
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(self._roll_on())

    async def _roll_on(self) -> None:
        while not self.stopped:
            self.sent += 1
            note = f"{self.listener.name}/{self.sent}/"
            visibility = "gm" if self.listener.name == "gm" and self.sent % 3 == 0 else "public"
            await self.listener.room.submit({"type": "roll_dice", "pool": 2, "note": note, "visibility": visibility})
            self.acked.append(note)
            self.acked_at = time.monotonic()


@dataclass
class Evening:
    """Players at a table whose server does not live long."""

    table: Table
    players: list[Player]
    everyone: list[Listener]
    back_s: list[float] = field(default_factory=list)  # from a kill to each player's next ack
    ready_s: list[float] = field(default_factory=list)  # from a server that answers again to the last of these acks

    @property
    def server(self) -> Server:
        """The server that is killed."""
        return self.table.server

    def stop(self) -> None:
        """Let everyone roll no more."""
        for player in self.players:
            player.stopped = True

    def acked(self) -> int:
        """Say how many commands have been acknowledged so far."""
        return sum(len(player.acked) for player in self.players)

    async def some_more(self, commands: int) -> None:
        """Wait until so many more commands have been acknowledged."""
        goal = self.acked() + commands
        await until(lambda: self.acked() >= goal, COMES_BACK_WITHIN_S)

    async def all_back(self, killed_at: float, ready_at: float) -> None:
        """Wait until every player has had an ack since the server answers again."""
        await until(lambda: all(player.acked_at > ready_at for player in self.players), COMES_BACK_WITHIN_S)
        self.back_s += [player.acked_at - killed_at for player in self.players]
        self.ready_s.append(max(player.acked_at for player in self.players) - ready_at)

    async def end(self) -> str:
        """Let everyone finish, and see that what was acknowledged was done once. Returns the figures."""
        self.stop()
        await until(lambda: all(player.sent == len(player.acked) for player in self.players), COMES_BACK_WITHIN_S)
        log = await all_agree(self.table, self.everyone, [self.table.server])
        done = Counter(record.event.note for record in log if record.event.note is not None)
        acked = [note for player in self.players for note in player.acked]
        lost = [note for note in acked if done[note] == 0]
        doubled = [note for note, times in done.items() if times > 1]
        assert (lost, doubled) == ([], [])
        assert done.total() == len(acked)
        assert [alarm.sentence for each in self.everyone for alarm in each.room.alarms] == []
        for channel in Channel:
            seqs = [record.seq for record in log if record.channel is channel]
            assert seqs == list(range(1, len(seqs) + 1))
        back = f"back {median(self.back_s):.2f} s after a kill (median; at most {max(self.back_s):.2f} s)"
        ready = f"all {median(self.ready_s):.2f} s after the server answered (at most {max(self.ready_s):.2f} s)"
        return f"{len(acked)} acknowledged, {len(lost)} lost, {len(doubled)} doubled; {back}, {ready}"


@pytest.fixture
async def evening(mortal: Server) -> AsyncIterator[Evening]:
    """Three players who roll without pause, and a spectator."""
    table = await open_table(mortal)
    async with AsyncExitStack() as stack:
        everyone = [await stack.enter_async_context(listener(table, name)) for name in (*PLAYERS, "eve")]
        evening = Evening(table, [Player(each) for each in everyone[: len(PLAYERS)]], everyone)
        async with asyncio.TaskGroup() as group:
            for player in evening.players:
                group.create_task(player.play())
            yield evening
            evening.stop()


async def test_a_server_killed_with_its_valkey_loses_and_doubles_nothing(evening: Evening, figures: list[str]):
    for _ in range(KILLS):
        await evening.some_more(100 + random.randrange(100))
        killed_at = time.monotonic()
        await evening.server.kill(with_valkey=True)
        await evening.server.start()
        await evening.all_back(killed_at, time.monotonic())
    figures.append(f"{KILLS} kills of both: {await evening.end()}")


async def test_a_server_killed_alone_loses_and_doubles_nothing(evening: Evening, figures: list[str]):
    await evening.some_more(100)
    killed_at = time.monotonic()
    await evening.server.kill()
    await evening.server.start()
    await evening.all_back(killed_at, time.monotonic())
    figures.append(f"1 kill of the server: {await evening.end()}")


async def test_a_valkey_killed_alone_comes_back_and_nothing_is_lost_or_doubled(evening: Evening, figures: list[str]):
    for _ in range(KILLS):
        await evening.some_more(100)
        killed_at = time.monotonic()
        await kill_valkey(evening.server)
        await evening.all_back(killed_at, time.monotonic())
    figures.append(f"{KILLS} kills of Valkey: {await evening.end()}")


async def kill_valkey(server: Server) -> None:
    """Kill the embedded Valkey, and return once its successor answers."""
    before = server.valkey_pid
    server.signal_valkey(signal.SIGKILL)
    await until(lambda: server.find_valkey() not in (None, before), COMES_BACK_WITHIN_S)
