"""`dreadclock resolve check` and `contest`: the results of checks from their faces.

A contest is two checks against each other.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console

from dreadclock.rules.check import Outcome, Plan, grade, highest, margin, read
from dreadclock.rules.contest import DecidedBy, Side, Verdict, dealt
from dreadclock.rules.contest import contest as judge
from dreadclock.rules.limits import MAX_ROLL_DICE
from dreadclock.rules.notation import read_faces, read_part
from dreadclock.wire.plain import count
from dreadclock.wire.rest import CheckQuestion, ContestQuestion
from dreadclock_server.tools.questions import AsJson, answer, asked, asking
from dreadclock_server.tools.resolve.steps import Reading, listed

# Results of checks, with and without helpers.


def read_check(leader: Plan, faces: str, joined: Sequence[str], side: str = "") -> Reading:
    """Return the result of a check.

    `joined`: a text for each helper, with the helper's dice and faces: "3-1:2,5". `side`: the name of the side for an
    error's text. In the result, `parts` has the result of each character's dice, the leader's first. The other values,
    except `fumbled`, are about the dice of all characters together.
    `fumbled`: whether the dice of any one character are a fumble. Then every character of the side gets interference.

    Raises ValueError for a malformed text, and for too few or too many faces.
    """
    with _naming(side):
        parts = [_read_part(leader, read_faces(faces))]
    for number, text in enumerate(joined, start=1):
        with _naming(f"{side}, helper {number}" if side else f"Helper {number}"):
            parts.append(_read_joined(text))
    pooled = [face for part in parts for face in part["remaining"]]
    return {
        "parts": parts,
        "remaining": pooled,
        "outcome": grade(pooled).value,
        "highest": highest(pooled),
        "margin": margin(pooled),
        "fumbled": any(part["outcome"] == Outcome.FUMBLE for part in parts),
    }


def show_check(out: Console, check: Reading) -> None:
    """Print each character's dice, and the result of all dice together."""
    for place, part in enumerate(check["parts"]):
        _show_part(out, part, f"Helper {place}: " if place else "")
    top = "without a die" if check["highest"] is None else f"with {check['highest']}"
    margin = "" if check["outcome"] == Outcome.FUMBLE else f", margin {check['margin']}"
    out.print(f"{'Together' if len(check['parts']) > 1 else 'Outcome'}: {check['outcome']} {top}{margin}.")


def show_gains(out: Console, check: Reading) -> None:
    """Print the token that a triumph or a fumble gives: momentum helps the next check, interference hinders it."""
    if check["outcome"] == Outcome.TRIUMPH:
        out.print("A triumph gives momentum for the next check, unless a stunt is chosen at once.")
    if check["fumbled"]:
        whom = "everyone involved " if len(check["parts"]) > 1 else ""
        out.print(f"A fumble gives {whom}interference for the next check, unless another fumble effect is chosen.")


def _read_joined(text: str) -> Reading:
    dice, colon, faces = text.partition(":")
    if not colon:
        raise ValueError(f"Write a helper's dice and faces like 3-1:2,5, not {text[:40]!r}.")
    return _read_part(read_part(dice), read_faces(faces))


@contextmanager
def _naming(who: str) -> Iterator[None]:
    """Put `who` before the text of a ValueError, if `who` is not empty."""
    try:
        yield
    except ValueError as refusal:
        raise ValueError(f"{who}: {refusal}" if who else str(refusal)) from None


def _read_part(plan: Plan, faces: Sequence[int]) -> Reading:
    """Return the result of one character's dice.

    `rerolled`: how many 1s were rolled again. `removed`: the faces of dice that a penalty took away,
    or a venture (dice given up for dice in a later roll). `capped`: whether the limit on dice stopped the roll.
    """
    reading = read(plan, faces)
    taken = sorted((Counter(reading.faces) - Counter(reading.remaining)).elements(), reverse=True)
    removed = [face for face in taken if face > 1] if plan.rerolls and not reading.capped else taken[: plan.removed]
    return {
        "dice": plan.dice,
        "faces": list(reading.faces),
        "rerolled": len(taken) - len(removed),
        "removed": removed,
        "remaining": list(reading.remaining),
        "outcome": reading.outcome.value,
        "highest": reading.highest,
        "margin": reading.margin,
        "capped": reading.capped,
    }


