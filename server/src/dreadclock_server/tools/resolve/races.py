"""`dreadclock resolve race`: how the clocks of a race move, tick by tick, and how the race ends.

In a race, characters try to empty the situation clock before the threat clock is empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console

from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Direction, RaceOutcome
from dreadclock.rules.odds.report import check_clock
from dreadclock_server.tools.questions import AsJson, answer
from dreadclock_server.tools.resolve.steps import Reading, steps


class Tick(StrEnum):
    """An event that moves the clocks of a race, or ends the race."""

    EFFORT = "effort"
    ROUND = "round"
    OVERCOME = "overcome"
    TRAVEL = "travel"
    REST = "rest"
    FAIL = "fail"
    END_SCENE = "end-scene"


@dataclass(frozen=True, slots=True)
class Course:
    """The state of a race: the points left on its clocks, and whether and how it has ended."""

    situation: int
    scene: int
    threat: int
    outcome: RaceOutcome | None = None
    scene_ended: bool = False


_ENDS = {
    RaceOutcome.SUCCESS: "a success",
    RaceOutcome.PARTIAL_SUCCESS: "a partial success",
    RaceOutcome.FAILURE: "a failure",
}


def race(
    situation: Annotated[int, typer.Option(help="Points on the situation clock.")],
    scene: Annotated[int, typer.Option(help="Points on the scene clock.")],
    threat: Annotated[int, typer.Option(help="Points on the threat clock.")],
    tick: Annotated[
        list[str], typer.Option(help=f"What happens: {', '.join(Tick)}; in order, repeated or separated by commas.")
    ],
    as_json: AsJson = False,
) -> None:
    """Print the clocks of a race after each tick, and how the race ends."""
    ticks = (_read_tick(word) for text in tick for word in text.split(","))
    answer(as_json, lambda: _read(_start(situation, scene, threat), list(ticks)), _show)


def _read_tick(word: str) -> Tick:
    word = word.strip()
    if word not in list(Tick):
        *most, last = Tick
        raise ValueError(f"A tick is {', '.join(most)} or {last}, not {word[:40]!r}.")
    return Tick(word)


def _start(situation: int, scene: int, threat: int) -> Course:
    for name, points in (("situation", situation), ("scene", scene), ("threat", threat)):
        check_clock(name, points)
    return Course(situation, scene, threat)


def _read(start: Course, ticks: Sequence[Tick]) -> Reading:
    course, rows = start, []
    for number, tick in enumerate(ticks, start=1):
        _check_late(number, tick, course)
        course = _after(course, tick)
        rows.append(_row(tick, course))
    return {"start": _row("start", start), "steps": rows, "outcome": course.outcome and course.outcome.value}


def _check_late(number: int, tick: Tick, course: Course) -> None:
    """Raise ValueError if this tick cannot happen, because the scene or the race has ended. Source: rules.md B1."""
    if course.scene_ended:
        raise ValueError(f"Tick {number}, {tick}, comes too late: the scene has ended.")
    if course.outcome is not None and tick in (Tick.EFFORT, Tick.OVERCOME, Tick.FAIL):
        raise ValueError(f"Tick {number}, {tick}, comes too late: the race ended as {_ENDS[course.outcome]}.")


def _after(course: Course, tick: Tick) -> Course:
    match tick:
        case Tick.EFFORT | Tick.ROUND:
            return _threatened(course)
        case Tick.OVERCOME:
            return _overcome(course)
        case Tick.TRAVEL | Tick.REST:
            return replace(course, scene=_less(course.scene))
        case Tick.FAIL:
            return replace(course, outcome=RaceOutcome.FAILURE)
        case Tick.END_SCENE:
            early = rules.race_outcome(course.situation, course.threat, course.scene)
            return replace(course, outcome=course.outcome or early, scene_ended=True)


def _threatened(course: Course) -> Course:
    """Take a point off the threat clock. At 0 the race fails. If the race is over, change nothing.

    Source: rules.md B1 and B11.
    """
    if course.outcome is not None:
        return course
    threat = _less(course.threat)
    return replace(course, threat=threat, outcome=None if threat else RaceOutcome.FAILURE)


def _overcome(course: Course) -> Course:
    """Take a point off the situation clock. At 0 the race is won, and the scene clock loses a point, too.

    Source: rules.md B8.
    """
    situation = _less(course.situation)
    if situation:
        return replace(course, situation=situation)
    return replace(course, situation=0, scene=_less(course.scene), outcome=RaceOutcome.SUCCESS)


def _less(points: int) -> int:
    return rules.tick(points, 1, points, Direction.DOWN)


def _row(name: str, course: Course) -> Reading:
    """Return a row with a tick and the clocks after it. `outcome`: None until the race has ended."""
    return {
        "tick": str(name),
        "situation": course.situation,
        "scene": course.scene,
        "threat": course.threat,
        "outcome": course.outcome and course.outcome.value,
    }


def _show(out: Console, report: Reading) -> None:
    clocks = steps("tick", "threat", "situation", "scene", "race")
    for row in (report["start"], *report["steps"]):
        outcome = (row["outcome"] or "").replace("_", " ")
        clocks.add_row(
            row["tick"], *(str(points) for points in (row["threat"], row["situation"], row["scene"])), outcome
        )
    out.print(clocks)
    if report["outcome"] is None:
        out.print("The race goes on.")
    else:
        out.print(f"The race ends as {_ENDS[RaceOutcome(report['outcome'])]}.")
