"""Who is connected, over all processes; no part of the log."""

import asyncio

from kit.raw import RawClient
from kit.rooms import Table
from kit.server import Server


async def hears(client: RawClient, **here: int) -> None:
    """Wait for word of who is here, less long than the processes would take without telling one another."""
    async with asyncio.timeout(6):
        await client.expect("presence", here=here)


async def test_everyone_hears_who_comes_and_goes_on_both_processes(table: Table, second: Server):
    ann_seat, eve_seat = table.seat("ann"), table.seat("eve")
    before = await table.log()
    async with table.connected("gm") as gm:
        await hears(gm, gm=1)
        async with table.connected("ann", second) as ann, table.connected("ann") as ann_too:
            for client in (gm, ann, ann_too):
                await hears(client, **{"gm": 1, ann_seat: 2})
            async with table.connected("eve", second):
                for client in (gm, ann, ann_too):
                    await hears(client, **{"gm": 1, ann_seat: 2, eve_seat: 1})
            await hears(gm, **{"gm": 1, ann_seat: 2})
        await hears(gm, gm=1)
    assert await table.log() == before


async def test_a_connection_that_is_cut_without_a_word_is_gone_too(table: Table, second: Server):
    async with table.connected("gm") as gm:
        async with table.connected("ann", second) as ann:
            await hears(gm, **{"gm": 1, table.seat("ann"): 1})
            ann.socket.transport.abort()
        await hears(gm, gm=1)