def _show_part(out: Console, part: Reading, who: str) -> None:
    out.print(f"{who}Rolled with {count(part['dice'], 'die', 'dice')}: {listed(part['faces'])}.")
    if part["rerolled"]:
        out.print(f"Rolled again: {count(part['rerolled'], 'die that showed 1', 'dice that showed 1')}.")
    if part["removed"]:
        out.print(f"Taken away: {listed(part['removed'])}.")
    if part["capped"]:
        out.print(f"The roll stopped growing at {MAX_ROLL_DICE} dice.")
    out.print(f"Left: {listed(part['remaining'])}.")


# `dreadclock resolve check`


Faces = Annotated[str, typer.Option(help="What the dice show, in the order rolled, like 1,4,5; added dice last.")]
Helper = Annotated[list[str] | None, typer.Option(help="A helper's dice and faces, like 3-1:2,5; may be repeated.")]


@asking(CheckQuestion, "helper")
def check(faces: Faces, helper: Helper = None, as_json: AsJson = False, **options: Any) -> None:
    """Print the result of a check.

    The result is the outcome, the highest die, the margin (how many more dice show the same face), and the dice that
    were taken away.
    """
    dice = asked(CheckQuestion, options)
    answer(as_json, lambda: read_check(dice.plan, faces, helper or ()), show_check, show_gains)


# `dreadclock resolve contest`


AgainstFaces = Annotated[str, typer.Option(help="What the other side's dice show, in the order rolled.")]
AgainstHelper = Annotated[list[str] | None, typer.Option(help="A helper of the other side, like 3-1:2,5.")]
Deal = Annotated[str, typer.Option(help="Faces dealt for a tie, like 3,5: this side's first, until they differ.")]

_BY = {
    DecidedBy.HIGHEST: "by the highest die",
    DecidedBy.COUNT: "by more dice of the highest face",
    DecidedBy.REFLEX: "by reflex",
    DecidedBy.DEAL: "by the deal",
}


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
    """Print who wins a contest, and what decides it."""
    dice = asked(ContestQuestion, options)

    def read() -> Reading:
        acting = read_check(dice.plan, faces, helper or (), "This side")
        opposing = read_check(dice.against_plan, against_faces, against_helper or (), "The other side")
        return _judged(acting, opposing, (dice.reflex, dice.against_reflex), read_faces(deal))

    answer(as_json, read, _show)


def _judged(
    acting: Reading, opposing: Reading, reflex: tuple[int | None, int | None], deal: tuple[int, ...]
) -> Reading:
    """Return the result of a contest. `deal`: the faces dealt for a tie, two at a time, or empty.

    Raises ValueError if there is no tie, if the number of faces is odd, or if an earlier pair already differs.

    `winner` is None if a tie needs a deal that is not given.

    Source: rules.md C16, C17.
    """
    verdict = judge(acting["remaining"], opposing["remaining"], reflex)
    winner = verdict.winner
    if deal:
        _check_deal(verdict, deal)
        winner = dealt(deal)
    return {
        "acting": acting,
        "opposing": opposing,
        "dealt": list(deal),
        "winner": winner and winner.value,
        "by": verdict.by.value,
    }


def _check_deal(verdict: Verdict, deal: tuple[int, ...]) -> None:
    if verdict.by is not DecidedBy.DEAL:
        raise ValueError(f"This contest is decided {_BY[verdict.by]}, so nothing is dealt.")
    if len(deal) % 2:
        raise ValueError(f"A deal has a face for each side, so an even number of them, not {len(deal)}.")
    if dealt(deal[:-2]) is not None:
        raise ValueError("A deal ends as soon as the two faces differ; there are faces after that.")


def _show(out: Console, report: Reading) -> None:
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
        out.print(f"Its {outcome} is still no success.")
