"""Chromium: where it is on this machine, and how the tests start it."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PLACES = (
    "/usr/lib/chromium/chromium-headless-shell",  # Debian: without a window it takes less than half of the CPU time
    "/usr/lib/chromium/chromium",  # the one on the PATH is a script that talks
    "/snap/bin/chromium",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
MISSING = (
    "no Chromium was found: install one (on Debian and Ubuntu the package chromium), "
    "or say where it is with DREADCLOCK_CHROMIUM=/path/to/chromium"
)
_FLAGS = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic")
# No memory for tiles: frames are laid out and composited, but not rasterized. That saves a tenth of the CPU time.
_UNDRAWN = ("--force-gpu-mem-available-mb=0",)


def find_chromium() -> Path | None:
    """Return the browser to test with: the one asked for, or the first one found; None if there is none."""
    return next((path for path in _candidates() if path.is_file()), None)


def _candidates() -> Iterator[Path]:
    asked_for = os.environ.get("DREADCLOCK_CHROMIUM")
    if asked_for:
        yield Path(asked_for)
        return
    yield from map(Path, PLACES)
    yield from (Path(found) for name in NAMES if (found := shutil.which(name)) is not None)


@asynccontextmanager
async def chromium(path: Path, *, draws: bool = True) -> AsyncIterator[Browser]:
    """Run a browser without a window for as long as the block lasts; one that does not draw takes no screenshots."""
    sandboxed = hasattr(os, "geteuid") and os.geteuid() != 0  # as root it starts without its sandbox, or not at all
    flags = [*_FLAGS, *(() if draws else _UNDRAWN)]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, chromium_sandbox=sandboxed, args=flags)
        try:
            yield browser
        finally:
            await browser.close()
