"""The gm is asked about countdowns that go on though what they are about, or bound to, is over."""

from playwright.async_api import expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
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
    await of_leanne.get_by_role("button", name=label("gm.outliving.cancel")).click()
    await expect(lines).to_have_count(0)
    await a_line_also_names_who_retired_and_the_situation_that_ended_and_comes_back_for_another_countdown(gm, table)


async def a_line_also_names_who_retired_and_the_situation_that_ended_and_comes_back_for_another_countdown(
    gm: Seat, table: Table
) -> None:
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.add_character("Mo", id="mo")
        await room.add_character("Ada", id="ada")
        await room.open_scene("Cave", 8, id="cave")
        await room.start_situation("cave", "Fight", "standard", "combat", 3, id="fight")
        await room.start_countdown("Venom", 5, id="venom", about="mo", stabilizable=True)
        await room.start_countdown("Sleep", 5, id="sleep", about="mo", stabilizable=True)
        await room.start_countdown("Debt", 5, id="debt", about="ada")
        await room.start_countdown("Smoke", 5, id="smoke", bound_to="rounds", bound_id="fight")
        await room.start_countdown("Rain", 5, id="rain", bound_to="scene", bound_id="cave")
        await room.stabilize_countdown("sleep")

        await room.take_out_of_play("mo", "retires")
        await room.take_out_of_play("ada", "leaves")
        await room.resolve_situation("fight", "They run.")
        lines, of_mo = gm.page.locator(LINES), label("gm.outliving.character", name="Mo")
        await expect(lines).to_have_count(2)
        await expect(lines.filter(has_text=label("gm.outliving.situation", name="Fight"))).to_contain_text("Smoke")
        await expect(lines.filter(has_text=of_mo)).to_contain_text("Venom")
        await expect(lines.filter(has_text=of_mo)).not_to_contain_text("Sleep")

        sent = len(gm.wire.commands())
        await gm.press("gm.outliving.keep", lines.filter(has_text=of_mo))
        await expect(lines).to_have_count(1)
        assert len(gm.wire.commands()) == sent  # other devices of the gm go on asking
        await room.resume_countdown("sleep")
        await expect(lines.filter(has_text=of_mo)).to_contain_text("Sleep")


async def test_a_card_says_what_a_countdown_allows_and_what_it_does_not_and_the_big_screen_only_what_it_allows(
    company: Company, server: Server
):
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_countdown("Poison", 5, id="poison")
        await room.start_countdown("Fever", 5, id="fever", stabilizable=True, replenishable=True)
        ann, eve = [await company.come(name) for name in ("ann", "eve")]
        await ann.open(link(table, "ann"))
        await eve.page.goto(link(table, "eve").replace("/r/", "/o/").replace("#", "?show=countdowns#"))
        for kind in ("stabilizable", "replenishable"):
            allowed, denied = [label(f"countdown.{which}{kind}", by=label("countdown.by.gm")) for which in ("", "not_")]
            for page, said in ((ann.page, 1), (eve.page, 0)):
                poison, fever = [page.locator(f"[data-thing='countdown:{name}']") for name in ("poison", "fever")]
                await expect(fever.get_by_text(allowed)).to_have_count(1)
                await expect(fever.get_by_text(denied)).to_have_count(0)
                await expect(poison.get_by_text(allowed)).to_have_count(0)
                await expect(poison.get_by_text(denied)).to_have_count(said)
