"""`dreadclock odds`: exact odds of countdowns and races, for a person or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.table import Table

from dreadclock.rules import Speed
from dreadclock.rules.odds import CountdownReport, RaceReport, countdown_report, race_report, read_fraction

T = TypeVar("T")

BAR_WIDTH = 30
FINEST = 0.0001
REFUSED = 2

app = typer.Typer(name="odds", help="Exact odds of countdowns and races.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Write exact fractions and decimals as JSON.")]


@app.command()
def countdown(
    pool: Annotated[int, typer.Option(help="Dice at the start.")],
    speed: Annotated[Speed, typer.Option(help="How fast dice leave.")] = Speed.SLOW,
    stage: Annotated[list[int] | None, typer.Option(help="A stage at this many dice; may be repeated.")] = None,
    rolls: Annotated[int | None, typer.Option(help="Look this many rolls ahead.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show how long a countdown lasts, roll by roll."""
    with _refusals():
        report = countdown_report(pool, speed, stages=stage or (), rolls=rolls)
    if as_json:
        _write_json(report)
    else:
        _show_countdown(Console(highlight=False), report)


@app.command()
def race(
    situation: Annotated[int, typer.Option(help="Challenges to overcome: points on the situation clock.")],
    threat: Annotated[int, typer.Option(help="Points left on the threat clock.")],
    chance: Annotated[list[str], typer.Option(help="Chance of an effort, 2/3 or 0.65; one, or one per challenge.")],
    efforts: Annotated[
        list[int] | None, typer.Option(help="Successes that a challenge needs (1); one, or one per challenge.")
    ] = None,
    rounds_per_effort: Annotated[
        str, typer.Option(help="Rounds that end per effort: 2, or 1/3 for one round every three efforts.")
    ] = "0",
    as_json: AsJson = False,
) -> None:
    """Show whether a race is won before its threat runs out, effort by effort."""
    with _refusals():
        report = race_report(
            situation,
            threat,
            _one_or_each([read_fraction(text) for text in chance]),
            efforts=_one_or_each(efforts or [1]),
            rounds_per_effort=read_fraction(rounds_per_effort),
        )
    if as_json:
        _write_json(report)
    else:
        _show_race(Console(highlight=False), report)


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn a question that cannot be answered into its sentence and exit code 2."""
    try:
        yield
    except ValueError as refusal:
        typer.echo(str(refusal), err=True)
        raise typer.Exit(REFUSED) from None


def _one_or_each(given: list[T]) -> T | list[T]:
    return given[0] if len(given) == 1 else given


def _write_json(report: Mapping[str, object]) -> None:
    typer.echo(json.dumps(report, indent=2))


def _show_countdown(console: Console, report: CountdownReport) -> None:
    console.print(f"A {report['speed']} countdown of {_count(report['pool'], 'die', 'dice')}.")
    over = ", ".join(f"{100 * row['chance']['decimal']:.4g}% by roll {row['rolls']}" for row in report["quantiles"])
    console.print(f"It lasts {report['mean_rolls']['decimal']:.2f} rolls on average. Chance to be over: {over}.")
    for stage in report["stages"]:
        mean = stage["mean_rolls"]["decimal"]
        console.print(f"The pool is down to {_count(stage['at'], 'die', 'dice')} after {mean:.2f} rolls on average.")
    table = _table("roll", "alive after it", "ends at it")
    for row in report["rolls"]:
        alive = row["alive"]["decimal"]
        table.add_row(str(row["roll"]), _percent(alive), _percent(row["ends"]["decimal"]), _bar(alive))
    console.print(table)
    if report["remaining"] is not None:
        _show_remaining(console, report)


def _show_remaining(console: Console, report: CountdownReport) -> None:
    table = _table("dice left", f"after roll {len(report['rolls'])}")
    for row in report["remaining"] or ():
        table.add_row(str(row["dice"]), _percent(row["chance"]["decimal"]), _bar(row["chance"]["decimal"]))
    console.print(table)


def _show_race(console: Console, report: RaceReport) -> None:
    challenges = _count(report["situation"], "challenge", "challenges")
    console.print(f"A race of {challenges} against a threat of {report['threat']}.")
    won, lost = report["success"]["decimal"], report["failure"]["decimal"]
    console.print(f"It is won with a chance of {_percent(won)} and lost with {_percent(lost)}.")
    if report["mean_threat_left"] is not None:
        console.print(f"A race won leaves {report['mean_threat_left']['decimal']:.2f} threat on average.")
    table = _table("effort", "threat left", "wins", "won by then")
    for row in report["by_effort"]:
        numbers = str(row["effort"]), str(row["threat_left"])
        chances = row["wins"]["decimal"], row["won"]["decimal"]
        table.add_row(*numbers, *map(_percent, chances), _bar(row["won"]["decimal"]))
    console.print(table)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right")
    table.add_column(width=BAR_WIDTH)
    return table


def _bar(chance: float) -> ProgressBar:
    return ProgressBar(total=1, completed=chance, width=BAR_WIDTH)


def _percent(chance: float) -> str:
    """Write a chance so that only the impossible reads 0 % and only the certain 100 %."""
    if 0 < chance < FINEST:
        return f"<{FINEST:.2%}"
    if 1 - FINEST < chance < 1:
        return f">{1 - FINEST:.2%}"
    return f"{chance:.2%}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
