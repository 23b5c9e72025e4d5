"""What is pressed twice is done once, and what is refused says so where it was pressed."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

import dreadclock
from dreadclock import Room
from kit.browser.company import company_at, link
from kit.browser.hands import Keyboard
from kit.browser.labels import label
from kit.browser.layout import box_of
from kit.browser.reuse import Places
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

FEVER = "countdown:fever"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def table(server: Server) -> Table:
    """A room for all tests, where everyone may type in faces, with a countdown of Ann's."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        await room.start_countdown(
            "Fever", 12, id="fever", owner=table.seat("ann"), bound_to="nothing", replenishable=True
        )
    return table


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def ann(browser: Browser, server: Server, places: Places, table: Table) -> AsyncIterator[Seat]:
    """Ann's page."""
    async with company_at(browser, server, places) as company:
        yield (await company.sit(table, "ann"))["ann"]


async def rolls(table: Table) -> int:
    """Count the rolls in the log."""
    return sum('"countdown_rolled"' in text for text in await table.log())


async def test_what_are_no_faces_is_not_sent_and_a_refusal_stands_by_its_button_until_used_again(
    ann: Seat, table: Table
):
    own = await ann.unfold("my.own_dice", ann.thing(FEVER))
    for typed, digits in (("-1 2 3", ""), ("1.5 2", ""), ("one", ""), ("1 2 3 x", ""), ("0", "0"), ("7 1", "7")):
        await ann.fill(own, {"my.faces": typed})
        said = [label("my.entered.none", digits=digits)] if digits else []
        await expect(own.get_by_role("status")).to_have_text(said)
        await ann.button(label("my.enter_faces"), own).click()
        await expect(own.get_by_role("alert")).to_have_text(label("control.faces"))
        assert ann.wire.commands() == []
    await ann.fill(own, {"my.faces": "1 2 3"})

    await ann.send("my.enter_faces", own)

    refusal = own.get_by_role("alert")
    await expect(refusal).to_have_text(re.compile("Numbers needed: 12, typed: 3"))
    assert await ann.page.get_by_role("alert").count() == 1
    await expect(ann.field(label("my.faces"), own)).to_have_value("1 2 3")
    assert await rolls(table) == 0

    await ann.fill(own, {"my.faces": "1 2 3 " * 4})
    await ann.send("my.enter_faces", own)
    await expect(refusal).to_have_count(0)
    assert await rolls(table) == 1


LATER = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 10_000; }"


async def test_a_button_sends_one_command_however_it_is_pressed(ann: Seat, table: Table, room: Room):
    for name in ("Ague", "Thirst", "Cold", "Fear"):
        await room.start_countdown(name, 12, id=name.lower(), owner=table.seat("ann"), bound_to="nothing")
    keys = Keyboard(ann.page)
    ague, thirst, cold, fear = (ann.thing(f"countdown:{name}") for name in ("ague", "thirst", "cold", "fear"))
    sent, before = len(ann.wire.commands()), await rolls(table)

    async def rolled_once(thing: Locator, times: int) -> None:
        await expect(thing.get_by_label(label("last_roll", faces=""))).to_be_visible()
        await ann.shows_what_the_server_says()
        assert len(ann.wire.commands()) - sent == await rolls(table) - before == times

    await ann.button(label("my.roll", dice=12), ague).dblclick()
    await rolled_once(ague, 1)

    await keys.reach(ann.button(label("my.roll", dice=12), thirst))
    for _ in range(5):
        await ann.page.keyboard.down("Enter")
    await ann.page.keyboard.up("Enter")
    await rolled_once(thirst, 2)

    await keys.reach(ann.button(label("my.roll", dice=12), cold))
    await ann.page.keyboard.down("Enter")  # and held for long
    await rolled_once(cold, 3)
    await ann.page.evaluate(LATER)
    await ann.page.keyboard.down("Enter")
    await ann.page.keyboard.up("Enter")
    await rolled_once(cold, 3)

    await ann.button(label("my.roll", dice=12), fear).click()  # the first half of a slow double click
    await rolled_once(fear, 4)
    await ann.page.evaluate(LATER)
    await fear.locator("[data-key='countdown:fear:roll']").hover()
    await ann.page.mouse.down(click_count=2)
    await ann.page.mouse.up(click_count=2)
    await rolled_once(fear, 4)


