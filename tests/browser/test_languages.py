"""The pages speak the language they are asked for, and nobody ever reads the name of a label in place of it."""

from playwright.async_api import expect

from kit.browser.company import Company, link
from kit.browser.labels import keys_read, messages
from kit.browser.scene import flooded_vault
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
