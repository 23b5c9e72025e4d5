"""The end of an evening, which ends nothing, and the closing of the room, which can be undone."""

import pytest
from playwright.async_api import expect

from kit.browser.axe import violations
from kit.browser.company import Company
from kit.browser.labels import label
from kit.rooms import Table


@pytest.mark.rule("F1")
async def test_an_evening_ends_without_closing_the_room_and_a_closed_room_opens_again(company: Company, table: Table):
    seats = await company.sit(table, "gm", "ann")
    gm, ann = seats["gm"], seats["ann"]
    ends = gm.page.locator('[data-place="closing"]')

    await gm.unfold("gm.evening.end", ends)
    await expect(ends.get_by_text(label("gm.evening.goes_on"))).to_be_visible()
    await gm.press("gm.evening.now", ends)
    await gm.unfold("gm.story")
    await gm.page.locator('[data-place="menu:drawer"] > summary').click()
    for seat in (gm, ann):
        await expect(seat.page.locator(".chronicle .told")).to_contain_text(label("gm.evening.said"))
    await expect(ends.get_by_role("status")).to_have_text(label("gm.evening.told"))  # which is said once
    await expect(gm.button(label("gm.evening.now"), ends)).to_have_count(0)
    await expect(gm.button(label("evening.recap"), ends)).to_be_visible()
    await gm.unfold("gm.close", ends)
    await expect(ends.get_by_text(label("gm.close.hint"))).to_be_visible()
    await gm.press("gm.close.now", ends)
    assert not (await gm.view()).public.closed
    await gm.press("gm.close.yes", ends)

    await expect(ann.page.locator(".badge.closed")).to_have_text(label("closed"))
    await expect(gm.page.locator('[data-place="closing"]')).to_contain_text("until ")
    assert await violations(gm.page) == []
    assert await ann.page.locator('[data-place="closing"]').count() == 0
    await gm.page.reload()
    await gm.press("gm.reopen", gm.page.locator('[data-place="closing"]'))

    await expect(ann.page.locator(".badge.closed")).to_have_count(0)
    await expect(gm.page.locator('[data-place="menu:drawer"]')).to_be_visible()
    assert not (await ann.view()).public.closed
