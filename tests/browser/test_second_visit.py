"""Whoever comes again asks the server for next to nothing: all assets are in the browser's cache already."""

import re

import pytest

from kit.browser.company import Company, link
from kit.rooms import Table

MOST = 10
# The addresses that the server was asked for: transferSize is 0 for what came from a cache.
ASKED = """
() => {
  const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  return entries.filter(({ transferSize }) => transferSize > 0).map(({ name }) => name);
}
"""
LOADED = "() => performance.getEntriesByType('resource').map(({ name }) => name)"
HASHED = re.compile(r"/assets/([0-9a-f]{16})/")


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
async def test_a_second_visit_takes_few_requests(company: Company, table: Table, figures: list[str], name: str):
    seat = await company.come_first(name)
    await seat.open(link(table, name))
    await seat.shows_what_the_server_says()
    first = len(await seat.page.evaluate(ASKED))
    assert first > 3 * MOST, "it was no first visit, or nobody knows what was asked"

    sockets = list[str]()
    await seat.page.goto("about:blank")
    seat.page.on("websocket", lambda socket: sockets.append(socket.url))
    await seat.open(link(table, name))
    await seat.shows_what_the_server_says()
    asked = [*await seat.page.evaluate(ASKED), *sockets]

    figures.append(f"{name} comes again: {len(asked)} requests, after {first} at first")
    assert len(asked) <= MOST, asked
    assets = [url for url in await seat.page.evaluate(LOADED) if "/assets/" in url]
    assert {found and found[1] for found in map(HASHED.search, assets)} == {HASHED.findall(assets[0])[0]}, assets


async def test_a_word_that_is_explained_leads_to_its_rule(company: Company, table: Table):
    seat = await company.come_first("gm")
    await seat.open(link(table, "gm"))
    place = """
    async () => {
      const { meaning } = await import(new URL("parts/meaning.js", document.scripts[0].src));
      const { render } = await import(new URL("../vendor/lit-html/lit-html.js", document.scripts[0].src));
      const shown = document.createElement("div");
      render(meaning({ words: { language: "en" }, t: (key) => key }, "crisis", "id"), shown);
      return shown.querySelector("a").href;
    }
    """
    rule = await seat.page.evaluate(place)

    assert rule == f"{table.server.url}/rules/totals#crises"
    answer = await seat.context.request.get(rule)
    assert answer.status == 200
