"""Checks with a helper, an opponent, momentum, interference and a bargain, in four browsers."""

from playwright.async_api import expect

from kit.browser.company import Company
from kit.browser.evening import Evening, Given, open_evening
from kit.browser.labels import label

BEFORE = 255  # keys that such a session took before there were shortcuts


async def test_checks_bring_momentum_and_interference_and_a_failure_is_bought_off(company: Company, figures: list[str]):
    evening = await open_evening(company, "The bell tower")
    await bring_all(evening)

    await stairs(evening)
    await door(evening)
    await bell(evening)

    view = await evening.wren.view()
    assert [check.status for check in view.checks.values()] == ["resolved"] * 3
    rook, sparks = view.characters["character-1"], view.characters["character-2"]
    assert (rook.momentum, rook.interference, sparks.momentum, sparks.interference) == (True, False, False, False)
    assert view.checks["check-3"].cost is not None
    assert view.checks["check-3"].cost.stage == "applied"
    await evening.all_see_the_same()
    assert evening.keys <= BEFORE / 2
    figures.append(f"{evening.keys} keys pressed in a session of a check, those that type left out")


async def bring_all(evening: Evening) -> None:
    """Bring Rook, Sparks, and the gm's warden."""
    await evening.bring(evening.tom, "Rook", "Stealth", 4)
    await evening.bring(evening.ines, "Sparks", "Machines", 3)
    warden: Given = {"gm.name": "The warden", "character.reflex": 2, "gm.character.hidden": False}
    await evening.form(evening.gm, "gm.character.add", "gm.character.add", warden)


async def stairs(evening: Evening) -> None:
    """Rook climbs with a venture and Sparks's help; her fumble brings interference to both."""
    gm, tom, ines = evening.gm, evening.tom, evening.ines
    given: Given = {"my.purpose": "up the stairs", "my.venture": "−1"}
    form = await tom.unfold("my.check", tom.thing("character:character-1"))
    await tom.fill(form, given)
    await tom.fill(form, {"my.venture_what": "a head start"})
    await evening.do(tom, "my.propose", form)
    helping: Given = {"my.other_score": True, "my.score": 2}
    await evening.form(ines, "my.help", "my.help.send", helping, ines.thing("check:check-1"))
    card = gm.thing("check:check-1")
    await gm.fill(card, {"Penalty: Rook": 1})
    await evening.do(gm, "gm.approve", card)
    await evening.roll(tom, "check:check-1", 6, 5, 2, 4)
    await evening.roll(ines, "check:check-1", 1, 1)
    await expect(ines.thing("check:check-1")).to_contain_text(label("my.cost_part"))
    together = label("check.together", outcome=label("outcome.success"))
    await expect(evening.wren.page.locator(".latest .badge")).to_have_text(together)
    rook = (await evening.wren.view()).characters["character-1"]
    assert (rook.interference, [each.dice for each in rook.bonuses]) == (True, [1])


async def door(evening: Evening) -> None:
    """Rook gets past the warden, with the die of the venture that she claims and a triumph that brings momentum."""
    gm, tom = evening.gm, evening.tom
    claimed = label("claim", dice=1, what="a head start")
    given: Given = {"my.purpose": "out of the door", "my.contest": True, claimed: True}
    await evening.form(tom, "my.check", "my.propose", given, tom.thing("character:character-1"))
    opposing: Given = {"gm.character": "The warden", "gm.score": 3}
    waits = gm.thing("check:check-2")
    await expect(waits).to_contain_text(label("check.needs_opposition"))
    await expect(waits.locator("> [data-part=odds]")).to_have_count(0)
    await evening.form(gm, "gm.check.oppose", "gm.check.oppose.send", opposing, waits)
    await expect(waits.locator("> [data-part=odds]")).to_be_visible()
    await evening.do(gm, "gm.approve", gm.thing("check:check-2"))
    await evening.roll(gm, "part:check-2:character-3", 6, 1, 4, 2)
    await evening.roll(tom, "check:check-2", 6, 6, 5, 2, 1)


async def bell(evening: Evening) -> None:
    """Sparks fails, offers a price, and pays what the gm asks instead."""
    gm, ines = evening.gm, evening.ines
    given: Given = {"my.purpose": "muffle the bell"}
    await evening.form(ines, "my.check", "my.propose", given, ines.thing("character:character-2"))
    await evening.do(gm, "gm.approve", gm.thing("check:check-3"))
    await evening.roll(ines, "check:check-3", 3, 1, 3)
    card = ines.thing("check:check-3")
    await ines.fill(card, {"my.cost": "my gloves stay in the works"})
    await evening.do(ines, "my.propose_cost", card)
    terms: Given = {"gm.cost.terms": "the gloves, with your name in them"}
    await evening.form(gm, "gm.cost.counter", "gm.cost.say", terms, gm.thing("check:check-3"))
    discussed = evening.wren.thing("check:check-3")
    await expect(discussed).to_contain_text(label("cost.countered"))
    await expect(discussed.locator("> .heading .badge")).to_have_count(0)  # that says where it stands
    named = card.locator("[data-part=cost] dl > div").filter(has_text=label("cost.terms"))
    await expect(named.locator("dd")).to_have_text("the gloves, with your name in them")
    await evening.do(ines, "my.pay", card)
    await expect(ines.thing("check:check-1")).to_be_visible()  # it still has a button for her
