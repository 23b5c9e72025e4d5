"""A player's page on a phone: one thumb reaches all of it, and what must be answered comes up by itself."""

from typing import Any

import pytest
from playwright.async_api import Locator, expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.layout import box_of
from kit.browser.scene import flooded_vault
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import Server

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
TARGET = 44
CONTEST = {"contest": True, "purpose": "the duel"}
UP = ".card.up"
_SMALL = """
(least) => [...document.querySelectorAll("button, summary, select, .chip, input:not([type=radio], [type=checkbox])")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .map((each) => [each.outerHTML.slice(0, 120), each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && (width < least || height < least))
  .map(([text, { width, height }]) => `${width} x ${height}: ${text}`)
"""


async def vault(server: Server, *orders: dict[str, Any]) -> Table:
    """Open a table in mid-game: a scene, a check under way, three countdowns, two clocks, four characters."""
    table = await flooded_vault(server)
    await give(table, {"type": "start_clock", "id": "tide", "name": "The tide", "size": 8})
    await give(table, {"type": "start_countdown", "id": "lamp", "name": "The lamp", "pool": 4})
    for name in ("Hound", "Keeper"):
        await give(table, {"type": "add_character", "id": name.lower(), "name": name, "attributes": {"Bite": 4}})
    await give(table, *orders)
    return table


async def give(table: Table, *orders: dict[str, Any]) -> None:
    """Let the gm give commands without a page."""
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        for order in orders:
            await room.submit(order)


async def holding(company: Company, table: Table, name: str = "tom") -> Seat:
    """Open somebody's page on a phone."""
    seat = await company.come(name, **PHONE)
    await seat.open(link(table, name))
    return seat


def bar(seat: Seat, name: str) -> Locator:
    """Find a button of the bar."""
    return seat.page.locator(f'[data-bar="{name}"]')


async def test_your_roll_says_that_nothing_waits_and_offers_plain_dice(company: Company, table: Table):
    ann = await holding(company, table, "ann")
    up = ann.page.locator("[data-part=reached]")
    await expect(bar(ann, "roll")).to_have_text(label("my.bar.roll"))

    await bar(ann, "roll").tap()

    await expect(up.get_by_role("heading")).to_have_text(label("my.bar.nothing"))
    await expect(up.get_by_role("status")).to_have_text(label("my.bar.nothing.no_character"))
    assert await ann.page.evaluate("document.activeElement.closest('[data-part=reached]') !== null")
    assert await ann.page.evaluate(_SMALL, TARGET) == []
    assert not (found := await violations(ann.page, place="[data-part=reached]")), "\n".join(found)
    await ann.field(label("my.dice"), up).fill("3")
    await ann.button(label("my.roll_plainly"), up).tap()
    await expect(ann.thing("roll:roll-1")).to_have_count(1)
    await bar(ann, "roll").tap()
    await expect(up).to_have_count(0)

    await give(table, {"type": "add_character", "id": "rook", "name": "Rook", "owner": table.seat("ann")})
    await ann.thing("character:rook").wait_for()
    await bar(ann, "roll").tap()
    await expect(up.get_by_role("status")).to_have_text(label("my.bar.nothing.yet"))


@pytest.mark.layout
async def test_what_must_be_answered_comes_up_is_put_aside_and_rolled_with_two_presses(
    company: Company, server: Server
):
    table = await vault(server)
    tom = await holding(company, table)
    up = tom.page.locator(UP)
    await expect(up).to_have_attribute("data-thing", "check:dodge")
    await expect(bar(tom, "roll").locator(".number")).to_have_text("2")

    await bar(tom, "roll").tap()
    await expect(up).to_have_count(0)
    assert await tom.page.evaluate(_SMALL, TARGET) == []
    await bar(tom, "roll").tap()
    await expect(up).to_have_attribute("data-thing", "check:dodge")
    await bar(tom, "next").tap()
    await expect(up).to_have_attribute("data-thing", "countdown:air")
    await bar(tom, "next").tap()
    await expect(up).to_have_attribute("data-thing", "check:dodge")

    own = tom.folded(label("my.own_dice"), up)
    await own.locator("> summary").tap()
    for face in (5, 3, 2, 1, 4, 6, "undo"):
        await own.locator(f'[data-face="{face}"]').tap()
    for number, wrong, right in ((4, 1, "undo"), (2, 3, 2)):  # pressed, and removed or changed
        await tom.button(label("my.entered.die", number=number, face=wrong), own).tap()
        await own.locator(f'[data-face="{right}"]').tap()
    await expect(tom.field(label("my.faces"), own)).to_have_value("5 2 2 4")
    assert await tom.page.evaluate(_SMALL, TARGET) == []
    assert not (found := await violations(tom.page, place=UP)), "\n".join(found)
    await tom.button(label("my.enter_faces"), own).tap()

    await expect(up).to_have_attribute("data-thing", "countdown:air")  # the next comes up by itself
    roll = (await tom.view()).checks["dodge"].parts[0].roll
    assert roll is not None
    assert (roll.faces, roll.physical) == ((5, 2, 2, 4), True)
    await bar(tom, "roll").tap()
    await three_screens_are_a_press_a_swipe_or_a_step_back_apart(tom)
    await nothing_comes_up_over_what_is_typed_and_a_check_takes_three_presses(tom, table)


