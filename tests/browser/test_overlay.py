"""The overlay for streams: nothing on it can be pressed, nothing secret is on it, and it lies over any picture."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import expect

from dreadclock.cli import main
from kit.browser.company import Company, link
from kit.browser.seat import Seat
from kit.browser.secrets import MARKS
from kit.rooms import Table, open_table
from kit.server import Server

TRIES_AGAIN_WITHIN_MS = 60_000
PRESSABLE = "a, button, input, select, textarea, summary, [tabindex], [contenteditable]"
BACKGROUND = "() => [document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor)"


async def stream(company: Company, table: Table, name: str = "eve", query: str = "") -> Seat:
    """Open the overlay with somebody's token, as wide as a stream is."""
    seat = await company.come("stream", viewport={"width": 1920, "height": 1080})
    await seat.page.goto(f"/o/{table.id}{query}#{table.token(name)}")
    await seat.page.locator("[data-overlay=open]").wait_for(state="attached")
    return seat


@pytest.mark.parametrize("name", ["gm", "eve"])
async def test_nothing_secret_and_nothing_to_press_is_on_a_clear_overlay_whoever_opens_it(
    company: Company, evening: Table, name: str
):
    every = "countdowns,clocks,rolls,scenes,characters,crises,checks,totals,log"
    seat = await stream(company, evening, name, f"?show={every}")

    await expect(seat.page.locator('[data-thing="countdown:fever"]')).to_be_visible()
    document = await seat.page.content()
    assert [mark for mark in MARKS if mark in document] == []
    assert evening.token(name) not in seat.page.url
    assert await seat.page.locator(PRESSABLE).count() == 0
    assert set(await seat.page.evaluate(BACKGROUND)) == {"rgba(0, 0, 0, 0)"}


async def test_a_page_that_was_opened_before_the_server_started_becomes_the_overlay(
    company: Company, mortal: Server, tmp_path: Path
):
    table = await open_table(mortal)
    await asyncio.to_thread(main, ["overlay", link(table, "eve"), "-o", str(tmp_path / "overlay.html")])
    await mortal.stop()
    obs = await company.come("stream")
    obs.complaints.forgive("ERR_CONNECTION_REFUSED")
    await obs.page.clock.install()
    refused = obs.page.wait_for_event("requestfailed")
    await obs.page.goto((tmp_path / "overlay.html").as_uri())
    await refused
    await mortal.start()
    await obs.page.clock.fast_forward(TRIES_AGAIN_WITHIN_MS)

    await obs.page.locator("[data-overlay=open]").wait_for(state="attached")
    assert obs.page.url == f"{mortal.url}/o/{table.id}"
    assert len(obs.page.frames) == 1
