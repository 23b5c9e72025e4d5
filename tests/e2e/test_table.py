"""A table at full tilt: four clients of the SDK, a thousand commands at once."""

import asyncio
import random
from collections import Counter
from contextlib import AsyncExitStack

from dreadclock.wire.base import Channel
from kit.evenings.busy import (
    commands_of,
    done_once_or_refused,
    keep_rolling_it,
    prepare,
    secrets_stay_with,
    submit_at_once,
)
from kit.links.listeners import all_agree, listener
from kit.rooms import Table


async def test_everyone_hears_a_thousand_commands_in_the_same_order(table: Table, figures: list[str]):
    chance = random.Random(7)
    async with AsyncExitStack() as stack:
        names = ("gm", "ann", "ben", "eve")
        everyone = [await stack.enter_async_context(listener(table, name, tap=True)) for name in names]
        gm, ann, ben, eve = everyone
        await prepare(table, gm)
        wishes = [(gm, 334), (ann, 333), (ben, 333)]
        rolling = asyncio.create_task(keep_rolling_it(gm))
        work = [submit_at_once(each, commands_of(each, count, chance)) for each, count in wishes]
        results = await asyncio.gather(*work)
        await rolling

        log = await all_agree(table, everyone, [table.server])
        public = [record for record in log if record.channel is Channel.PUBLIC]
        assert [record.seq for record in public] == list(range(1, len(public) + 1))
        found = sum((done_once_or_refused(log, each) for each in results), Counter[str]())
        assert found.total() == 1000
        assert min(found["done"] - 500, found["not_allowed"] - 20, found["unknown"] - 20) > 0
        secrets_stay_with(gm, (ann, ben, eve))
        figures.append(f"one process: {len(public)} public events, the same for all four; replies: {dict(found)}")
