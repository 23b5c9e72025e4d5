"""A screen across the room: a spectator's page that fills it, scrolls nowhere, and shows each roll large."""

from itertools import pairwise
from typing import Any

import pytest
from playwright.async_api import Locator, Page, ViewportSize, expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.layout import picture_for_people, sticks_out
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

SIZES: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}]
PHONE: ViewportSize = {"width": 390, "height": 844}
COUNTDOWNS, CLOCKS, PEOPLE, FILLED = 20, 10, 5, 0.8
NUMBERS = (3, 8, COUNTDOWNS)  # of countdowns: few are large, many are small
NAME_PX, LOW = 19, 1080  # how large their names are at least on a screen that is so high
THINGS = {"clock": CLOCKS, "scene": 1, "situation": 1, "character": PEOPLE}
DOOR = {"type": "add_challenge", "situation_id": "race", "kind": "barrier"}
HERO = {"type": "add_character", "attributes": {"Might": 3}}
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
# Countdowns that touch another, or stick out of their panel, and names that are cut or smaller than they may be.
_CRAMPED = """
(least) => [...document.querySelectorAll(".across .countdowns .item")].filter((item, at, all) => {
  const rect = (each) => each.getBoundingClientRect();
  const [one, panel, title] = [rect(item), rect(item.parentElement), item.querySelector(".title")];
  const touches = all.slice(0, at).map(rect).some((two) =>
    one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom);
  return touches || one.right > panel.right || one.bottom > panel.bottom || item.scrollHeight > item.clientHeight + 1
    || title.scrollHeight > title.clientHeight + 2
    || parseFloat(getComputedStyle(title).fontSize) < least * innerHeight;
}).map((item) => item.innerText)
"""
_HEIGHT = "(each) => each.getBoundingClientRect().height / innerHeight"


def countdown(number: int) -> dict[str, Any]:
    told = {
        "name": f"What sleeps below floor {number}",
        "ending": "it wakes",
        "stages": [{"at": 2, "effect": "it stirs"}],
    }
    return {"type": "start_countdown", "pool": 3 + number % 6, "bound_to": "turn", "speed": "medium"} | told


