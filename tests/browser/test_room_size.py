"""A gm is told on her page that a room is nearly full, and nobody else is."""

import pytest
from playwright.async_api import expect
from redis.asyncio import Redis

from dreadclock_server.settings import Settings
from dreadclock_server.store.keys import META, key
from kit.browser.company import Company
from kit.browser.labels import label
from kit.rooms import Table
from kit.waiting import until

LIMIT = (Settings().max_room_mib or 0) * 1024 * 1024
WARNING = "[data-part=size]"


async def grown(table: Table, percent: int) -> None:
    """Let a room have used up so much of what it may have, and its server know."""
    log_bytes = LIMIT * percent // 100 + 1
    async with Redis.from_url(table.server.store_url) as store:
        await store.hset(key(table.id, META), "bytes", str(log_bytes))

    async def is_known() -> bool:
        async with table.http("gm") as http:
            return bool((await http.get(table.path("/size"))).json()["bytes"] == log_bytes)

    await until(is_known)


async def roll(table: Table) -> None:
    """Let something happen, by which a room grows."""
    async with table.http("ann") as http:
        assert (await http.post(table.path("/commands"), json={"type": "roll_dice", "pool": 1})).status_code == 200


@pytest.mark.parametrize(("percent", "key_"), [(81, "gm.size.nearly"), (91, "gm.size.almost")])
async def test_a_room_that_is_nearly_full_says_so_to_its_gm_alone(
    company: Company, table: Table, percent: int, key_: str
):
    await grown(table, percent)

    seats = await company.sit(table, "gm", "ann")

    await roll(table)
    await expect(seats["gm"].page.locator(WARNING)).to_have_text(label(key_, percent=percent))
    await expect(seats["ann"].page.locator(WARNING)).to_have_count(0)


async def test_a_room_with_bytes_left_says_nothing(company: Company, table: Table):
    await grown(table, 50)
    seats = await company.sit(table, "gm", "ann")
    gm = seats["gm"]

    async with gm.page.expect_response("**/size"):
        await roll(table)

    await expect(gm.page.locator(WARNING)).to_have_count(0)
