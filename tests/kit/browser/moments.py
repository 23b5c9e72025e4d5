"""When things come to be seen on a page, and how smoothly it moves meanwhile."""

import json
from collections.abc import Mapping
from typing import Any

from playwright.async_api import Page

DICE = ("dice", ".moment .tumbles", "")
OUTCOME = ("outcome", ".moment.landed .came .badge", "")

# Notes when each is first there: a name, a selector, and a text that it holds.
_WATCH = """
window.__came = {};
window.__plates = 0;
{
  const wanted = WANTED;
  const holds = (selector, text) =>
    [...document.querySelectorAll(selector)].some((each) => each.textContent.includes(text));
  const look = () => {
    window.__plates = Math.max(window.__plates, document.querySelectorAll(".moment").length);
    for (const [name, selector, text] of wanted)
      if (!(name in window.__came) && holds(selector, text)) window.__came[name] = performance.now();
  };
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(look).observe(document, all);
}
"""

# Notes when frames that tell of a tick arrive, and when the document is changed by them.
_FRAMES = """
window.__arrived = 0;
window.__took = [];
window.__shifted = 0;
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if (data.includes("clock_ticked")) window.__arrived = performance.now();
    });
  }
};
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.__shifted += value;
}).observe({ type: "layout-shift" });
"""
_CHANGES = """
(selector) => new MutationObserver(() => {
  if (window.__arrived) window.__took.push(performance.now() - window.__arrived);
  window.__arrived = 0;
}).observe(document.querySelector(selector), { subtree: true, childList: true, attributes: true, characterData: true })
"""
_GAPS = """
(ms) => new Promise((done) => {
  const gaps = [];
  const began = performance.now();
  let last = began;
  const next = (now) => {
    gaps.push(now - last);
    last = now;
    if (now - began < ms) requestAnimationFrame(next);
    else done(gaps.slice(1));
  };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(next); });
})
"""


async def watch_coming(page: Page, *wanted: tuple[str, str, str]) -> None:
    """From the next load on, note when each of these is seen first: its name, where it stands, and what it says."""
    await page.add_init_script(_WATCH.replace("WANTED", json.dumps(wanted)))


async def came(page: Page) -> Mapping[str, float]:
    """Return what came so far, in order, each with its time in ms."""
    found: dict[str, float] = await page.evaluate("() => window.__came")
    return found


async def plates_at_most(page: Page) -> int:
    """Return how many plates there were at once at most."""
    found: int = await page.evaluate("() => window.__plates")
    return found


async def watch_frames(page: Page) -> None:
    """From the next load on, note when frames arrive, and how far what is on the page jumps."""
    await page.add_init_script(_FRAMES)


async def watch_changes(page: Page, selector: str) -> None:
    """From now on, note how long after a frame something changes."""
    await page.evaluate(_CHANGES, selector)


async def figure(page: Page, name: str) -> Any:
    """Return `took` (from a frame to the document, in ms, each) or `shifted` (the layout, in all)."""
    return await page.evaluate(f"() => window.__{name}")


async def gaps(page: Page, ms: int) -> list[float]:
    """Return the gaps between the pictures that a page shows in this time, in ms."""
    found: list[float] = await page.evaluate(_GAPS, ms)
    return found


def percentile(values: list[float], part: float) -> float:
    """Return the value that a part of all lie below."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]
