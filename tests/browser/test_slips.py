"""Slips of the hand: everybody takes back what they did by mistake, the gm what anyone did, and all see that."""

import asyncio
import re

from playwright.async_api import Locator, Route, expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until_equal

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
    names = await seat.page.locator(".slip button").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    return [re.findall(r'"(.+?)"', name)[0] for name in names]


async def offers(seat: Seat, *things: str) -> None:
    """Wait until just these can be taken back."""
    await until_equal(lambda: ways(seat), [*things])


async def test_each_takes_back_their_own_by_keys_by_button_and_from_the_log(company: Company, server: Server):
    table = await table_with_guards(server)
    seats = await company.sit(table, "gm", "ann", "eve")
    gm, ann, eve = seats.values()
    await gm.unfold("gm.story")
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_clock("Alarm", 6, id="alarm", owner=table.seat("ann"))
        await room.start_clock("Doom", 6, id="gm-doom", visibility="gm")
        then = {"do": [{"does": "tick", "thing_id": "gm-doom", "by": 1}], "when": {"when": "end"}, "visibility": "gm"}
        await room.submit({"type": "attach_consequence", "of": {"kind": "clock", "id": "alarm"}, **then})
    async with dreadclock.connect(link(table, "ann")) as room:
        await room.start_clock("Ladder", 4, id="ladder")
        await room.tick_clock("ladder")
        await room.tick_clock("alarm", by=6)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.tick_clock("gm-doom")  # what came of her tick went on, which is nobody's but the gm's to know
    await offers(ann, "Ladder", "Alarm")  # the tick: what she made others may rest on
    await ann.page.reload()
    await offers(ann, "Ladder", "Alarm")

    await ann.page.keyboard.press("Control+z")
    await expect(line(eve, "undid")).to_contain_text('Ann undid the move of the clock "Alarm".')
    await expect(line(eve, '"Alarm" is now').locator("s")).to_be_visible()
    await offers(ann, "Ladder")
    await line(ann, 'Ladder" is now').locator(".slip button").focus()
    await ann.page.keyboard.press("Enter")
    await expect(line(eve, 'Ladder" is now').locator("s")).to_be_visible()
    await offers(ann)
    assert await ann.page.locator('[data-key="undo"]').count() == 0
    assert await ann.page.evaluate("document.activeElement.closest('[role=log]') !== null")
    await gm.shows_what_the_server_says()

    await line(gm, 'Guards" is now').locator(".slip button").click()
    await expect(line(gm, 'Guards" is now').locator("s")).to_be_visible()
    await expect(line(gm, '"Guards" starts').locator(".slip button")).to_be_visible()
    assert await eve.page.locator('.slip, [data-key="undo"]').count() == 0
    for seat in seats.values():
        await seat.shows_what_the_server_says()
    assert await violations(ann.page, place="[role=log]") == []
    await what_was_done_just_now_is_undone_while_others_go_on(ann, table)


async def what_was_done_just_now_is_undone_while_others_go_on(ann: Seat, table: Table) -> None:
    """Undo at once, while the gm goes on each time that the page asks what can be undone."""
    rained = 0
    async with dreadclock.connect(link(table, "gm")) as room, dreadclock.connect(link(table, "ann")) as own:

        async def goes_on(route: Route) -> None:
            nonlocal rained
            answer = await route.fetch()
            if rained < 2:
                rained += 1
                await room.narrate(f"It rains: {rained}.")
                await line(ann, f"It rains: {rained}.").wait_for(state="attached")
            await route.fulfill(response=answer)

        # Without `times=2`: Playwright forgets such a route at its last call, so `unroute_all` does not wait for it.
        await ann.page.route("**/undoable", goes_on)
        await own.tick_clock("ladder", by=2)
        await line(ann, 'Ladder" is now at 2').wait_for(state="attached")
        await ann.page.keyboard.press("Control+z")
        await expect(line(ann, 'Ladder" is now at 2').locator("s")).to_be_visible()
        await ann.page.unroute_all(behavior="wait")  # it may have asked once more


async def test_neither_what_is_typed_nor_dice_nor_what_others_rest_on_is_taken_back(company: Company, server: Server):
    table = await table_with_guards(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_clock("Doom", 4, id="doom", visibility="sealed")
        await room.tick_clock("doom")
        await room.roll_dice(2, name="Noise")
    gm = await company.seat(table, "gm")
    await gm.unfold("gm.story")
    await offers(gm, "Guards", "Doom")
    assert await gm.page.locator('[data-key="undo"]').count() == 0  # the latest thing was a roll

    narrating = await gm.unfold("narrate")
    text = narrating.locator("textarea, input[type=text]").first
    await text.fill("It rains.")
    await text.press("Control+z")
    await text.blur()
    await gm.page.keyboard.press("Control+z")
    await gm.page.locator(".slip button").last.click()
    await expect(line(gm, "undid")).to_contain_text("Gm")
    [frame] = gm.wire.commands()
    assert "void_command" in frame
    assert not any("undid" in text for text in await table.log("eve"))

    await a_press_that_comes_too_late_says_why_until_one_does_something_else(gm, table)
    await a_clock_is_set_right_with_a_reason(gm)


async def a_press_that_comes_too_late_says_why_until_one_does_something_else(gm: Seat, table: Table) -> None:
    """Press what can no longer be taken back, on a page that has not heard so yet."""
    tick = line(gm, 'Guards" is now')
    answers = asyncio.Event()

    async def answer(route: Route) -> None:
        await answers.wait()
        await route.continue_()

    await gm.page.route("**/undoable", answer)  # the page does not hear yet that this can no longer go
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.amend_clock("guards", 2, "They sleep.")
        await line(gm, "They sleep.").wait_for(state="attached")
        await tick.locator(".slip button").press("Enter")
        why = tick.get_by_role("alert")
        await expect(why).to_contain_text("guards")
        assert await gm.page.evaluate("document.activeElement.closest('[role=log]') !== null")
        answers.set()
        await expect(tick.locator(".slip button")).to_have_count(0)
        await expect(why).to_be_visible()
        assert await gm.page.evaluate("document.activeElement.closest('[role=log]') !== null")


async def a_clock_is_set_right_with_a_reason(gm: Seat) -> None:
    """Set a clock to another number, and see why in the log."""
    form = (await gm.unfold("gm.amend", gm.thing(GUARDS))).locator("form")

    await gm.fill(form, {"gm.amend_to": 3, "gm.reason": "They doze."})
    await gm.send("gm.amend", form)

    await expect(line(gm, "They doze.")).to_contain_text(re.compile('set the clock "Guards" to 3'))
    await gm.shows_what_the_server_says()
