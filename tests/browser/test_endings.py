"""How things end is told on every surface: winners, added dice, what was sealed, races, full clocks, prices paid."""

from typing import Any

from playwright.async_api import Locator, expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.rooms import open_table
from kit.server import Server

RACE = {"kind": "race", "content": "social", "clock": 2, "level": 3, "difficulty": "hard"}
PREPARED: list[dict[str, Any]] = [
    {"type": "set_policy", "physical_dice": "everyone"},
    {"type": "add_character", "id": "rook", "name": "Rook", "attributes": {"Might": 2}},
    {"type": "add_character", "id": "tom", "name": "Tom", "attributes": {"Might": 2}},
    {"type": "propose_check", "id": "duel", "character_id": "rook", "attribute": "Might", "contest": True},
    {"type": "oppose_check", "check_id": "duel", "character_id": "tom", "attribute": "Might"},
    {"type": "roll_check", "check_id": "duel", "character_id": "tom", "faces": [3, 2]},
]


async def test_how_things_end_is_told_on_the_spectators_page_and_on_the_overlay(company: Company, server: Server):
    table = await open_table(server)
    eve, stream = await company.come("eve"), await company.come("stream", viewport={"width": 1920, "height": 1080})
    await eve.open(link(table, "eve"))
    await stream.page.goto(link(table, "eve").replace("/r/", "/o/"))
    await stream.page.locator("[data-overlay=open]").wait_for(state="attached")
    arena, log = eve.page.locator(".arena"), eve.page.locator(".told li")
    moments = stream.page.locator(".moment")

    async with dreadclock.connect(link(table, "gm")) as room:
        for order in PREPARED:
            await room.submit(order)
        for place in (arena, moments.last):  # no side has won or failed before the other has rolled
            await expect(place.get_by_text(label("check.awaits", names=["Rook"]))).to_be_visible()
            await expect(place.locator(".others")).to_contain_text(label("check.rolls_next"))
            await expect(place.locator(".verdict")).to_be_empty()
            await expect(place.locator(".gold")).to_have_count(0)
        await room.roll_check("duel", character_id="rook", faces=[6, 5, 4])
        for place in (arena, moments.last):
            await expect(place.locator(".verdict")).to_have_text(label("verdict.wins", names=["Rook"]))
            await expect(place.locator(".came")).to_contain_text(label("decided.highest"))
            await expect(place.locator(".trays .cube")).to_have_count(3)  # two, and the one that the 6 added
            await expect(place.locator(".trays .gold")).to_have_count(1)
            await expect(place.locator(".others li")).to_contain_text("Tom")  # the other side, in the same picture
            await expect(place.locator(".others .flat")).to_have_count(2)
            await expect(place.locator(".others .gold")).to_have_count(0)
        await expect(moments).to_have_count(1)

        await room.propose_check("rook", attribute="Might", id="leap")
        await room.roll_check("leap", faces=[3, 2])
        await expect(arena.locator(".verdict")).to_have_text(label("verdict.fail"))
        await room.propose_cost("leap", cost="a scar")
        await room.answer_cost("leap", answer="accept")
        await room.settle_failure("leap", apply=True)
        card = eve.thing("check:leap").locator("[data-part=result] .badge").first
        await expect(card).to_have_text(label("check.paid"))
        await expect(card).to_have_class("badge success")
        await expect(arena.locator(".came")).to_have_text(label("check.paid"))
        await expect(arena.locator(".verdict")).to_have_class("verdict won")
        await told(moments, "won", label("news.failure_settled"), "Rook", "a scar")

        await room.start_countdown("Gas", 1, id="gas", ending="nobody wakes", visibility="sealed")
        await room.roll_countdown("gas", faces=[6])
        await told(moments, "seal", label("news.revealed"), "Gas", "nobody wakes")
        await expect(eve.page.locator(".moment [data-moment=seal]")).to_contain_text("nobody wakes")

        await room.start_clock("Alarm", 2, id="alarm", direction="up")
        await room.tick_clock("alarm", by=2)
        await told(moments, "full", label("news.clock_up"), "Alarm", "Alarm")

        for end, efforts, kind in (("success", 2, "won"), ("failure", 0, "lost")):
            await room.open_scene("The square", 9, id=end)
            await room.submit({"type": "start_situation", "id": f"to-{end}", "scene_id": end, "name": "Away"} | RACE)
            for number in range(efforts):
                await room.add_challenge(f"to-{end}", f"Gate {number}", "barrier", id=f"gate-{number}")
                await room.overcome_challenge(f"gate-{number}")
            if room.view.scenes[end].status == "open":
                await room.end_scene(end)
            await told(moments, kind, label(f"news.race_{end}"), "Away", label(f"news.race_{end}.means"))
    await expect(log.filter(has_text="a scar").last).to_be_visible()


async def told(moments: Locator, kind: str, headline: str, name: str, text: str) -> None:
    """Wait until the overlay tells this: what it is about, and what matters of it, each in its own line."""
    news = moments.locator(f"[data-moment={kind}]").filter(has_text=headline)
    await expect(news.locator(".subject", has_text=name).last).to_be_visible()
    await expect(news.locator(".text", has_text=text).last).to_be_visible()
