"""The story of an evening in sentences, by scene and turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from dreadclock.evening.export import Step
from dreadclock.narration import Narrator, is_quiet
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.events import SceneOpened
from dreadclock.wire.things import SceneStatus
from dreadclock.wire.views import View


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence; `secret`: whether only the gm was told."""

    at: int
    sentence: str
    secret: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened in a turn of a chapter."""

    number: int
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """What happened while one scene was the latest that was open; `scene` is None where there was none."""

    scene: str | None
    turns: tuple[Turn, ...]


def told(step: Step, narrator: Narrator) -> Told:
    """Tell one step."""
    record = step.record
    return Told(record.at, narrator.told(record, step.after, step.before), record.channel is Channel.GM)


def worth_telling(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Leave out what only keeps the books."""
    return tuple(step for step in steps if not is_quiet(step.record.event))


def chapters(steps: Sequence[Step], narrator: Narrator) -> tuple[Chapter, ...]:
    """Tell an evening from its beginning; what ends a scene or a turn is the last of it."""
    placed = [(_scene(step), step.before.turn, step) for step in worth_telling(steps)]
    names = {scene.id: scene.name for step in steps for scene in step.after.scenes.values()} if placed else {}
    return tuple(
        Chapter(
            None if scene_id is None else names[scene_id],
            tuple(
                Turn(number, tuple(told(step, narrator) for _, _, step in of_turn))
                for number, of_turn in groupby(of_scene, key=lambda one: one[1])
            ),
        )
        for scene_id, of_scene in groupby(placed, key=lambda one: one[0])
    )


def _scene(step: Step) -> Id | None:
    """Name the scene that a step belongs to: the one that it opens, or the latest that was open before it."""
    event = step.record.event
    return event.scene.id if isinstance(event, SceneOpened) else _latest_open(step.before)


def _latest_open(view: View) -> Id | None:
    return next((key for key, scene in reversed(view.scenes.items()) if scene.status is SceneStatus.OPEN), None)
