"""`dreadclock resolve countdown`: how many dice of a countdown remain after each roll."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console

from dreadclock.rules import Speed, crossed, roll
from dreadclock.rules.notation import read_faces
from dreadclock.rules.odds.report import check_countdown
from dreadclock.wire.plain import count
from dreadclock_server.tools.questions import AsJson, answer
from dreadclock_server.tools.resolve.steps import Reading, listed, steps


def countdown(
    pool: Annotated[int, typer.Option(help="Dice at the start.")],
    faces: Annotated[list[str], typer.Option(help="What a roll shows, like 1,4,6; once for each roll, in order.")],
    speed: Annotated[Speed, typer.Option(help="How fast dice leave.")] = Speed.SLOW,
    stage: Annotated[list[int] | None, typer.Option(help="A stage at this many dice; may be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print which dice each roll of a countdown removes.

    Also prints the stages that are reached, and whether the countdown is over.
    """
    answer(as_json, lambda: _read(pool, speed, [read_faces(text) for text in faces], stage or ()), _show)


def _read(pool: int, speed: Speed, rolls: Sequence[Sequence[int]], stages: Sequence[int]) -> Reading:
    """Return the result of each roll.

    `stages`: numbers of dice at which something happens. The field `stages` of a roll has the stages that the roll
    reached, the largest first. Raises ValueError if a number is out of range or a roll does not fit the pool.
    """
    check_countdown(pool, stages)
    rows: list[Reading] = []
    left = pool
    for number, faces in enumerate(rolls, start=1):
        _check_roll(number, len(faces), left)
        rolled = roll(speed, faces)
        reached = list(crossed(stages, left, rolled.remaining))
        left = rolled.remaining
        row = {"roll": number, "faces": list(faces), "removed": rolled.removed, "remaining": left, "stages": reached}
        rows.append(row)
    return {"pool": pool, "speed": speed.value, "rolls": rows, "remaining": left, "expired": left == 0}


def _check_roll(number: int, given: int, left: int) -> None:
    """Raise ValueError if the countdown is over, or if the roll does not have one face for each die of the pool.

    Source: rules.md A5 and E1.
    """
    if left == 0:
        raise ValueError(f"Roll {number} comes too late: the last die left with roll {number - 1}.")
    if given != left:
        needed = count(left, "face", "faces")
        raise ValueError(f"Roll {number} takes {needed}, one for each die in the pool, not {given}.")


def _show(out: Console, report: Reading) -> None:
    out.print(f"A {report['speed']} countdown of {count(report['pool'], 'die', 'dice')}.")
    rolls = steps("roll", "faces", "out", "left", "reached")
    for row in report["rolls"]:
        reached = ", ".join(f"stage {at}" for at in row["stages"])
        rolls.add_row(str(row["roll"]), listed(row["faces"]), str(row["removed"]), str(row["remaining"]), reached)
    out.print(rolls)
    left = count(report["remaining"], "die", "dice")
    out.print("The countdown is over." if report["expired"] else f"It goes on with {left}.")
