"""`dreadclock odds`: exact odds of every rule, for a person or as JSON.

The options of a command are the fields of its question. The highest dice decide a check; a contest is two checks
against each other. A total adds up dice, and a push adds one more die. In a race, two clocks run against each
other. A countdown is a pool that loses dice with each roll.
"""

from collections.abc import Mapping, Sequence

import typer
from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.table import Table

from dreadclock.rules.check import Outcome
from dreadclock.rules.odds import (
    CheckReport,
    ContestReport,
    CountdownReport,
    PushReport,
    RaceReport,
    TableReport,
    TotalReport,
)
from dreadclock.rules.odds.check_report import OutcomeOdds, PlanShape
from dreadclock.rules.odds.report import Exact
from dreadclock.rules.odds.total_report import PushedFace, RequiredOdds
from dreadclock.rules.total import MAX_DICE
from dreadclock.wire import rest
from dreadclock.wire.plain import count
from dreadclock_server.tools.questions import answering

BAR_WIDTH = 30
FINEST = 0.0001


def plain_table(*columns: str) -> Table:
    """Return an empty table of numbers."""
    shown = Table(box=None, pad_edge=False)
    for column in columns:
        shown.add_column(column, justify="right")
    return shown


def table(*columns: str) -> Table:
    """Return an empty table of numbers, with a column for bars at the end."""
    shown = plain_table(*columns)
    shown.add_column(width=BAR_WIDTH)
    return shown


def bar(chance: Exact) -> ProgressBar:
    """Return a bar whose filled part is the chance."""
    return ProgressBar(total=1, completed=chance["decimal"], width=BAR_WIDTH)


def percent(chance: Exact) -> str:
    """Return a chance in percent. Only a chance of exactly 0 is written as 0 %, and only exactly 1 as 100 %."""
    number = chance["decimal"]
    if 0 < number < FINEST:
        return f"<{FINEST:.2%}"
    if 1 - FINEST < number < 1:
        return f">{1 - FINEST:.2%}"
    return f"{number:.2%}"


def show_table(out: Console, report: TableReport) -> None:
    """Print how many rolls a countdown takes on average, for each pool."""
    averages = plain_table("dice", *report["mean_rolls"])
    for dice, *means in zip(report["pools"], *report["mean_rolls"].values(), strict=True):
        averages.add_row(str(dice), *map(str, means))
    out.print(averages)


def show_countdown(out: Console, report: CountdownReport) -> None:
    """Print the odds of a countdown."""
    out.print(f"A {report['speed']} countdown of {count(report['pool'], 'die', 'dice')}.")
    over = ", ".join(f"{100 * row['chance']['decimal']:.4g}% by roll {row['rolls']}" for row in report["quantiles"])
    out.print(f"It lasts {report['mean_rolls']['decimal']:.2f} rolls on average. Chance to be over: {over}.")
    for stage in report["stages"]:
        mean = stage["mean_rolls"]["decimal"]
        out.print(f"The pool is down to {count(stage['at'], 'die', 'dice')} after {mean:.2f} rolls on average.")
    rolls = table("roll", "alive after it", "ends at it")
    for row in report["rolls"]:
        rolls.add_row(str(row["roll"]), percent(row["alive"]), percent(row["ends"]), bar(row["alive"]))
    out.print(rolls)
    if report["remaining"] is not None:
        _show_remaining(out, report)


def _show_remaining(out: Console, report: CountdownReport) -> None:
    left = table("dice left", f"after roll {len(report['rolls'])}")
    for row in report["remaining"] or ():
        left.add_row(str(row["dice"]), percent(row["chance"]), bar(row["chance"]))
    out.print(left)


def show_race(out: Console, report: RaceReport) -> None:
    """Print the odds of a race."""
    challenges = count(report["situation"], "challenge", "challenges")
    out.print(f"A race of {challenges} against a threat of {report['threat']}.")
    won, lost = percent(report["success"]), percent(report["failure"])
    out.print(f"It is won with a chance of {won} and lost with {lost}.")
    if report["mean_threat_left"] is not None:
        out.print(f"A race won leaves {report['mean_threat_left']['decimal']:.2f} threat on average.")
    efforts = table("effort", "threat left", "wins", "won by then")
    for row in report["by_effort"]:
        numbers = str(row["effort"]), str(row["threat_left"])
        efforts.add_row(*numbers, percent(row["wins"]), percent(row["won"]), bar(row["won"]))
    out.print(efforts)


def described(plans: Sequence[PlanShape]) -> str:
    """Return words for the dice of a check: the leader's dice, then the dice of each helper."""
    return ", helped by ".join(map(_described, plans))


def show_outcomes(out: Console, outcomes: OutcomeOdds) -> None:
    """Print the chance of each outcome."""
    chances = {Outcome.FUMBLE: outcomes["fumble"], Outcome.FAIL: outcomes["fail"]}
    chances |= {Outcome.SUCCESS: outcomes["success"], Outcome.TRIUMPH: outcomes["triumph"]}
    rows = table("outcome", "chance")
    for outcome, chance in chances.items():
        rows.add_row(outcome.value, percent(chance), bar(chance))
    out.print(rows)


