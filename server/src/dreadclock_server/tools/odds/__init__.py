"""`dreadclock odds`: exact odds of every rule, for a person or as JSON. The options are the fields of the questions."""

import typer

from dreadclock.wire import rest
from dreadclock_server.tools.odds.checks import show_check
from dreadclock_server.tools.odds.contests import show_contest
from dreadclock_server.tools.odds.countdowns import show_countdown, show_table
from dreadclock_server.tools.odds.races import show_race
from dreadclock_server.tools.odds.totals import show_push, show_total
from dreadclock_server.tools.questions import answering

app = typer.Typer(name="odds", help="Exact odds of every rule.", no_args_is_help=True)

app.command("countdown")(answering(rest.CountdownQuestion, show_countdown))
app.command("race")(answering(rest.RaceQuestion, show_race))
app.command("check")(answering(rest.CheckQuestion, show_check))
app.command("contest")(answering(rest.ContestQuestion, show_contest))
app.command("total")(answering(rest.TotalQuestion, show_total))
app.command("push")(answering(rest.PushQuestion, show_push))
app.command("table")(answering(rest.TableQuestion, show_table))
