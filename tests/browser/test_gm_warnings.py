"""What the gm is asked and warned of: countdowns that outlive their cause, a room nearly full, the evening's end."""

import pytest
from playwright.async_api import expect
from redis.asyncio import Redis

from dreadclock import Room
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.keys import META, key
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.waiting import until

LINES = "[data-part=outliving] p"


async def test_a_line_offers_to_cancel_what_outlives_its_character_or_scene(company: Company, table: Table, room: Room):
    await room.add_character("Leanne", id="leanne")
    await room.open_scene("Cliff", 8, id="cliff")
    await room.start_countdown("Bleeding", 5, id="bleeding", about="leanne")
    await room.start_countdown("Poison", 5, id="poison", about="leanne")
    await room.start_countdown("Rockfall", 5, id="rockfall", bound_to="scene", bound_id="cliff")
    gm = await company.seat(table, "gm")
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
    await a_line_names_who_retired_and_the_situation_that_ended_and_comes_back(gm, room)


async def a_line_names_who_retired_and_the_situation_that_ended_and_comes_back(gm: Seat, room: Room) -> None:
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


async def test_a_card_says_what_a_countdown_allows_and_the_overlay_no_more(company: Company, table: Table, room: Room):
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


LIMIT = (Settings().max_room_mib or 0) * 1024 * 1024
LATER = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 10 * 60_000; }"
WARNING = "[data-part=size]"


async def grown(table: Table, percent: int, field: str = "public", limit: int = LIMIT) -> None:
    """Let a room have used up so much of what it may have, in public or hidden, and its server know."""
    log_bytes, told = limit * percent // 100 + 1, "bytes" if field == "public" else "hidden_bytes"
    async with Redis.from_url(table.server.store_url) as store:
        await store.hset(key(table.id, META), field, str(log_bytes))

    async def is_known() -> bool:
        async with table.http("gm") as http:
            return bool((await http.get(table.path("/size"))).json()[told] == log_bytes)

    await until(is_known)


async def roll(table: Table) -> None:
    """Let something happen, by which a room grows."""
    async with table.http("ann") as http:
        assert (await http.post(table.path("/commands"), json={"type": "roll_dice", "pool": 1})).status_code == 200


async def test_the_gm_is_told_how_full_a_room_is_and_how_little_more_can_be_hidden(company: Company, table: Table):
    gm = await company.seat(table, "gm")
    nearly, almost = label("gm.size.nearly", percent=81), label("gm.size.almost", percent=91)
    hidden = label("gm.size.hidden", percent=85)
    for percent, percent_hidden, warnings in ((81, 0, [nearly]), (50, 0, []), (91, 85, [almost, hidden])):
        await grown(table, percent)
        if percent_hidden:
            await grown(table, percent_hidden, "hidden", LIMIT // 4)
        await gm.page.evaluate(LATER)  # it asks at most every few minutes

        async with gm.page.expect_response("**/size"):
            await roll(table)

        await expect(gm.page.locator(WARNING)).to_have_text(warnings)


@pytest.mark.rule("F1")
async def test_an_evening_ends_without_closing_the_room_and_a_closed_room_opens_again(company: Company, table: Table):
    gm, ann = (await company.sit(table, "gm", "ann")).values()
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
