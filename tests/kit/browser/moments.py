"""When things come to be seen on a page."""

import json
from collections.abc import Mapping
from typing import Any

from playwright.async_api import Page

from kit.browser.scripts import script

DICE = ("dice", ".moment:not(.landed) .trays :is(.cube, .flat)", "")  # in flight
OUTCOME = ("outcome", ".verdict:not(:empty)", "")

# Notes when each is first there: a name, a selector, and a text that it holds.
_WATCH = """
window.__came = {};
window.__plates = 0;
window.__course = [];
{
  const wanted = WANTED;
  const holds = (selector, text) =>
    [...document.querySelectorAll(selector)].some((each) => each.textContent.includes(text));
  const look = () => {
    window.__plates = Math.max(window.__plates, document.querySelectorAll(".moment").length);
    const flying = document.querySelector(".moment:not(.landed) .headline")?.textContent.trim();
    const shown = document.querySelectorAll("main [data-thing^='countdown:']:has(.die:not(.blank))");
    const rolled = [...shown].map((each) => each.dataset.thing);
    if (flying && window.__course.at(-1)?.flying !== flying) window.__course.push({ flying });
    if (flying) window.__course.at(-1).rolled = rolled;
    for (const [name, selector, text] of wanted)
      if (!(name in window.__came) && holds(selector, text)) window.__came[name] = performance.now();
  };
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(look).observe(document, all);
}
"""

# `__cut()` closes the page's socket, and lets no other one open until `__isCut` is false.
CUTS = """
const sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(address) {
    super(window.__isCut ? address.replace("/ws/", "/nowhere/") : address);
    sockets.push(this);
  }
};
window.__cut = () => {
  window.__isCut = true;
  sockets.at(-1).close();
};
"""


async def watch_coming(page: Page, *wanted: tuple[str, str, str]) -> None:
    """From the next load on, note when each of these is seen first: its name, where it stands, and what it says."""
    await page.add_init_script(_WATCH.replace("WANTED", json.dumps(wanted)))


async def came(page: Page) -> Mapping[str, float]:
    """Return what came so far, in order, each with its time in ms."""
    found: dict[str, float] = await page.evaluate("() => window.__came")
    return found


async def course(page: Page) -> list[tuple[str, list[str]]]:
    """Return what was in flight, in order: its headline, and which countdowns showed their dice until it landed."""
    steps: list[dict[str, Any]] = await page.evaluate("() => window.__course")
    return [(step["flying"], step["rolled"]) for step in steps]


async def plates_at_most(page: Page) -> int:
    """Return how many plates there were at once at most."""
    found: int = await page.evaluate("() => window.__plates")
    return found


async def tops(page: Page, within: str = ".arena .trays") -> list[int]:
    """Return what dice show once they lie: 0 for a sealed one, -1 for one on an edge."""
    faces: list[int] = await page.evaluate(script("tops"), within)
    return faces