async def nothing_comes_up_over_what_is_typed_and_a_check_takes_three_presses(tom: Seat, table: Table) -> None:
    """Have a countdown of one's own at hand, type while a check comes that must be answered, and propose another."""
    up, form = tom.page.locator(UP), tom.page.locator('[data-form="character:rook:check:send"]')
    await expect(bar(tom, "roll").locator(".number")).to_have_text("1")  # nobody waits for a countdown of one's own ...
    await expect(up).to_have_count(0)
    await bar(tom, "roll").tap()
    await expect(up).to_have_attribute("data-thing", "countdown:air")  # ... but it is at hand
    await give(table, {"type": "roll_countdown", "countdown_id": "air", "faces": [1, 1, 2, 3, 3]})
    await expect(up).to_have_count(0)
    await give(table, {"type": "end_turn"})
    await expect(bar(tom, "roll").locator(".number")).to_have_text("1")
    await expect(up).to_have_count(0)
    await tom.folded(label("my.check"), tom.thing("character:rook")).locator("> summary").tap()
    purpose = tom.field(label("form.purpose"), form)
    await purpose.fill("hold the door")

    await give(
        table, {"type": "propose_check", "id": "fall", "character_id": "rook", "attribute": "Might", "claim": True}
    )

    await expect(bar(tom, "roll").locator(".number")).to_have_text("2")
    await expect(up).to_have_count(0)
    await expect(purpose).to_be_focused()
    await purpose.blur()
    await expect(up).to_have_attribute("data-thing", "check:fall")
    await bar(tom, "roll").tap()

    await tom.field("Stealth 4", form).tap()
    await tom.button(label("my.propose"), form).tap()
    await expect(form).to_have_count(0)
    proposed = list((await tom.view()).checks.values())[-1]
    assert (proposed.purpose, proposed.parts[0].attribute) == ("hold the door", "Stealth")

    await give(table, {"type": "roll_check", "check_id": "fall", "faces": [1, 1, 2, 2, 3, 3]})
    await expect(up).to_have_attribute("data-thing", "check:fall")  # a price, or the failure: that waits for her
    await tom.button(label("my.take_failure"), up).press("Enter")  # a second tap so soon would be the same press
    await give(table, {"type": "roll_countdown", "countdown_id": "air", "faces": [1, 1, 2, 3, 3]})
    await expect(bar(tom, "roll")).to_have_text(label("my.bar.asked"))


async def three_screens_are_a_press_a_swipe_or_a_step_back_apart(seat: Seat) -> None:
    """Go to the table and to the log in every way there is, and back; what is typed or read is not covered."""
    mine, tide, log = seat.thing("character:rook"), seat.thing("clock:tide"), seat.page.get_by_role("log")
    await expect(mine).to_be_visible()
    await expect(tide).to_be_hidden()
    await screen(seat, "table").tap()
    await seat.page.locator('[data-place="fold:more_clocks"] > summary').tap()
    await expect(tide).to_be_visible()
    await expect(mine).to_be_hidden()
    await seat.page.go_back()
    await expect(mine).to_be_visible()
    for way, name in ((-1, "table"), (-1, "story"), (-1, "story"), (1, "table"), (1, "me")):
        await swipe(seat, way)
        await expect(screen(seat, name)).to_have_attribute("aria-pressed", "true")
    two_rows = await height_of_bar(seat)
    await screen(seat, "story").tap()
    await expect(log.locator("li").last).to_be_in_viewport(ratio=1)
    assert await height_of_bar(seat) < two_rows - TARGET  # a bar with one row is no higher than that
    assert not (found := await violations(seat.page, place=".chronicle")), "\n".join(found)
    assert await seat.page.evaluate(_SMALL, TARGET) == []
    await mine.locator("summary").first.evaluate("(it) => it.focus()")  # nothing that is hidden takes the focus ...
    await expect(log).to_be_visible()
    await screen(seat, "me").tap()
    await log.focus()  # ... but the log, which is still read aloud, and comes into sight then
    await expect(screen(seat, "story")).to_have_attribute("aria-pressed", "true")
    await screen(seat, "me").tap()
    await expect(mine).to_be_visible()


async def height_of_bar(seat: Seat) -> float:
    """Return the height of the bar in pixels."""
    box = await box_of(seat.page.locator(".bar-below"))
    return box["height"]


