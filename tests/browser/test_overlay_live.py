"""The overlay over an evening: what has just happened, what its address asks for, and links that end."""

from playwright.async_api import expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

HIDDEN = "Kraken"
LONGEST_MS = 15_000  # of anything that is shown large
ALL = "countdowns,clocks,rolls,scenes,characters,crises,checks,totals,log"
OPEN = "[data-overlay=open]"
SCREEN = {"width": 1920, "height": 1080}


def overlay(table: Table, name: str, query: str = "") -> str:
    """Give the address of somebody's overlay of a table."""
    return f"{link(table, name).replace('/r/', '/o/').replace('#', f'?{query}#')}"


async def test_a_gms_own_overlay_never_hears_of_what_only_the_gm_knows(company: Company, server: Server):
    table = await open_table(server)
    stream = await company.come("stream")
    async with dreadclock.connect(link(table, "gm")) as room:
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


async def test_an_overlay_shows_what_happens_once_it_is_there_until_its_link_is_withdrawn(
    company: Company, server: Server
):
    table = await open_table(server)
    stream = await company.come("stream")
    await stream.page.clock.install()
    async with dreadclock.connect(link(table, "gm")) as room:
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


async def says_what_may_follow_and_who_is_about_to_roll(stream: Seat, room: dreadclock.Room) -> None:
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
    rolled = stream.page.locator("[data-moment=roll]").filter(has_text="Rook: over the pit")
    await rolled.wait_for()
    await expect(stream.page.locator(".coming")).to_have_count(0)
    document = await stream.page.content()
    assert [each for each in (HIDDEN, "long ago") if each in document] == []
    await room.cancel_countdown("alarm")
    await expect(stream.page.get_by_text('"A horn blows." is added to the log')).to_have_count(0)


async def shows_a_roll_and_its_end_large_for_a_while(stream: Seat, room: dreadclock.Room) -> None:
    """See the last roll of a countdown, and what comes of it, and neither a little later."""
    await room.start_countdown("Fuse", 1, id="fuse", ending="a bang")
    await room.roll_countdown("fuse", faces=[6])

    said = f"{label('rolled_plainly', faces='6')} ({label('physical')})"
    await stream.page.locator("[data-moment=roll]").get_by_role("img", name=said, exact=True).wait_for()
    await expect(stream.page.locator("[data-moment=expired]")).to_contain_text("a bang")
    await expect(stream.thing("countdown:fuse")).to_have_count(0)
    await stream.page.clock.fast_forward(LONGEST_MS)
    await expect(stream.page.locator("[data-moment]")).to_have_count(0)


async def test_dice_on_the_big_screen_and_the_overlay_add_up_after_a_push_and_no_verdict_is_empty(
    company: Company, server: Server
):
    table = await open_table(server)
    stream, eve = await company.come("stream", viewport=SCREEN), await company.come("eve", viewport=SCREEN)
    async with dreadclock.connect(link(table, "gm")) as room:
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


async def the_big_screen_names_both_sides_of_a_contest_and_a_price_under_discussion(
    eve: Seat, room: dreadclock.Room
) -> None:
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
