"""A table at which much is going on, with a long evening behind it."""

import asyncio

import dreadclock
from kit.browser.company import link
from kit.rooms import Table, open_table
from kit.server import Server

COUNTDOWNS, CLOCKS, EVENTS = 20, 10, 2_000


async def full_table(server: Server) -> Table:
    """Open a room with many countdowns and clocks, and at least `EVENTS` past events."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        for number in range(CLOCKS):
            await room.start_clock(f"Clock {number}", 12, id=f"clock-of-{number}")
        for number in range(COUNTDOWNS):
            stages = [{"at": 4, "effect": "the hands shake"}, {"at": 2, "effect": "the eyes close"}]
            await room.start_countdown(f"Countdown {number}", 12, id=f"down-{number}", stages=stages, ending="over")
        made = len(await table.log())
        await asyncio.gather(*(room.roll_dice(4, name=f"roll {number}") for number in range(EVENTS - made)))
        assert len(await table.log()) >= EVENTS
    return table
