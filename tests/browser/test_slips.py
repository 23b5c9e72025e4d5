"""Slips of the hand: the gm takes back what she did by mistake, and everyone sees that it was taken back."""

import re

from playwright.async_api import Locator, expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.hands import Keyboard
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

GUARDS = "clock:guards"


async def table_with_guards(server: Server) -> Table:
    """Open a room with a clock that everyone sees, one step on."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_clock("Guards", 6, id="guards")
        await room.tick_clock("guards")
    return table


def line(seat: Seat, text: str) -> Locator:
    """Find the first line of what happened that tells of something."""
    return seat.page.get_by_role("log").locator("li").filter(has_text=text).first


async def ways(seat: Seat) -> list[str]:
    """Return the sentences that can be taken back, by the first word in quotation marks in each."""
    names = await seat.page.locator(".slip summary").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    return [re.findall(r'"(.+?)"', name)[0] for name in names]


async def test_a_wrong_tick_is_taken_back_and_struck_through_for_everyone(company: Company, server: Server):
    table = await table_with_guards(server)
    seats = await company.sit(table, "gm", "eve")
    gm = seats["gm"]
    gm.hands = Keyboard(gm.page)
    tick = line(gm, "after a tick")

    form = await gm.unfold("gm.slip", tick)
    await gm.fill(form, {"gm.slip.reason": "Wrong clock."})
    await gm.send("gm.mistake", form)

    for seat in seats.values():
        await expect(line(seat, "took back")).to_contain_text("Wrong clock.")
        await expect(line(seat, "after a tick").locator("s")).to_contain_text("Guards")
        await expect(line(seat, "after a tick")).to_contain_text(label("chronicle.back"))
        assert await seat.page.locator(".told s").count() == 1
        await seat.shows_what_the_server_says()
    assert await gm.page.locator(".slip form").count() == 0
    assert await ways(gm) == ["Guards"]
    assert await seats["eve"].page.locator(".slip").count() == 0
    await expect(tick).to_be_focused()

    await gm.page.reload()
    await expect(tick.locator("s")).to_be_visible()
    assert await ways(gm) == ["Guards"]


async def test_only_what_touched_no_dice_is_offered_and_a_refusal_says_why(company: Company, server: Server):
    table = await table_with_guards(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.roll_dice(2, name="Noise")
        await room.start_countdown("Fever", 1, id="fever", bound_to="turn")
        await room.start_countdown("Tide", 2, id="gm-tide", visibility="gm")
        await room.start_clock("Doom", 4, id="doom", visibility="sealed")
        await room.tick_clock("doom")
        await room.open_scene("Bomb", 8, id="bomb")
        await room.end_turn()
        await room.start_clock("Storm", 4, id="gm-storm", visibility="gm")
    gm = (await company.sit(table, "gm"))["gm"]
    assert await ways(gm) == ["Guards", "Guards", "Fever", "Doom", "Bomb", "Storm"]

    form = await gm.unfold("gm.slip", line(gm, "starts at"))
    for nothing in ("", " "):
        await gm.fill(form, {"gm.slip.reason": nothing})
        await gm.press("gm.mistake", form)
    await expect(form.get_by_role("alert")).to_have_text(label("gm.slip.needs"))
    assert gm.wire.commands() == []
    await gm.fill(form, {"gm.slip.reason": "Never mind."})
    await gm.send("gm.mistake", form)

    await expect(form.get_by_role("alert")).to_contain_text("cannot be taken back any more: guards has changed since.")
    assert await violations(gm.page) == []


async def test_what_only_the_gm_is_told_is_taken_back_in_her_channel_alone(company: Company, server: Server):
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_clock("Doom", 4, id="doom", visibility="sealed")
        await room.tick_clock("doom")
    gm = (await company.sit(table, "gm"))["gm"]
    tick = line(gm, "after a tick")

    form = await gm.unfold("gm.slip", tick)
    await gm.fill(form, {"gm.slip.reason": "Not yet."})
    await gm.send("gm.mistake", form)

    await expect(tick.locator("s")).to_be_visible()
    assert await gm.page.locator(".told s").count() == 1
    await gm.shows_what_the_server_says()
    assert not any("Not yet." in text for text in await table.log("eve"))


async def test_a_clock_is_set_right_with_a_reason(company: Company, server: Server):
    table = await table_with_guards(server)
    gm = (await company.sit(table, "gm"))["gm"]
    form = (await gm.unfold("gm.more", gm.thing(GUARDS))).locator('[data-form="clock:guards:amend"]')

    await gm.fill(form, {"gm.amend_to": 2, "gm.reason": "They sleep."})
    await gm.send("gm.amend", form)

    await expect(line(gm, "They sleep.")).to_contain_text(re.compile('set the clock "Guards" to 2'))
    await gm.shows_what_the_server_says()
