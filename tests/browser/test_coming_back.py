"""A server that dies is back in everybody's page as soon as it runs again, and nothing was done twice."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser

import dreadclock
from kit.browser.company import Company, company_at, link
from kit.browser.labels import label
from kit.rooms import open_table
from kit.server import Server

LOST = "WebSocket connection to"  # what the browser says of a server that is away


@pytest_asyncio.fixture(loop_scope="session")
async def survivors(browser: Browser, mortal: Server) -> AsyncIterator[Company]:
    """Whoever sits at the table of a server that is killed."""
    async with company_at(browser, mortal) as company:
        yield company


async def test_a_killed_server_comes_back_to_all_pages_and_a_command_is_done_once(survivors: Company, mortal: Server):
    table = await open_table(mortal)
    seats = await survivors.sit(table)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_countdown("Fever", 12, id="fever", owner=table.seat("ann"))
        await room.start_countdown("Mole", 12, id="gm-mole", visibility="gm")
    for seat in seats.values():
        await seat.shows_what_the_server_says()
        seat.complaints.forgive(LOST)

    await mortal.kill()
    for seat in seats.values():
        await seat.stands("away")
    await seats["ann"].press("my.roll", seats["ann"].thing("countdown:fever"), dice=12)
    await mortal.start()

    for seat in seats.values():
        await seat.stands("open")
    rolled = seats["eve"].thing("countdown:fever").get_by_label(label("last_roll", faces=""))
    await rolled.wait_for()
    for seat in seats.values():
        await seat.shows_what_the_server_says()
    assert sum('"countdown_rolled"' in text for text in await table.log("gm")) == 1
