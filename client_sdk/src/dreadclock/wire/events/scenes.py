"""Events of scenes, situations, races and clocks. Source: rules.md B."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire.base import Id, Points, Text
from dreadclock.wire.events.base import EventBase
from dreadclock.wire.things import Challenge, Clock, ClockKind, Effort, Scene, SceneStatus, Situation


class Cause(StrEnum):
    """Why a clock moved."""

    EFFORT = "effort"
    ROUND = "round"
    CHALLENGE = "challenge"
    SITUATION = "situation"
    TRAVEL = "travel"
    REST = "rest"
    RULING = "ruling"  # the gm's word
    TICK = "tick"  # a hand on a free-standing clock
    COMPLICATION = "complication"
    HIDDEN = "hidden"  # something that not everyone who sees the clock may know of


class SituationFailure(StrEnum):
    """Why a situation was lost."""

    DEFEATED = "defeated"
    RETREATED = "retreated"
    THREAT = "threat"  # the threat clock is empty


class SceneOpened(EventBase):
    """A scene was opened."""

    type: Literal["scene_opened"] = "scene_opened"
    scene: Scene
    clock: Clock


class SituationStarted(EventBase):
    """A situation was started; a race comes with the scene's threat clock as it stands."""

    type: Literal["situation_started"] = "situation_started"
    situation: Situation
    clock: Clock
    threat: Clock | None = None


class ChallengeAdded(EventBase):
    """A challenge was put into a situation."""

    type: Literal["challenge_added"] = "challenge_added"
    challenge: Challenge
    clock: Clock


class ClockStarted(EventBase):
    """A free-standing clock was started."""

    type: Literal["clock_started"] = "clock_started"
    clock: Clock


class ClockTicked(EventBase):
    """A clock moved; `value` is where it stands now."""

    type: Literal["clock_ticked"] = "clock_ticked"
    clock_id: Id
    kind: ClockKind
    cause: Cause
    value: Points


class ClockAmended(EventBase):
    """A clock was corrected after a slip of the hand."""

    type: Literal["clock_amended"] = "clock_amended"
    clock_id: Id
    kind: ClockKind
    value: Points
    reason: Text


class EffortMade(EventBase):
    """An effort was attempted."""

    type: Literal["effort_made"] = "effort_made"
    effort: Effort


class EffortRuled(EventBase):
    """An effort succeeded or failed."""

    type: Literal["effort_ruled"] = "effort_ruled"
    effort_id: Id
    challenge_id: Id
    success: bool
    amount: Points  # what a success takes off the challenge


class ChallengeOvercome(EventBase):
    """A challenge was overcome."""

    type: Literal["challenge_overcome"] = "challenge_overcome"
    challenge_id: Id


class SituationWon(EventBase):
    """A situation's clock is empty."""

    type: Literal["situation_won"] = "situation_won"
    situation_id: Id


class SituationResolved(EventBase):
    """A situation was resolved by the story."""

    type: Literal["situation_resolved"] = "situation_resolved"
    situation_id: Id
    how: Text


class SituationFailed(EventBase):
    """A situation was lost; its scene goes on."""

    type: Literal["situation_failed"] = "situation_failed"
    situation_id: Id
    reason: SituationFailure


class SituationClosed(EventBase):
    """A situation that only the gm knows ended with its scene, whose end is told in public."""

    type: Literal["situation_closed"] = "situation_closed"
    situation_id: Id


class RoundEnded(EventBase):
    """A round of a situation ended; rounds count 1, 2, 3 ..."""

    type: Literal["round_ended"] = "round_ended"
    situation_id: Id
    round: Annotated[int, Field(ge=1)]


class RaceEnded(EventBase):
    """A race ended, with its clocks as they stood."""

    type: Literal["race_ended"] = "race_ended"
    situation_id: Id
    outcome: RaceOutcome
    situation: Points
    threat: Points
    scene: Points


class SceneEnded(EventBase):
    """A scene ended, with everything in it."""

    type: Literal["scene_ended"] = "scene_ended"
    scene_id: Id
    outcome: SceneStatus


class ComplicationIntroduced(EventBase):
    """The gm told of a complication; what it does to clocks and countdowns follows."""

    type: Literal["complication_introduced"] = "complication_introduced"
    situation_id: Id
    text: Text
