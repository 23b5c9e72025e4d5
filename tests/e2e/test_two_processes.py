"""One table over two processes on one Valkey."""

import asyncio
import random
from collections import Counter
from contextlib import AsyncExitStack

from dreadclock.wire.base import Channel
from kit.evenings import busy
from kit.links.listeners import all_agree, listener
from kit.rooms import Table
from kit.server import Server


async def test_two_processes_serve_one_table_as_one(table: Table, second: Server, figures: list[str]):
    chance = random.Random(11)
    await table.invite("zoe", "spectator")
    async with AsyncExitStack() as stack:
        places = {"gm": table.server, "ann": second, "ben": second, "eve": table.server, "zoe": second}
        everyone = [
            await stack.enter_async_context(listener(table, name, server, tap=True)) for name, server in places.items()
        ]
        gm, ann, ben, *_ = everyone
        await busy.prepare(table, gm)
        wishes = [(gm, 300), (ann, 150), (ben, 150)]
        rolling = asyncio.create_task(busy.keep_rolling_it(gm))
        work = [busy.submit_at_once(each, busy.commands_of(each, count, chance)) for each, count in wishes]
        results = await asyncio.gather(*work)
        await rolling

        log = await all_agree(table, everyone, [table.server, second])
        public = [record.seq for record in log if record.channel is Channel.PUBLIC]
        assert public == list(range(1, len(public) + 1))
        found = sum((busy.done_once_or_refused(log, each) for each in results), Counter[str]())
        assert found.total() == 600
        assert min(found["done"] - 300, found["not_allowed"] - 12, found["unknown"] - 12) > 0
        busy.secrets_stay_with(gm, everyone[1:])
        figures.append(f"two processes: {len(log)} events, the same for all five; replies: {dict(found)}")
