"""Names that are markup, that run from right to left or are very long are text, and break no page."""

from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.layout import sticks_out
from kit.rooms import Table, open_table
from kit.server import Server

MARKUP = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
ARABIC = "ساعة الرعب تدق في الظلام"
LONG = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbe"  # 64 characters, and no space
EMOJI = "🧟‍♀️🏳️‍🌈👨‍👩‍👧‍👦 ☠️ é́́ ﷽"
NAMES = (MARKUP, ARABIC, LONG, EMOJI)
TEXT = "W" * 280
NARROW = 360


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def hostile(server: Server) -> Table:
    """A room in which everything that has a name has a hostile one; nobody changes it."""
    table = await open_table(server, MARKUP)
    async with dreadclock.connect(link(table, "gm")) as room:
        for order in _orders(table):
            await room.submit(order)
    return table


def _orders(table: Table) -> list[dict[str, Any]]:
    people = zip(("gm", "ann", "ben", "eve"), (LONG, MARKUP, ARABIC, EMOJI), strict=True)
    orders: list[dict[str, Any]] = [{"type": "set_policy", "physical_dice": "everyone"}]
    orders += [{"type": "rename_seat", "seat_id": table.seat(who), "name": name} for who, name in people]
    for number, name in enumerate(NAMES):
        orders += _things(f"n{number}", name, table.seat("ann"))
    return orders


def _things(key: str, name: str, owner: str) -> list[dict[str, Any]]:
    situation = {"type": "start_situation", "id": f"{key}-run", "scene_id": key, "name": name, "content": "combat"}
    return [
        {"type": "add_character", "id": f"{key}-who", "name": name, "owner": owner, "attributes": {name: 3}}
        | {"specials": [{"name": name}], "reflex": 1},
        {"type": "start_countdown", "id": f"{key}-down", "name": name, "pool": 60, "owner": owner, "ending": TEXT}
        | {"stages": [{"at": 9, "effect": name}, {"at": 3, "effect": TEXT}], "note": TEXT},
        {"type": "start_clock", "id": f"{key}-tide", "name": name, "size": 99},
        {"type": "open_scene", "id": key, "name": name, "clock": 99},
        situation | {"kind": "race", "clock": 2, "level": 1, "difficulty": "hard"},
        {"type": "add_challenge", "id": f"{key}-door", "situation_id": f"{key}-run", "name": name, "kind": "barrier"},
        {"type": "attempt_effort", "challenge_id": f"{key}-door", "character_id": f"{key}-who"},
        {"type": "propose_check", "id": f"{key}-try", "character_id": f"{key}-who", "attribute": name, "purpose": TEXT}
        | {"venture": {"level": 1, "what": name}},
        {"type": "propose_total", "id": f"{key}-sum", "character_id": f"{key}-who", "attribute": name, "special": name}
        | {"tool": {"name": name, "quality": 2}, "purpose": name},
        {"type": "roll_dice", "pool": 60, "name": name, "character_id": f"{key}-who"},
        {"type": "start_countdown", "id": f"{key}-seal", "name": name, "pool": 3, "visibility": "sealed"},
    ]


# Find texts with right-to-left letters that stand beside others in a line, and are not isolated from them.
_NOT_ISOLATED = r"""
() => {
  const rtl = /[\u0590-\u08ff\ufb1d-\ufdfc\ufe70-\ufefc]/;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!rtl.test(data.replace(/\u2068[^\u2068\u2069]*\u2069/g, ""))) continue;
    if (parentElement.closest("bdi, script, option, textarea")) continue;
    let line = parentElement;
    while (getComputedStyle(line).display === "inline") line = line.parentElement;
    if (line.textContent.trim() !== data.trim()) found.push(line.textContent.replace(/\s+/g, " "));
  }
  return found;
}
"""
# Unfold all but what belongs to the things of the other names, whose forms are of the same kinds.
_UNFOLD = """
(number) => {
  const ofOthers = (each) => new RegExp(`:n(?!${number})`).test(each.closest("[data-thing]")?.dataset.thing);
  const closed = [...document.querySelectorAll("main details:not([open])")].filter((each) => !ofOthers(each));
  for (const each of closed) each.open = true;
  for (const each of document.querySelectorAll("[popover]")) each.removeAttribute("popover");
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(closed.length))));
}
"""


async def names_are_text_and_isolated(page: Page) -> None:
    """See that every name is there as text and nothing as markup, and that none changes the order of its line."""
    text = await page.locator("body").inner_text()
    for name in NAMES:
        assert name in text
    assert await page.locator("img, iframe, script:not([src])").count() == 0
    await expect(page.locator("bdi", has_text=ARABIC).nth(5)).to_be_attached()  # dice that roll hold cards back
    assert await page.evaluate(_NOT_ISOLATED) == []


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
@pytest.mark.layout
async def test_hostile_names_are_text_fit_a_narrow_window_and_are_isolated(company: Company, hostile: Table, name: str):
    seat = (await company.sit(hostile, name))[name]

    await seat.shows_what_the_server_says()
    assert (await seat.page.title()).endswith(f"{MARKUP} · Dreadclock")
    assert await sticks_out(seat.page, NARROW) == []
    while await seat.page.evaluate(_UNFOLD, NAMES.index(ARABIC)):
        pass
    await names_are_text_and_isolated(seat.page)


@pytest.mark.layout
async def test_hostile_names_are_text_fit_the_stream_and_are_isolated_on_the_overlay(company: Company, hostile: Table):
    stream = await company.come("stream")
    await stream.page.goto(link(hostile, "eve").replace("/r/", "/o/").replace("#", "?show=all#"))
    await stream.page.locator('[data-thing="clock:n3-tide"]').wait_for(state="attached")

    assert await sticks_out(stream.page, 1920) == []
    await names_are_text_and_isolated(stream.page)
