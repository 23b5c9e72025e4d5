"""Whether a page fits its window, and how it moves."""

import os
from pathlib import Path
from typing import Any

from playwright.async_api import Page

WIDTHS = (360, 768, 1920)
HEIGHT = 900

# The page itself and whatever sticks out of the window to a side; what scrolls within itself may.
_TOO_WIDE = """
() => {
  const root = document.documentElement;
  const clips = (each) => ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(each).overflowX);
  const isClipped = (each) =>
    !!each && each !== document.body && each !== root && (clips(each) || isClipped(each.parentElement));
  const isOut = (each) => each.getBoundingClientRect().right > root.clientWidth + 1 && !isClipped(each.parentElement);
  const wide = [...document.querySelectorAll("body *")].filter(isOut).slice(0, 8);
  const widths = [root, document.body].map((each) => each.scrollWidth).filter((width) => width > root.clientWidth);
  return [...widths.map((width) => `scrolls to ${width} px`), ...wide.map((each) => each.outerHTML.slice(0, 160))];
}
"""

_WATCH_MOTION = """
window.__moved = [];
window.__ways = {};
for (const kind of ["animationstart", "transitionrun"])
  addEventListener(kind, () => {
    for (const each of document.getAnimations()) {
      window.__moved.push(each.effect.getComputedTiming().endTime);
      const moved = each.effect.getKeyframes().flatMap((frame) => Object.keys(frame));
      const ways = moved.filter((key) => !["offset", "computedOffset", "easing", "composite"].includes(key));
      window.__ways[each.animationName ?? "transition"] = [...new Set(ways)];
    }
  }, true);
"""


async def sticks_out(page: Page, width: int) -> list[str]:
    """Give the window a width, and return what makes the page scroll sideways in it; empty if it fits."""
    await page.set_viewport_size({"width": width, "height": HEIGHT})
    found: list[str] = await page.evaluate(_TOO_WIDE)
    return found


async def watch_motion(page: Page) -> None:
    """From the next load on, note every animation and transition that runs."""
    await page.add_init_script(_WATCH_MOTION)


async def moved_for_ms(page: Page) -> list[float]:
    """Return how long everything takes that moved so far, its delay included."""
    found: list[Any] = await page.evaluate("() => window.__moved.map((each) => each ?? Infinity)")
    return [float(each) for each in found]


async def ways_of_moving(page: Page) -> dict[str, list[str]]:
    """Return which animations ran so far, by name, and what each moved."""
    found: dict[str, list[str]] = await page.evaluate("() => window.__ways")
    return found


async def picture_for_people(page: Page, name: str) -> None:
    """Keep a picture of the page in the folder DREADCLOCK_PICTURES, if somebody wants to look at it."""
    folder = os.environ.get("DREADCLOCK_PICTURES")
    if folder:
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
