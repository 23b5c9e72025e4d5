"""What people do all the time takes as few presses as it may; a program counts them and prints a table."""

import json
import runpy
from pathlib import Path

from playwright.async_api import Browser

from kit.browser.actions import ACTIONS
from kit.server import Server

PROGRAM = runpy.run_path(str(Path(__file__).parents[2] / "bench/presses.py"))


async def test_it_takes_as_few_presses_as_it_may(browser: Browser, server: Server, figures: list[str]):
    found = await PROGRAM["measured"](browser, server)

    rows = PROGRAM["rows"](found, json.loads(PROGRAM["BEFORE"].read_text()))
    figures.extend(rows)
    assert [row.split(" | ")[0] for row in rows[2:]] == [f"| {action.name}" for action in ACTIONS]
    assert [action.name for action in ACTIONS if found[action.name].presses > action.at_most] == []
