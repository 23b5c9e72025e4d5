"""Scenes with all that is in them, and clocks, as rows of a picture."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from dreadclock.cli.canvas import MARKS, OVER, Pen, Rank, Row, remarks, seat_name, with_few_ended
from dreadclock.wire.base import Id
from dreadclock.wire.things import (
    Challenge,
    ChallengeStatus,
    Clock,
    ClockKind,
    Effort,
    Scene,
    SceneStatus,
    Situation,
    SituationKind,
    SituationStatus,
)
from dreadclock.wire.views import View


def drawn_scenes(view: View, pen: Pen) -> list[list[Row]]:
    """Draw the scenes that are open and the latest few of the others, each with its situations."""
    return [list(_scene(view, pen, scene)) for scene in with_few_ended(view.scenes, _has_ended)]


def _has_ended(scene: Scene) -> bool:
    return scene.status is not SceneStatus.OPEN


def _scene(view: View, pen: Pen, scene: Scene) -> Iterator[Row]:
    over = _has_ended(scene)
    label = _Label(0, f"Scene: {scene.name}", scene.id, over=over, rank=Rank.SCENE)
    yield label.row(pen, view.clocks[scene.clock_id], scene.status if over else "", MARKS[scene.visibility])
    if scene.threat_id is not None:
        yield _Label(2, "Threat", scene.threat_id, over=over, rank=Rank.SCENE).row(
            pen, view.clocks[scene.threat_id], style="red"
        )
    for situation in view.situations.values():
        if situation.scene_id == scene.id:
            yield from _situation(view, pen, situation)


def _situation(view: View, pen: Pen, situation: Situation) -> Iterator[Row]:
    race, over = situation.kind is SituationKind.RACE, situation.status is not SituationStatus.OPEN
    label = _Label(2, f"{'Race' if race else 'Situation'}: {situation.name}", situation.id, over=over, rank=Rank.SCENE)
    yield label.row(
        pen,
        view.clocks[situation.clock_id],
        (situation.outcome or situation.status).replace("_", " ") if over else "",
        f"level {situation.level}, {situation.difficulty}" if race else situation.content,
        f"round {situation.round + 1}" if race and not over else "",
        MARKS[situation.visibility],
    )
    for challenge in view.challenges.values():
        if challenge.situation_id == situation.id and not over:
            yield _challenge(view, pen, challenge)


def _challenge(view: View, pen: Pen, challenge: Challenge) -> Row:
    over = challenge.status is not ChallengeStatus.OPEN
    efforts = [_effort(view, pen, each) for each in view.efforts.values() if each.challenge_id == challenge.id]
    rank = Rank.WAITS if efforts else Rank.SCENE
    label = _Label(4, f"{challenge.kind.capitalize()}: {challenge.name}", challenge.id, over=over, rank=rank)
    waiting = f"effort of {', '.join(efforts)} waits for the gm" if efforts else ""
    return label.row(pen, view.clocks[challenge.clock_id], challenge.status if over else "", waiting)


def _effort(view: View, pen: Pen, effort: Effort) -> str:
    character = view.characters.get(effort.character_id) if effort.character_id else None
    return (character.name if character else seat_name(view, effort.seat_id)) + pen.id_of(effort.id)


def drawn_clocks(view: View, pen: Pen) -> list[Row]:
    """Draw the free-standing clocks that go on and the latest few of the others."""
    free: dict[Id, Clock] = {key: clock for key, clock in view.clocks.items() if clock.kind is ClockKind.FREE}
    return [_free_clock(view, pen, clock) for clock in with_few_ended(free, lambda clock: clock.done)]


def _free_clock(view: View, pen: Pen, clock: Clock) -> Row:
    owner = f"of {seat_name(view, clock.owner)}" if clock.owner else ""
    label = _Label(2, clock.name, clock.id, over=clock.done)
    return label.row(pen, clock, "done" if clock.done else "", owner, MARKS[clock.visibility])


class _Label:
    """What a clock's row begins with, whether its thing is over, and else how long the row stays."""

    def __init__(self, indent: int, name: str, thing_id: Id, *, over: bool, rank: Rank = Rank.GOES_ON) -> None:
        self._indent, self._name, self._id, self._over = indent, name, thing_id, over
        self._rank = Rank.ENDED if over else rank

    def row(self, pen: Pen, clock: Clock, *said: str, style: str = "cyan") -> Row:
        """Draw the row: the label, a bar, its value, and what else there is to say."""
        cells = min(clock.size, pen.bar)
        full = -(-clock.value * cells // clock.size)  # rounded up: only a clock at 0 looks empty
        bar = Text(pen.glyphs.full * full, style).append(pen.glyphs.empty * (cells - full), OVER)
        label = pen.labelled(self._indent, self._name, self._id, OVER if self._over else "")
        return Row((label, bar, Text(f"{clock.value}/{clock.size}"), remarks(*said)), self._rank)
