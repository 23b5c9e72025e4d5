"""The figures that were measured: printed as tables, kept as JSON, and written into docs/performance.md."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
KEPT, PAGE = DOCS / "performance.json", DOCS / "performance.md"
BEGIN, END = "<!-- Written by `make bench`: change nothing here. -->", "<!-- Here ends what `make bench` writes. -->"


Row = dict[str, float]
Rows = dict[str, Row]  # by what each is of: a server, or a size


@dataclass
class Bar:
    """What a figure should not be above."""

    what: str
    reached: float
    bar: float

    @property
    def verdict(self) -> str:
        """Say whether it is held."""
        return "held" if self.reached <= self.bar else "**missed**"


@dataclass
class Work:
    """What came of one work: one row for each server or size, a figure for each column."""

    name: str
    title: str
    rows: Rows
    bars: list[Bar] = field(default_factory=list)
    runs: int = 0
    command: str = ""
    on: str = ""
    versions: str = ""


def shown(value: float | None) -> str:
    """Write a figure with three digits that count."""
    if value is None:
        return "-"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def rounded(value: float) -> float:
    """Round a figure to four digits."""
    return float(f"{value:.4g}")


def text(work: Work) -> str:
    """Write a work's figures for a terminal."""
    columns = list(dict.fromkeys(column for row in work.rows.values() for column in row))
    label = max(len(name) for name in work.rows)
    lines = [f"\n{work.name}: {work.title}; median of {work.runs}"]
    lines.append(" " * label + "".join(f"  {column:>{max(9, len(column))}}" for column in columns))
    for name, row in work.rows.items():
        lines.append(f"{name:{label}}" + "".join(f"  {shown(row.get(c)):>{max(9, len(c))}}" for c in columns))
    lines += [f"  {bar.what}: {bar.reached:.2f}, at most {bar.bar:g}: {bar.verdict}" for bar in work.bars]
    return "\n".join(lines)


def markdown(work: Work) -> str:
    """Write a work's figures for the documentation."""
    columns = list(dict.fromkeys(column for row in work.rows.values() for column in row))
    lines = [f"### `{work.name}`: {work.title}", "", _cells("", *columns), "| --- |" + " ---: |" * len(columns)]
    lines += [_cells(name, *(shown(row.get(column)) for column in columns)) for name, row in work.rows.items()]
    if work.bars:
        lines += ["", _cells("held against", "figure", "at most", ""), "| --- | ---: | ---: | --- |"]
        lines += [_cells(bar.what, f"{bar.reached:.2f}", f"{bar.bar:g}", bar.verdict) for bar in work.bars]
    lines += ["", f"Medians of {work.runs}; `{work.command}`, {work.on}, {work.versions}.", ""]
    return "\n".join(lines)


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def block(machine: str, works: Iterable[Work]) -> str:
    """Write all figures, as they stand in the documentation."""
    return "\n".join([BEGIN, "", f"Measured on: {machine}.", "", *map(markdown, works), END])


def machine() -> str:
    """Describe this machine."""
    model = next(
        (line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    kib = next((int(line.split()[1]) for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    return f"{os.cpu_count()} cores ({model}), {kib / 2**20:.0f} GiB, Linux {platform.release().split('-')[0]}"


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def versions() -> str:
    """Name the versions of what our server stands on."""
    from dreadclock_server.store.embedded.datadir import find_server

    said = subprocess.run([find_server(), "--version"], capture_output=True, text=True).stdout
    valkey = next((word[2:] for word in said.split() if word.startswith("v=")), "?")
    named = [f"{name} {version(name)}" for name in ("dreadclock-server", "uvicorn", "uvloop")]
    return ", ".join([*named, f"Valkey {valkey}", f"Python {sys.version.split()[0]}"])


def stamped(work: Work, runs: int, command: str) -> Work:
    """Say of a work how it was measured."""
    work.runs, work.command, work.on = runs, command, f"{date.today():%d %B %Y}".lstrip("0")
    work.versions = ", ".join(filter(None, (versions(), work.versions)))
    work.rows = {name: {column: rounded(value) for column, value in row.items()} for name, row in work.rows.items()}
    for bar in work.bars:
        bar.reached = rounded(bar.reached)
    return work


def kept() -> tuple[str, list[Work]]:
    """Read the figures that are kept: the machine, and the works in their order."""
    if not KEPT.exists():
        return machine(), []
    found = json.loads(KEPT.read_text())
    works = [Work(**{**each, "bars": [Bar(**bar) for bar in each["bars"]]}) for each in found["works"]]
    return found["machine"], works


def write(fresh: list[Work], order: list[str]) -> None:
    """Keep figures beside those of other works; those of another machine go, for they compare with nothing."""
    measured_on, old = kept()
    works = {work.name: work for work in (old if measured_on == machine() else [])}
    works |= {work.name: work for work in fresh}
    ordered = [works[name] for name in order if name in works]
    body = {"machine": machine(), "works": [asdict(work) for work in ordered]}
    KEPT.write_text(json.dumps(body, indent=1) + "\n")
    PAGE.write_text(with_block(PAGE.read_text(), block(machine(), ordered)))


def with_block(page: str, figures: str) -> str:
    """Return a page with these figures instead of those that it has."""
    before, rest = page.split(BEGIN)
    return before + figures + rest.split(END)[1]
