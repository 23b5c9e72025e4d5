"""A scene with a race in it, in four browsers: the spectator's page shows every step of it."""

from playwright.async_api import expect

from kit.browser.company import Company
from kit.browser.evening import Evening, Given, open_evening
from kit.browser.labels import label

BEFORE = 216  # keys that such a session took before there were shortcuts
CHALLENGES = (("the outer door", "barrier"), ("the lock", "puzzle"), ("the turret", "foe"))
RACE = "situation:situation-1"


async def test_a_race_is_won_and_its_scene_ends(company: Company, figures: list[str]):
    evening = await open_evening(company, "The flooded vault")
    gm, tom, ines = evening.gm, evening.tom, evening.ines
    await evening.bring(tom, "Rook", "Might", 4)
    await evening.bring(ines, "Sparks", "Machines", 3)
    await open_vault(evening)

    lock = tom.thing("challenge:challenge-2").locator("details")
    await lock.locator("summary").click()
    against = label("my.check_against", character="Rook", name="the lock")
    await expect(lock.locator(".button.main")).to_have_text(against)  # dice first, and beside them the gm's word alone
    await expect(lock.locator(".button.plain")).to_have_text(label("my.attempt_send"))
    await lock.locator("summary").click()
    await evening.form(tom, "my.attempt", "my.attempt_send", {}, tom.thing("challenge:challenge-1"))
    await evening.do(gm, "gm.round.end", gm.thing(RACE))
    await evening.do(gm, "gm.success", gm.thing("ruling:effort-1"))
    wires = {"my.purpose": "cross the red wires", "my.effort": "the lock"}
    await evening.form(ines, "my.check", "my.propose", wires, ines.thing("character:character-2"))
    await evening.do(gm, "gm.approve", gm.thing("check:check-1"))
    await evening.roll(ines, "check:check-1", 4, 2, 5)
    await evening.do(gm, "gm.round.end", gm.thing(RACE))
    await evening.do(gm, "gm.overcome", gm.thing("challenge:challenge-3"))
    await gm.press("gm.scene.end", gm.thing("scene:scene-1"))
    await evening.do(gm, "gm.scene.end.yes", gm.thing("scene:scene-1"))

    view = await evening.wren.view()
    assert (view.situations["situation-1"].outcome, view.scenes["scene-1"].status) == ("success", "unfinished")
    values = {clock.kind.value: clock.value for clock in view.clocks.values()}
    assert values == {"scene": 4, "threat": 11, "situation": 0, "challenge": 0}
    await evening.all_see_the_same()
    assert evening.keys <= BEFORE / 2
    figures.append(f"{evening.keys} keys pressed in a session of a race, those that type left out")


async def open_vault(evening: Evening) -> None:
    """Open the scene with its race, a door, a lock and a turret."""
    gm = evening.gm
    await evening.form(gm, "gm.scene.open", "gm.open", {"gm.name": "Out of the vault", "gm.scene.clock": 5})
    race: Given = {"gm.name": "The way out", "gm.situation.kind": "gm.situation.race", "gm.situation.clock": 3}
    form = await gm.unfold("gm.situation.start", gm.thing("scene:scene-1"))
    await gm.fill(form, race)
    await gm.fill(form, {"gm.race.level": 1})
    await evening.do(gm, "gm.start", form)
    for name, kind in CHALLENGES:
        given = {"gm.name": name, "gm.challenge.kind": f"challenge.{kind}"}
        await evening.form(gm, "gm.challenge.add", "gm.add", given, gm.thing(RACE))
