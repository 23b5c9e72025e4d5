"""axe-core, run on a page as it stands. The script comes with a package of the tests; no page ever loads it."""

import os
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.async_api import Page

from kit.browser.layout import sticks_out

_RUN = """
async ([place, runOnly]) => {
  const options = { resultTypes: ["violations"], preload: false, runOnly }; // no page has sounds or films to load
  const { violations } = await axe.run(place || document, options);
  return violations.map(({ id, impact, help, nodes }) =>
    ({ id, impact, help, nodes: nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary}`) }));
}
"""
_ENLARGE = "(size) => { document.documentElement.style.fontSize = size }"
ON_ITS_SIDE = 740  # how wide a phone is then
SIZED = ("scrollable-region-focusable", "target-size")  # what depends on how large the text is; less contrast is enough
STANDARDS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


@cache
def _source() -> str:
    elsewhere = os.environ.get("DREADCLOCK_AXE")  # another version of it, to try
    return Path(elsewhere).read_text() if elsewhere else (files("axe_playwright_python") / "axe.min.js").read_text()


async def violations(page: Page, rules: Sequence[str] = (), *, place: str = "") -> list[str]:
    """Return what axe-core finds wrong with a page, a paragraph for each: by all rules, and in all of it, unless said.

    `place`: a selector.
    """
    only = {"type": "rule", "values": [*rules]} if rules else {"type": "tag", "values": [*STANDARDS]}
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(_source())
    found: list[dict[str, Any]] = await page.evaluate(_RUN, [place, only])
    return ["{impact}: {id}: {help}\n  ".format(**each) + "\n  ".join(each["nodes"]) for each in found]


async def violations_enlarged(page: Page) -> list[str]:
    """Return what is wrong with a page whose text is twice as large: what axe-core finds, and what sticks out."""
    await page.evaluate(_ENLARGE, "200%")
    width: int = await page.evaluate("() => innerWidth")
    found = await violations(page, SIZED)
    for each in (ON_ITS_SIDE, width):
        found += await sticks_out(page, each)
    await page.evaluate(_ENLARGE, "")
    return found
