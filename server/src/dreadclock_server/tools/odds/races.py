"""`dreadclock odds race`: whether a race is won."""

from rich.console import Console

from dreadclock.rules.odds import RaceReport
from dreadclock.wire.plain import count
from dreadclock_server.tools.odds.tables import bar, percent, table


def show_race(out: Console, report: RaceReport) -> None:
    """Show a person the odds of a race."""
    challenges = count(report["situation"], "challenge", "challenges")
    out.print(f"A race of {challenges} against a threat of {report['threat']}.")
    won, lost = report["success"]["decimal"], report["failure"]["decimal"]
    out.print(f"It is won with a chance of {percent(won)} and lost with {percent(lost)}.")
    if report["mean_threat_left"] is not None:
        out.print(f"A race won leaves {report['mean_threat_left']['decimal']:.2f} threat on average.")
    efforts = table("effort", "threat left", "wins", "won by then")
    for row in report["by_effort"]:
        numbers = str(row["effort"]), str(row["threat_left"])
        chances = row["wins"]["decimal"], row["won"]["decimal"]
        efforts.add_row(*numbers, *map(percent, chances), bar(row["won"]["decimal"]))
    out.print(efforts)
