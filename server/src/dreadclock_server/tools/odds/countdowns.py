"""`dreadclock odds countdown` and `odds table`: how long a countdown lasts, and all of them at a glance."""

from rich.console import Console

from dreadclock.rules.odds import CountdownReport, TableReport
from dreadclock.wire.plain import count
from dreadclock_server.tools.odds.tables import bar, percent, plain_table, table


def show_table(out: Console, report: TableReport) -> None:
    """Show a person the mean number of rolls of each pool."""
    averages = plain_table("dice", *report["mean_rolls"])
    for dice, *means in zip(report["pools"], *report["mean_rolls"].values(), strict=True):
        averages.add_row(str(dice), *map(str, means))
    out.print(averages)


def show_countdown(out: Console, report: CountdownReport) -> None:
    """Show a person the odds of a countdown."""
    out.print(f"A {report['speed']} countdown of {count(report['pool'], 'die', 'dice')}.")
    over = ", ".join(f"{100 * row['chance']['decimal']:.4g}% by roll {row['rolls']}" for row in report["quantiles"])
    out.print(f"It lasts {report['mean_rolls']['decimal']:.2f} rolls on average. Chance to be over: {over}.")
    for stage in report["stages"]:
        mean = stage["mean_rolls"]["decimal"]
        out.print(f"The pool is down to {count(stage['at'], 'die', 'dice')} after {mean:.2f} rolls on average.")
    rolls = table("roll", "alive after it", "ends at it")
    for row in report["rolls"]:
        alive = row["alive"]["decimal"]
        rolls.add_row(str(row["roll"]), percent(alive), percent(row["ends"]["decimal"]), bar(alive))
    out.print(rolls)
    if report["remaining"] is not None:
        _show_remaining(out, report)


def _show_remaining(out: Console, report: CountdownReport) -> None:
    left = table("dice left", f"after roll {len(report['rolls'])}")
    for row in report["remaining"] or ():
        left.add_row(str(row["dice"]), percent(row["chance"]["decimal"]), bar(row["chance"]["decimal"]))
    out.print(left)
