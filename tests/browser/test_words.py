"""Words of the rules are explained where they stand, in both languages, and the rule is one press further."""

import pytest
from playwright.async_api import expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import messages
from kit.browser.scene import flooded_vault
from kit.server import Server


@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_word_is_explained_where_it_stands_and_its_rule_is_one_press_further(
    company: Company, server: Server, language: str
):
    table, words = await flooded_vault(server), messages(language)
    tom = await company.come("tom", locale=f"{language}-GB")
    await tom.open(link(table, "tom"))
    asked = words.text("word.about", {"word": words.text("section.more_totals", {})})

    await tom.page.get_by_role("button", name=asked).click()

    note = tom.page.get_by_role("note")
    await expect(note).to_contain_text(words.text("word.total", {}))
    assert await violations(tom.page) == []
    async with tom.context.expect_page() as opened:
        await note.get_by_role("link").click()
    rules = await opened.value
    await expect(rules.get_by_role("heading", name="The roll", exact=True)).to_be_in_viewport()
    assert await violations(rules) == []
    await tom.page.keyboard.press("Escape")
    await expect(note).to_have_count(0)

    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        await room.roll_dice(3, name="Noise")
    for place, means in (("countdown:air", "physical"), ("roll:", "no_token")):
        mark = tom.page.locator(f'[data-thing^="{place}"] .proof button')
        await mark.focus()
        await tom.page.keyboard.press("Enter")
        await expect(note).to_have_text(words.text(f"word.proof_{means}", {}))
        assert await violations(tom.page) == []
        await tom.page.keyboard.press("Escape")
        await expect(note).to_have_count(0)
        await expect(mark).to_be_focused()
