"""`dreadclock odds check`: how a check comes out."""

from collections.abc import Mapping, Sequence

from rich.console import Console

from dreadclock.rules.check import Outcome
from dreadclock.rules.odds import CheckReport
from dreadclock.rules.odds.check_report import OutcomeOdds, PlanShape
from dreadclock.wire.plain import count
from dreadclock_server.tools.odds.tables import bar, percent, table


def described(plans: Sequence[PlanShape]) -> str:
    """Say what is rolled, the helpers' dice after the leader's."""
    return ", helped by ".join(map(_described, plans))


def show_outcomes(out: Console, outcomes: OutcomeOdds) -> None:
    """Show a person the chance of each outcome."""
    chances = {Outcome.FUMBLE: outcomes["fumble"], Outcome.FAIL: outcomes["fail"]}
    chances |= {Outcome.SUCCESS: outcomes["success"], Outcome.TRIUMPH: outcomes["triumph"]}
    rows = table("outcome", "chance")
    for outcome, chance in chances.items():
        rows.add_row(outcome.value, percent(chance["decimal"]), bar(chance["decimal"]))
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
    """Show a person the odds of a check."""
    out.print(f"A check of {described([report['plan'], *report['helpers']])}.")
    out.print(f"It succeeds with a chance of {percent(report['succeeds']['decimal'])}, triumphs included.")
    if report["helpers"]:
        out.print(f"Somebody in it fumbles with a chance of {percent(report['any_fumble']['decimal'])}.")
    show_outcomes(out, report["outcomes"])
    faces = table("highest", "chance", "it or more")
    for row in report["highest"]:
        chance, at_least = row["chance"]["decimal"], row["at_least"]["decimal"]
        if row["face"] is not None or chance > 0:
            faces.add_row(str(row["face"] or "no die"), percent(chance), percent(at_least), bar(at_least))
    out.print(faces)
    margins = table("margin", "chance", "it or more", "with a success")
    for margin in report["margins"]:
        chances = [margin["chance"]["decimal"], margin["at_least"]["decimal"], margin["succeeds"]["decimal"]]
        margins.add_row(str(margin["margin"]), *map(percent, chances), bar(margin["succeeds"]["decimal"]))
    out.print(margins)
