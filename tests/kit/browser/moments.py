"""When things come to be seen on a page."""

import json
from collections.abc import Mapping

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
