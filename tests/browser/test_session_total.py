"""A total against a secret number, pushed into a crisis, in four browsers: the spectator's page shows each step."""

from kit.browser.company import Company
from kit.browser.evening import Evening, Given, open_evening

BEFORE = 152  # keys that such a session took before there were shortcuts
CORE = "total:total-1"
CRISIS = "Sparks hears the core hum, everywhere"


async def test_a_total_is_pushed_into_a_crisis(company: Company, figures: list[str]):
    evening = await open_evening(company, "The reactor")
    gm, ines = evening.gm, evening.ines
    await propose_core(evening)

    await gm.fill(gm.thing(CORE), {"gm.required": 14, "gm.required.secret": True})
    await evening.do(gm, "gm.required.set", gm.thing(CORE))
    await evening.roll(ines, CORE, 3, 3, 5, 1, 5)
    await evening.do(gm, "gm.push.offer", gm.thing(CORE))
    await evening.roll(ines, CORE, 4)
    assert not evening.wren.wire.holds('"required":14')
    await evening.do(gm, "gm.required.reveal", gm.thing(CORE))
    await evening.do(gm, "gm.push.offer", gm.thing(CORE))
    await evening.roll(ines, CORE, 5)
    await gm.fill(gm.thing("crisis:character-1"), {"crisis.mental": True, "gm.crisis.what": CRISIS})
    await evening.do(gm, "gm.crisis.describe", gm.thing("crisis:character-1"))

    view = await evening.wren.view()
    total, sparks = view.totals["total-1"], view.characters["character-1"]
    assert (total.status, total.required, total.total) == ("failed", 14, 13)
    assert [(crisis.kind, crisis.box, crisis.description) for crisis in sparks.crises] == [("mental", 1, CRISIS)]
    await evening.all_see_the_same()
    assert evening.keys <= BEFORE / 2
    figures.append(f"{evening.keys} keys pressed in a session of a total, those that type left out")


async def propose_core(evening: Evening) -> None:
    """Let Ines bring Sparks, who tries to calm the core with her probes."""
    ines = evening.ines
    await evening.bring(ines, "Sparks", "Wits", 3, special="Reactors")
    given: Given = {"my.purpose": "Calm the core", "my.tool": "probes", "my.quality": 1, "my.special": "Reactors +1"}
    await evening.form(ines, "my.total", "my.propose", given, ines.thing("character:character-1"))
