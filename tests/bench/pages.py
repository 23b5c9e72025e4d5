"""How fast and how heavy the pages are: in Chromium, from a cold cache, on a table with a long evening behind it.

    .venv/bin/python tests/bench/pages.py [RUNS]

Prints for every page the median and the slowest of RUNS (5 unless said): the first paint, the first contentful one, the
table drawn, the bytes transferred; and of the spectator's page how long after a frame the document changes.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
from math import nan
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import dreadclock
from kit.browser.chromium import MISSING, chromium, find_chromium
from kit.browser.company import Company, link
from kit.browser.full_table import full_table
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import running_server

ROLLS = 50
PAINTS = """
() => {
  const paint = (name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN;
  return { "first paint": paint("first-paint"), "first contentful paint": paint("first-contentful-paint"),
    "table drawn": window.__drawn, loads: performance.getEntriesByType("resource").length + 1 };
}
"""
# Notes when the table is first in the document, and how long after each frame the document changes.
CLOCKS = """
window.__delays = [];
let heard = null;
const Native = WebSocket;
window.WebSocket = class extends Native {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", () => (heard ??= performance.now()));
  }
};
new MutationObserver(() => {
  window.__drawn ??= document.querySelector("[data-thing]") ? performance.now() : undefined;
  if (heard !== null) window.__delays.push(performance.now() - heard);
  heard = null;
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""


def page_of(table: Table, name: str) -> str:
    """Give the address of somebody's page; `overlay` is a page, too."""
    return link(table, "eve").replace("/r/", "/o/") if name == "overlay" else link(table, name)


async def opened(company: Company, table: Table, name: str) -> Seat:
    """Open a page with nothing in the cache, and wait until the table is drawn."""
    seat = await company.come(name, viewport={"width": 1366, "height": 768})
    await seat.page.add_init_script(CLOCKS)
    await seat.page.goto(page_of(table, name))
    await seat.page.locator("[data-thing]").first.wait_for()
    return seat


async def first_sight(company: Company, table: Table, name: str) -> dict[str, float]:
    """Open a page and return its figures."""
    seat = await opened(company, table, name)
    figures: dict[str, Any] = await seat.page.evaluate(PAINTS)
    figures["KiB"] = (sum((await seat.wire.bytes_by_url()).values()) + seat.wire.bytes_of_frames()) / 1024
    await seat.context.close()
    return figures


async def delays(company: Company, table: Table) -> list[float]:
    """Roll before a spectator's eyes, and return how many milliseconds after each frame the document changed."""
    seat = await opened(company, table, "eve")
    await seat.page.evaluate("() => { window.__delays = []; }")
    async with dreadclock.connect(link(table, "gm")) as room:
        for number in range(ROLLS):
            await room.roll_dice(4, name=f"watched {number}")
            await seat.page.get_by_role("log").get_by_text(f"watched {number}").wait_for()
    found: list[float] = await seat.page.evaluate("() => window.__delays")
    await seat.context.close()
    return found


def show(name: str, values: list[float], unit: str) -> None:
    say(f"  {name:24} {statistics.median(values):8.1f} {max(values):8.1f} {unit}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


async def main(runs: int) -> None:
    path = find_chromium()
    if path is None:
        sys.exit(f"The pages cannot be measured: {MISSING}.")
    with tempfile.TemporaryDirectory() as folder:
        async with running_server(Path(folder) / "data") as server, chromium(path) as browser:
            company, table = Company(browser, server), await full_table(server)
            for name in ("gm", "ann", "eve", "overlay"):
                seen = [await first_sight(company, table, name) for _ in range(runs)]
                say(f"{name:26} {'median':>8} {'slowest':>8}")
                for figure in seen[0]:
                    unit = figure if figure in ("KiB", "loads") else "ms"
                    show(figure if unit == "ms" else "", [each[figure] or nan for each in seen], unit)
            say("eve, from a frame to the document:")
            show("", await delays(company, table), "ms")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
