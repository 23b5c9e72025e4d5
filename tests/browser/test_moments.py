"""A roll is a moment: dice before what they decide, on every page; then all of it at once; and nothing waits for it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from functools import partial

import pytest_asyncio
from playwright.async_api import Browser, Route, ViewportSize, expect

import dreadclock
from dreadclock import Room
from kit.browser.axe import violations
from kit.browser.company import company_at, link
from kit.browser.labels import label
from kit.browser.moments import CUTS, DICE, OUTCOME, came, course, plates_at_most, watch_coming
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

PHONE: ViewportSize = {"width": 390, "height": 844}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
SHORTEST_MS, ALONE_MS = 333, 250
SAID = "6 6 2 6 1 3"
DICE_SAID = f".told li .dice[aria-label*='{SAID}']"
LOG = ("log", DICE_SAID, "")
CARD = ("card", "main [data-part=result] .badge", "")
TOKEN = ("token", "main .badge.momentum", "")
MISSED = ("missed", ".moment .more", label("push.may_come"))
_PRESS = """
async () => {
  const layer = document.querySelector(".layer");
  while (!layer.querySelector(".moment:not(.landed)")) await new Promise(requestAnimationFrame);
  const begun = performance.now();
  while (performance.now() - begun < 220) await new Promise(requestAnimationFrame);
  const flew = layer.querySelector(".moment:not(.landed)") !== null;
  dispatchEvent(new PointerEvent("pointerdown"));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const result = document.querySelector("[data-thing='check:crow-leaps'] [data-part=result]");
  return [flew, layer.querySelector(".moment.landed .verdict:not(:empty)") !== null, result !== null];
}
"""
_TELLS = """
(said) => [...document.querySelectorAll("[role=log], [role=status], [role=alert], [aria-live]")]
  .filter((each) => each.matches(":not([aria-live=off], [aria-hidden=true] *)") && each.textContent.includes(said))
  .filter((each, _, all) => !all.some((other) => other !== each && other.contains(each))).length
"""
# Let rolls be held back for a minute in place of HOLDS_MS of js/moments/coming.js: this machine may be slow.
_HOLDS_ON = """
const later = window.setTimeout;
window.setTimeout = (work, ms, ...given) => later(work, ms === 3_000 ? 60_000 : ms, ...given);
"""
# How many rolls the log shows at the moment at which dice fly.
_AS_DICE_FLY = """
() => new Promise((resolve) => {
  new MutationObserver(() => {
    if (!document.querySelector(".layer .moment :is(.cube, .flat)")) return;
    resolve(document.querySelectorAll(".told li .dice").length);
  }).observe(document, { subtree: true, childList: true });
})
"""
_HIDE = "() => Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
_GROUND = """
() => {
  const card = document.createElement("div");
  card.className = "arena";
  document.querySelector(".layer").append(card);
  const ground = getComputedStyle(card).backgroundColor;
  card.remove();
  return ground;
}
"""
_SETS_CLOCK = """
(ms) => {
  const now = Date.now;
  Date.now = () => now() + ms;
  window.__came = {};
}
"""
_HEARD = """
window.__heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...given) { window.__heard.push("note"); return start.apply(this, given); };
navigator.vibrate = (pattern) => window.__heard.push("touch");
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def table(server: Server) -> Table:
    """One room for the tests of the stage, in which everyone may enter dice, with two characters of ann's."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        for name in ("Rook", "Crow"):
            await room.add_character(name, id=name.lower(), attributes={"Might": 3}, owner=table.seat("ann"))
        await room.start_clock("The flood", 6)
    return table


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def staged(browser: Browser, server: Server, table: Table) -> AsyncIterator[Mapping[str, Seat]]:
    """Pages that note what comes to be seen on them, with their stages ready."""
    async with company_at(browser, server) as company:
        company.motion = "no-preference"
        seats = {}
        for name, viewport in (("gm", LAPTOP), ("ben", PHONE), ("eve", LAPTOP)):
            seats[name] = seat = await company.come(name, viewport=viewport)
            await watch_coming(seat.page, DICE, OUTCOME, LOG, CARD, TOKEN, MISSED)
            for script in (_HEARD, CUTS):
                await seat.page.add_init_script(script)
            await seat.open(link(table, name))
            await seat.page.locator(".layer").wait_for(state="attached")
        await seats["gm"].unfold("gm.story")
        yield seats


async def leap(table: Table, character: str) -> None:
    """Let a character of ann's roll a check whose 6s add dice, and which is a triumph."""
    async with dreadclock.connect(link(table, "gm")) as gm, dreadclock.connect(link(table, "ann")) as ann:
        await gm.propose_check(character, attribute="Might", id=f"{character}-leaps")
        await ann.roll_check(f"{character}-leaps", faces=[6, 6, 2, 6, 1, 3])


