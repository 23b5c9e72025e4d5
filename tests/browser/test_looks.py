"""Small things on the pages: where words, signs and results stand, and what is told once."""

import pytest
import pytest_asyncio
from playwright.async_api import expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
LONG = "Unlucky Heir of the Drowned Chapel"
_APPEARANCES = """
() => Object.fromEntries([...document.querySelectorAll("select, input[type=checkbox], input[type=radio]")]
  .map((each) => [each.tagName, getComputedStyle(each).appearance]))
"""
_LINES = """
(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}
"""
_TEXT = """
(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().toJSON();
}
"""
_IN_SIGHT = """
(element) => {
  const { left, width, top, bottom } = element.getBoundingClientRect();
  const onTop = (y) => element.contains(document.elementFromPoint(left + width / 2, y));
  return top >= 0 && bottom <= innerHeight && onTop(top + 2) && onTop(bottom - 2);
}
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def rolled(server: Server) -> Table:
    """A table with a check that one character rolled, a contest that is over, and a total without a number."""
    table = await open_table(server, physical_dice="everyone")
    for name in ("Tom", "Evangeline", "Bartholomew"):
        await table.invite(name, "player")
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        for name in ("Rook", "Hound", LONG):
            owner = table.seat("ben" if name == LONG else "ann")
            await room.add_character(name, id=name.split()[0].lower(), owner=owner, attributes={"Might": 3})
        await room.propose_check("rook", id="duel", attribute="Might", contest=True)
        await room.oppose_check("duel", character_id="hound", attribute="Might")
        await room.adjust_check("duel", approve=True)
        await room.roll_check("duel", faces=[5, 2, 1], character_id="rook")
        await room.roll_check("duel", faces=[4, 2, 1], character_id="hound")
        for character, faces in (("rook", [4, 4, 1]), ("unlucky", [5, 2, 1])):
            await room.propose_check(character, id=f"{character}-jumps", attribute="Might")
            await room.adjust_check(f"{character}-jumps", approve=True)
            await room.roll_check(f"{character}-jumps", faces=faces, character_id=character)
        await room.propose_total("rook", id="lift", attribute="Might")
    return table


@pytest.mark.layout
async def test_on_a_laptop_names_and_signs_stand_in_their_lines_what_was_found_is_in_sight_and_results_are_told_once(
    company: Company, rolled: Table
):
    gm = await company.come("gm", viewport={"width": 1280, "height": 800})
    await gm.open(link(rolled, "gm"))

    title, tools = [await gm.page.locator(f".top {each}").bounding_box() for each in ("h1", ".tools")]
    assert title is not None
    assert tools is not None
    assert tools["y"] < title["y"] + title["height"]  # many names wrap among themselves
    risks = gm.thing("total:lift").locator(".with-word")
    text = await risks.locator(".name").evaluate(_TEXT)
    sign = await risks.locator(".word > button").bounding_box()
    assert sign is not None
    x, y = sign["x"] + sign["width"] / 2, sign["y"] + sign["height"] / 2
    assert 0 < x - text["right"] < 32
    assert text["top"] < y < text["bottom"]
    sentences = [
        " ".join(each.split()[1:]).removesuffix(" Take back")
        for each in await gm.page.get_by_role("log").get_by_role("listitem").all_inner_texts()
    ]
    about = [each for each in sentences if " rolled the check of Rook" in each or each.startswith("The check of Rook")]
    assert about == [
        "Gm rolled the check of Rook with dice of their own: 5 2 1; success.",
        "The check of Rook is a success with 5 against a success with 4: the acting side wins by the highest die.",
        "Gm rolled the check of Rook with dice of their own: 4 4 1; success.",
    ]
    await gm.page.set_viewport_size({"width": 1280, "height": 620})
    await what_verifying_found_is_in_sight(gm)


@pytest.mark.layout
async def test_on_a_phone_a_result_is_never_broken_within_its_word_and_what_was_found_is_in_sight(
    company: Company, rolled: Table
):
    ben = await company.come("ben", **PHONE)
    await ben.open(link(rolled, "ben"))
    result = ben.page.locator(".settled > summary").filter(has_text=LONG).locator(".badge")
    await expect(result).to_be_visible()

    assert await result.evaluate(_LINES) == 1
    await what_verifying_found_is_in_sight(ben)


async def what_verifying_found_is_in_sight(seat: Seat) -> None:
    await seat.press("evening.verify")
    found = seat.page.locator(".evening .found")
    await found.wait_for()
    await until(lambda: found.evaluate(_IN_SIGHT))


async def test_the_page_paints_ticks_and_lists_but_lists_with_forced_colours(company: Company):
    seat = await company.come("nobody")
    await seat.page.goto("/")
    await seat.page.get_by_text(label("home.policy")).click()
    await seat.page.locator("select[name=physical_dice]").wait_for()

    assert await seat.page.evaluate(_APPEARANCES) == {"INPUT": "none", "SELECT": "none"}
    await seat.page.emulate_media(forced_colors="active")
    assert await seat.page.evaluate(_APPEARANCES) == {"INPUT": "none", "SELECT": "auto"}
