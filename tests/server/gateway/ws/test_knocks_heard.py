"""A gm hears of knocks on the connections that asked for it, and nobody else does."""

import asyncio
import time
from contextlib import AsyncExitStack

import pytest
from redis.asyncio import Redis

from dreadclock_server.gateway import knocks
from dreadclock_server.gateway.ws import hubs
from dreadclock_server.settings.table import Settings
from kit.knocks import answer, knock_at, old_knock, seated
from kit.raw import RawClient
from kit.rooms import Table
from kit.server import Server
from kit.servers.in_process import in_process
from kit.waiting import until


async def hears(client: RawClient, *names: str) -> list[dict[str, object]]:
    """Wait for a frame that tells of these who knock."""
    async with asyncio.timeout(8):  # less long than it would take without being told
        while True:
            frame = await client.expect("knocks")
            if [row["name"] for row in frame["waiting"]] == [*names]:
                waiting: list[dict[str, object]] = frame["waiting"]
                return waiting


async def test_a_gm_hears_who_knocks_on_either_process_and_how_it_ends(table: Table, second: Server):
    async with table.connected("gm", knocks=True) as gm, table.connected("gm", second, knocks=True) as gm_too:
        for client in (gm, gm_too):
            assert await hears(client) == [], "at once, after the welcome"
        ines = await knock_at(second, table.id, wants="spectator", client="Owlbear Rodeo")
        told = [await hears(client, "Ines") for client in (gm, gm_too)]
        assert told[0] == told[1]
        [row] = told[0]
        assert {**row, "expires_at": 0} == {
            "knock": ines.knock,
            "name": "Ines",
            "wants": "spectator",
            "client": "Owlbear Rodeo",
            "code": ines.said["code"],
            "expires_at": 0,
        }
        assert abs(int(str(row["expires_at"])) / 1000 - time.time() - knocks.EXPIRES_S) < 30

        await seated(table, ines)
        for client in (gm, gm_too):
            await hears(client)

        tom = await knock_at(table.server, table.id, name="Tom")
        for client in (gm, gm_too):
            await hears(client, "Tom")
        await tom.forget()
        for client in (gm, gm_too):
            await hears(client)

        eve = await knock_at(table.server, table.id, name="Eve")
        for client in (gm, gm_too):
            assert (await hears(client, "Eve"))[0]["resembles"] == table.seat("eve")
        await answer(table, eve, accept=False)
        for client in (gm, gm_too):
            await hears(client)


async def test_a_gm_who_comes_hears_who_waits_and_when_it_is_over(table: Table):
    await old_knock(table, knocks.EXPIRES_S * 1000 + 1_000, "Late")
    await old_knock(table, knocks.EXPIRES_S * 1000 - 3_000, "Soon")
    await old_knock(table, 0, "Ines")
    async with table.connected("gm", knocks=True) as gm:
        await hears(gm, "Soon", "Ines")
        await hears(gm, "Ines")

        async def is_swept() -> bool:
            async with Redis.from_url(table.server.store_url) as store:
                return len(await store.hkeys(f"dreadclock:{{{table.id}}}:knocks")) == 1

        await until(is_swept)


async def test_what_is_never_announced_is_found_all_the_same(table: Table, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hubs, "PRESENCE_EVERY_S", 1.0)
    async with (
        in_process(table.server, Settings(limits=False)) as (_, here),
        table.connected("gm", here, knocks=True) as gm,
    ):
        await hears(gm)
        await old_knock(table, 0, "Ines")
        await hears(gm, "Ines")


async def test_nobody_else_hears_of_knocks(table: Table, second: Server):
    async with AsyncExitStack() as stack:
        gm = await stack.enter_async_context(table.connected("gm", knocks=True))
        others = [
            await stack.enter_async_context(table.connected(name, place, **hello))
            for name, place, hello in (
                ("gm", table.server, {}),
                ("gm", second, {"knocks": False}),
                ("ann", table.server, {"knocks": True}),
                ("eve", second, {"knocks": True}),
            )
        ]
        ines = await knock_at(table.server, table.id)
        await hears(gm, "Ines")
        await answer(table, ines, accept=False)
        await hears(gm)
        for client in others:
            await client.send({"type": "command", "n": 1, "command": {"type": "roll_dice", "pool": 0}})
            await client.expect("refused")
        assert not any('"knock' in text for client in others for text in client.frames)
        assert not any("Ines" in text for client in others for text in client.frames)


async def test_a_flood_of_knocks_is_told_in_few_frames(table: Table):
    async with table.connected("gm", knocks=True) as gm:
        await hears(gm)
        guests = [f"Guest {number}" for number in range(60)]
        await asyncio.gather(*(knock_at(table.server, table.id, name=name) for name in guests))
        last = await knock_at(table.server, table.id, name="Last")
        async with asyncio.timeout(8):
            frame = await gm.expect("knocks")
            while last.knock not in [row["knock"] for row in frame["waiting"]]:
                frame = await gm.expect("knocks")
        assert len(frame["waiting"]) == knocks.MOST_KNOCKS
        assert sum('"type":"knocks"' in text for text in gm.frames) < 40
    async with Redis.from_url(table.server.store_url) as store:
        assert await store.hlen(f"dreadclock:{{{table.id}}}:knocks") == knocks.MOST_KNOCKS
