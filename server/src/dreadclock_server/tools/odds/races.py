"""`dreadclock odds race`: whether a race is won."""

from typing import Annotated

import typer
from rich.console import Console

from dreadclock.rules.odds import RaceReport
from dreadclock.wire.plain import count
from dreadclock.wire.rest import RaceQuestion
from dreadclock_server.tools.odds.tables import bar, percent, table
from dreadclock_server.tools.questions import AsJson, answer, asked


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
    """Show how likely a race is won, effort by effort.

    It is won before its threat runs out, or lost.
    """

    answer(as_json, asked(RaceQuestion, locals()), _show)


def _show(out: Console, report: RaceReport) -> None:
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
