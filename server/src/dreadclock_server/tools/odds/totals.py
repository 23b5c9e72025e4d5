"""`dreadclock odds total` and `push`: what a roll total comes to, and whether to push luck."""

from rich.console import Console

from dreadclock.rules.odds import PushReport, TotalReport
from dreadclock.rules.odds.total_report import PushedFace, RequiredOdds
from dreadclock.rules.total import MAX_DICE
from dreadclock.wire.plain import count
from dreadclock_server.tools.odds.tables import bar, percent, table


def show_total(out: Console, report: TotalReport) -> None:
    """Show a person the odds of a total."""
    out.print(f"A total of {count(report['dice'], 'die', 'dice')}.")
    if report["dice"] > MAX_DICE:
        out.print(f"No pool has more than {MAX_DICE} dice; these are the odds if it had.")
    out.print(f"It comes to {report['mean']['decimal']:.2f} on average.")
    if report["required"] is not None:
        _show_required(out, report["required"])
    totals = table("total", "chance", "it or more")
    for row in report["totals"]:
        chance, reached = row["chance"]["decimal"], row["reached"]["decimal"]
        if chance > 0:
            totals.add_row(str(row["total"]), percent(chance), percent(reached), bar(reached))
    out.print(totals)


def _show_required(out: Console, odds: RequiredOdds) -> None:
    roll, pushing, crisis = (percent(chance["decimal"]) for chance in (odds["roll"], odds["pushing"], odds["crisis"]))
    out.print(f"The roll alone meets {odds['required']} with a chance of {roll}.")
    out.print(f"Then pushing whenever it misses makes that {pushing}, and ends in a crisis with {crisis}.")


def show_push(out: Console, report: PushReport) -> None:
    """Show a person the odds of a push."""
    kept, required = ", ".join(map(str, report["kept"])), report["required"]
    out.print(f"Kept {kept}: a total of {report['total']}, {report['missing']} short of {required}.")
    enough, short, crisis = (
        percent(chance["decimal"]) for chance in (report["enough"], report["short"], report["crisis"])
    )
    out.print(f"The next die is enough with a chance of {enough}, not yet enough with {short}, a crisis with {crisis}.")
    success = percent(report["success"]["decimal"])
    out.print(f"Pushing whenever it misses succeeds with a chance of {success}, and ends in a crisis otherwise.")
    faces = table("face", "brings", "total", "success from there")
    for row in report["faces"]:
        success_from_there = row["success"]["decimal"]
        numbers = str(row["face"]), _brings(row), str(row["total"])
        faces.add_row(*numbers, percent(success_from_there), bar(success_from_there))
    out.print(faces)


def _brings(row: PushedFace) -> str:
    if row["crisis"]:
        return "a crisis"
    return "enough" if row["enough"] else "more"
