"""`dreadclock resolve`: apply the rules to physical dice, without a server."""

import typer

from dreadclock_server.tools.resolve.checks import check, contest
from dreadclock_server.tools.resolve.countdowns import countdown
from dreadclock_server.tools.resolve.races import race
from dreadclock_server.tools.resolve.totals import total

app = typer.Typer(name="resolve", help="What your own dice mean under the rules.", no_args_is_help=True)

for _command in (check, contest, total, countdown, race):
    app.command()(_command)
