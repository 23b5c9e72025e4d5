"""Take the pictures of the pages that the documentation shows, from a scripted room, into docs/pictures.

    make screenshots

Needs Chromium. The dice are typed in, so that the pictures are the same every time, but for the clock on the wall.
"""

import asyncio
import base64
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import dreadclock
from kit.browser.chromium import MISSING, chromium, find_chromium
from kit.browser.company import Company, company_at, link
from kit.browser.scene import flooded_vault
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import running_server

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
MOST_BYTES = 200 * 1024
NIGHT = "#24323d"
BACKGROUND = "(night) => document.documentElement.style.setProperty('background', night)"


async def sit(company: Company, table: Table, name: str, width: int, height: int, *, theme: str = "dark") -> Seat:
    """Open somebody's page in a window of this size."""
    seat = await company.come(name, viewport={"width": width, "height": height}, color_scheme=theme, timezone_id="UTC")
    await seat.open(link(table, name))
    return seat


async def gm(company: Company, table: Table) -> Seat:
    """Show the gm sizing a countdown."""
    seat = await sit(company, table, "gm", 1280, 800)
    form = await seat.unfold("gm.countdown.start")
    await seat.fill(form, {"form.name": "The ceiling gives way", "form.dice": 5, "gm.look": 4})
    await seat.fill(form, {"form.speed": "form.speed.medium", "form.ending": "nobody else gets out"})
    await form.locator("[data-part=after]").wait_for()
    await form.locator("[data-part=distribution]").evaluate("(odds) => odds.scrollIntoView({ block: 'end' })")
    return seat


async def player(company: Company, table: Table) -> Seat:
    """Show a player on a phone, whose check is ready to be rolled."""
    return await sit(company, table, "tom", 412, 900)


async def spectator(company: Company, table: Table) -> Seat:
    """Show the whole table, in light."""
    return await sit(company, table, "wren", 1440, 1000, theme="light")


async def overlay(company: Company, table: Table) -> Seat:
    """Show the overlay on a dark picture, as a roll is seen."""
    seat = await company.come("stream", viewport={"width": 1280, "height": 720})
    await seat.page.goto(f"/o/{table.id}#{table.token('wren')}")
    await seat.page.locator("[data-overlay=open]").wait_for(state="attached")
    await seat.page.evaluate(BACKGROUND, NIGHT)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.roll_check("dodge", character_id="rook", faces=[6, 5, 2, 4, 3])
    await seat.page.locator("[data-moment=roll]").first.wait_for()
    return seat


async def take(company: Company, table: Table) -> None:
    """Take all pictures. Raises AssertionError if one is too large."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for prepare in (gm, player, spectator, overlay):
        seat = await prepare(company, table)
        await settled(seat)
        path = FOLDER / f"{prepare.__name__}.webp"
        path.write_bytes(await webp(seat))
        size = path.stat().st_size
        assert size <= MOST_BYTES, f"{path} has {size} bytes, more than {MOST_BYTES}"


async def webp(seat: Seat) -> bytes:
    """Return a picture of the window as WebP, which is a third as large as PNG. Playwright itself has no WebP."""
    chromium_itself = await seat.page.context.new_cdp_session(seat.page)
    shot = await chromium_itself.send("Page.captureScreenshot", {"format": "webp", "quality": 90})
    return base64.b64decode(shot["data"])


async def settled(seat: Seat) -> None:
    """Wait until nothing moves any more."""
    await seat.page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished))")


async def main() -> None:
    """Start a server of its own, and take the pictures."""
    path = find_chromium()
    if path is None:
        sys.exit(f"The pictures cannot be taken: {MISSING}.")
    with tempfile.TemporaryDirectory() as folder:
        async with (
            running_server(Path(folder) / "data") as server,
            chromium(path) as browser,
            company_at(browser, server) as company,
        ):
            await take(company, await flooded_vault(server))


if __name__ == "__main__":
    asyncio.run(main())