async def test_no_page_tells_a_result_before_its_dice_have_landed(staged: Mapping[str, Seat], table: Table):
    gm, ben, eve = staged.values()
    await leap(table, "rook")

    for seat in (eve, gm, ben):
        wanted = {"dice", "outcome", "log", "card", "token"}
        await until(partial(_all_came, seat, wanted))
        if seat is eve:
            await expect(eve.page.locator(".verdict")).to_have_text(label("verdict.triumph"))
            await expect(eve.page.locator(".trays .gold")).to_have_count(3)  # every 6, and nothing else
            assert not await violations(eve.page, place=".arena-place")
        times = dict(await came(seat.page))
        began = times.pop("dice")
        late = {name: time - began for name, time in times.items() if name in wanted}
        assert min(late.values()) >= SHORTEST_MS, (seat.name, late)
        assert min(late["token"], late["log"]) - late["outcome"] >= ALONE_MS, "the verdict was not shown alone"
        assert await seat.page.locator(DICE_SAID).count() == 1
        told = await seat.page.locator("[data-part=aloud]").inner_text()  # read aloud: who, faces, outcome
        places = [told.find(word) for word in ("Rook", SAID, label("outcome.triumph").capitalize())]
        assert -1 < places[0] < places[1] < places[2], told
        assert await seat.page.evaluate(_TELLS, SAID) == 1  # once, to who listens
        assert await seat.page.locator(".layer").get_attribute("aria-hidden") == "true"  # and nowhere else
        assert await seat.page.locator(".layer").evaluate("(it) => getComputedStyle(it).pointerEvents") == "none"
        await seat.shows_what_the_server_says()
    ground: str = await eve.page.evaluate(_GROUND)
    assert ground.startswith("rgb("), "something shines through the arena"


async def test_a_roll_before_the_arena_is_loaded_is_held_back(browser: Browser, server: Server, table: Table):
    async with company_at(browser, server) as company:
        company.motion = "no-preference"
        ben = await company.come("ben", viewport=PHONE)
        asked, may_come = asyncio.Event(), asyncio.Event()

        async def late(route: Route) -> None:
            asked.set()
            await may_come.wait()
            await route.continue_()

        await ben.page.route("**/css/moments.css", late)
        await ben.page.add_init_script(_HOLDS_ON)
        await ben.open(link(table, "ben"))
        await ben.shows_what_the_server_says()
        before = await ben.page.locator(".told li .dice").count()
        async with dreadclock.connect(link(table, "gm")) as gm:
            await gm.roll_dice(3)
        await asyncio.wait_for(asked.wait(), 20)
        await asyncio.sleep(0.3)
        assert await ben.page.locator(".told li .dice").count() == before
        throwing = asyncio.create_task(ben.page.evaluate(_AS_DICE_FLY))
        may_come.set()

        assert await throwing == before
        await expect(ben.page.locator(".told li .dice")).to_have_count(before + 1)
        await ben.shows_what_the_server_says()


async def _all_came(seat: Seat, wanted: set[str]) -> bool:
    return wanted <= set(await came(seat.page))


