"""How fast and how heavy the pages are: in Chromium, from a cold cache, on a table with a long evening behind it.

    .venv/bin/python bench/pages.py [RUNS]

Prints for every page the median and the slowest of RUNS (5 unless said): the first paint, the first contentful one, the
table painted, the bytes transferred; the player's once more on a phone, with a processor four times slower and 1.6
Mbit/s. Then the same for a second visit of each at a round trip of 150 ms, with the requests that reached the server.
Of the spectator's page it says how long after a frame the document changes while dice are in motion, how much
the layout shifts meanwhile, and the gaps between its pictures, beside those of an empty page in the same browser.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
from math import nan
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import dreadclock
from kit.browser.chromium import MISSING, chromium, find_chromium
from kit.browser.company import Company, link
from kit.browser.full_table import full_table
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import running_server

ROLLS = 50
MOVING_S = 8.0
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "device_scale_factor": 2}
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}  # bytes a second
PAINTS = """
() => {
  const paint = (name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN;
  return { "first paint": paint("first-paint"), "first contentful paint": paint("first-contentful-paint"),
    "table painted": window.__drawn, loads: performance.getEntriesByType("resource").length + 1,
    KiB: performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1024 };
}
"""
FAR = {"offline": False, "latency": 150, "downloadThroughput": -1, "uploadThroughput": -1}
# What was asked of the server: the page, what came from no cache, and websockets.
REQUESTS = """
() => performance.getEntriesByType("resource").filter(({ transferSize }) => transferSize > 0).length + 1
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
  if (!window.__drawn && document.querySelector("[data-thing]")) {
    window.__drawn = NaN;
    requestAnimationFrame(() => requestAnimationFrame(() => { window.__drawn = performance.now(); }));
  }
  if (heard !== null) window.__delays.push(performance.now() - heard);
  heard = null;
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""
# Notes the gaps between pictures for some seconds, and how much the layout shifts that nobody asked for.
PICTURES = """
(seconds) => new Promise((done) => {
  const gaps = [], began = performance.now();
  let shifted = 0, before = began;
  const shifts = new PerformanceObserver((seen) => {
    for (const each of seen.getEntries()) if (!each.hadRecentInput) shifted += each.value;
  });
  shifts.observe({ type: "layout-shift" });
  const look = (now) => {
    gaps.push(now - before);
    before = now;
    if (now - began < seconds * 1000) return requestAnimationFrame(look);
    shifts.disconnect();
    done({ gaps: gaps.slice(1), shifted });
  };
  requestAnimationFrame(look);
})
"""


def page_of(table: Table, name: str) -> str:
    """Give the address of somebody's page; `overlay` is a page, too."""
    return link(table, "eve").replace("/r/", "/o/") if name == "overlay" else link(table, name)


async def opened(company: Company, table: Table, name: str, *, phone: bool = False) -> Seat:
    """Open a page with nothing in the cache, and wait until the table is drawn."""
    seat = await company.come(name, **(PHONE if phone else {"viewport": {"width": 1366, "height": 768}}))
    if phone:
        devtools = await seat.context.new_cdp_session(seat.page)
        await devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        await devtools.send("Network.emulateNetworkConditions", SLOW)
    await seat.page.add_init_script(CLOCKS)
    await seat.page.goto(page_of(table, name))
    await seat.page.locator("[data-thing]").first.wait_for(state="attached")  # a phone may have it folded away
    return seat


async def first_sight(company: Company, table: Table, name: str, *, phone: bool = False) -> dict[str, float]:
    """Open a page and return its figures."""
    seat = await opened(company, table, name, phone=phone)
    await seat.page.wait_for_function("() => window.__drawn > 0")  # a text alone would need `eval`
    figures: dict[str, Any] = await seat.page.evaluate(PAINTS)
    figures["KiB"] += seat.wire.bytes_of_frames() / 1024
    await seat.context.close()
    return figures


async def second_sight(company: Company, table: Table, name: str) -> dict[str, float]:
    """Open a page again with what the browser kept of it, 150 ms away, and return its figures."""
    seat = await opened(company, table, name)
    await seat.page.wait_for_function("() => window.__drawn > 0")
    await seat.page.goto("about:blank")
    devtools = await seat.context.new_cdp_session(seat.page)
    await devtools.send("Network.emulateNetworkConditions", FAR)
    sockets = list[str]()
    seat.page.on("websocket", lambda socket: sockets.append(socket.url))
    await seat.page.goto(page_of(table, name))
    await seat.page.wait_for_function("() => window.__drawn > 0")
    drawn = await seat.page.evaluate("() => window.__drawn")
    requests = await seat.page.evaluate(REQUESTS) + len(sockets)
    await seat.context.close()
    return {"second visit painted": drawn, "requests": requests}


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


async def motion(company: Company, table: Table) -> tuple[list[float], list[float], float]:
    """Roll before a spectator; return the gaps between her pictures, those of an empty page, and the layout shift."""
    seat = await opened(company, table, "eve")
    empty = await company.come("nobody")
    await empty.page.goto("/api/none")  # a page with nothing on it
    still = (await empty.page.evaluate(PICTURES, MOVING_S))["gaps"]
    await empty.context.close()
    watching = asyncio.create_task(seat.page.evaluate(PICTURES, MOVING_S))
    async with dreadclock.connect(link(table, "gm")) as room:
        while not watching.done():
            await room.roll_dice(6, name="watched")
            await asyncio.sleep(0.7)
    found = await watching
    await seat.context.close()
    return found["gaps"], still, found["shifted"]


def percentile95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


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
            for name in ("gm", "ann", "eve", "overlay", "ann on a phone"):
                phone, who = name.endswith("phone"), name.split()[0]
                seen = [await first_sight(company, table, who, phone=phone) for _ in range(runs)]
                say(f"{name:26} {'median':>8} {'slowest':>8}")
                for figure in seen[0]:
                    unit = figure if figure in ("KiB", "loads") else "ms"
                    show(figure if unit == "ms" else "", [each[figure] or nan for each in seen], unit)
            for name in ("gm", "ann", "eve", "overlay"):
                again = [await second_sight(company, table, name) for _ in range(runs)]
                say(f"{name}, second visit")
                for figure in again[0]:
                    show(figure, [each[figure] for each in again], "" if figure == "requests" else "ms")
            say("eve, from a frame to the document:")
            show("", await delays(company, table), "ms")
            moving, still, shifted = await motion(company, table)
            say(
                f"eve, gaps between pictures, 95th percentile: {percentile95(moving):.1f} ms while dice move, "
                f"{percentile95(still):.1f} ms on an empty page; the layout shifted by {shifted:.3f}"
            )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
