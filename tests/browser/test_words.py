"""Words of the rules are explained where they stand, in both languages, and the rule is one press further."""

from playwright.async_api import expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import messages
from kit.browser.scene import flooded_vault
from kit.server import Server

HALF_A_PAGE = 125  # words


async def test_a_word_is_explained_where_it_stands_and_its_rule_is_one_press_further(company: Company, server: Server):
    table, words = await flooded_vault(server), messages("en")
    tom = await company.come("tom")
    await tom.open(link(table, "tom"))
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
