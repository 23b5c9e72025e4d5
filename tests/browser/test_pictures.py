"""Every page shows every thing as the server has it, hostile names as text, and nothing of the gm's elsewhere."""

import asyncio
import os
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

import dreadclock
from dreadclock import Room
from kit.browser.axe import violations, violations_enlarged
from kit.browser.company import Company, link
from kit.browser.labels import keys_read
from kit.browser.layout import sticks_out
from kit.browser.seat import Seat
from kit.browser.secrets import GMS_ALONE, MARKS
from kit.evenings.prepared import evening_orders
from kit.rooms import Table, open_table
from kit.server import Server
from kit.strategies.picks import Fields

EVERY = int(os.environ.get("DREADCLOCK_LOOK_EVERY", "12"))  # commands; 1 looks at the page after each of them
BEGINNING: list[Fields] = [
    {"type": "set_policy", "physical_dice": "everyone"},
    {"type": "start_clock", "id": "horn", "name": "The horn", "size": 4},
    {"type": "attach_consequence", "of": {"kind": "clock", "id": "horn"}, "when": {"when": "end"}}
    | {"do": [{"does": "tell", "text": "It blows."}]},
]
LAPTOP = {"width": 1366, "height": 768}


async def test_an_evening_is_on_the_pages_as_it_goes_on_and_no_secret_on_the_wrong_ones(company: Company, table: Table):
    seats = dict(await company.sit(table, "eve", color_scheme="light", viewport=LAPTOP))
    orders = [*BEGINNING, *evening_orders()]
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        for first in range(0, len(orders), EVERY):
            await asyncio.gather(*(room.submit(order) for order in orders[first : first + EVERY]))
            await seats["eve"].shows_what_the_server_says()

    seats |= await company.sit(table, "gm", "ann")  # who come late, and are told all at once
    for name, seat in seats.items():
        await seat.shows_what_the_server_says()
        assert await keys_read(seat.page) == []
        known = await seat.everything_it_knows()
        for secret in MARKS:
            assert name == "gm" or secret not in known, f"{name} and {secret}"
            assert seat.wire.holds(secret) is (name == "gm"), f"{name} was sent {secret}"
        for secret in GMS_ALONE:  # ids may also stand in a menu, which is drawn when it is opened
            assert (secret in known) is (name == "gm"), f"{name} and {secret}"
    await everything_can_be_read(seats["eve"])


async def everything_can_be_read(seat: Seat) -> None:
    """See that axe-core finds nothing, in light, in dark and with large letters, of all kinds of things."""
    await seat.open_all()
    assert await violations(seat.page) == []
    await seat.page.emulate_media(color_scheme="dark")
    assert await violations(seat.page, ("color-contrast",)) == []
    assert await violations_enlarged(seat.page) == []


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
        await room.set_policy(physical_dice="everyone")
        for who, name in zip(("gm", "ann", "ben", "eve"), (LONG, MARKUP, ARABIC, EMOJI), strict=True):
            await room.rename_seat(table.seat(who), name=name)
        for number, name in enumerate(NAMES):
            await _name_everything(room, f"n{number}", name, table.seat("ann"))
    return table


async def _name_everything(room: Room, key: str, name: str, owner: str) -> None:
    """Put things of every kind on the table, all of them called so."""
    who, stages = f"{key}-who", [{"at": 9, "effect": name}, {"at": 3, "effect": TEXT}]
    sheet: dict[str, Any] = {"attributes": {name: 3}, "specials": [{"name": name}], "reflex": 1}
    await room.add_character(name, id=who, owner=owner, **sheet)
    await room.start_countdown(name, 60, id=f"{key}-down", owner=owner, ending=TEXT, stages=stages, note=TEXT)
    await room.start_clock(name, 99, id=f"{key}-tide")
    await room.open_scene(name, 99, id=key)
    race: dict[str, Any] = {"kind": "race", "content": "combat", "clock": 2, "level": 1, "difficulty": "hard"}
    await room.start_situation(key, name, id=f"{key}-run", **race)
    await room.add_challenge(f"{key}-run", name, "barrier", id=f"{key}-door")
    await room.attempt_effort(f"{key}-door", character_id=who)
    await room.propose_check(who, attribute=name, id=f"{key}-try", purpose=TEXT, venture={"level": 1, "what": name})
    tool = {"name": name, "quality": 2}
    await room.propose_total(who, name, id=f"{key}-sum", special=name, tool=tool, purpose=name)
    await room.roll_dice(60, name=name, character_id=who)
    await room.start_countdown(name, 3, id=f"{key}-seal", visibility="sealed")


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
