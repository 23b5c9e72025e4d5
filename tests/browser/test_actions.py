"""The table of actions, in the palette and in menus, and how few presses it takes to do what is done all the time."""

import json
import re
import runpy
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

import dreadclock
from kit.browser.actions import ACTIONS
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.layout import resize
from kit.browser.scene import drowned_bell, flooded_vault
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import Server
from kit.waiting import until

SCENES: dict[str, Callable[[Server], Awaitable[Table]]] = {"vault": flooded_vault, "bell": drowned_bell}
# What the palette offered before there were menus: the ids of actions, as they are now, and their letters.
OFFERED: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("offered.json").read_text())
_ROWS = """
() => [...document.querySelectorAll("li[role=option]")].map((each) =>
  [each.dataset.deed, [...each.querySelectorAll("kbd")].map((key) => key.textContent.toLowerCase()).join("")])
"""
# Let nothing that is pressed reach the server: count and refuse it. Unanswered commands would end the connection.
_HOLD = """
() => {
  window.__sent = 0;
  const hold = () => { window.__sent += 1; };
  WebSocket.prototype.send = function (frame) {
    hold();
    const answer = { type: "refused", n: JSON.parse(frame).n, code: "not_allowed", sentence: "", details: {} };
    setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(answer) })));
  };
  const { fetch } = window;
  window.fetch = (input, init) => ((init?.method ?? "GET") === "GET" ? fetch(input, init) : new Promise(hold));
}
"""
_LED = """
([id, sent]) => {
  const focused = document.activeElement;
  const fold = document.querySelector(`details[data-place="${CSS.escape(id)}"]`);
  return focused.dataset.key === id || focused.matches(".risk, form *") || !!fold?.open || window.__sent > sent;
}
"""
_REST = """
() => {
  for (const each of document.querySelectorAll("main details[open]")) each.open = false;
  document.activeElement?.blur();
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}
"""
# These leave the table, or act on the browser alone.
ELSEWHERE = re.compile(r"^(evening|seat:keep|seat:[^:]*:link|own-link|chronicle|tokens|settings|keep:|\.$)")


async def offered(seat: Seat) -> list[tuple[str, str]]:
    """Return all that the palette offers: id and shortcut."""
    await seat.page.keyboard.press("/")
    await seat.page.locator("[data-palette=whole]").wait_for()
    more = seat.page.locator(".palette .more")
    if await more.count():
        await more.click()
    rows: list[tuple[str, str]] = await seat.page.evaluate(_ROWS)
    await seat.page.keyboard.press("Escape")
    await expect(seat.page.get_by_role("dialog")).to_have_count(0)
    return rows


@pytest.mark.parametrize("who", ["gm", "tom"])
@pytest.mark.parametrize("scene", SCENES)
async def test_all_that_was_offered_still_is_and_its_letters_work(
    company: Company, server: Server, scene: str, who: str
):
    seat = await company.seat(await SCENES[scene](server), who, viewport={"width": 1440, "height": 900})
    await seat.page.wait_for_load_state("networkidle")
    rows = await offered(seat)

    now: dict[str, set[str]] = {}
    for deed, keys in rows:
        known = re.sub(r":(form|ask|send|more)$", "", re.sub(r"^knock:\w+", "knock:K", deed))
        now.setdefault(known, set()).add(_letters(keys))
    before = OFFERED[f"{scene} {who}"]
    assert before.keys() - now.keys() == set()
    assert [deed for deed, letters in before.items() if letters and letters not in now[deed]] == []
    if scene == "bell" and who == "gm":
        await seat.page.locator('[data-key="clock:guards:tick"]').click()
        await until(lambda: seat.wire.answers == 1)
        rows = await offered(seat)
        what_waits_comes_first_and_then_what_was_touched_last([deed for deed, _ in rows])
    if scene == "bell":
        await every_letter_works_at_rest(seat, rows)


def _letters(keys: str) -> str:
    """Return the letters of a shortcut, without the number of its thing."""
    return keys[:2] if keys[:1] in ("x", "y") else keys[:1]


async def every_letter_works_at_rest(seat: Seat, offers: list[tuple[str, str]]) -> None:
    all_of = {_letters(keys): (deed, keys) for deed, keys in offers if not ELSEWHERE.match(deed)}
    rows = [row for letters, row in all_of.items() if letters]  # one thing for each action
    assert len(rows) > 20
    await seat.page.evaluate(_HOLD)

    for deed, keys in rows:
        sent: int = await seat.page.evaluate("window.__sent")
        await seat.page.keyboard.type(keys)
        await until(partial(seat.page.evaluate, _LED, [deed, sent]))
        await seat.page.keyboard.press("Escape")
        await seat.page.evaluate(_REST)


def what_waits_comes_first_and_then_what_was_touched_last(deeds: list[str]) -> None:
    order = (".", "check:dodge:approve", "clock:guards:tick", "clock:gm-rope:tick", "scene:open:form", "turn:end")
    places = [deeds.index(deed) for deed in order]
    assert places[0] == 0
    assert places[1] < places[2] < min(places[3:5])
    assert places[5] > max(places[:5])


AIR, GUARDS, LOCK, SCENE = "countdown:air", "clock:guards", "challenge:lock", "scene:bell"
SIZES = ((360, 740), (390, 844), (768, 1024), (1440, 900), (1920, 1080))
# Opens each menu in turn, and returns those that leave the window.
OUT_OF_WINDOW = """
async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const shown = () => document.querySelector(".items:popover-open");
  const out = [];
  for (const summary of document.querySelectorAll("details.actions > summary")) {
    summary.focus(); // which scrolls there
    summary.click();
    while (!shown()?.querySelector(":focus")) await frame();
    const { top, left, right, bottom } = shown().getBoundingClientRect();
    if (top < 0 || left < 0 || right > innerWidth || bottom > innerHeight) out.push(summary.ariaLabel);
    summary.parentElement.open = false;
    while (shown()) await frame();
  }
  return out;
}
"""