# Move a button away from the pointer, or take its card out of the document and put it back at once.
SHIFT = "(button) => { button.style.cssText = 'position: relative; left: 200px; top: 90px'; }"
REINSERT = """
(button) => {
  const card = button.closest("[data-thing]");
  card.parentNode.insertBefore(card, card.nextSibling);
}
"""


@pytest.mark.parametrize(("name", "move"), [("shifted", SHIFT), ("reinserted", REINSERT)])
async def test_a_press_counts_for_its_button_though_the_page_moves_it(ann: Seat, table: Table, name: str, move: str):
    button, box = await roll_button(ann, table, name)
    sent, before = len(ann.wire.commands()), await rolls(table)
    await ann.page.mouse.move(*box)
    await ann.page.mouse.down()
    await button.evaluate(move)
    await ann.page.mouse.up()

    await until(lambda: len(ann.wire.commands()) > sent)
    await ann.shows_what_the_server_says()
    assert len(ann.wire.commands()) - sent == await rolls(table) - before == 1


async def test_a_tap_counts_for_the_button_that_was_touched_and_a_drag_for_none(ann: Seat, table: Table):
    sent = len(ann.wire.commands())
    _, (x, y) = await roll_button(ann, table, "dragged")
    await ann.page.mouse.move(x, y)
    await ann.page.mouse.down()
    await ann.page.mouse.move(x + 200, y)
    await ann.page.mouse.up()
    button, (x, y) = await roll_button(ann, table, "finger")
    finger = await ann.context.new_cdp_session(ann.page)

    async def touch(kind: str, *points: dict[str, float]) -> None:
        await finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    await touch("touchStart", {"x": x, "y": y})
    await button.evaluate(SHIFT)
    await touch("touchEnd")

    await until(lambda: len(ann.wire.commands()) > sent)
    await ann.shows_what_the_server_says()
    assert len(ann.wire.commands()) - sent == 1


async def roll_button(ann: Seat, table: Table, name: str) -> tuple[Locator, tuple[float, float]]:
    """Start a countdown of Ann's; return its button, and a point in it."""
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_countdown(name, 12, owner=table.seat("ann"), bound_to="nothing", replenishable=True)
    card = ann.page.locator("[data-thing^='countdown:']").filter(has_text=name)
    button = ann.button(label("my.roll", dice=12), card)
    await button.scroll_into_view_if_needed()
    box = await box_of(button)
    return button, (box["x"] + 20, box["y"] + box["height"] / 2)  # its corners are round


async def test_what_is_typed_stays_with_its_thing_while_others_come_and_go(ann: Seat, table: Table, room: Room):
    await room.start_countdown("Hunger", 5, id="hunger", owner=table.seat("ann"))
    own = await ann.unfold("my.own_dice", ann.thing("countdown:hunger"))
    await ann.fill(own, {"my.faces": "1 2 3 4 5"})
    await room.cancel_countdown("fever")
    await expect(ann.thing(FEVER)).to_have_count(0)

    await expect(ann.field(label("my.faces"), ann.thing("countdown:hunger"))).to_have_value("1 2 3 4 5")
    await expect(ann.field(label("my.faces"), ann.thing("countdown:hunger"))).to_be_focused()


async def test_a_link_that_is_withdrawn_says_so_and_offers_nothing_more(ann: Seat, table: Table):
    ann.complaints.forgive("401")  # it may be asking what can be undone
    gm = dreadclock.RestRoom.of(link(table, "gm"))
    (token,) = [each for each in await gm.tokens() if each.seat_id == table.seat("ann")]

    await gm.revoke(token.token_id)

    await ann.stands("over")
    await expect(ann.page.get_by_role("status").first).to_contain_text(label("over.revoked"))
    assert await ann.thing("countdown:hunger").get_by_role("button").count() == 0
