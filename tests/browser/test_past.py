"""The evening so far: a table is stepped through as it was, while the present goes on."""

from collections.abc import Sequence

from playwright.async_api import Page, expect

import dreadclock
from dreadclock.wire.base import Channel
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Record, in_order
from dreadclock.wire.views import View, empty_view
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.browser.secrets import MARKS
from kit.rooms import Table, open_table
from kit.server import Server

PACE_MS = 1_800
CHANNELS = {"gm": (Channel.PUBLIC, Channel.GM), "eve": (Channel.PUBLIC,)}


async def records_of(table: Table, name: str) -> Sequence[Record]:
    """Return the records that somebody may see, in the order in which they happened."""
    return in_order(Record.model_validate_json(text) for text in await table.log(name))


def after(records: Sequence[Record], name: str) -> View:
    """Fold records into what somebody saw after them."""
    view = empty_view(*CHANNELS[name])
    for record in records:
        view = fold(view, record)
    return view


async def look_back(seat: Seat) -> None:
    """Open the past, and return once it is there."""
    await seat.press("evening.look")
    await seat.page.locator("main[data-past]").wait_for()


async def stands_at(page: Page, number: int) -> None:
    """Wait until the past stands after so many records."""
    await page.locator(f'main[data-past="{number}"]').wait_for()


async def test_the_table_is_shown_as_it_was_after_any_record_and_nothing_else_can_be_pressed(
    company: Company, evening: Table
):
    for name in CHANNELS:
        seat = await company.come(name)
        await seat.open(link(evening, name))
        records = await records_of(evening, name)
        await look_back(seat)
        await stands_at(seat.page, len(records))

        for number in (len(records) // 2, 3) if name == "gm" else (len(records) // 2,):
            await seat.page.get_by_role("slider").fill(str(number))
            await stands_at(seat.page, number)
            await seat.shows(after(records[:number], name))

        known = await seat.everything_it_knows()
        assert name == "gm" or not any(mark in known for mark in MARKS)
        if name == "gm":
            await nothing_can_be_pressed_but_the_way_back(seat)


async def keys_and_buttons_step(seat: Seat, last: int) -> None:
    """See that both lead through the past."""
    await seat.page.get_by_role("slider").focus()
    for key, number in (("Home", 1), ("ArrowRight", 2), ("End", last), ("ArrowLeft", last - 1)):
        await seat.page.keyboard.press(key)
        await stands_at(seat.page, number)
    for name, number in (("first", 1), ("next", 2), ("last", last), ("previous", last - 1)):
        await seat.button(label(f"past.{name}"), seat.page.locator("main")).click()
        await stands_at(seat.page, number)


async def nothing_can_be_pressed_but_the_way_back(gm: Seat) -> None:
    """See that nothing of the table can be pressed while it is looked at as it was."""
    main = gm.page.locator("main")
    assert await main.locator("[data-key]").evaluate_all("(all) => all.map((each) => each.outerHTML)") == []
    assert await main.locator("button:not(.word button)").count() == len(
        ("first", "previous", "play", "next", "last", "leave")
    )
    await expect(main.locator(".sentence")).not_to_be_empty()

    await gm.page.keyboard.press("Escape")
    await gm.arrived()
    await expect(gm.page.locator('[data-place="menu:drawer"] > summary')).to_be_focused()


async def test_the_past_plays_by_itself_while_the_present_goes_on_undisturbed(company: Company, server: Server):
    table = await open_table(server)
    ann = (await company.sit(table, "ann"))["ann"]
    form = await ann.unfold("my.start_clock")
    await ann.fill(form, {"form.name": "Half a nam"})
    await look_back(ann)
    await it_has_no_violation_and_plays_by_itself_until_it_is_stopped(ann)
    await keys_and_buttons_step(ann, len(await records_of(table, "ann")))
    at = await ann.page.locator("main").get_attribute("data-past")

    async with dreadclock.connect(link(table, "gm")) as room:
        await room.add_character("Rook", id="rook", owner=table.seat("ann"), attributes={"Might": 5})
        await room.propose_check(character_id="rook", attribute="Might", id="leap")

    await expect(ann.page.get_by_role("log")).to_contain_text("Rook")
    await expect(ann.page.locator("main")).to_contain_text(label("past.waits", number=1))
    assert (await ann.page.title()).startswith("(1) ")
    assert await ann.page.locator("main").get_attribute("data-past") == at
    assert await ann.thing("check:leap").count() == 0

    await ann.button(label("past.leave"), ann.page.locator("main")).click()
    await ann.thing("check:leap").wait_for()
    await expect(ann.field(label("form.name"), form)).to_have_value("Half a nam")


async def it_has_no_violation_and_plays_by_itself_until_it_is_stopped(seat: Seat) -> None:
    """Let a short past be played, and look at it in both themes."""
    await seat.page.emulate_media(color_scheme="light")
    await expect(seat.page.get_by_role("slider")).to_be_focused()
    await seat.press("evening.verify")
    await seat.page.locator(".found").wait_for()
    assert await violations(seat.page) == []
    await seat.page.emulate_media(color_scheme="dark")
    assert await violations(seat.page, ("color-contrast",)) == []
    await seat.page.clock.install()

    await seat.press("past.play")
    await stands_at(seat.page, 1)
    await seat.page.clock.fast_forward(PACE_MS)
    await stands_at(seat.page, 2)
    await seat.press("past.stop")

    await expect(seat.button(label("past.play"))).to_be_visible()
    await seat.page.clock.fast_forward(PACE_MS)
    await stands_at(seat.page, 2)
    assert await seat.page.locator(".settles").count() == 0
