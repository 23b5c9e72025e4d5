"""Scenes: a scene is the party's main objective, with a clock. Source: rules.md B."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.rules.limits import MAX_SITUATIONS, SCENES_KEPT
from dreadclock.wire.base import ChosenId, ChosenName, ClockSize, Count, Id, Kind, Later, Model, Name, Visibility
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.challenges import challenges_closed
from dreadclock.wire.families.check_effects import StandingEffects
from dreadclock.wire.families.clocks import Clock
from dreadclock.wire.families.contents import contents_of, without
from dreadclock.wire.families.folds import AnyView, Changes, Fold, ViewPart, counted, put, too_old, updated
from dreadclock.wire.families.situations import NOT_OVER, SituationStatus


class SceneStatus(StrEnum):
    """The status of a scene. `unfinished`: it ended before its clock was empty."""

    OPEN = "open"
    SUCCESS = "success"
    UNFINISHED = "unfinished"


class Scene(Model):
    """The party's main objective."""

    id: Id
    name: Name
    clock_id: Id
    threat_id: Id | None = None  # the scene's threat clock, once the first race in it has begun
    typical: bool = True  # whether its clock has one of the usual sizes, 8 to 15 points
    turn: Later[Count] = 1  # the number of the scene's own turn, from 1: `end_turn` can end the turn of a single scene
    visibility: Visibility = Visibility.PUBLIC
    status: SceneStatus = SceneStatus.OPEN
    # whether the scene is set aside: nothing in it rolls or ticks until it is taken up again
    aside: Later[bool] = False
    effects: StandingEffects | None = None  # the effects that are attached to this scene
    sixes_add: Later[bool] = False  # whether each 6 of a damage roll adds a die

    @property
    def is_open(self) -> bool:
        """Whether the scene is open. A scene that is set aside is also open."""
        return self.status is SceneStatus.OPEN


# Commands


class OpenScene(CommandBase):
    """Open a scene with its clock.

    `sixes_add`: whether each 6 of a damage roll in this scene adds a die; `set_effects` can change this.
    """

    type: Literal["open_scene"] = "open_scene"
    id: ChosenId | None = None
    name: ChosenName
    clock: ClockSize
    sixes_add: bool = False
    visibility: Visibility = Visibility.PUBLIC


class Travel(CommandBase):
    """Let the party travel: the scene clock loses a point."""

    type: Literal["travel"] = "travel"
    scene_id: Id


class Rest(CommandBase):
    """Let the party rest: the scene clock loses a point."""

    type: Literal["rest"] = "rest"
    scene_id: Id


class EndScene(CommandBase):
    """End a scene, with everything that is still open in it.

    `expect`: the expected outcome of each open race, by the id of its situation. The command is refused if an
    outcome would differ now.
    """

    type: Literal["end_scene"] = "end_scene"
    scene_id: Id
    expect: dict[Id, RaceOutcome] | None = Field(default=None, max_length=MAX_SITUATIONS)


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class SceneOpened(EventBase):
    """A scene was opened."""

    type: Literal["scene_opened"] = "scene_opened"
    scene: Scene
    clock: Clock


class SceneEnded(EventBase):
    """A scene ended, with everything in it.

    `outcome`: `success` if the scene clock was empty, else `unfinished`; never `open`.
    """

    type: Literal["scene_ended"] = "scene_ended"
    scene_id: Id
    outcome: SceneStatus


# How these events change a view


def _scene_opened(part: ViewPart, event: SceneOpened) -> Changes:
    forgotten = too_old(part.scenes, lambda scene: scene.status is not SceneStatus.OPEN, SCENES_KEPT)
    return [
        *(change for scene_id in forgotten for change in without(contents_of(part, Kind.SCENE, scene_id))),
        put("scenes", event.scene),
        put("clocks", event.clock),
        *counted(part, Kind.SCENE, event.scene.id),
    ]


def _scene_ended(part: ViewPart, event: SceneEnded) -> Changes:
    inside = {key: situation for key, situation in part.situations.items() if situation.scene_id == event.scene_id}
    open_ones = [key for key, situation in inside.items() if situation.status in NOT_OVER]
    return [
        updated(part, "scenes", event.scene_id, status=event.outcome),
        *(updated(part, "situations", key, status=SituationStatus.CLOSED) for key in open_ones),
        *challenges_closed(part, inside),
    ]


FOLDS: dict[type[EventBase], Fold] = {
    SceneOpened: _scene_opened,
    SceneEnded: _scene_ended,
}


# Questions about a view


def scene_of(view: AnyView, place_id: Id | None) -> Scene | None:
    """Return the public scene with this id, or the scene of the situation with this id; None if there is none."""
    situation = view.public.situations.get(place_id or "")
    return view.public.scenes.get(situation.scene_id if situation else place_id or "")


def sixes_add(view: AnyView, place_id: Id | None) -> bool:
    """Tell whether each 6 of a damage roll in this scene or situation adds a die. Source: rules.md C27."""
    scene = scene_of(view, place_id)
    return scene is not None and scene.sixes_add


def usual_place(view: AnyView, effort: Id | None) -> Id | None:
    """Return the scene or situation for a roll that names none.

    For an effort against the challenge `effort`, this is the challenge's situation. For another roll, it is the only
    open situation of the only open scene, or that scene if it has no open situation or several. None if there is no
    open scene, or several.
    """
    challenge = view.public.challenges.get(effort or "")
    if challenge is not None:
        return str(challenge.situation_id)
    scenes = [str(scene.id) for scene in view.public.scenes.values() if scene.is_open]
    if len(scenes) != 1:
        return None
    situations = [situation for situation in view.public.situations.values() if situation.is_open]
    inside = [str(situation.id) for situation in situations if situation.scene_id == scenes[0]]
    return inside[0] if len(inside) == 1 else scenes[0]
