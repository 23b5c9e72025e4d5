"""An evening of every system by keyboard alone, in four browsers: the spectator's page shows each step of it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import pytest_asyncio
from playwright.async_api import Browser, expect

from kit.browser.company import company_at
from kit.browser.evening import Evening, Given, open_evening
from kit.browser.hands import reads_modules
from kit.browser.labels import label
from kit.browser.reuse import Places
from kit.server import Server

pytestmark = reads_modules

# Keys that a session of each took before there were shortcuts, with what comes before it: opening, inviting, bringing
COUNTDOWN, CHECK, RACE, TOTAL = 129, 255, 216, 152
BRIDGE, WAY_OUT, CORE = "countdown:countdown-1", "situation:situation-1", "total:total-1"
ROOK, SPARKS = "character-1", "character-2"
CHALLENGES = (("the outer door", "barrier"), ("the lock", "puzzle"), ("the turret", "foe"))
CRISIS = "Sparks hears the core hum, everywhere"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def evening(browser: Browser, server: Server, places: Places) -> AsyncIterator[Evening]:
    """A room in which everyone sits, with two characters: the sessions are played there one after the other."""
    async with company_at(browser, server, places) as company:
        evening = await open_evening(company, "The bell tower")
        await evening.bring(evening.tom, "Rook", "Stealth", 4)
        await evening.bring(evening.ines, "Sparks", "Machines", 3, special="Reactors")
        evening.brought = evening.keys
        yield evening


async def newest_check(evening: Evening) -> str:
    """Return the check that was proposed last."""
    return f"check:{list((await evening.gm.view()).checks)[-1]}"


@contextmanager
def counted(evening: Evening, first: int, before: int, what: str, figures: list[str]) -> Iterator[None]:
    """See that a session takes at most half of the keys of before; `first`: those of what comes before it."""
    began = evening.keys
    yield
    keys = first + evening.keys - began
    figures.append(f"{keys} keys pressed in a session of {what}, those that type left out")
    assert keys <= before / 2


async def test_a_race_is_won_and_its_scene_ends(evening: Evening, figures: list[str]):
    with counted(evening, evening.brought, RACE, "a race", figures):
        await open_vault(evening)
        await win(evening)

    view = await evening.wren.view()
    assert (view.situations["situation-1"].outcome, view.scenes["scene-1"].status) == ("success", "unfinished")
    values = {clock.kind.value: clock.value for clock in view.clocks.values()}
    assert values == {"scene": 4, "threat": 11, "situation": 0, "challenge": 0}
    await evening.all_see_the_same()


async def win(evening: Evening) -> None:
    """Overcome all three challenges, and end the scene."""
    gm, tom, ines = evening.gm, evening.tom, evening.ines
    await evening.form(tom, "my.attempt", "my.attempt_send", {}, tom.thing("challenge:challenge-1"))
    await evening.do(gm, "gm.round.end", gm.thing(WAY_OUT))
    await evening.do(gm, "gm.success", gm.thing("ruling:effort-1"))
    wires = {"form.purpose": "cross the red wires", "form.effort": "the lock"}
    await evening.form(ines, "my.check", "my.propose", wires, ines.thing(f"character:{SPARKS}"))
    check = await newest_check(evening)
    await evening.do(gm, "gm.approve", gm.thing(check))
    await evening.roll(ines, check, 4, 2, 5)
    await evening.do(gm, "gm.round.end", gm.thing(WAY_OUT))
    await evening.do(gm, "gm.overcome", gm.thing("challenge:challenge-3"))
    await gm.press("gm.scene.end", gm.thing("scene:scene-1"))
    await expect(gm.button(label("gm.scene.end.yes"))).to_be_focused()
    await evening.do(gm, "gm.scene.end.yes", gm.thing("scene:scene-1"))


async def open_vault(evening: Evening) -> None:
    """Open the scene with its race, a door, a lock and a turret."""
    gm = evening.gm
    await evening.form(gm, "gm.scene.open", "gm.open", {"form.name": "Out of the vault", "gm.scene.clock": 5})
    race: Given = {"form.name": "The way out", "gm.situation.kind": "gm.situation.race", "gm.situation.clock": 3}
    await evening.form(gm, "gm.situation.start", "form.start", {**race, "gm.race.level": 1}, gm.thing("scene:scene-1"))
    for name, kind in CHALLENGES:
        given = {"form.name": name, "gm.challenge.kind": f"challenge.{kind}"}
        await evening.form(gm, "gm.challenge.add", "gm.add", given, gm.thing(WAY_OUT))


async def test_a_countdown_runs_out(evening: Evening, figures: list[str]):
    with counted(evening, evening.opened, COUNTDOWN, "a countdown", figures):
        await run_out(evening)

    bridge = (await evening.wren.view()).countdowns["countdown-1"]
    assert (bridge.status, bridge.pool, bridge.last_faces) == ("expired", 0, (5,))
    await evening.all_see_the_same()


async def run_out(evening: Evening) -> None:
    """Start the rope bridge, and roll it turn after turn until it comes down."""
    gm, tom = evening.gm, evening.tom
    await start_bridge(evening)
    for seat in (tom, evening.wren):
        await seat.page.emulate_media(reduced_motion="no-preference")  # as most people have it: first, dice tumble
    await evening.roll(tom, BRIDGE, 5, 2, 6, 1, 4)
    for seat in (tom, evening.wren):
        await seat.page.emulate_media(reduced_motion="reduce")
    await evening.do(gm, "gm.turn.end")
    await evening.roll(tom, BRIDGE, 3, 3, 1)
    await evening.form(gm, "gm.replenish", "gm.add", {"form.dice": 2}, gm.thing(BRIDGE))
    await evening.do(gm, "gm.turn.end")
    await evening.roll(tom, BRIDGE, 6, 5, 6, 5, 2)
    await evening.do(gm, "gm.turn.end")
    await evening.roll(gm, BRIDGE, 5)


async def start_bridge(evening: Evening) -> None:
    """Start the rope bridge, which is Tom's to roll."""
    gm = evening.gm
    form = await gm.unfold("gm.countdown.start")
    await gm.fill(form, {"form.name": "The rope bridge", "form.dice": 5, "form.speed": "form.speed.medium"})
    await gm.fill(form, {"form.ending": "the bridge comes down", "gm.owner": "Tom"})
    await expect(form.locator("select[name=bound]")).to_be_visible()  # when it rolls by itself is nothing rare
    await gm.fill(await gm.unfold("form.seldom", form), {"form.replenishable": True})
    stages = await gm.unfold("form.stages", form)
    for number, (at, effect) in enumerate([(3, "a rope snaps"), (1, "planks fall")], 1):
        row = stages.get_by_role("group", name=f"Stage {number}")
        await gm.fill(row, {"form.stage_at": at, "form.stage_effect": effect})
    await evening.do(gm, "form.start", form)


