"""The overlay for streams: nothing secret and nothing to press is on it, and it shows what happens, and how it ends."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from dreadclock import Room
from dreadclock.cli import main
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.browser.secrets import MARKS
from kit.rooms import Table, open_table
from kit.server import Server

TRIES_AGAIN_WITHIN_MS = 60_000
PRESSABLE = "a, button, input, select, textarea, summary, [tabindex], [contenteditable]"
BACKGROUND = "() => [document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor)"


async def stream(company: Company, table: Table, name: str = "eve", query: str = "") -> Seat:
    """Open the overlay with somebody's token, as wide as a stream is."""
    seat = await company.come("stream", viewport={"width": 1920, "height": 1080})
    await seat.page.goto(f"/o/{table.id}{query}#{table.token(name)}")
    await seat.page.locator("[data-overlay=open]").wait_for(state="attached")
    return seat


@pytest.mark.parametrize("name", ["gm", "eve"])
async def test_nothing_secret_and_nothing_to_press_is_on_a_clear_overlay(company: Company, evening: Table, name: str):
    every = "countdowns,clocks,rolls,scenes,characters,crises,checks,totals,log"
    seat = await stream(company, evening, name, f"?show={every}")

    await expect(seat.page.locator('[data-thing="countdown:fever"]')).to_be_visible()
    document = await seat.page.content()
    assert [mark for mark in MARKS if mark in document] == []
    assert evening.token(name) not in seat.page.url
    assert await seat.page.locator(PRESSABLE).count() == 0
    assert set(await seat.page.evaluate(BACKGROUND)) == {"rgba(0, 0, 0, 0)"}


async def test_a_page_opened_before_the_server_becomes_the_overlay(company: Company, mortal: Server, tmp_path: Path):
    table = await open_table(mortal)
    await asyncio.to_thread(main, ["overlay", link(table, "eve"), "-o", str(tmp_path / "overlay.html")])
    await mortal.stop()
    obs = await company.come("stream")
    obs.complaints.forgive("ERR_CONNECTION_REFUSED")
    await obs.page.clock.install()
    refused = obs.page.wait_for_event("requestfailed")
    await obs.page.goto((tmp_path / "overlay.html").as_uri())
    await refused
    await mortal.start()
    await obs.page.clock.fast_forward(TRIES_AGAIN_WITHIN_MS)

    await obs.page.locator("[data-overlay=open]").wait_for(state="attached")
    assert obs.page.url == f"{mortal.url}/o/{table.id}"
    assert len(obs.page.frames) == 1


HIDDEN = "Kraken"
LONGEST_MS = 15_000  # of anything that is shown large
ALL = "countdowns,clocks,rolls,scenes,characters,crises,checks,totals,log"
OPEN = "[data-overlay=open]"
SCREEN = {"width": 1920, "height": 1080}


def overlay(table: Table, name: str, query: str = "") -> str:
    """Give the address of somebody's overlay of a table."""
    return f"{link(table, name).replace('/r/', '/o/').replace('#', f'?{query}#')}"


async def test_a_gms_own_overlay_never_hears_of_what_only_the_gm_knows(company: Company, table: Table, room: Room):
    stream = await company.come("stream")
    await room.start_countdown(f"{HIDDEN} there", 4, id="gm-there", visibility="gm")
    await stream.page.goto(overlay(table, "gm", f"show={ALL}"))
    await stream.page.locator(OPEN).wait_for(state="attached")

    await room.start_countdown(f"{HIDDEN} comes", 30, id="gm-comes", visibility="gm")
    await room.roll_countdown("gm-comes")
    await room.roll_dice(3, name=f"{HIDDEN} bites", visibility="gm")
    await room.add_character("Rook", id="rook", attributes={"Might": 3})
    await room.propose_check("rook", attribute="Might", id="gm-leap", purpose=f"{HIDDEN} leaps", visibility="gm")
    await room.roll_dice(2, name="for all to see")

    await expect(stream.page.locator("[data-moment=roll]")).to_contain_text("for all to see")
    assert await stream.page.locator("[data-moment]").count() == 1
    assert HIDDEN not in await stream.page.content()


async def test_an_overlay_shows_what_happens_until_its_link_is_withdrawn(company: Company, table: Table, room: Room):
    stream = await company.come("stream")
    await stream.page.clock.install()
    await room.set_policy(physical_dice="gm")
    await room.roll_dice(2, name="long ago")
    await stream.page.goto(overlay(table, "eve"))
    await stream.page.locator(OPEN).wait_for(state="attached")

    await says_what_may_follow_and_who_is_about_to_roll(stream, room)
    await shows_a_roll_and_its_end_large_for_a_while(stream, room)
    await room.remove_seat(table.seat("eve"))

    await it_is_one_small_line(stream)
    await stream.page.goto(f"/o/{table.id}#AAAAAAAAAAAAAAAAAAAAAA")
    await it_is_one_small_line(stream)


async def says_what_may_follow_and_who_is_about_to_roll(stream: Seat, room: Room) -> None:
    """See what comes at a countdown's end as far as all may know, and a check before it is rolled."""
    await room.start_countdown("The alarm", 4, id="alarm")
    end = {"kind": "countdown", "id": "alarm"}, {"when": "end"}
    await room.attach_consequence(*end, [{"does": "tell", "text": "A horn blows."}])
    await room.attach_consequence(*end, [{"does": "tell", "text": f"{HIDDEN} wakes."}], visibility="gm")

    await expect(stream.thing("countdown:alarm")).to_contain_text("A horn blows.")
    await room.add_character("Rook", id="rook", attributes={"Might": 3})
    await room.propose_check("rook", attribute="Might", id="leap", purpose="over the pit")
    await expect(stream.page.locator(".coming")).to_contain_text("Rook: over the pit")
    await room.roll_check("leap")
    await stream.page.locator("[data-moment=roll]").filter(has_text="Rook: over the pit").wait_for()
    await expect(stream.page.locator(".coming")).to_have_count(0)
    document = await stream.page.content()
    assert [each for each in (HIDDEN, "long ago") if each in document] == []
    await room.cancel_countdown("alarm")
    await expect(stream.page.get_by_text('"A horn blows." is added to the log')).to_have_count(0)


