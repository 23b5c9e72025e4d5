"""`dreadclock odds`: exact odds of every rule, for a person or as JSON."""

from __future__ import annotations

import typer

from dreadclock.cli.odds.checks import check
from dreadclock.cli.odds.contests import contest
from dreadclock.cli.odds.countdowns import countdown, sizes
from dreadclock.cli.odds.races import race
from dreadclock.cli.odds.totals import push, total

app = typer.Typer(name="odds", help="Exact odds of every rule.", no_args_is_help=True)

for _command in (countdown, race, check, contest, total, push):
    app.command()(_command)
app.command("table")(sizes)