def _described(plan: PlanShape) -> str:
    marks: Mapping[str, bool] = {
        f"{plan['removed']} taken away": plan["removed"] > 0,
        "1s rolled again": plan["rerolls"],
        "6s add none": not plan["explodes"],
    }
    shown = ", ".join(mark for mark, holds in marks.items() if holds)
    return count(plan["dice"], "die", "dice") + (f" ({shown})" if shown else "")


def show_check(out: Console, report: CheckReport) -> None:
    """Print the odds of a check."""
    out.print(f"A check of {described([report['plan'], *report['helpers']])}.")
    out.print(f"It succeeds with a chance of {percent(report['succeeds'])}, triumphs included.")
    if report["helpers"]:
        out.print(f"Somebody in it fumbles with a chance of {percent(report['any_fumble'])}.")
    show_outcomes(out, report["outcomes"])
    faces = table("highest", "chance", "it or more")
    for row in report["highest"]:
        chance, at_least = row["chance"], row["at_least"]
        if row["face"] is not None or chance["decimal"] > 0:
            faces.add_row(str(row["face"] or "no die"), percent(chance), percent(at_least), bar(at_least))
    out.print(faces)
    margins = table("margin", "chance", "it or more", "with a success")
    for margin in report["margins"]:
        chances = map(percent, (margin["chance"], margin["at_least"], margin["succeeds"]))
        margins.add_row(str(margin["margin"]), *chances, bar(margin["succeeds"]))
    out.print(margins)


def show_contest(out: Console, report: ContestReport) -> None:
    """Print the odds of a contest."""
    out.print(f"A contest of {described(report['acting'])} against {described(report['opposing'])}.")
    won, lost = percent(report["acting_wins"]), percent(report["opposing_wins"])
    succeeds = percent(report["acting_succeeds"])
    out.print(f"This side wins with a chance of {won}, with {succeeds} by a success; the other side wins with {lost}.")
    decided = report["decided"]
    highest, more = percent(decided["highest"]), percent(decided["count"])
    reflex, deal = percent(decided["reflex"]), percent(decided["deal"])
    out.print(f"What decides it: the highest die {highest}, more such dice {more}, reflex {reflex}, a deal {deal}.")
    for side, outcomes in (("This side", report["acting_outcomes"]), ("The other side", report["opposing_outcomes"])):
        out.print(f"{side}:")
        show_outcomes(out, outcomes)


def show_total(out: Console, report: TotalReport) -> None:
    """Print the odds of a total."""
    out.print(f"A total of {count(report['dice'], 'die', 'dice')}.")
    if report["dice"] > MAX_DICE:
        out.print(f"No pool has more than {MAX_DICE} dice; these are the odds if it had.")
    out.print(f"It comes to {report['mean']['decimal']:.2f} on average.")
    if report["required"] is not None:
        _show_required(out, report["required"])
    totals = table("total", "chance", "it or more")
    for row in report["totals"]:
        if row["chance"]["decimal"] > 0:
            totals.add_row(str(row["total"]), percent(row["chance"]), percent(row["reached"]), bar(row["reached"]))
    out.print(totals)


def _show_required(out: Console, odds: RequiredOdds) -> None:
    roll, pushing, crisis = map(percent, (odds["roll"], odds["pushing"], odds["crisis"]))
    out.print(f"The roll alone meets {odds['required']} with a chance of {roll}.")
    out.print(f"Then pushing whenever it misses makes that {pushing}, and ends in a crisis with {crisis}.")


def show_push(out: Console, report: PushReport) -> None:
    """Print the odds of a push."""
    kept, required = ", ".join(map(str, report["kept"])), report["required"]
    out.print(f"Kept {kept}: a total of {report['total']}, {report['missing']} short of {required}.")
    enough, short, crisis = map(percent, (report["enough"], report["short"], report["crisis"]))
    out.print(f"The next die is enough with a chance of {enough}, not yet enough with {short}, a crisis with {crisis}.")
    success = percent(report["success"])
    out.print(f"Pushing whenever it misses succeeds with a chance of {success}, and ends in a crisis otherwise.")
    faces = table("face", "brings", "total", "success from there")
    for row in report["faces"]:
        numbers = str(row["face"]), _brings(row), str(row["total"])
        faces.add_row(*numbers, percent(row["success"]), bar(row["success"]))
    out.print(faces)


def _brings(row: PushedFace) -> str:
    if row["crisis"]:
        return "a crisis"
    return "enough" if row["enough"] else "more"


app = typer.Typer(name="odds", help="Exact odds of every rule.", no_args_is_help=True)

app.command("countdown")(answering(rest.CountdownQuestion, show_countdown))
app.command("race")(answering(rest.RaceQuestion, show_race))
app.command("check")(answering(rest.CheckQuestion, show_check))
app.command("contest")(answering(rest.ContestQuestion, show_contest))
app.command("total")(answering(rest.TotalQuestion, show_total))
app.command("push")(answering(rest.PushQuestion, show_push))
app.command("table")(answering(rest.TableQuestion, show_table))
