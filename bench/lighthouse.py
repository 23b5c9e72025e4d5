"""Judge the first page and a full table's pages by Lighthouse, with its mobile preset: a slow phone at 1.6 Mbit/s.

    make lighthouse                                  of each page the median of 3 runs, on the installed packages
    make lighthouse ARGS="--runs 1 --keep /tmp gm"   one page, once; the reports are kept in a folder

The server is that of DREADCLOCK_INSTALLED, else that of the checkout. npm installs Lighthouse into the cache folder.
Prints a table. Ends with 1 if a page misses a goal: 90 for performance, 100 for the rest, 0.05 for the layout's shift.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kit.browser.chromium import MISSING, find_chromium
from kit.browser.company import link
from kit.browser.full_table import full_table
from kit.server import running_server

VERSION = "12.8.2"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dreadclock" / f"lighthouse-{VERSION}"
PROGRAM = CACHE / "node_modules/.bin/lighthouse"
PAGES = {"first page": None, "gm": "gm", "player": "ann", "spectator": "eve"}
GOALS = {"performance": 90, "accessibility": 100, "best-practices": 100, "seo": 100}
MOST_SHIFT = 0.05
HEAD = ("page", *GOALS, "shift", "first paint s", "largest paint s", "blocked ms", "KiB", "requests", "machine")


@dataclass(frozen=True)
class Judgement:
    """What Lighthouse says of a page: `scores` of 100 in the order of `GOALS`, sizes in KiB.

    `machine`: how fast it was at that time; times of a machine below 1000 are not to be compared.
    """

    scores: tuple[int, ...]
    shift: float
    first_paint_s: float
    largest_paint_s: float
    blocked_ms: float
    kib: float
    requests: int
    machine: float

    @classmethod
    def of(cls, report: dict[str, Any]) -> "Judgement":
        """Read a report."""
        audits, requests = report["audits"], report["audits"]["network-requests"]["details"]["items"]
        return cls(
            tuple(round(100 * report["categories"][name]["score"]) for name in GOALS),
            audits["cumulative-layout-shift"]["numericValue"],
            audits["first-contentful-paint"]["numericValue"] / 1000,
            audits["largest-contentful-paint"]["numericValue"] / 1000,
            audits["total-blocking-time"]["numericValue"],
            sum(request["transferSize"] for request in requests) / 1024,
            len(requests),
            report["environment"]["benchmarkIndex"],
        )

    @property
    def is_good(self) -> bool:
        """Whether all goals are reached."""
        return self.shift <= MOST_SHIFT and all(map(int.__ge__, self.scores, GOALS.values()))

    def row(self, page: str) -> str:
        """Write it as the row of a table."""
        times = f"{self.first_paint_s:.1f} | {self.largest_paint_s:.1f} | {self.blocked_ms:.0f}"
        scores = " | ".join(map(str, self.scores))
        loads = f"{self.kib:.0f} | {self.requests} | {self.machine:.0f}"
        return f"| {page} | {scores} | {self.shift:.3f} | {times} | {loads} |"


def judged(page: str, url: str, chromium: str, keep: Path) -> Judgement:
    """Let Lighthouse load a page once. Its report is kept in a folder."""
    path = keep / f"{page.replace(' ', '-')}.json"
    command = [PROGRAM, url, "--quiet", "--output=json", f"--output-path={path}"]
    command.append("--chrome-flags=--headless --no-sandbox")
    subprocess.run(command, env=os.environ | {"CHROME_PATH": chromium}, check=True)
    return Judgement.of(json.loads(path.read_text("utf-8")))


async def judge(pages: list[str], runs: int, keep: Path) -> dict[str, Judgement]:
    """Judge pages of a server of its own: by the run of median performance, of those the one with the most shift."""
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        async with running_server(Path(folder) / "data") as server:
            table = await full_table(server)
            found: dict[str, Judgement] = {}
            for page in pages:
                name = PAGES[page]
                url = link(table, name) if name else f"{server.url}/"
                all_runs = [await asyncio.to_thread(judged, page, url, str(chromium), keep) for _ in range(runs)]
                median = statistics.median_low(each.scores[0] for each in all_runs)
                found[page] = max((each for each in all_runs if each.scores[0] == median), key=lambda each: each.shift)
            return found


def main() -> None:
    """Read the command line, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", choices=[*PAGES, []], help="which pages; all unless given")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="a folder for the last report of each page")
    given = parser.parse_args()
    if not PROGRAM.exists():
        quiet = ("--no-audit", "--no-fund", "--loglevel=error", "--prefix", CACHE)
        subprocess.run(["npm", "install", *quiet, f"lighthouse@{VERSION}"], stdout=sys.stderr, check=True)
    with tempfile.TemporaryDirectory() as temporary:
        found = asyncio.run(judge(given.pages or [*PAGES], given.runs, given.keep or Path(temporary)))
    lines = [f"| {' | '.join(HEAD)} |", "| --- |" + " --: |" * (len(HEAD) - 1)]
    lines += [judgement.row(page) for page, judgement in found.items()]
    sys.stdout.write("\n".join(lines) + "\n")
    raise SystemExit(0 if all(judgement.is_good for judgement in found.values()) else 1)


if __name__ == "__main__":
    main()
