"""Prepared situations, scenes that are set aside, and turns of a single scene.

A scene is an objective of the party. A situation is a part of a scene. A race is a situation against a threat clock.

Source: rules.md B19 and B20.
"""

from typing import Annotated, Literal

from pydantic import Field

from dreadclock.rules.clocks import Difficulty
from dreadclock.rules.limits import MAX_CHARACTERS
from dreadclock.wire.base import Id, Level
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.clocks import Clock
from dreadclock.wire.families.folds import Fold, sets, updated
from dreadclock.wire.families.situations import Situation, situated

# Commands


class BeginSituation(CommandBase):
    """Begin a prepared situation. From now on, everyone who sees its scene sees the situation and everything in it.

    The difficulty of a race is computed now, unless it is given now or was given before.
    """

    type: Literal["begin_situation"] = "begin_situation"
    situation_id: Id
    party_levels: tuple[Level, ...] | None = Field(default=None, min_length=1, max_length=MAX_CHARACTERS)
    difficulty: Difficulty | None = None


class SetSceneAside(CommandBase):
    """Set a scene aside: nothing in it rolls or ticks until it is taken up again."""

    type: Literal["set_scene_aside"] = "set_scene_aside"
    scene_id: Id


class TakeUpScene(CommandBase):
    """Continue a scene that was set aside."""

    type: Literal["take_up_scene"] = "take_up_scene"
    scene_id: Id


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class SituationBegun(EventBase):
    """A prepared situation began. `situation`: the situation as it is now.

    For a race, `threat` is the scene's threat clock.
    """

    type: Literal["situation_begun"] = "situation_begun"
    situation: Situation
    threat: Clock | None = None


class SceneSetAside(EventBase):
    """A scene was set aside: nothing in it rolls or ticks until it is taken up again."""

    type: Literal["scene_set_aside"] = "scene_set_aside"
    scene_id: Id


class SceneTakenUp(EventBase):
    """A scene that was set aside continues."""

    type: Literal["scene_taken_up"] = "scene_taken_up"
    scene_id: Id


class SceneTurnEnded(EventBase):
    """A turn ended for one scene only. `turn`: its number in this scene, from 1."""

    type: Literal["scene_turn_ended"] = "scene_turn_ended"
    scene_id: Id
    turn: Annotated[int, Field(ge=1)]


# How these events change a view


FOLDS: dict[type[EventBase], Fold] = {
    SituationBegun: lambda part, event: situated(part, event.situation, event.threat),
    SceneSetAside: sets("scenes", aside=True),
    SceneTakenUp: sets("scenes", aside=False),
    SceneTurnEnded: lambda part, event: [updated(part, "scenes", event.scene_id, turn=event.turn + 1)],
}