async def shows_a_roll_and_its_end_large_for_a_while(stream: Seat, room: Room) -> None:
    """See the last roll of a countdown, and what comes of it, and neither a little later."""
    await room.start_countdown("Fuse", 1, id="fuse", ending="a bang")
    await room.roll_countdown("fuse", faces=[6])

    said = f"{label('rolled_plainly', faces='6')} ({label('physical')})"
    await stream.page.locator("[data-moment=roll]").get_by_role("img", name=said, exact=True).wait_for()
    await expect(stream.page.locator("[data-moment=expired]")).to_contain_text("a bang")
    await expect(stream.thing("countdown:fuse")).to_have_count(0)
    await stream.page.clock.fast_forward(LONGEST_MS)
    await expect(stream.page.locator("[data-moment]")).to_have_count(0)


async def test_dice_on_big_screen_and_overlay_add_up_after_a_push(company: Company, table: Table, room: Room):
    stream, eve = await company.come("stream", viewport=SCREEN), await company.come("eve", viewport=SCREEN)
    await room.set_policy(physical_dice="everyone")
    await room.add_character("Rook", id="rook", attributes={"Might": 3})
    await stream.page.goto(overlay(table, "eve", "show=totals,rolls"))
    await stream.page.locator(OPEN).wait_for(state="attached")
    await eve.open(link(table, "eve"))
    await eve.page.locator(".layer").wait_for(state="attached")
    await room.propose_total("rook", id="lamp", attribute="Might")
    await room.set_required("lamp", 18, crisis="physical")
    await room.roll_total("lamp", faces=[6, 4, 4])
    await room.offer_push("lamp")
    await room.push_luck("lamp", faces=[5])
    for seat in (stream, eve):
        total = seat.page.locator(".panel.totals .pool")
        await expect(total).to_contain_text(label("total.sum", total=15))
        await expect(total.get_by_role("img", name=label("total.pushes", faces="5"))).to_be_visible()

    await room.roll_dice(2, name="for luck")
    for seat in (stream, eve):
        plain = seat.page.locator(".moment.landed [data-moment=roll]").filter(has_text="for luck")
        await expect(plain.locator(".trays .cube")).to_have_count(2)
        await expect(plain.locator(".verdict")).to_be_empty()
    await the_big_screen_names_both_sides_of_a_contest_and_a_price_under_discussion(eve, room)


async def the_big_screen_names_both_sides_of_a_contest_and_a_price_under_discussion(eve: Seat, room: Room) -> None:
    checks = eve.page.locator(".across .checks")
    await room.add_character("Mona", id="mona")
    await room.propose_check("rook", id="door", attribute="Might", contest=True)
    await room.oppose_check("door", character_id="mona", score=2)
    await expect(checks.locator(".title")).to_contain_text(label("check.versus", names=["Mona"]))
    await expect(checks.locator(".made")).to_have_text(["Rook Might 3", f"Mona {label('dice', number=2)}"])
    await room.roll_check("door", character_id="rook", faces=[2, 2, 1])
    await room.roll_check("door", character_id="mona", faces=[5, 1])
    await expect(checks).to_have_count(0)

    await room.propose_check("rook", id="leap", attribute="Might")
    await room.roll_check("leap", faces=[3, 2, 2])
    await room.propose_cost("leap", cost="a scar")
    await expect(checks).to_contain_text("a scar")


async def it_is_one_small_line(stream: Seat) -> None:
    """See nothing but that it is over."""
    await stream.page.locator("[data-overlay=over]").wait_for()
    assert (await stream.page.locator("body").inner_text()).strip() == label("overlay.over")


RACE = {"kind": "race", "content": "social", "clock": 2, "level": 3, "difficulty": "hard"}
PREPARED: list[dict[str, Any]] = [
    {"type": "set_policy", "physical_dice": "everyone"},
    {"type": "add_character", "id": "rook", "name": "Rook", "attributes": {"Might": 2}},
    {"type": "add_character", "id": "tom", "name": "Tom", "attributes": {"Might": 2}},
    {"type": "propose_check", "id": "duel", "character_id": "rook", "attribute": "Might", "contest": True},
    {"type": "oppose_check", "check_id": "duel", "character_id": "tom", "attribute": "Might"},
    {"type": "roll_check", "check_id": "duel", "character_id": "tom", "faces": [3, 2]},
]


async def test_how_things_end_is_told_to_spectators_and_on_the_overlay(company: Company, table: Table, room: Room):
    eve, stream = await company.come("eve"), await company.come("stream", viewport={"width": 1920, "height": 1080})
    await eve.open(link(table, "eve"))
    await stream.page.goto(link(table, "eve").replace("/r/", "/o/"))
    await stream.page.locator("[data-overlay=open]").wait_for(state="attached")
    arena, log = eve.page.locator(".arena"), eve.page.locator(".told li")
    moments = stream.page.locator(".moment")

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
        await expect(place.locator(".came")).to_contain_text("6 beats 3")
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
