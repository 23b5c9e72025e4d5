"""`dreadclock resolve check`: what the faces of a check mean."""

from __future__ import annotations

from typing import Annotated

import typer

from dreadclock.cli.questions import (
    AsJson,
    Bonus,
    Dice,
    Interference,
    Momentum,
    Penalty,
    Venture,
    console,
    refusals,
    write_json,
)
from dreadclock.cli.resolve.readings import read_check, show_check, show_gains
from dreadclock.rules.check import plan

Faces = Annotated[str, typer.Option(help="What the dice show, in the order rolled, like 1,4,5; added dice last.")]
Helper = Annotated[list[str] | None, typer.Option(help="A helper's dice and faces, like 3-1:2,5; may be repeated.")]


def check(
    dice: Dice,
    faces: Faces,
    bonus: Bonus = 0,
    penalty: Penalty = 0,
    venture: Venture = 0,
    momentum: Momentum = False,
    interference: Interference = False,
    helper: Helper = None,
    as_json: AsJson = False,
) -> None:
    """Say how a check came out.

    That is its outcome, highest die and margin, and what was taken away.
    """
    with refusals():
        leader = plan(dice, bonus=bonus, penalty=penalty, venture=venture, momentum=momentum, interference=interference)
        report = read_check(leader, faces, helper or ())
    if as_json:
        write_json(report)
    else:
        show_check(console(), report)
        show_gains(console(), report)
