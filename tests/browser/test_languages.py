"""The pages speak the language they are asked for, and nobody ever reads the name of a label in place of it."""

from playwright.async_api import expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.labels import keys_read, label, messages
from kit.browser.scene import flooded_vault
from kit.rooms import open_table
from kit.server import Server


async def test_a_language_that_is_chosen_is_kept_for_the_next_visit(company: Company, server: Server):
    table, german = await flooded_vault(server), messages("de")
    seat = await company.come("gm")
    await seat.open(link(table, "gm"))

    await seat.page.locator("[data-place=settings] > summary").click()
    await seat.page.get_by_role("combobox", name=messages().text("language", {})).select_option("de")

    await expect(seat.page.locator("html")).to_have_attribute("lang", "de")
    await seat.arrived()
    await expect(seat.page.get_by_role("status").first).to_contain_text(german.text("connected", {}))
    await expect(seat.page.locator(".people [data-seat=gm] .name")).to_have_text(german.text("role.gm", {}))
    assert seat.token in (await seat.kept("sessionStorage")).values()
    await seat.unfold_all()
    await expect(seat.page.get_by_role("heading", name=german.text("chronicle", {}), exact=True).first).to_be_visible()
    assert await keys_read(seat.page) == []
    tab = await seat.context.new_page()
    await tab.goto("/")
    await expect(tab.locator("html")).to_have_attribute("lang", "de")


# Do as a browser's translator: put other nodes in place of all texts that may be translated.
_TRANSLATE = """
() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) found.push(texts.currentNode);
  for (const text of found) {
    if (!text.data.trim() || text.parentElement.closest("[translate=no], script, style")) continue;
    const font = document.createElement("font");
    font.textContent = `~${text.data}`;
    text.replaceWith(font);
  }
}
"""


async def test_a_translated_page_still_shows_what_changes(company: Company, server: Server):
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_clock("Alarm", 6, id="alarm", direction="up")
        await room.start_countdown("Fuse", 9, id="fuse", speed="fast", bound_to="nothing")
    gm, eve = (await company.sit(table, "gm", "eve")).values()
    for seat in (gm, eve):
        await seat.thing("clock:alarm").wait_for()
        await seat.page.evaluate(_TRANSLATE)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        await room.end_turn()
        await room.tick_clock("alarm", by=2)
        await room.roll_countdown("fuse", faces=[6, 6, 6, 6, 6, 6, 1, 1, 1])
    for seat in (gm, eve):
        await expect(seat.page.locator(".top .turn")).to_have_text(label("turn", turn=2))
        await expect(seat.thing("clock:alarm").locator(".value")).to_have_text("2")
        await expect(seat.thing("countdown:fuse")).to_contain_text(label("countdown.left", pool=3))
        await expect(seat.page.locator(".connection")).to_have_text(label("connected"))
    await expect(gm.page.locator("#turn-now")).to_have_text(label("turn", turn=2))
    await expect(gm.page.locator('[data-chip="countdown:fuse"] .pool-die')).to_have_text("3")
