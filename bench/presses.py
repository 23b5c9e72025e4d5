"""How much work a table is: presses and seconds of what people do all the time, and keys of whole sessions.

    make presses
    make presses ARGS="undo reveal" # some of the actions

`presses_before.json` holds what it was on the pages of the first edition, counted by this program.

A press is one of a mouse, a finger or a key that types nothing; names and texts are typed besides. Seconds are those of
a practised hand (see `Work`). Needs Chromium.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Browser

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kit.browser.actions import ACTIONS, one_table
from kit.browser.chromium import MISSING, chromium, find_chromium
from kit.browser.company import company_at
from kit.browser.hands import Work
from kit.server import Server, running_server

BEFORE = Path(__file__).with_name("presses_before.json")


async def measured(browser: Browser, server: Server, names: Sequence[str] = ()) -> dict[str, Work]:
    """Do each action once, all at one table. Raises AssertionError if one does not come about."""
    async with company_at(browser, server) as company, one_table(company) as measure:
        wanted = [action for action in ACTIONS if not names or any(name in action.name for name in names)]
        return {action.name: await measure(action) for action in wanted}


async def measured_alone(names: Sequence[str]) -> dict[str, Work]:
    """Do the same in a browser and on a server of its own."""
    path = find_chromium()
    if path is None:
        raise SystemExit(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        async with running_server(Path(folder) / "data") as server, chromium(path) as browser:
            return await measured(browser, server, names)


def rows(found: dict[str, Work], before: dict[str, list[float]]) -> list[str]:
    """Write what was found as the rows of a table."""
    head = "| action | presses | at most | and scrolls | before, both | letters | seconds | before |"
    return [head, "| --- | --: | --: | --: | --: | --: | --: | --: |", *(row(*each, before) for each in found.items())]


def row(name: str, work: Work, before: dict[str, list[float]]) -> str:
    """Write one of them."""
    at_most = next(action.at_most for action in ACTIONS if action.name == name)
    presses, seconds = before[name]
    done = f"{work.presses} | {at_most} | {work.scrolls} | {presses} | {work.letters} | {work.seconds:.1f} | {seconds}"
    return f"| {name} | {done} |"


def main(names: Sequence[str]) -> None:
    """Measure and print; what is found where nothing was kept before any change is kept as that."""
    found = asyncio.run(measured_alone(names))
    if not BEFORE.exists():
        kept = {name: [work.presses + work.scrolls, round(work.seconds, 1)] for name, work in found.items()}
        BEFORE.write_text(json.dumps(kept, indent=2) + "\n")
    sys.stdout.write("\n".join(rows(found, json.loads(BEFORE.read_text()))) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
