"""`dreadclock odds contest`: who wins when two checks are rolled against each other."""

from rich.console import Console

from dreadclock.rules.odds import ContestReport
from dreadclock_server.tools.odds.checks import described, show_outcomes
from dreadclock_server.tools.odds.tables import percent


def show_contest(out: Console, report: ContestReport) -> None:
    """Show a person the odds of a contest."""
    out.print(f"A contest of {described(report['acting'])} against {described(report['opposing'])}.")
    won, lost, succeeds = (
        percent(chance["decimal"])
        for chance in (report["acting_wins"], report["opposing_wins"], report["acting_succeeds"])
    )
    out.print(f"This side wins with a chance of {won}, with {succeeds} by a success; the other side wins with {lost}.")
    decided = report["decided"]
    highest, more, reflex, deal = (
        percent(chance["decimal"])
        for chance in (decided["highest"], decided["count"], decided["reflex"], decided["deal"])
    )
    out.print(f"What decides it: the highest die {highest}, more such dice {more}, reflex {reflex}, a deal {deal}.")
    for side, outcomes in (("This side", report["acting_outcomes"]), ("The other side", report["opposing_outcomes"])):
        out.print(f"{side}:")
        show_outcomes(out, outcomes)
