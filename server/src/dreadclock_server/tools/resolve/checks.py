"""`dreadclock resolve check`: what the faces of a check mean."""

from typing import Annotated, Any

import typer

from dreadclock.wire.rest import CheckQuestion
from dreadclock_server.tools.questions import AsJson, answer, asked, asking
from dreadclock_server.tools.resolve.readings import read_check, show_check, show_gains

Faces = Annotated[str, typer.Option(help="What the dice show, in the order rolled, like 1,4,5; added dice last.")]
Helper = Annotated[list[str] | None, typer.Option(help="A helper's dice and faces, like 3-1:2,5; may be repeated.")]


@asking(CheckQuestion, "helper")
def check(faces: Faces, helper: Helper = None, as_json: AsJson = False, **options: Any) -> None:
    """Say how a check came out.

    That is its outcome, highest die and margin, and what was taken away.
    """
    dice = asked(CheckQuestion, options)
    answer(as_json, lambda: read_check(dice.plan, faces, helper or ()), show_check, show_gains)
