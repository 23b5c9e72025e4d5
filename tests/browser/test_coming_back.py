"""A server that dies is back in everybody's page as soon as it runs again, and nothing was done twice."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, expect

import dreadclock
from kit.browser.company import Company, company_at, link
from kit.browser.labels import label
from kit.rooms import open_table
from kit.server import Server

# What the browser says of a server that is away, or is back as the page asks what keeps its websocket from it.
LOST = ("WebSocket connection to", "net::ERR_", "426 (Upgrade Required)")
_TO_THE_END = "() => scrollTo(0, document.documentElement.scrollHeight)"
_ON_TOP = """
(each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}
"""


@pytest_asyncio.fixture(loop_scope="session")
async def survivors(browser: Browser, mortal: Server) -> AsyncIterator[Company]:
    """Whoever sits at the table of a server that is killed."""
    async with company_at(browser, mortal) as company:
        yield company


async def test_a_killed_server_comes_back_to_all_pages_and_what_was_pressed_meanwhile_is_done_once_each(
    survivors: Company, mortal: Server
):
    table = await open_table(mortal)
    seats = await survivors.sit(table, "gm", "ann")
    stream = await survivors.come("stream")
    stream.complaints.forgive(*LOST)
    await stream.page.goto(link(table, "eve").replace("/r/", "/o/"))
    await stream.page.locator("[data-overlay=open]").wait_for(state="attached")
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_countdown("Fever", 12, id="fever", owner=table.seat("ann"))
        await room.start_clock("Guards", 6, id="guards")
        await room.start_countdown("Mole", 12, id="gm-mole", visibility="gm")
    for seat in seats.values():
        await seat.shows_what_the_server_says()
        seat.complaints.forgive(*LOST)

    await mortal.kill()
    for seat in seats.values():
        await seat.stands("away")
        await seat.page.evaluate(_TO_THE_END)
        assert await seat.page.locator("[data-connection=away]").evaluate(_ON_TOP), f"hidden from {seat.name}"
    lost = stream.page.get_by_role("img", name=label("reconnecting"))
    await lost.wait_for()
    await seats["ann"].press("my.roll", seats["ann"].thing("countdown:fever"), dice=12)
    guards = seats["gm"].thing("clock:guards")
    await guards.locator(".press").click(click_count=3)
    await expect(guards.locator(".dial .value")).to_have_text("3")
    await mortal.start()

    for seat in seats.values():
        await seat.stands("open")
    await stream.page.locator("[data-overlay=open]").wait_for(state="attached")
    assert await lost.count() == 0
    rolled = seats["gm"].thing("countdown:fever").get_by_label(label("last_roll", faces=""))
    await rolled.wait_for()
    for seat in seats.values():
        await seat.shows_what_the_server_says()
    log = await table.log("gm")
    assert [sum(f'"{each}"' in text for text in log) for each in ("countdown_rolled", "clock_ticked")] == [1, 3]
