"""A countdown from its start to its end, in four browsers: the spectator's page shows every step of it."""

from playwright.async_api import expect

from kit.browser.company import Company
from kit.browser.evening import Evening, open_evening

BEFORE = 129  # keys that such a session took before there were shortcuts
BRIDGE = "countdown:countdown-1"


async def test_a_countdown_runs_out(company: Company, figures: list[str]):
    company.motion = "no-preference"  # as most people have it: dice tumble before every step is seen
    evening = await open_evening(company, "The gorge")
    gm, tom = evening.gm, evening.tom
    await start_bridge(evening)

    await evening.roll(tom, BRIDGE, 5, 2, 6, 1, 4)
    await evening.do(gm, "gm.turn.end")
    await evening.roll(tom, BRIDGE, 3, 3, 1)
    await evening.form(gm, "gm.replenish", "gm.add", {"gm.dice": 2}, gm.thing(BRIDGE))
    await evening.do(gm, "gm.turn.end")
    await evening.roll(tom, BRIDGE, 6, 5, 6, 5, 2)
    await evening.do(gm, "gm.turn.end")
    await evening.roll(gm, BRIDGE, 5)

    bridge = (await evening.wren.view()).countdowns["countdown-1"]
    assert (bridge.status, bridge.pool, bridge.last_faces) == ("expired", 0, (5,))
    await evening.all_see_the_same()
    assert evening.keys <= BEFORE / 2
    figures.append(f"{evening.keys} keys pressed in a session of a countdown, those that type left out")


async def start_bridge(evening: Evening) -> None:
    """Start the rope bridge, which is Tom's to roll."""
    gm = evening.gm
    form = await gm.unfold("gm.countdown.start")
    await gm.fill(form, {"gm.name": "The rope bridge", "gm.dice": 5, "gm.speed": "gm.speed.medium"})
    await gm.fill(form, {"gm.ending": "the bridge comes down", "gm.owner": "Tom"})
    await expect(form.locator("select[name=bound]")).to_be_visible()  # when it rolls by itself is nothing rare
    await gm.fill(await gm.unfold("gm.seldom", form), {"gm.replenishable": True})
    stages = await gm.unfold("gm.stages", form)
    for number, (at, effect) in enumerate([(3, "a rope snaps"), (1, "planks fall")], 1):
        row = stages.get_by_role("group", name=f"Stage {number}")
        await gm.fill(row, {"gm.stage_at": at, "gm.stage_effect": effect})
    await evening.do(gm, "gm.start", form)