def screen(seat: Seat, name: str) -> Locator:
    """Find the button that shows a screen."""
    return seat.page.locator(f'.screens [data-screen="{name}"]')


async def swipe(seat: Seat, way: int) -> None:
    """Draw a finger over the page, to the left (-1) or to the right (1)."""
    await seat.page.evaluate(
        """(way) => {
            const told = (type, x) => {
                const touch = new Touch({ identifier: 1, target: document.body, clientX: x, clientY: 300 });
                const touches = type === "touchend" ? [] : [touch];
                document.body.dispatchEvent(new TouchEvent(type, { touches, changedTouches: [touch], bubbles: true }));
            };
            told("touchstart", 200);
            told("touchend", 200 + way * 100);
        }""",
        way,
    )


async def test_folded_sections_remember_and_help_is_given_and_undone_above_the_bar(company: Company, server: Server):
    table = await vault(server)
    tom = await holding(company, table)
    await bar(tom, "roll").tap()
    others = tom.page.locator('[data-place="fold:more_characters"]')
    await expect(tom.thing("character:hound")).to_be_hidden()
    await tom.page.locator('[data-key="keep:no"]').tap()
    await screen(tom, "table").tap()
    await others.locator("> summary").tap()
    await expect(tom.thing("character:hound")).to_be_visible()
    await tom.page.wait_for_function("() => 'dreadclock:folds' in localStorage")  # what opens says so a little later

    await tom.page.reload()

    await tom.arrived()
    await screen(tom, "table").tap()
    await expect(tom.thing("character:hound")).to_be_visible()
    await expect(tom.page.locator("[data-place=keep-offer]")).to_have_count(0)
    await give(table, {"type": "propose_check", "id": "bite", "character_id": "hound", "attribute": "Bite"})
    await expect(tom.thing("check:bite")).to_be_visible()  # it can be helped or opposed
    await help_and_take_it_back_above_the_bar(tom, table)
    await give(table, {"type": "roll_check", "check_id": "dodge", "faces": [5, 2, 2, 4]})
    line = tom.page.locator("details.settled > summary")
    await expect(line).to_contain_text(label("outcome.success"))  # what is done is one line ...
    await expect(tom.thing("check:dodge")).to_be_hidden()
    await line.tap()
    await expect(tom.thing("check:dodge")).to_be_visible()  # ... and all of it behind that


async def help_and_take_it_back_above_the_bar(seat: Seat, table: Table) -> None:
    """Help with a check and regret it, oppose another, and try a challenge: all where the thumb is."""
    line, up = seat.page.locator("[data-part=reach]"), seat.page.locator(UP)
    await screen(seat, "me").tap()
    await expect(up).to_have_attribute("data-thing", "check:dodge")
    await bar(seat, "roll").tap()
    await line.locator('[data-reach="reach:check:bite:help"]').tap()
    await expect(up).to_contain_text("Hound")
    await bar(seat, "roll").tap()  # put aside
    await expect(up).to_have_count(0)
    await line.locator('[data-reach="reach:check:bite:help"]').tap()
    assert not (found := await violations(seat.page, place=UP)), "\n".join(found)
    await seat.button(label("my.help"), up.locator("form")).tap()
    await expect(up).to_have_count(0)
    assert [part.character_id for part in (await seat.view()).checks["bite"].parts] == ["hound", "rook"]
    assert await seat.page.evaluate(_SMALL, TARGET) == []

    await line.locator('[data-key="bar:undo"]').tap()

    await expect(line.locator('[data-key="bar:undo"]')).to_have_count(0)
    assert [part.character_id for part in (await seat.view()).checks["bite"].parts] == ["hound"]
    await give(table, {"type": "propose_check", "id": "duel", "character_id": "keeper", "attribute": "Bite"} | CONTEST)
    await line.locator('[data-reach="reach:check:duel:oppose"]').tap()
    await seat.button(label("my.oppose"), up.locator("form")).tap()
    await expect(up).to_have_count(0)
    await expect(line.locator('[data-key="bar:undo"]')).to_be_visible()
    await line.locator('[data-reach="reach:challenge:lock"]').tap()
    await seat.button(label("my.attempt_send"), up.locator("form")).tap()
    await expect(seat.page.locator(".effort")).to_contain_text("The lock")
    await expect(up).to_have_count(0)
    lock = line.locator('[data-reach="reach:challenge:lock"]')
    await expect(lock).to_contain_text(label("my.attempt_waiting"))  # once is enough
    await lock.tap()
    await expect(up).to_contain_text(label("my.attempt_waits"))
    await expect(seat.button(label("my.attempt_send"), up)).to_have_count(0)
    await bar(seat, "roll").tap()
    await expect(up).to_have_count(0)
