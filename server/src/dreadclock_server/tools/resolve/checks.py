"""`dreadclock resolve check`: what the faces of a check mean."""

from typing import Annotated

import typer

from dreadclock_server.tools import questions as q
from dreadclock_server.tools.resolve.readings import read_check, show_check, show_gains

Faces = Annotated[str, typer.Option(help="What the dice show, in the order rolled, like 1,4,5; added dice last.")]
Helper = Annotated[list[str] | None, typer.Option(help="A helper's dice and faces, like 3-1:2,5; may be repeated.")]


def check(
    dice: q.Dice,
    faces: Faces,
    bonus: q.Bonus = 0,
    penalty: q.Penalty = 0,
    venture: q.Venture = 0,
    momentum: q.Momentum = False,
    interference: q.Interference = False,
    helper: Helper = None,
    as_json: q.AsJson = False,
) -> None:
    """Say how a check came out.

    That is its outcome, highest die and margin, and what was taken away.
    """
    options = locals()
    q.answer(as_json, lambda: read_check(q.plan_of(options), faces, helper or ()), show_check, show_gains)
