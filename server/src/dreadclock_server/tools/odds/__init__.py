"""`dreadclock odds`: exact odds of every rule, for a person or as JSON."""

import typer

from dreadclock_server.tools.odds.checks import check
from dreadclock_server.tools.odds.contests import contest
from dreadclock_server.tools.odds.countdowns import countdown, sizes
from dreadclock_server.tools.odds.races import race
from dreadclock_server.tools.odds.totals import push, total

app = typer.Typer(name="odds", help="Exact odds of every rule.", no_args_is_help=True)

for _command in (countdown, race, check, contest, total, push):
    app.command()(_command)
app.command("table")(sizes)
