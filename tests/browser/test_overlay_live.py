"""The overlay over an evening: what has just happened, what its address asks for, and links that end."""

import pytest
from playwright.async_api import Browser, expect

import dreadclock
from kit.browser.company import Company, company_at, link
from kit.browser.labels import label
from kit.rooms import Table, open_table
from kit.server import Server

HIDDEN = "Kraken"
LOST = "WebSocket connection to"  # what the browser says of a server that is away
LONGEST_MS = 15_000  # of anything that is shown large, on a busy machine
ALL = "countdowns,clocks,rolls,scenes,characters,crises,checks,totals,log"
OPEN = "[data-overlay=open]"


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


async def test_an_overlay_says_what_may_still_follow_and_who_is_about_to_roll(company: Company, server: Server):
    table = await open_table(server)
    stream = await company.come("stream")
    await stream.page.goto(overlay(table, "eve"))
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_countdown("The alarm", 4, id="alarm")
        end = {"kind": "countdown", "id": "alarm"}, {"when": "end"}
        await room.attach_consequence(*end, [{"does": "tell", "text": "A horn blows."}])
        await room.attach_consequence(*end, [{"does": "tell", "text": f"{HIDDEN} wakes."}], visibility="gm")

        await expect(stream.thing("countdown:alarm")).to_contain_text("A horn blows.")
        await room.add_character("Rook", id="rook", attributes={"Might": 3})
        await room.propose_check("rook", attribute="Might", id="leap", purpose="over the pit")
        await expect(stream.page.locator(".coming")).to_contain_text("Rook: over the pit")
        await room.roll_check("leap")
        await expect(stream.page.locator("[data-moment=roll]")).to_contain_text("Rook: over the pit")
        await expect(stream.page.locator(".coming")).to_have_count(0)
        assert HIDDEN not in await stream.page.content()
        await room.cancel_countdown("alarm")

    await expect(stream.page.get_by_text('"A horn blows." is told')).to_have_count(0)


async def test_what_has_just_happened_is_shown_large_and_goes_again(company: Company, server: Server):
    table = await open_table(server)
    stream = await company.come("stream")
    await stream.page.goto(overlay(table, "eve"))
    await stream.page.locator(OPEN).wait_for(state="attached")
    assert await stream.page.locator("[data-moment]").count() == 0

    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="gm")
        await room.start_countdown("Fuse", 1, id="fuse", ending="a bang")
        await room.roll_countdown("fuse", faces=[6])

    rolled, over = (stream.page.locator(f"[data-moment={kind}]") for kind in ("roll", "expired"))
    said = f"{label('rolled_plainly', faces='6')} ({label('physical')})"
    await expect(rolled.get_by_role("img")).to_have_accessible_name(said)
    await expect(over).to_contain_text("a bang")
    await expect(stream.thing("countdown:fuse")).to_have_count(0)
    await expect(rolled).to_have_count(0, timeout=LONGEST_MS)
    await expect(over).to_have_count(0, timeout=LONGEST_MS)


async def test_what_happened_before_it_came_is_not_shown_as_if_it_happened_now(company: Company, server: Server):
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.roll_dice(2, name="long ago")
        stream = await company.come("stream")
        await stream.page.goto(overlay(table, "eve"))
        await stream.page.locator(OPEN).wait_for(state="attached")

        await room.roll_dice(2, name="only now")

    await expect(stream.page.locator("[data-moment=roll]")).to_contain_text("only now")
    assert "long ago" not in await stream.page.content()


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("show=clocks", ["clocks"]),
        ("show=countdowns,nonsense,,clocks&colour=red", ["clocks", "countdowns"]),
        (
            "show=nonsense&scale=large&accent=url(x)&theme=pink&lang=xx",
            ["scenes", "clocks", "countdowns", "checks", "totals"],
        ),
        ("show=characters,clocks&show=scenes,clocks", ["clocks", "scenes", "characters"]),
    ],
)
async def test_the_address_says_which_panels_there_are(company: Company, evening: Table, query: str, shown: list[str]):
    stream = await company.come("stream", viewport={"width": 1920, "height": 1080})
    await stream.page.goto(overlay(evening, "eve", query))
    await stream.page.locator(".panel").first.wait_for()

    assert await stream.page.locator(".panel").evaluate_all("all => all.map((each) => each.classList[1])") == shown


async def test_the_address_says_how_large_it_is_and_of_which_colour(company: Company, evening: Table):
    stream = await company.come("stream", viewport={"width": 1920, "height": 1080})
    sizes = []
    for scale in ("1", "2", "99"):
        await stream.page.goto(overlay(evening, "eve", f"show=clocks&accent=0f8&scale={scale}"))
        await stream.page.locator(".dial").first.wait_for()
        sizes.append(await stream.page.locator(".dial").first.evaluate("(dial) => dial.getBoundingClientRect().width"))

    assert [round(size / sizes[0], 1) for size in sizes] == [1, 2, 3]
    filled = stream.page.locator(".dial:not(.full) .on").first
    assert await filled.evaluate("(each) => getComputedStyle(each).stroke") == "rgb(0, 255, 136)"


async def test_a_lost_connection_is_a_small_mark_and_comes_back(browser: Browser, mortal: Server):
    table = await open_table(mortal)
    async with company_at(browser, mortal) as company:
        stream = await company.come("stream")
        stream.complaints.forgive(LOST)
        await stream.page.goto(overlay(table, "eve"))
        await stream.page.locator(OPEN).wait_for(state="attached")

        await mortal.kill()
        await stream.page.get_by_role("img", name=label("reconnecting")).wait_for()
        await mortal.start()

        await stream.page.locator(OPEN).wait_for(state="attached", timeout=LONGEST_MS)
        assert await stream.page.get_by_role("img", name=label("reconnecting")).count() == 0


async def test_a_withdrawn_link_leaves_one_small_line(company: Company, server: Server):
    table = await open_table(server)
    stream = await company.come("stream")
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_countdown("Fuse", 3, id="fuse")
        await stream.page.goto(overlay(table, "eve"))
        await stream.thing("countdown:fuse").wait_for()

        await room.remove_seat(table.seat("eve"))

    await stream.page.locator("[data-overlay=over]").wait_for()
    assert (await stream.page.locator("body").inner_text()).strip() == label("overlay.over")


async def test_a_link_that_opens_nothing_shows_one_small_line(company: Company, server: Server):
    table = await open_table(server)
    stream = await company.come("stream")

    await stream.page.goto(f"/o/{table.id}#AAAAAAAAAAAAAAAAAAAAAA")

    await stream.page.locator("[data-overlay=over]").wait_for()
    assert (await stream.page.locator("body").inner_text()).strip() == label("overlay.over")
