"""`dreadclock resolve`: the rules without a server, for people with dice of their own."""

from __future__ import annotations

import typer

from dreadclock.cli.resolve.checks import check
from dreadclock.cli.resolve.contests import contest
from dreadclock.cli.resolve.countdowns import countdown
from dreadclock.cli.resolve.races import race
from dreadclock.cli.resolve.totals import total

app = typer.Typer(name="resolve", help="What your own dice mean by the rules.", no_args_is_help=True)

for _command in (check, contest, total, countdown, race):
    app.command()(_command)
