"""What a page says where plain requests are answered and no websocket opens: what stops it, or that it comes back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from kit.browser.company import Company, company_at, link
from kit.browser.labels import label
from kit.rooms import open_table
from kit.server import Server, running_server

BACK_WITHIN_MS = 60_000
BLOCKED = ("WebSocket connection to", "status of 426")
BLOCKER = """
window.__isBlocked = !sessionStorage.isFree;
window.__sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(address) {
    super(window.__isBlocked ? address.replace("/ws/", "/nowhere/") : address);
    window.__sockets.push(this);
  }
};
"""

REACH = Path(__file__).parents[2] / "client_sdk/js/reach.js"
DIAGNOSE = """
async ([source, address]) =>
  (await import(`data:text/javascript,${encodeURIComponent(source)}`)).diagnose(address)
"""


@pytest_asyncio.fixture(loop_scope="session")
async def crowd(
    browser: Browser, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Company, Server]]:
    """Whoever comes to a process that takes one connection of an address."""
    data = tmp_path_factory.mktemp("narrow") / "data"
    environment = {"DREADCLOCK_MAX_CONNECTIONS_PER_ADDRESS": "1"}
    async with (
        running_server(data, store=server.store_url, environment=environment) as narrow,
        company_at(browser, narrow) as company,
    ):
        yield company, narrow


async def test_a_page_says_what_stops_its_websocket_at_first_and_later_and_comes_in_again(
    company: Company, server: Server
):
    ann = await company.come("ann")
    ann.complaints.forgive(*BLOCKED)
    await ann.page.add_init_script(BLOCKER)
    await ann.page.goto(link(await open_table(server), "ann"))

    await expect(ann.page.get_by_role("status")).to_have_text(label("over.blocked"))
    await ann.page.evaluate("() => { sessionStorage.isFree = 'yes'; }")
    await ann.button(label("over.again")).click()
    await ann.arrived()

    await ann.page.evaluate("() => { window.__isBlocked = true; window.__sockets.at(-1).close(); }")
    await expect(ann.page.locator("[data-connection=away]")).to_have_text(label("over.blocked"))
    await ann.page.evaluate("() => { window.__isBlocked = false; }")
    await ann.stands("open")


async def test_a_page_of_another_origin_hears_that_a_server_answers_and_not_what(
    browser: Browser, origin: str, server: Server
):
    page = await browser.new_page()
    await page.goto(origin)

    found = await page.evaluate(DIAGNOSE, [REACH.read_text(), f"{server.url.replace('http', 'ws')}/ws/room"])
    await page.close()

    assert found == {"obstacle": "blocked_or_limit", "retryMs": 10_000}


async def test_a_page_for_which_there_is_no_connection_left_says_so_and_comes_in_later(crowd: tuple[Company, Server]):
    company, narrow = crowd
    table = (await open_table(narrow)).at(narrow)
    eve = await company.come("eve")
    eve.complaints.forgive("WebSocket connection to", "status of 429")
    async with table.connected("ann"):
        await eve.page.clock.install()
        await eve.page.goto(link(table, "eve"))
        await expect(eve.page.get_by_role("status")).to_have_text(label("over.limit"))

    await eve.page.clock.fast_forward(BACK_WITHIN_MS)
    await eve.stands("open")
