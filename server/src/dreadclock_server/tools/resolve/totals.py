"""`dreadclock resolve total`: the sum of a total, and the result of each push.

A total adds up one die of each number rolled. A push is one more die, which raises the total or causes a crisis.
"""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console

from dreadclock.rules import total as rules
from dreadclock.rules.notation import read_faces
from dreadclock.rules.odds.total_report import check_required
from dreadclock_server.tools.questions import AsJson, answer
from dreadclock_server.tools.resolve.steps import Reading, listed, steps


def total(
    faces: Annotated[str, typer.Option(help="What the dice show, like 2,4,4,4,5.")],
    push: Annotated[str, typer.Option(help="What each pushed die shows, in order, like 1,5.")] = "",
    required: Annotated[int | None, typer.Option(help="The number required.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the sum of a roll total, and the result of each push.

    A push raises the total, makes it enough, or causes a crisis.
    """
    answer(as_json, lambda: _read(read_faces(faces), read_faces(push), required), _show)


def _read(faces: Sequence[int], pushed: Sequence[int], required: int | None) -> Reading:
    """Return the result of a total and its pushes. `kept` and `total`: the values after the last push.

    `outcome`: "success", "short" (a failure unless another push is offered), "crisis", or None if no number is
    required. Raises ValueError if a number is out of range, or if a push comes too late.
    """
    _check(len(faces), required)
    first = rules.keep(faces)
    pushes = _pushes(first, pushed, required)
    kept = pushes[-1]["kept"] if pushes else list(first)
    return {
        "faces": list(faces),
        "first_kept": list(first),
        "first_total": rules.total(first),
        "required": required,
        "pushes": pushes,
        "kept": kept,
        "total": rules.total(kept),
        "outcome": _outcome(rules.total(kept), required, crisis=any(push["crisis"] for push in pushes)),
    }


def _check(dice: int, required: int | None) -> None:
    if not rules.MIN_DICE <= dice <= rules.MAX_DICE:
        raise ValueError(f"A total is rolled with {rules.MIN_DICE} to {rules.MAX_DICE} dice, not {dice}.")
    check_required(required)


def _pushes(kept: tuple[int, ...], faces: Sequence[int], required: int | None) -> list[Reading]:
    """Return the results of pushes in a row. In a result, `enough` is None if no number is required.

    Raises ValueError if there is a push after a crisis, or after the total was enough. Source: rules.md D3, D4, D5.
    """
    pushes: list[Reading] = []
    for number, face in enumerate(faces, start=1):
        if pushes and pushes[-1]["crisis"]:
            raise ValueError(f"Push {number} comes too late: the crisis of push {number - 1} ended the attempt.")
        if required is not None and rules.enough(rules.total(kept), required):
            raise ValueError(f"Push {number} comes too late: a total of {rules.total(kept)} meets {required} already.")
        pushed = rules.push(kept, face)
        kept = pushed.kept
        enough = None if required is None else not pushed.crisis and rules.enough(pushed.total, required)
        row = {"face": face, "crisis": pushed.crisis, "kept": list(kept), "total": pushed.total, "enough": enough}
        pushes.append(row)
    return pushes


def _outcome(total: int, required: int | None, *, crisis: bool) -> str | None:
    if crisis:
        return "crisis"
    if required is None:
        return None
    return "success" if rules.enough(total, required) else "short"


def _show(out: Console, report: Reading) -> None:
    out.print(f"Rolled {listed(report['faces'])}: kept {listed(report['first_kept'])}, total {report['first_total']}.")
    if report["pushes"]:
        pushes = steps("push", "brings", "kept", "total")
        for push in report["pushes"]:
            brings = "a crisis" if push["crisis"] else "enough" if push["enough"] else "more"
            pushes.add_row(str(push["face"]), brings, listed(push["kept"]), str(push["total"]))
        out.print(pushes)
    _show_outcome(out, report)


def _show_outcome(out: Console, report: Reading) -> None:
    total, required = report["total"], report["required"]
    if report["outcome"] == "crisis":
        out.print(f"The crisis ends the attempt as failed; the total stays {total}.")
    elif report["outcome"] == "success":
        out.print(f"A total of {total} meets the required {required}.")
    elif required is not None:
        out.print(f"A total of {total} is {required - total} short of {required}: failed, unless the gm offers a push.")