async def test_checks_bring_momentum_and_interference_and_a_failure_is_bought_off(evening: Evening, figures: list[str]):
    with counted(evening, evening.brought, CHECK, "a check", figures):
        await bring_warden(evening)
        helped = await stairs(evening)
        await door(evening)
        await bell(evening)
        await expect(evening.ines.thing(helped)).to_be_visible()  # it still has a button for her

    view = await evening.wren.view()
    *_, climbed, fought, muffled = view.checks.values()
    assert [check.status for check in (climbed, fought, muffled)] == ["resolved"] * 3
    rook, sparks = view.characters[ROOK], view.characters[SPARKS]
    assert (rook.momentum, rook.interference, sparks.momentum, sparks.interference) == (True, False, False, False)
    assert muffled.cost is not None
    assert muffled.cost.stage == "applied"
    await evening.all_see_the_same()


async def bring_warden(evening: Evening) -> None:
    """Bring the gm's warden."""
    warden: Given = {"form.name": "The warden", "character.reflex": 2, "gm.character.hidden": False}
    await evening.form(evening.gm, "gm.character.add", "gm.character.add", warden)


async def stairs(evening: Evening) -> str:
    """Rook climbs with a venture and Sparks's help; her fumble brings interference to both."""
    gm, tom, ines = evening.gm, evening.tom, evening.ines
    given: Given = {"form.purpose": "up the stairs", "form.venture": "−1", "form.venture.what": "a head start"}
    await evening.form(tom, "my.check", "my.propose", given, tom.thing(f"character:{ROOK}"))
    check = await newest_check(evening)
    helping: Given = {"form.other_score": True, "form.score": 2}
    await evening.form(ines, "my.help", "form.help.send", helping, ines.thing(check))
    form = await gm.unfold("gm.change", gm.thing(check))
    await gm.fill(form, {"Penalty: Rook": 1})
    await evening.do(gm, "gm.approve", form)
    await evening.roll(tom, check, 6, 5, 2, 4)
    await evening.roll(ines, check, 1, 1)
    await expect(ines.thing(check)).to_contain_text(label("my.cost_part"))
    await expect(evening.wren.page.locator(".arena .verdict")).to_have_text(label("verdict.success"))
    rook = (await evening.wren.view()).characters[ROOK]
    assert (rook.interference, [each.dice for each in rook.bonuses]) == (True, [1])
    return check


