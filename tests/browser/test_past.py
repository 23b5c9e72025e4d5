"""The evening so far is stepped through as it was, and who reloads a page finds what she left."""

from collections.abc import Sequence
from functools import partial

from playwright.async_api import Page, expect

from dreadclock import Room
from dreadclock.wire.base import Channel
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Record, in_order
from dreadclock.wire.views import View, empty_view
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.browser.secrets import GMS_ALONE, MARKS
from kit.evenings.prepared import evening_orders
from kit.rooms import Table
from kit.server import Server
from kit.waiting import until

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


async def test_the_table_is_shown_as_it_was_after_any_record_and_without_controls(company: Company, evening: Table):
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


async def test_the_past_plays_by_itself_while_the_present_goes_on(company: Company, table: Table, room: Room):
    ann = await company.seat(table, "ann")
    form = await ann.unfold("my.start_clock")
    await ann.fill(form, {"form.name": "Half a nam"})
    await look_back(ann)
    await it_has_no_violation_and_plays_by_itself_until_it_is_stopped(ann)
    await keys_and_buttons_step(ann, len(await records_of(table, "ann")))
    at = await ann.page.locator("main").get_attribute("data-past")

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


LINES = 60  # that the log shows
_SHOWN = r"""
() => {
  const look = (element, ...names) => names.map((name) => element.getAttribute(name) ?? "").join(" ");
  const said = (element) => {
    const copy = element.cloneNode(true);
    for (const each of copy.querySelectorAll("form, button:not(.line), [data-thing], .slip, .refusal")) each.remove();
    return copy.textContent.replace(/\s+/g, " ").trim();
  };
  const marks = (card) => [...card.querySelectorAll(".dice, .badge, .proof")]
    .filter((each) => each.closest("[data-thing]") === card)
    .map((each) => look(each, "class", "aria-label", "title"));
  const place = (card) => card.parentElement.closest("[data-place]")?.dataset.place;
  const lines = [...document.querySelectorAll("[role=log] li")];
  const cards = [...document.querySelectorAll("main [data-thing]")];
  return [
    ...lines.map((line) => `${line.dataset.record} ${line.querySelector("s") ? "struck" : ""} ${said(line)}`),
    ...cards.map((card) => [place(card), card.dataset.thing, said(card), ...marks(card)].join(" | ")),
  ];
}
"""


async def shown(seat: Seat) -> list[str]:
    """Return each sentence of the log and each card with its dice and marks, in the order in which a page has them."""
    await seat.open_all()
    found: list[str] = await seat.page.evaluate(_SHOWN)
    return found


async def test_a_page_shows_the_same_after_a_reload_and_goes_on(
    company: Company, server: Server, table: Table, room: Room
):
    seats = await company.sit(table, "gm", "ann")
    await room.set_policy(physical_dice="everyone", check_approval="open")
    for order in evening_orders():
        await room.submit(order)
    await room.start_clock("Tide", 6, id="tide-of-old")
    await room.tick_clock("tide-of-old")
    await room.void_command(room.view.public.recent[-1].seq, "a slip")
    await room.cancel("tide-of-old", "It is low.")  # no view tells any more how it was called
    await room.roll_dice(3, name="the last")
    before = {name: await settled(seat) for name, seat in seats.items()}
    gm, ann = seats.values()

    await gm.page.reload()
    await gm.arrived()
    await until(partial(agrees, gm, before["gm"]))

    await ann.page.goto("about:blank")
    await room.narrate("Not seen by Ann.")
    await ann.page.goto(f"{server.url}/r/{table.id}")
    await ann.arrived()
    await ann.page.get_by_role("log").get_by_text("Not seen by Ann").wait_for(state="attached")
    await until(partial(agrees, ann, before["ann"][1:], LINES - 1))
    assert [marks_in(await seats[name].kept("sessionStorage")) for name in ("ann", "gm")] == [[], [*GMS_ALONE]]

    await gm.page.goto(
        "about:blank"
    )  # who sits down as somebody else in this tab finds nothing of what the gm was told
    await gm.open(link(table, "ann"))
    assert marks_in(await gm.everything_it_knows()) == []


async def settled(seat: Seat) -> list[str]:
    """Return what a page shows once the last roll is there; a gm's log is opened first."""
    if seat.name == "gm":
        await seat.unfold("gm.story")
    await seat.page.get_by_role("log").get_by_text("the last").wait_for(state="attached")
    await seat.shows_what_the_server_says()
    lines = await shown(seat)
    assert len(lines) > 2 * LINES
    assert sum(" struck " in line for line in lines) == 1
    assert any("proof proven" in line for line in lines)
    assert any('"Tide" is now' in line for line in lines[:LINES])
    return lines


async def agrees(seat: Seat, before: list[str], new: int | None = None) -> bool:
    """Tell whether a page shows what it showed before, and beside it one new line, if any."""
    lines = await shown(seat)
    if new is not None:
        del lines[new]
    return lines == before


def marks_in(kept: object) -> list[str]:
    """Return which marks of what only the gm knows are in something."""
    return [mark for mark in GMS_ALONE if mark in str(kept)]
