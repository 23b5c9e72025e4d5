"""Menus on things: opened in every way, walked by keys, within the window, closed with the focus where it was."""

import pytest
from playwright.async_api import Locator, expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.layout import resize
from kit.browser.scene import drowned_bell
from kit.browser.seat import Seat
from kit.server import Server
from kit.waiting import until

AIR, GUARDS, LOCK = "countdown:air", "clock:guards", "challenge:lock"
SIZES = ((360, 740), (390, 844), (768, 1024), (1440, 900), (1920, 1080))
OUT_OF_WINDOW = """
(menu) => {
  const { top, left, right, bottom } = menu.getBoundingClientRect();
  const isOut = top < 0 || left < 0 || right > innerWidth || bottom > innerHeight;
  return isOut ? [top, left, right, bottom, innerWidth, innerHeight].join() : "";
}
"""


def menu(seat: Seat, thing: str) -> Locator:
    """Find the menu of a thing."""
    return seat.page.locator(f'[data-place="menu:{thing}"]')


async def closed(seat: Seat, thing: str) -> None:
    """Return once a menu is closed, and its button has the focus."""
    await expect(seat.page.locator(".items:popover-open")).to_have_count(0)
    await expect(menu(seat, thing).locator("> summary")).to_be_focused()


async def test_a_menu_opens_in_every_way_and_gives_the_focus_back(company: Company, server: Server):
    table = await drowned_bell(server)
    gm = await company.come("gm", viewport={"width": 1440, "height": 900})
    await gm.open(link(table, "gm"))
    keys, items = gm.page.keyboard, menu(gm, AIR).locator(".items")

    await gm.thing(AIR).click(button="right")
    await expect(items.locator("summary").first).to_be_focused()
    assert await violations(gm.page, place=".items:popover-open") == []
    first = await items.locator(":focus").inner_text()
    await keys.press("ArrowDown")
    await expect(items.locator(":focus")).not_to_have_text(first)
    await keys.press("ArrowUp")
    await expect(items.locator(":focus")).to_have_text(first)
    await keys.press("End")
    await expect(items.locator(":focus")).to_have_text(label("gm.cancel"))
    await keys.press("Escape")
    await closed(gm, AIR)

    await gm.thing(GUARDS).locator("[data-key='clock:guards:tick']").focus()
    await keys.press("m")
    await expect(menu(gm, GUARDS).locator(".items :focus")).to_have_count(1)
    await gm.thing(AIR).hover()
    await menu(gm, AIR).locator("> summary").click()
    await expect(gm.page.locator(".items:popover-open")).to_have_count(1)
    await gm.page.locator("h1").click()
    await expect(gm.page.locator(".items:popover-open")).to_have_count(0)

    await what_is_chosen_closes_the_menu_and_what_is_refused_says_so_there(gm, table.id)
    await a_form_opens_in_place_of_its_menu(gm)
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        await room.cancel_countdown("air")
        await expect(gm.thing(AIR)).to_have_count(0)


async def what_is_chosen_closes_the_menu_and_what_is_refused_says_so_there(gm: Seat, room: str) -> None:
    await menu(gm, LOCK).locator("> summary").click()
    await expect(gm.button(label("gm.overcome"), gm.thing(LOCK))).to_be_focused()
    await gm.page.context.set_offline(False)
    await gm.page.evaluate("() => { window.__send = WebSocket.prototype.send; }")
    await gm.page.evaluate(
        """() => {
          WebSocket.prototype.send = function (text) { window.__send.call(this, text.replace('"lock"', '"no-lock"')); };
        }"""
    )
    await gm.page.keyboard.press("Enter")
    await expect(menu(gm, LOCK).get_by_role("alert")).to_contain_text("no-lock")
    await gm.page.evaluate("() => { WebSocket.prototype.send = window.__send; }")
    await gm.button(label("gm.overcome"), gm.thing(LOCK)).click()
    await until(lambda: _is_overcome(gm))
    await expect(gm.page.locator(".items:popover-open")).to_have_count(0)
    await expect(menu(gm, LOCK)).to_have_count(0)
    assert await gm.page.evaluate("document.activeElement !== document.body")


async def _is_overcome(gm: Seat) -> bool:
    return (await gm.view()).challenges["lock"].status == "overcome"


async def a_form_opens_in_place_of_its_menu(gm: Seat) -> None:
    form = (await gm.unfold("gm.countdown.amend", gm.thing(AIR))).locator("form")
    await expect(form.locator(":focus")).to_have_count(1)
    await expect(menu(gm, AIR).locator("[data-place='countdown:air:cancel:form'] > summary")).not_to_be_visible()
    await gm.page.keyboard.press("Escape")
    await closed(gm, AIR)
    form = (await gm.unfold("gm.countdown.amend", gm.thing(AIR))).locator("form")
    await gm.fill(form, {"form.dice": 7, "gm.reason": "A leak."})
    await gm.send("gm.countdown.amend", form)
    await closed(gm, AIR)
    assert (await gm.view()).countdowns["air"].pool == 7


@pytest.mark.layout
async def test_no_menu_leaves_the_window(company: Company, server: Server):
    gm = await company.come("gm")
    await gm.open(link(await drowned_bell(server), "gm"))
    await menu(gm, LOCK).locator("> summary").wait_for()
    for width, height in SIZES:
        await resize(gm.page, width, height)
        await no_menu_leaves_the_window(gm)


async def no_menu_leaves_the_window(gm: Seat) -> None:
    shown = gm.page.locator(".items:popover-open")
    for summary in await gm.page.locator("details.actions > summary").all():
        await summary.focus()
        await gm.page.keyboard.press("Enter")
        await shown.locator(":focus").or_(gm.page.locator(".panel:popover-open :focus")).first.wait_for()
        assert await shown.evaluate(OUT_OF_WINDOW) == "", await summary.get_attribute("aria-label")
        await gm.page.keyboard.press("Escape")
        await expect(shown).to_have_count(0)
