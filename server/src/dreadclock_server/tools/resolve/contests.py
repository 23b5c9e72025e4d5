"""`dreadclock resolve contest`: who wins when two checks are rolled against each other."""

from typing import Annotated, Any, TypedDict

import typer
from rich.console import Console

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side, Verdict, dealt
from dreadclock.rules.contest import contest as judge
from dreadclock.rules.notation import read_faces
from dreadclock.wire.rest import ContestQuestion
from dreadclock_server.tools.questions import AsJson, answer, asked, asking
from dreadclock_server.tools.resolve.checks import Faces, Helper
from dreadclock_server.tools.resolve.readings import CheckRead, read_check, show_check, show_gains

AgainstFaces = Annotated[str, typer.Option(help="What the other side's dice show, in the order rolled.")]
AgainstHelper = Annotated[list[str] | None, typer.Option(help="One who helps the other side, like 3-1:2,5.")]
Deal = Annotated[str, typer.Option(help="Faces dealt for a tie, like 3,5: this side's first, until they differ.")]

_BY = {
    DecidedBy.HIGHEST: "by the highest die",
    DecidedBy.COUNT: "by more dice of the highest face",
    DecidedBy.REFLEX: "by reflex",
    DecidedBy.DEAL: "by the deal",
}


class ContestRead(TypedDict):
    """A contest: both sides, the winner, and what decided. `winner` is None if a tie needs a deal that is not given."""

    acting: CheckRead
    opposing: CheckRead
    dealt: list[int]
    winner: str | None
    by: str


@asking(ContestQuestion, "helper", "against_helper")
def contest(
    faces: Faces,
    against_faces: AgainstFaces,
    helper: Helper = None,
    against_helper: AgainstHelper = None,
    deal: Deal = "",
    as_json: AsJson = False,
    **options: Any,
) -> None:
    """Say who wins a contest, and by what."""
    dice = asked(ContestQuestion, options)

    def read() -> ContestRead:
        acting = read_check(dice.plan, faces, helper or (), "This side")
        opposing = read_check(dice.against_plan, against_faces, against_helper or (), "The other side")
        return _judged(acting, opposing, (dice.reflex, dice.against_reflex), read_faces(deal))

    answer(as_json, read, _show)


def _judged(
    acting: CheckRead, opposing: CheckRead, reflex: tuple[int | None, int | None], deal: tuple[int, ...]
) -> ContestRead:
    """Judge a contest. `deal`: the faces dealt for a tie, or empty. Raises ValueError if the deal does not fit.

    Source: rules.md C16, C17.
    """
    verdict = judge(acting["remaining"], opposing["remaining"], reflex)
    winner = verdict.winner
    if deal:
        _check_deal(verdict, deal)
        winner = dealt(deal)
    return ContestRead(
        acting=acting, opposing=opposing, dealt=list(deal), winner=winner and winner.value, by=verdict.by.value
    )


def _check_deal(verdict: Verdict, deal: tuple[int, ...]) -> None:
    if verdict.by is not DecidedBy.DEAL:
        raise ValueError(f"This contest is decided {_BY[verdict.by]}, so nothing is dealt.")
    if len(deal) % 2:
        raise ValueError(f"A deal has a face for each side, so an even number of them, not {len(deal)}.")
    if dealt(deal[:-2]) is not None:
        raise ValueError("A deal ends as soon as the two faces differ; there are faces after that.")


def _show(out: Console, report: ContestRead) -> None:
    for side, name in ((report["acting"], "This side"), (report["opposing"], "The other side")):
        out.print(f"{name}:")
        show_check(out, side)
        show_gains(out, side)
    if report["winner"] is None:
        out.print("It is a tie: deal a die to each side until they differ, and add them as --deal, this side's first.")
        return
    ours = report["winner"] == Side.ACTING
    out.print(f"{'This' if ours else 'The other'} side wins {_BY[DecidedBy(report['by'])]}.")
    outcome = report["acting" if ours else "opposing"]["outcome"]
    if outcome in (Outcome.FUMBLE, Outcome.FAIL):
        out.print(f"That does not make its {outcome} a success.")
