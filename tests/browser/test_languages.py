"""The pages speak the language they are asked for, and nobody ever reads the name of a label in place of it."""

import pytest
from playwright.async_api import expect

from kit.browser.company import Company, link
from kit.browser.labels import keys_read, messages
from kit.browser.scene import flooded_vault
from kit.rooms import Table
from kit.server import Server


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
async def test_every_label_and_sentence_is_there(company: Company, evening: Table, name: str):
    seat = await company.come(name, locale="de-DE")
    await seat.open(link(evening, name))
    await seat.unfold_all()

    assert await seat.page.locator("html").get_attribute("lang") == "de"
    assert await keys_read(seat.page) == []
    heading = messages("de").text("chronicle", {})
    await expect(seat.page.get_by_role("heading", name=heading, exact=True).first).to_be_visible()


async def test_a_language_that_is_chosen_is_kept_for_the_next_visit(company: Company, server: Server):
    table = await flooded_vault(server)
    seat = await company.come("wren")
    await seat.open(link(table, "wren"))

    await seat.page.locator("[data-place=settings] > summary").click()
    await seat.page.get_by_role("combobox", name=messages().text("language", {})).select_option("de")

    await expect(seat.page.locator("html")).to_have_attribute("lang", "de")
    await seat.arrived()
    await expect(seat.page.get_by_role("status").first).to_contain_text(messages("de").text("connected", {}))
    await expect(seat.page.locator(".people [data-seat=gm] .name")).to_have_text(messages("de").text("role.gm", {}))
    assert seat.token in (await seat.kept("sessionStorage")).values()
    tab = await seat.context.new_page()
    await tab.goto("/")
    await expect(tab.locator("html")).to_have_attribute("lang", "de")