async def test_dice_land_at_a_press_and_are_not_shown_to_hidden_pages(
    staged: Mapping[str, Seat], table: Table, room: Room
):
    ben, eve = staged["ben"], staged["eve"]
    await eve.page.evaluate(_HIDE)
    await ben.page.set_viewport_size(LAPTOP)  # on which what is over can be unfolded at once
    await cleared(ben)
    for seat in (ben, eve):
        await seat.page.evaluate("() => { window.__came = {}; window.__plates = 0; }")
    pressing = asyncio.create_task(ben.page.evaluate(_PRESS))
    await leap(table, "crow")
    assert await pressing == [True, True, True]
    await eve.shows_what_the_server_says()
    assert "dice" not in await came(eve.page)

    for number in range(3):
        await room.start_countdown(f"Fuse {number}", 9, id=f"fuse-{number}", bound_to="turn")
    await ben.page.evaluate("() => { window.__plates = 0; window.__course = []; }")
    await room.end_turn()
    await countdowns_are_rolled_one_after_the_other(ben)
    await room.propose_total("rook", "Might", id="hatch")
    await room.set_required("hatch", 20)
    await room.roll_total("hatch", faces=[3, 5, 3])
    await until(partial(_all_came, ben, {"missed"}))
    await expect(ben.thing("total:hatch")).to_contain_text(label("total.equal"))
    assert await ben.page.evaluate("() => window.__heard") == []
    await sound_and_vibration_are_kept_on_this_device(ben, table)


async def countdowns_are_rolled_one_after_the_other(ben: Seat) -> None:
    """See the end of a turn: no countdown shows its dice before they have landed."""
    await ben.shows_what_the_server_says()
    steps = await course(ben.page)
    assert [flying for flying, _ in steps] == [f"{label('moment.turn', turn=1)} Fuse {number}" for number in range(3)]
    fuses = [f"countdown:fuse-{number}" for number in range(3)]
    assert [rolled for _, rolled in steps] == [fuses[:number] for number in range(3)]
    assert await plates_at_most(ben.page) == 1


async def test_no_clock_decides_what_is_shown_but_the_connection(staged: Mapping[str, Seat], table: Table):
    ben = staged["ben"]
    ben.complaints.forgive("WebSocket connection to", "status of 426")  # while it is cut
    await expect(ben.page.locator(".moment")).to_have_count(0)  # by itself
    async with dreadclock.connect(link(table, "gm")) as gm:
        for jump_ms in (10_000, -3_600_000):
            await cleared(ben)
            await ben.page.evaluate(_SETS_CLOCK, jump_ms)
            await gm.roll_dice(1)
            await until(partial(_all_came, ben, {"dice"}))

        await cleared(ben)
        await ben.page.evaluate("() => window.__cut()")
        await ben.stands("away")
        await gm.roll_dice(1)
        await ben.page.evaluate("() => { window.__isCut = false; window.__came = {}; }")
        await ben.shows_what_the_server_says()
        assert "dice" not in await came(ben.page)
        await gm.roll_dice(1)
        await until(partial(_all_came, ben, {"dice"}))


async def cleared(seat: Seat) -> None:
    """Press, once the dice of a page lie still, so that its moments go at once."""
    await expect(seat.page.locator(".moment:not(.landed)")).to_have_count(0)
    await seat.page.evaluate("() => dispatchEvent(new PointerEvent('pointerdown'))")
    await expect(seat.page.locator(".moment")).to_have_count(0)


async def sound_and_vibration_are_kept_on_this_device(ben: Seat, table: Table) -> None:
    await ben.page.locator("[data-place=settings] > summary").click()
    await ben.field(label("sound")).select_option(label=label("sound.both"))
    await ben.page.reload()
    await ben.page.locator(".layer").wait_for(state="attached")
    await ben.page.locator("[data-place=settings] > summary").click()
    await expect(ben.field(label("sound"))).to_have_value("both")
    await ben.shows_what_the_server_says()
    assert await plates_at_most(ben.page) == 0
    async with dreadclock.connect(link(table, "gm")) as gm:
        await gm.roll_dice(3)

    await ben.page.wait_for_function("() => ['note', 'touch'].every((each) => window.__heard.includes(each))")