async def full(server: Server) -> Table:
    """Open a room with as much as an evening has, but for its countdowns."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        orders: list[dict[str, Any]] = [
            {"type": "open_scene", "id": "vault", "name": "The flooded vault", "clock": 8},
            {"type": "start_situation", "id": "race", "scene_id": "vault", "name": "Out before the water rises"} | RACE,
            *(DOOR | {"name": f"Door {n}"} for n in range(3)),
            *({"type": "start_clock", "name": f"The watch of gate {n}", "size": 6} for n in range(CLOCKS)),
            *(HERO | {"id": f"hero-{n}", "name": f"Hero {n}"} for n in range(PEOPLE)),
            {"type": "roll_dice", "pool": 4, "name": "for luck"},
        ]
        for order in orders:
            await room.submit(order)
    return table


async def fills_the_screen(page: Page, countdowns: int) -> None:
    seen = page.locator(".across")
    for kind, number in ({"countdown": countdowns} | THINGS).items():
        things = seen.locator(f'[data-thing^="{kind}:"]')
        await expect(things).to_have_count(number)
        await expect(things.last).to_be_in_viewport(ratio=1)
    assert await page.evaluate(_SCROLLS) == []
    assert await page.evaluate(_CRAMPED, NAME_PX / LOW) == []
    assert await page.evaluate(_FILLS) >= FILLED
    now = await seen.locator(".now .dial").first.evaluate(_HEIGHT)
    rest = await seen.locator(".clocks .dial").first.evaluate(_HEIGHT)
    assert now > 1.25 * rest > 0.05


async def offer_a_push(room: dreadclock.Room) -> None:
    """Offer a push of a total of 10, which everyone may be told the odds of."""
    await room.propose_total("hero-0", id="lamp", attribute="Might")
    await room.set_required("lamp", 15, crisis="physical")
    await room.roll_total("lamp", faces=[6, 4, 4])
    await room.offer_push("lamp")


async def says_what_is_rolled_for(room: dreadclock.Room, seen: Locator) -> None:
    """See who rolls with what, against whom and for what, before it is rolled; and a price while it is discussed."""
    strip, checks, totals = seen.locator(".latest > .badge"), seen.locator(".checks"), seen.locator(".totals")
    await room.push_luck("lamp", faces=[5])
    sums = (label("total.pushed", before=10, face=5, total=15), label("total.required", required=15))
    await expect(strip).to_have_text(" · ".join((*sums, label("total.enough"))))
    await room.propose_total("hero-1", id="gate", attribute="Might")
    await room.set_required("gate", 9)
    await expect(totals).to_contain_text(label("dice", number=3))
    await expect(totals.locator(".odds")).to_contain_text("%")

    await room.propose_check("hero-0", id="door", attribute="Might", contest=True)
    await room.oppose_check("door", character_id="hero-1", score=2)
    await room.adjust_check("door", approve=True)
    await expect(checks.locator(".title")).to_contain_text(label("check.versus", names=["Hero 1"]))
    await expect(checks.locator(".made")).to_have_text(["Hero 0 Might 3", f"Hero 1 {label('dice', number=2)}"])
    await room.roll_check("door", character_id="hero-0", faces=[2, 2, 1])
    await room.roll_check("door", character_id="hero-1", faces=[5, 1])
    await expect(strip).to_have_class("badge fail")  # those who acted lost
    await expect(checks).to_have_count(0)

    await room.propose_check("hero-0", id="leap", attribute="Might")
    await room.adjust_check("leap", approve=True)
    await room.roll_check("leap", faces=[3, 2, 2])
    await room.propose_cost("leap", cost="a scar")
    await expect(checks).to_contain_text("a scar")
    await room.answer_cost("leap", answer="refuse")
    await expect(checks).to_have_count(0)


async def ends_stay(room: dreadclock.Room, seen: Locator) -> None:
    """See that what ended last stays on an empty wall, and not what was started by mistake."""
    await room.set_policy(physical_dice="everyone")
    await room.start_countdown("Fuse", 1, id="fuse", ending="a bang")
    await room.roll_countdown("fuse", faces=[6])
    await room.start_countdown("Slip", 1, id="slip")
    await room.submit({"type": "cancel_countdown", "countdown_id": "slip"})
    await expect(seen.locator(".latest")).to_contain_text(label("countdown.rolled", lost=1, pool=0))
    await expect(seen.locator(".countdowns .title")).to_have_text(f"Fuse {label('countdown.expired')}")


@pytest.mark.layout
async def test_a_screen_across_the_room_is_filled_and_scrolls_nowhere_and_a_narrow_one_scrolls_as_ever(
    company: Company, server: Server
):
    table = await full(server)
    eve = await company.come("eve", viewport=SIZES[0])
    await eve.open(link(table, "eve"))
    await eve.page.locator(".layer").wait_for(state="attached")

    seen = eve.page.locator(".across")
    async with dreadclock.connect(link(table, "gm")) as room:
        await ends_stay(room, seen)
        for have, want in pairwise((0, *NUMBERS)):
            for number in range(have, want):
                await room.submit(countdown(number))
            await fills_the_screen(eve.page, want)
        await eve.page.set_viewport_size(SIZES[1])
        await fills_the_screen(eve.page, COUNTDOWNS)
    assert not await violations(eve.page)

    async with dreadclock.connect(link(table, "gm")) as room:
        await room.roll_dice(5, name="at the gate")
        die = eve.page.locator(".moment .die").first
        await die.wait_for()
        assert await die.evaluate(_HEIGHT) > 0.08
        for number in range(TOO_MANY):
            await room.start_countdown(f"More {number}", 3)
        await offer_a_push(room)

    await expect(seen.locator(".countdowns .more")).to_have_text(label("more", number=COUNTDOWNS + TOO_MANY - 24))
    at_stake = label("push.at_stake", numbers="4 or 6", stake=label("stake.physical"))
    await expect(seen.locator(".totals")).to_contain_text(at_stake)
    await expect(seen.locator(".totals")).to_contain_text(label("odds.crisis", chance="33%"))
    assert await eve.page.evaluate(_SCROLLS) == []
    await picture_for_people(eve.page, "across")
    async with dreadclock.connect(link(table, "gm")) as room:
        await says_what_is_rolled_for(room, seen)
    await a_narrow_page_scrolls_as_ever(eve)


async def a_narrow_page_scrolls_as_ever(eve: Seat) -> None:
    """See that the same table on a phone is the page that everyone has."""
    await eve.page.set_viewport_size(PHONE)
    await eve.page.reload()
    await eve.arrived()

    await eve.shows_what_the_server_says()

    assert await eve.page.locator(".across").count() == 0
    assert await eve.page.evaluate("() => document.documentElement.scrollHeight > 2 * innerHeight")
    assert await sticks_out(eve.page, PHONE["width"]) == []
