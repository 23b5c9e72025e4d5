"""SDK clients that remember everything they hear, and what must hold of it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import dreadclock
from dreadclock import Acknowledged, Backoff, Refused, RestRoom, ViewReplaced
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record
from kit.rooms import Table
from kit.server import Server
from kit.waiting import until

QUICK = Backoff(longest_s=0.5)


@dataclass
class Listener:
    """Somebody at a table, with all records heard since coming in."""

    name: str
    room: dreadclock.Room
    came_in_at: dict[Channel, int] = field(default_factory=dict)
    heard: list[Record] = field(default_factory=list)
    resets: list[ViewReplaced] = field(default_factory=list)

    async def listen(self) -> None:
        """Remember what happens, for ever."""
        async for item in self.room.records():
            if isinstance(item, ViewReplaced):
                self.resets.append(item)
            else:
                self.heard.append(item)

    def stands_at_the_end_of(self, log: Sequence[Record]) -> bool:
        """Tell whether as many records were heard as there are."""
        lengths = Counter(record.channel for record in log)
        return all(seq + len(self.records(channel)) >= lengths[channel] for channel, seq in self.came_in_at.items())

    def records(self, channel: Channel) -> list[Record]:
        """Give what was heard in a channel."""
        return [record for record in self.heard if record.channel is channel]


@asynccontextmanager
async def listener(table: Table, name: str, url: str | None = None) -> AsyncIterator[Listener]:
    """Connect with the SDK; `url`: another way in than to the table's server."""
    async with dreadclock.connect(url or table.server.url, table.id, table.token(name), backoff=QUICK) as room:
        positions = {channel: head.seq for channel, head in room.positions.items()}
        one = Listener(name, room, came_in_at=positions)
        hearing = asyncio.create_task(one.listen())
        try:
            yield one
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)


async def outcome(room: dreadclock.Room, command: Mapping[str, Any]) -> Acknowledged | Refused:
    """Submit a command and return what became of it."""
    try:
        return await room.submit(command)
    except Refused as refused:
        return refused


async def all_agree(
    table: Table, listeners: Iterable[Listener], servers: Iterable[Server], within_s: float = 20.0
) -> list[Record]:
    """See that everyone heard the same, without gap or repeat, and sees what every server shows; return the log."""
    log = [Record.model_validate_json(text) for text in await table.log("gm")]
    for each in listeners:
        await until(partial(each.stands_at_the_end_of, log), within_s)
        for channel, seq in each.came_in_at.items():
            expected = [record for record in log if record.channel is channel][seq:]
            assert [record.seq for record in each.records(channel)] == list(range(seq + 1, seq + 1 + len(expected)))
            assert each.records(channel) == expected, f"{each.name} heard something else"
        assert each.resets == []
        assert each.room.alarms == ()
        for server in servers:
            assert await RestRoom(server.url, table.id, table.token(each.name)).view() == each.room.view
    return log
