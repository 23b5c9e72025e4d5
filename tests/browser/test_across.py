"""A screen across the room: a spectator's page that fills it, scrolls nowhere, and shows each roll large."""

from typing import Any

from playwright.async_api import ViewportSize, expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.layout import picture_for_people, sticks_out
from kit.rooms import Table, open_table
from kit.server import Server

SIZES: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}]
PHONE = {"width": 390, "height": 844}
COUNTDOWNS, CLOCKS, PEOPLE, FILLED = 20, 10, 5, 0.8
THINGS = {"countdown": COUNTDOWNS, "clock": CLOCKS, "scene": 1, "situation": 1, "character": PEOPLE}
DOOR = {"type": "add_challenge", "situation_id": "race", "kind": "barrier"}
TOO_MANY = 6
RACE = {"kind": "race", "content": "exploration", "clock": 5, "level": 3, "difficulty": "hard"}

# What scrolls, but for the log; and how much of the screen the table and the log take up.
_SCROLLS = """
() => [...document.querySelectorAll("html, body, #root, main, main :is(div, section, figure)")].filter((each) =>
  each.scrollHeight > each.clientHeight + 2).map((each) =>
    `${each.className} ${each.scrollHeight} > ${each.clientHeight}`)
"""
_FILLS = """
() => [...document.querySelectorAll(".across .panel, .across .latest, .chronicle, .top")].reduce((sum, each) => {
  const { width, height } = each.getBoundingClientRect();
  return sum + width * height;
}, 0) / innerWidth / innerHeight
"""
_HEIGHT = "(each) => each.getBoundingClientRect().height / innerHeight"


async def full(server: Server) -> Table:
    """Open a room with as much as an evening has."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        orders: list[dict[str, Any]] = [
            {"type": "open_scene", "id": "vault", "name": "The flooded vault", "clock": 8},
            {"type": "start_situation", "id": "race", "scene_id": "vault", "name": "Out before the water rises"} | RACE,
            *(DOOR | {"name": f"Door {n}"} for n in range(3)),
            *({"type": "start_clock", "name": f"The watch of gate {n}", "size": 6} for n in range(CLOCKS)),
            *({"type": "start_countdown", "name": f"The fever of guard {n}", "pool": 6} for n in range(COUNTDOWNS)),
            *({"type": "add_character", "name": f"Hero {n}", "attributes": {"Might": 3}} for n in range(PEOPLE)),
            {"type": "roll_dice", "pool": 4, "name": "for luck"},
        ]
        for order in orders:
            await room.submit(order)
    return table


async def test_a_screen_across_the_room_is_filled_and_scrolls_nowhere(company: Company, server: Server):
    table = await full(server)
    eve = await company.come("eve", viewport=SIZES[0], reduced_motion="reduce")
    await eve.open(link(table, "eve"))
    await eve.page.locator(".layer").wait_for(state="attached")

    seen = eve.page.locator(".across")
    for size in SIZES:
        await eve.page.set_viewport_size(size)
        for kind, number in THINGS.items():
            things = seen.locator(f'[data-thing^="{kind}:"]')
            await expect(things).to_have_count(number)
            await expect(things.last).to_be_in_viewport(ratio=1)
        assert await eve.page.evaluate(_SCROLLS) == []
        assert await eve.page.evaluate(_FILLS) >= FILLED
        now = await seen.locator(".now .dial").first.evaluate(_HEIGHT)
        rest = await seen.locator(".clocks .dial").first.evaluate(_HEIGHT)
        assert now > 1.25 * rest > 0.05
    assert not await violations(eve.page)

    async with dreadclock.connect(link(table, "gm")) as room:
        await room.roll_dice(5, name="at the gate")
        die = eve.page.locator(".moment .die").first
        await die.wait_for()
        assert await die.evaluate(_HEIGHT) > 0.08
        for number in range(TOO_MANY):
            await room.start_countdown(f"More {number}", 3)

    await expect(seen.locator(".countdowns .more")).to_have_text(label("more", number=COUNTDOWNS + TOO_MANY - 24))
    assert await eve.page.evaluate(_SCROLLS) == []
    await picture_for_people(eve.page, "across")


async def test_a_narrow_page_of_a_spectator_scrolls_as_ever(company: Company, server: Server):
    table = await full(server)
    eve = await company.come("eve", viewport=PHONE)
    await eve.open(link(table, "eve"))

    await eve.shows_what_the_server_says()

    assert await eve.page.locator(".across").count() == 0
    assert await eve.page.evaluate("() => document.documentElement.scrollHeight > 2 * innerHeight")
    assert await sticks_out(eve.page, PHONE["width"]) == []
