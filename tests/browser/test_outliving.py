"""The gm is asked about countdowns that go on though what they are about, or bound to, is over."""

from playwright.async_api import expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.rooms import open_table
from kit.server import Server

LINES = "[data-part=outliving] p"


async def test_a_line_offers_to_cancel_or_keep_what_outlives_its_character_or_scene(company: Company, server: Server):
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.add_character("Leanne", id="leanne")
        await room.open_scene("Cliff", 8, id="cliff")
        await room.start_countdown("Bleeding", 5, id="bleeding", about="leanne")
        await room.start_countdown("Poison", 5, id="poison", about="leanne")
        await room.start_countdown("Rockfall", 5, id="rockfall", bound_to="scene", bound_id="cliff")
        gm = (await company.sit(table, "gm"))["gm"]
        lines = gm.page.locator(LINES)
        await expect(gm.thing("countdown:bleeding")).to_be_visible()
        await expect(lines).to_have_count(0)

        await room.take_out_of_play("leanne", "dies")
        await expect(lines).to_have_count(1)
        await room.end_scene("cliff")
        await expect(lines).to_have_count(2)

    of_leanne = lines.filter(has_text=label("gm.outliving.character", name="Leanne"))
    of_cliff = lines.filter(has_text=label("gm.outliving.scene", name="Cliff"))
    await expect(of_leanne).to_contain_text("Bleeding")
    await expect(of_leanne).to_contain_text("Poison")
    await of_leanne.get_by_role("button", name=label("gm.outliving.cancel")).first.click()
    await expect(of_leanne).not_to_contain_text("Bleeding")
    assert (await gm.view()).countdowns["bleeding"].status == "cancelled"
    await of_cliff.get_by_role("button", name=label("gm.outliving.keep")).click()
    await expect(lines).to_have_count(1)

    await gm.page.reload()
    await expect(lines).to_have_count(1)
    await expect(of_leanne).to_be_visible()
    assert (await gm.view()).countdowns["rockfall"].status == "running"
