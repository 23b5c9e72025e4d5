"""axe-core finds nothing wrong with any page, in light and in dark, and every label and sentence is there."""

from collections.abc import Sequence

import pytest
from playwright.async_api import ViewportSize, expect

from kit.browser.axe import violations, violations_enlarged
from kit.browser.company import Company, link
from kit.browser.labels import keys_read
from kit.browser.layout import covered, cut_off
from kit.browser.scene import flooded_vault
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

THEMES = ("light", "dark")
PHONE: ViewportSize = {"width": 360, "height": 740}
LAPTOP = {"width": 1366, "height": 768}


async def faultless(seat: Seat, *, rules: Sequence[str] = ()) -> None:
    """See that axe-core finds nothing, by all its rules or by some."""
    found = await violations(seat.page, rules)
    assert not found, "\n".join(found)


async def faultless_enlarged(seat: Seat) -> None:
    """See that nothing is wrong with text twice as large."""
    found = await violations_enlarged(seat.page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
async def test_a_table_has_no_violation_in_either_theme(company: Company, evening: Table, name: str):
    seat = await company.come(name, color_scheme="light", reduced_motion="reduce", viewport=LAPTOP)
    await seat.open(link(evening, name))
    await seat.open_all()

    assert await keys_read(seat.page) == []
    await faultless(seat)
    await seat.page.emulate_media(color_scheme="dark")
    await faultless(seat, rules=("color-contrast",))
    await faultless_enlarged(seat)


@pytest.mark.parametrize("name", ["gm", "tom"])
async def test_no_form_has_a_violation_even_on_a_phone(company: Company, server: Server, name: str):
    table = await flooded_vault(server)
    seat = await company.come(name, reduced_motion="reduce", viewport=PHONE, has_touch=True)
    await seat.open(link(table, name))
    if name == "gm":
        await choices_are_read_whole(seat)
    await seat.unfold_all()

    assert await keys_read(seat.page) == []
    await faultless(seat)
    await seat.page.emulate_media(color_scheme="dark")
    await faultless(seat, rules=("color-contrast",))
    await faultless_enlarged(seat)


async def choices_are_read_whole(gm: Seat) -> None:
    """See that no choice is cut off, and that nothing stays over the page of a phone on its side."""
    await gm.page.set_viewport_size({"width": 390, "height": PHONE["height"]})
    await gm.page.locator('details[data-place="scene:vault:attach:form"] > summary').evaluate("(each) => each.click()")
    panel = gm.page.locator(".panel:popover-open")
    await panel.locator("select").first.wait_for()
    assert await cut_off(panel) == []
    await gm.page.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})
    assert await covered(panel) == []
    await gm.page.keyboard.press("Escape")
    await gm.page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    await expect(gm.page.locator("[data-place=strip]")).not_to_be_in_viewport()
    await gm.page.set_viewport_size(PHONE)


@pytest.mark.parametrize("theme", THEMES)
async def test_the_overlay_has_no_violation(company: Company, evening: Table, theme: str):
    seat = await company.come("stream", reduced_motion="reduce")
    await seat.page.goto(f"/o/{evening.id}?theme={theme}#{evening.token('eve')}")
    await seat.page.locator("[data-thing]").first.wait_for()

    await faultless(seat, rules=("color-contrast",) if theme == "dark" else ())
    await faultless_enlarged(seat)


async def test_the_ways_in_have_no_violation(company: Company, server: Server):
    seat = await company.come("gm", color_scheme="light", viewport=LAPTOP)
    fresh = await open_table(server)
    for address in ("/", f"/r/{fresh.id}", link(fresh, "gm"), "/rules/checks"):
        await seat.page.goto(address)
        await seat.page.locator("main :is(h1, h2, h3)").first.wait_for()
        if address == "/":
            await seat.unfold("home.policy")
        await faultless(seat)
        await seat.page.emulate_media(color_scheme="dark")
        await faultless(seat, rules=("color-contrast",))
        await faultless_enlarged(seat)
        await seat.page.emulate_media(color_scheme="light")