async def door(evening: Evening) -> None:
    """Rook gets past the warden, with the die of the venture that she claims and a triumph that brings momentum."""
    gm, tom = evening.gm, evening.tom
    claimed = label("claim", dice=1, what="a head start")
    given: Given = {"form.purpose": "out of the door", "form.contest": True, claimed: True}
    await evening.form(tom, "my.check", "my.propose", given, tom.thing(f"character:{ROOK}"))
    opposing: Given = {"form.character": "The warden", "form.score": 3}
    check = await newest_check(evening)
    waits = gm.thing(check)
    await expect(waits).to_contain_text(label("check.needs_opposition"))
    await expect(waits.locator("> [data-part=odds]")).to_have_count(0)
    await evening.form(gm, "gm.check.oppose", "form.oppose.send", opposing, waits)
    await expect(waits.locator("> [data-part=odds]")).to_be_visible()
    await evening.do(gm, "gm.approve", gm.thing(check))
    await evening.roll(gm, f"part:{check.removeprefix('check:')}:character-3", 6, 1, 4, 2)
    await evening.roll(tom, check, 6, 6, 5, 2, 1)


async def bell(evening: Evening) -> None:
    """Sparks fails, offers a price, and pays what the gm asks instead."""
    gm, ines = evening.gm, evening.ines
    given: Given = {"form.purpose": "muffle the bell"}
    await evening.form(ines, "my.check", "my.propose", given, ines.thing(f"character:{SPARKS}"))
    check = await newest_check(evening)
    await evening.do(gm, "gm.approve", gm.thing(check))
    await evening.roll(ines, check, 3, 1, 3)
    card = ines.thing(check)
    await ines.fill(card, {"my.cost": "my gloves stay in the works"})
    await evening.do(ines, "my.propose_cost", card)
    terms: Given = {"gm.cost.terms": "the gloves, with your name in them"}
    await evening.form(gm, "gm.cost.counter", "gm.cost.say", terms, gm.thing(check))
    discussed = evening.wren.thing(check)
    await expect(discussed).to_contain_text(label("cost.countered"))
    await expect(discussed.locator("> .heading .badge")).to_have_count(0)  # that says where it stands
    named = card.locator("[data-part=cost] dl > div").filter(has_text=label("cost.terms"))
    await expect(named.locator("dd")).to_have_text("the gloves, with your name in them")
    await evening.do(ines, "my.pay", card)


async def test_a_total_is_pushed_into_a_crisis(evening: Evening, figures: list[str]):
    with counted(evening, evening.brought, TOTAL, "a total", figures):
        await push_too_far(evening)

    view = await evening.wren.view()
    total, sparks = view.totals["total-1"], view.characters[SPARKS]
    assert (total.status, total.required, total.total) == ("failed", 14, 13)
    assert [(crisis.kind, crisis.box, crisis.description) for crisis in sparks.crises] == [("mental", 1, CRISIS)]
    await evening.all_see_the_same()


async def push_too_far(evening: Evening) -> None:
    """Try to calm the core against a number that nobody knows, and push on until Sparks hears it."""
    gm, ines = evening.gm, evening.ines
    special: Given = {"form.tool": "probes", "form.tool.quality": 1, "form.special": "Reactors"}
    given: Given = {"form.purpose": "Calm the core", **special}
    await evening.form(ines, "my.total", "my.propose", given, ines.thing(f"character:{SPARKS}"))
    form = await gm.unfold("gm.required.name", gm.thing(CORE))
    await gm.fill(form, {"gm.required": 14, "gm.required.secret": True})
    await evening.do(gm, "gm.required.set", form)
    await evening.roll(ines, CORE, 3, 3, 5, 1, 5)
    await evening.do(gm, "gm.push.offer", gm.thing(CORE))
    await evening.roll(ines, CORE, 4)
    assert not evening.wren.wire.holds('"required":14')
    await evening.do(gm, "gm.required.reveal", gm.thing(CORE))
    await evening.do(gm, "gm.push.offer", gm.thing(CORE))
    await evening.roll(ines, CORE, 5)
    await gm.fill(gm.thing(f"crisis:{SPARKS}"), {"crisis.mental": True, "gm.crisis.what": CRISIS})
    await evening.do(gm, "gm.crisis.describe", gm.thing(f"crisis:{SPARKS}"))
