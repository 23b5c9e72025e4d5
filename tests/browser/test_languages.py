"""The pages speak the language they are asked for, and explain the words of the rules where they stand."""

from functools import partial
from typing import Any

from playwright.async_api import expect

import dreadclock
from dreadclock import Room
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import keys_read, messages
from kit.browser.scene import flooded_vault
from kit.rooms import Table
from kit.server import Server
from kit.waiting import until_equal


async def test_a_language_that_is_chosen_is_kept_for_the_next_visit(company: Company, server: Server):
    table, german = await flooded_vault(server), messages("de")
    seat = await company.seat(table, "gm")

    await seat.unfold("settings")
    await seat.page.get_by_role("combobox", name=messages().text("language", {})).select_option("de")

    await expect(seat.page.locator("html")).to_have_attribute("lang", "de")
    await seat.arrived()
    await expect(seat.page.get_by_role("status").first).to_contain_text(german.text("connected", {}))
    await expect(seat.page.locator(".people [data-seat=gm] .name")).to_have_text(german.text("role.gm", {}))
    assert seat.token in (await seat.kept("sessionStorage")).values()
    await seat.unfold_all()
    await expect(seat.page.get_by_role("heading", name=german.text("chronicle", {}), exact=True).first).to_be_visible()
    assert await keys_read(seat.page) == []
    tab = await seat.context.new_page()
    await tab.goto("/")
    await expect(tab.locator("html")).to_have_attribute("lang", "de")


# Do as a browser's translator: put other nodes in place of all texts that may be translated.
_TRANSLATE = """
() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) found.push(texts.currentNode);
  for (const text of found) {
    if (!text.data.trim() || text.parentElement.closest("[translate=no], script, style")) continue;
    const font = document.createElement("font");
    font.textContent = `~${text.data}`;
    text.replaceWith(font);
  }
}
"""


# Go on so: replace the texts that come to the page later, too, as a translator does.
_KEEP_TRANSLATING = f"""
() => {{
  const translate = {_TRANSLATE.strip()};
  translate();
  new MutationObserver((changes, observer) => {{
    if (!changes.some(({{ addedNodes }}) => addedNodes.length)) return;
    translate();
    observer.takeRecords();
  }}).observe(document.body, {{ childList: true, subtree: true }});
}}
"""
# What is read in places that hold values, without what the translator put before labels.
_READ = """
(places) => places.map((place) => {
  const texts = [...document.querySelectorAll(place)].map((each) => each.textContent);
  return [place, texts.map((text) => text.replaceAll("~", "").replace(/\\s+/g, " ").trim())];
})
"""
_CHANGES = [".top .turn", "[data-thing='clock:alarm'] .value", "[data-thing='countdown:lamp']", ".connection"]
_OF_GM = [*_CHANGES[1:], "#turn-now"]  # which is in her status bar
_VALUES = {
    "gm": [".odds", ".chance", "#section-desk", ".strip .way", "[data-part=due]", *_OF_GM],
    "ann": [".odds", ".chance", "[data-bar=roll] .number", ".waiting .calls", ".waiting li", ".scores dd"],
    "eve": [".arena-place", ".odds", ".chance", ".made", ".required", *_CHANGES],
}


_ROOK: dict[str, Any] = {"type": "propose_check", "character_id": "rook", "attribute": "Wits"}
_TOTAL: dict[str, Any] = {"type": "propose_total", "character_id": "rook", "attribute": "Wits"}


