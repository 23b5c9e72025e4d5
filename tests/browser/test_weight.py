"""A full table is light enough for a phone, asks its server alone for anything, and little on a second visit."""

import re
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from kit.browser.company import Company, link
from kit.browser.complaints import Asked
from kit.browser.full_table import full_table
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import INSTALLED, Server

AT_MOST_KIB = 240 if INSTALLED else 280  # the packages carry bundles
MOST = 10  # requests of a second visit: all assets are in the browser's cache already
# The addresses that the server was asked for: transferSize is 0 for what came from a cache.
ASKED = """
() => {
  const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  return entries.filter(({ transferSize }) => transferSize > 0).map(({ name }) => name);
}
"""
LOADED = "() => performance.getEntriesByType('resource').map(({ name }) => name)"
HASHED = re.compile(r"/assets/([0-9a-f]{16})/")
# Notes how much what is shown moves by itself while a page is there.
SHIFT = """
window.__shift = 0;
const note = (list) => {
  for (const { value, hadRecentInput } of list.getEntries()) window.__shift += hadRecentInput ? 0 : value;
};
new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
"""
# Lets nothing begin that waits for so long: the arena is loaded when the table has been there for some seconds.
NOTHING_LATER = """
const soon = setTimeout;
globalThis.setTimeout = (work, ms = 0, ...given) => (ms < 4_000 ? soon(work, ms, ...given) : 0);
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def table(server: Server) -> Table:
    """A room with 20 countdowns, 10 clocks and 2,000 past events."""
    return await full_table(server)


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
async def test_a_full_table_is_light_and_then_comes_from_the_cache(
    company: Company, table: Table, figures: list[str], name: str
):
    seat = await company.come_first(name)
    asked = Asked(seat.page)
    await seat.page.add_init_script(NOTHING_LATER)

    await seat.open(link(table, name))
    await seat.shows_what_the_server_says()

    loads = await asked.bytes_by_url()
    assert asked.elsewhere(urlsplit(table.server.url).netloc) == []
    loads = {url: size for url, size in loads.items() if not url.endswith("/throws.bin")}  # it comes after all else
    total = sum(loads.values()) + seat.wire.bytes_of_frames()
    figures.append(f"a full table weighs {total / 1024:.0f} KiB for {name}, in {len(loads)} loads and the frames")
    assert total <= AT_MOST_KIB * 1024, sorted(((size, url) for url, size in loads.items()), reverse=True)[:12]
    await a_second_visit_takes_few_requests(seat, figures)
    if name == "gm":
        await a_word_that_is_explained_leads_to_its_rule_in_both_languages(seat)


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
async def test_nothing_moves_while_a_full_table_loads(company: Company, table: Table, figures: list[str], name: str):
    seat = await company.come_first(name, viewport={"width": 412, "height": 823})
    await seat.page.add_init_script(SHIFT)

    await seat.open(link(table, name))
    await seat.page.wait_for_load_state("networkidle")

    shift = await seat.page.evaluate("() => new Promise((resolve) => setTimeout(() => resolve(window.__shift), 500))")
    figures.append(f"a full table moves by {shift:.3f} for {name} as it is loaded")
    assert shift <= 0.05


async def a_second_visit_takes_few_requests(seat: Seat, figures: list[str]) -> None:
    first = len(await seat.page.evaluate(ASKED))
    assert first > MOST, "it was no first visit, or nobody knows what was asked"

    sockets = list[str]()
    await seat.page.goto("about:blank")
    seat.page.on("websocket", lambda socket: sockets.append(socket.url))
    await seat.open(seat.link)
    await seat.shows_what_the_server_says()
    asked = [*await seat.page.evaluate(ASKED), *sockets]

    figures.append(f"{seat.name} comes again: {len(asked)} requests, after {first} at first")
    assert len(asked) <= MOST, asked
    assets = [url for url in await seat.page.evaluate(LOADED) if "/assets/" in url]
    assert {found and found[1] for found in map(HASHED.search, assets)} == {HASHED.findall(assets[0])[0]}, assets


async def a_word_that_is_explained_leads_to_its_rule_in_both_languages(seat: Seat) -> None:
    for language, part in (("en", r"[a-z-]+"), ("de", "auf-deutsch")):
        await seat.page.goto(f"{seat.link.partition('#')[0]}?lang={language}")
        await seat.page.locator("[data-place$=clocks] .word > button").first.click()
        rule = await seat.page.locator(".explained a").get_attribute("href")
        assert rule is not None
        found = re.fullmatch(rf"{re.escape(seat.server.url)}/rules/[a-z]+#({part})", rule)
        assert found, rule
        answer = await seat.context.request.get(rule)
        assert answer.status == 200
        assert f'id="{found[1]}"' in await answer.text()