def menu(seat: Seat, thing: str) -> Locator:
    """Find the menu of a thing."""
    return seat.page.locator(f'[data-place="menu:{thing}"]')


async def closed(seat: Seat, thing: str) -> None:
    """Return once a menu is closed, and its button has the focus."""
    await expect(seat.page.locator(".items:popover-open")).to_have_count(0)
    await expect(menu(seat, thing).locator("> summary")).to_be_focused()


async def test_a_menu_opens_in_every_way_and_gives_the_focus_back(company: Company, server: Server):
    table = await drowned_bell(server)
    gm = await company.seat(table, "gm", viewport={"width": 1440, "height": 900})
    keys, items = gm.page.keyboard, menu(gm, AIR).locator(".items")

    await gm.thing(AIR).click(button="right")
    await expect(items.locator("summary").first).to_be_focused()
    assert await violations(gm.page, place=".items:popover-open") == []
    first = await items.locator(":focus").inner_text()
    await keys.press("ArrowDown")
    await expect(items.locator(":focus")).not_to_have_text(first)
    await keys.press("ArrowUp")
    await expect(items.locator(":focus")).to_have_text(first)
    await keys.press("End")
    await expect(items.locator(":focus")).to_have_text(label("gm.cancel"))
    await keys.press("Escape")
    await closed(gm, AIR)

    await gm.thing(GUARDS).locator("[data-key='clock:guards:tick']").focus()
    await keys.press("m")
    await expect(menu(gm, GUARDS).locator(".items :focus")).to_have_count(1)
    await gm.thing(AIR).hover()
    await menu(gm, AIR).locator("> summary").click()
    await expect(gm.page.locator(".items:popover-open")).to_have_count(1)
    await gm.page.locator("h1").click()
    await expect(gm.page.locator(".items:popover-open")).to_have_count(0)

    await what_is_chosen_closes_the_menu_and_what_is_refused_says_so_there(gm, table.id)
    await a_form_opens_in_place_of_its_menu(gm)
    await menu(gm, SCENE).locator("> summary").click()
    await gm.button(label("gm.travel"), menu(gm, SCENE)).press("Enter")
    await closed(gm, SCENE)
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        await room.cancel_countdown("air")
        await expect(gm.thing(AIR)).to_have_count(0)


async def what_is_chosen_closes_the_menu_and_what_is_refused_says_so_there(gm: Seat, room: str) -> None:
    await menu(gm, LOCK).locator("> summary").click()
    await expect(gm.button(label("gm.overcome"), gm.thing(LOCK))).to_be_focused()
    await gm.page.evaluate("() => { window.__send = WebSocket.prototype.send; }")
    change = """(sent) => { WebSocket.prototype.send = function (text) {
        window.__send.call(this, text.replace('"lock"', sent)); }; }"""
    for sent, said in (('"challenge"', "The challenge “The flooded stair” is over"), ("7", label("control.malformed"))):
        await gm.page.evaluate(change, sent)
        await gm.page.keyboard.press("Enter")
        await expect(menu(gm, LOCK).get_by_role("alert")).to_contain_text(said)
    await gm.page.evaluate("() => { WebSocket.prototype.send = window.__send; }")
    await gm.button(label("gm.overcome"), gm.thing(LOCK)).click()
    await gm.sees(lambda view: view.challenges["lock"].status == "overcome")
    await expect(menu(gm, LOCK)).to_have_count(0)
    assert await gm.page.evaluate("document.activeElement !== document.body")


async def a_form_opens_in_place_of_its_menu(gm: Seat) -> None:
    await expect((await gm.unfold("gm.countdown.amend", gm.thing(AIR))).locator("form :focus")).to_have_count(1)
    await expect(menu(gm, AIR).locator("[data-place='countdown:air:cancel:form'] > summary")).not_to_be_visible()
    await gm.page.keyboard.press("Escape")
    await closed(gm, AIR)
    await gm.enter("gm.countdown.amend", {"form.dice": 7, "gm.reason": "A leak."}, "gm.countdown.amend", gm.thing(AIR))
    await closed(gm, AIR)
    assert (await gm.view()).countdowns["air"].pool == 7


@pytest.mark.layout
async def test_no_menu_leaves_the_window(company: Company, server: Server):
    gm = await company.come("gm")
    await gm.open(link(await drowned_bell(server), "gm"))
    await menu(gm, LOCK).locator("> summary").wait_for()
    for width, height in SIZES:
        await resize(gm.page, width, height)
        assert await gm.page.evaluate(OUT_OF_WINDOW) == []


PROGRAM = runpy.run_path(str(Path(__file__).parents[2] / "bench/presses.py"))


async def test_it_takes_as_few_presses_as_it_may(browser: Browser, server: Server, figures: list[str]):
    found = await PROGRAM["measured"](browser, server)

    rows = PROGRAM["rows"](found, json.loads(PROGRAM["BEFORE"].read_text()))
    figures.extend(rows)
    assert [row.split(" | ")[0] for row in rows[2:]] == [f"| {action.name}" for action in ACTIONS]
    assert [action.name for action in ACTIONS if found[action.name].presses > action.at_most] == []
