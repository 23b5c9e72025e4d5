"""Who reloads a page finds what she left: the same sentences, cards, dice and marks, in the same order."""

from functools import partial

import dreadclock
from kit.browser.company import Company, link
from kit.browser.seat import Seat
from kit.browser.secrets import GMS_ALONE
from kit.evenings.prepared import evening_orders
from kit.rooms import open_table
from kit.server import Server
from kit.waiting import until

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


async def test_a_page_shows_the_same_after_a_reload_and_goes_on_from_there(company: Company, server: Server):
    table = await open_table(server)
    seats = await company.sit(table, "gm", "ann")
    async with dreadclock.connect(link(table, "gm")) as room:
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
