"""`dreadclock odds contest`: who wins when two checks are rolled against each other."""

from typing import Annotated

import typer
from rich.console import Console

from dreadclock.rules.odds import ContestReport
from dreadclock.wire.rest import ContestQuestion
from dreadclock_server.tools import questions as q
from dreadclock_server.tools.odds.checks import Helper, described, show_outcomes
from dreadclock_server.tools.odds.tables import percent

AgainstHelper = Annotated[list[str] | None, typer.Option(help="The dice of one who helps the other side, like 3-1.")]


def contest(
    dice: q.Dice,
    against: q.Against,
    bonus: q.Bonus = 0,
    penalty: q.Penalty = 0,
    venture: q.Venture = 0,
    momentum: q.Momentum = False,
    interference: q.Interference = False,
    reflex: q.Reflex = None,
    helper: Helper = None,
    against_bonus: q.AgainstBonus = 0,
    against_penalty: q.AgainstPenalty = 0,
    against_venture: q.AgainstVenture = 0,
    against_momentum: q.AgainstMomentum = False,
    against_interference: q.AgainstInterference = False,
    against_reflex: q.AgainstReflex = None,
    against_helper: AgainstHelper = None,
    as_json: q.AsJson = False,
) -> None:
    """Show how likely each side wins a contest, and what decides it."""
    q.answer(as_json, q.asked(ContestQuestion, locals()), _show)


def _show(out: Console, report: ContestReport) -> None:
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
