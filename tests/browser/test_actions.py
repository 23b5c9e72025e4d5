"""The table of actions: all that the palette offered before there were menus it still offers; letters work at rest."""

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from kit.browser.company import Company, link
from kit.browser.scene import drowned_bell, flooded_vault
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import Server
from kit.waiting import until

SCENES: dict[str, Callable[[Server], Awaitable[Table]]] = {"vault": flooded_vault, "bell": drowned_bell}
# What the palette offered before there were menus, in English: id, label, what it is about, shortcut.
OFFERED: dict[str, list[list[str]]] = json.loads(Path(__file__).with_name("offered.json").read_text())
# What does it now, where that has another id: the clocks and countdowns of the status bar have their own buttons,
# `More` is the thing's menu, and what was folded away below other lines is in there.
NOW = (
    (r"^strip:clock:([^:]+):less$", r"clock:\1:untick"),
    (r"^strip:clock:([^:]+)$", r"clock:\1:tick"),
    (r"^strip:countdown:([^:]+)$", r"countdown:\1:roll"),
    (r"^strip:check:([^:]+):approve$", r"check:\1:approve"),
    (r"^situation:way-out:more$", "menu:scene:vault"),  # a situation is a part of its scene's dial
    (r"^situation:race:more$", "menu:scene:bell"),
    (r"^(challenge|scene|countdown|clock):([^:]+):more$", r"menu:\1:\2"),
    (r"^(check:[^:]+):helping:more$", r"\1:help"),
    (r"^(total:[^:]+):for-player:more$", r"\1:push"),
    (r"^below:reveal$", "countdown:below:reveal"),
    (r"^gm-rope:reveal$", "clock:gm-rope:reveal"),
    (r"^knock:\w+(.*)$", r"knock:K\1"),
    (r":(form|ask|send|more)$", ""),
)
GONE = {"countdown:tide:roll"}  # it was rolled in this turn: its button in the status bar did nothing
# Letters of what has others now (the status bar, what was folded away), or has none of its own.
OTHER_LETTERS = re.compile(r"^(q|m|yw|yy|yk|y1|xk)$")
_ROWS = """
() => [...document.querySelectorAll("li[role=option]")].map((each) => {
  const text = (part) => each.querySelector(part)?.textContent.trim() ?? "";
  const keys = [...each.querySelectorAll("kbd")].map((key) => key.textContent.toLowerCase()).join("");
  return [each.dataset.deed, text(".label"), text(".about"), keys];
})
"""
# Let nothing that is pressed reach the server, and count it.
_HOLD = """
() => {
  window.__sent = 0;
  const hold = () => { window.__sent += 1; };
  WebSocket.prototype.send = hold;
  const { fetch } = window;
  const asks = (init) => (init?.method ?? "GET") === "GET";
  window.fetch = (input, init) => (asks(init) ? fetch(input, init) : new Promise(hold));
}
"""
_LED = """
([id, sent]) => {
  const focused = document.activeElement;
  const fold = document.querySelector(`details[data-place="${CSS.escape(id)}"]`);
  const led = focused.dataset.key === id || focused.matches(".risk") || fold?.open || focused.closest("form");
  return !!led || window.__sent > sent;
}
"""
# These leave the table, or act on the browser alone.
ELSEWHERE = re.compile(r"^(evening|seat:keep|seat:[^:]*:link|own-link|chronicle|tokens|settings|keep:|\.$)")


async def offered(seat: Seat) -> list[list[str]]:
    """Return all that the palette offers: id, label, what it is about, shortcut."""
    await seat.page.keyboard.press("/")
    await seat.page.locator("[data-palette=whole]").wait_for()
    more = seat.page.locator(".palette .more")
    if await more.count():
        await more.click()
    rows: list[list[str]] = await seat.page.evaluate(_ROWS)
    await seat.page.keyboard.press("Escape")
    await expect(seat.page.get_by_role("dialog")).to_have_count(0)
    return rows


def _now(deed: str) -> str:
    for before, after in NOW:
        deed = re.sub(before, after, deed)
    return deed


async def _sits(company: Company, server: Server, scene: str, who: str) -> Seat:
    seat = await company.come(who, viewport={"width": 1440, "height": 900})
    await seat.open(link(await SCENES[scene](server), who))
    await seat.page.wait_for_load_state("networkidle")
    return seat


@pytest.mark.parametrize("who", ["gm", "tom"])
@pytest.mark.parametrize("scene", SCENES)
async def test_all_that_was_offered_is_offered_with_its_letters_which_work_at_rest(
    company: Company, server: Server, scene: str, who: str
):
    seat = await _sits(company, server, scene, who)
    rows = await offered(seat)

    now: dict[str, set[str]] = {}
    for deed, _, _, keys in rows:
        now.setdefault(_now(deed), set()).add(_letters(keys))
    before = [(_now(deed), label, _letters(keys)) for deed, label, _, keys in OFFERED[f"{scene} {who}"]]
    assert [(deed, said) for deed, said, _ in before if deed not in now and deed not in GONE] == []
    kept = [each for each in before if each[2] and each[0] in now and not OTHER_LETTERS.match(each[2])]
    assert [each for each in kept if each[2] not in now[each[0]]] == []
    if scene == "bell" and who == "gm":
        await seat.page.locator('[data-key="clock:guards:tick"]').click()
        await until(lambda: seat.wire.answers == 1)
        rows = await offered(seat)
        what_waits_comes_first_and_then_what_was_touched_last([deed for deed, *_ in rows])
    if scene == "bell":
        await every_letter_works_at_rest(seat, rows)


def _letters(keys: str) -> str:
    """Return the letters of a shortcut, without the number of its thing."""
    return keys[:2] if keys[:1] in ("x", "y") else keys[:1]


async def every_letter_works_at_rest(seat: Seat, offers: list[list[str]]) -> None:
    all_of = {_letters(keys): (deed, keys) for deed, _, _, keys in offers if not ELSEWHERE.match(deed)}
    rows = [row for letters, row in all_of.items() if letters]  # one thing for each action
    assert len(rows) > 20
    await seat.page.evaluate(_HOLD)

    silent: list[tuple[str, str]] = []
    for deed, keys in rows:
        sent: int = await seat.page.evaluate("window.__sent")
        await seat.page.keyboard.type(keys)
        if not await _leads(seat, deed, sent):
            silent.append((deed, keys))
        await _back_to_rest(seat)
    assert not silent, silent


async def _leads(seat: Seat, deed: str, sent: int) -> bool:
    async def led() -> bool:
        return bool(await seat.page.evaluate(_LED, [deed, sent]))

    try:
        await until(led)
    except AssertionError:
        return False
    return True


async def _back_to_rest(seat: Seat) -> None:
    closing: Any = "() => { for (const each of document.querySelectorAll('main details[open]')) each.open = false; }"
    await seat.page.keyboard.press("Escape")
    await seat.page.evaluate(closing)
    await seat.page.evaluate("() => document.activeElement?.blur()")
    await seat.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def what_waits_comes_first_and_then_what_was_touched_last(deeds: list[str]) -> None:
    order = (".", "check:dodge:approve", "clock:guards:tick", "clock:gm-rope:tick", "scene:open:form", "turn:end")
    places = [deeds.index(deed) for deed in order]
    assert places[0] == 0
    assert places[1] < places[2] < min(places[3:5])
    assert places[5] > max(places[:5])
