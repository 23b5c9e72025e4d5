"""A gm is told on her page that a room is nearly full."""

from playwright.async_api import expect
from redis.asyncio import Redis

from dreadclock_server.settings.table import Settings
from dreadclock_server.store.keys import META, key
from kit.browser.company import Company
from kit.browser.labels import label
from kit.rooms import Table
from kit.waiting import until

LIMIT = (Settings().max_room_mib or 0) * 1024 * 1024
LATER = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 10 * 60_000; }"
WARNING = "[data-part=size]"


async def grown(table: Table, percent: int, field: str = "public", limit: int = LIMIT) -> None:
    """Let a room have used up so much of what it may have, in public or hidden, and its server know."""
    log_bytes, told = limit * percent // 100 + 1, "bytes" if field == "public" else "hidden_bytes"
    async with Redis.from_url(table.server.store_url) as store:
        await store.hset(key(table.id, META), field, str(log_bytes))

    async def is_known() -> bool:
        async with table.http("gm") as http:
            return bool((await http.get(table.path("/size"))).json()[told] == log_bytes)

    await until(is_known)


async def roll(table: Table) -> None:
    """Let something happen, by which a room grows."""
    async with table.http("ann") as http:
        assert (await http.post(table.path("/commands"), json={"type": "roll_dice", "pool": 1})).status_code == 200


async def test_a_room_says_to_its_gm_how_nearly_full_it_is_and_that_hardly_anything_more_can_be_hidden(
    company: Company, table: Table
):
    gm = (await company.sit(table, "gm"))["gm"]
    nearly, almost = label("gm.size.nearly", percent=81), label("gm.size.almost", percent=91)
    hidden = label("gm.size.hidden", percent=85)
    for percent, percent_hidden, warnings in (
        (81, 0, [nearly]),
        (50, 0, []),
        (91, 85, [almost, hidden]),
    ):
        await grown(table, percent)
        if percent_hidden:
            await grown(table, percent_hidden, "hidden", LIMIT // 4)
        await gm.page.evaluate(LATER)  # it asks at most every few minutes

        async with gm.page.expect_response("**/size"):
            await roll(table)

        await expect(gm.page.locator(WARNING)).to_have_text(warnings)