async def test_a_translated_page_still_shows_changes_rolls_odds_and_what_waits(
    company: Company, table: Table, room: Room
):
    ann = table.seat("ann")
    await room.set_policy(physical_dice="everyone", check_approval="gm")
    await room.add_character("Rook", id="rook", owner=ann, attributes={"Wits": 3})
    await room.start_countdown("Fuse", 3, id="fuse", owner=ann)
    await room.start_countdown("Rope", 3, id="rope", owner=ann)
    await room.start_clock("Alarm", 6, id="alarm", direction="up")
    await room.start_countdown("Lamp", 9, id="lamp", speed="fast", bound_to="nothing")
    await room.submit(_ROOK | {"id": "dive"})
    await room.submit(_TOTAL | {"id": "wall"})
    await room.set_required("wall", 9)
    await room.roll_dice(1, faces=[2])
    await _ask(table, "climb")
    seats = dict(await company.sit(table, "gm", "eve"))
    seats |= await company.sit(table, "ann", viewport={"width": 390, "height": 844})
    for seat in seats.values():
        await seat.page.locator(".odds").first.wait_for()
        await seat.page.evaluate(_KEEP_TRANSLATING)
    await _ask(table, "swim")
    await room.end_turn()
    await room.tick_clock("alarm", by=2)
    await room.roll_countdown("lamp", faces=[6, 6, 6, 6, 6, 6, 1, 1, 1])
    await room.adjust_check("dive", character_id="rook", penalty=1)
    await room.set_required("wall", 12)
    await room.start_countdown("Gas", 3, id="gas", owner=ann)
    await room.roll_dice(2, name="Look", faces=[6, 5])
    await expect(seats["eve"].page.locator(".moment").first).to_be_visible()
    assert "~" not in await seats["eve"].page.locator(".moment").first.inner_text()  # a translator leaves it alone
    for name, seat in seats.items():
        await seat.shows_what_the_server_says()
        translated = await seat.page.evaluate(_READ, _VALUES[name])
        assert [place for place, texts in translated if not texts] == []
        await seat.page.reload()
        await until_equal(partial(seat.page.evaluate, _READ, _VALUES[name]), translated)


async def _ask(table: Table, check: str) -> None:
    """Let Ann propose a check, which waits for the gm."""
    async with dreadclock.connect(link(table, "ann")) as room:
        await room.submit(_ROOK | {"id": check, "purpose": check})


HALF_A_PAGE = 125  # words


async def test_a_word_is_explained_where_it_stands_and_its_rule_is_one_press_further(company: Company, server: Server):
    table, words = await flooded_vault(server), messages("en")
    tom = await company.seat(table, "tom")
    asked = words.text("word.about", {"word": words.text("section.more_totals", {})})
    await tom.page.get_by_role("button", name=asked).click()
    note = tom.page.get_by_role("note")
    await expect(note).to_contain_text(words.text("word.total", {}))
    async with tom.context.expect_page() as opened:
        await note.get_by_role("link").click()
    rules = await opened.value
    await expect(rules.get_by_role("heading", name="The roll", exact=True)).to_be_in_viewport()
    assert await violations(tom.page, place="[role=note]") == []
    players = rules.locator("h1 + h2 + ul")  # before all else: what a player does, in both languages
    for half_page, first in ((players, "What you do"), (rules.locator("h2[lang=de] + ul[lang=de]"), "Was du tust")):
        await expect(half_page).to_contain_text(first)
        assert len((await half_page.inner_text()).split()) <= HALF_A_PAGE
    await tom.page.keyboard.press("Escape")
    await expect(note).to_have_count(0)

    for key, means in (("scene.threat", "threat"), ("situation.race", "race")):
        about = words.text("word.about", {"word": words.text(key, {})})
        await tom.thing("scene:vault").get_by_role("button", name=about).click()  # which closes the one before
        await expect(note).to_contain_text(words.text(f"word.{means}", {}))
        await expect(note).to_have_count(1)
    await note.click()
    await expect(note).to_have_count(1)
    await tom.page.locator("h1").click()
    await expect(note).to_have_count(0)
    moves = words.text("clock.moves", {"direction": "up", "size": 6, "owned": "no"})
    await expect(tom.thing("clock:alarm").get_by_text(moves)).to_be_visible()

    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        await room.roll_dice(3, name="Noise")
    for place, means in (("countdown:air", "physical"), ("roll:", "no_token")):
        mark = tom.page.locator(f'[data-thing^="{place}"] .proof button')
        await mark.focus()
        await tom.page.keyboard.press("Enter")
        await expect(note).to_have_text(words.text(f"word.proof_{means}", {}))
        await tom.page.keyboard.press("Escape")
        await expect(note).to_have_count(0)
        await expect(mark).to_be_focused()
