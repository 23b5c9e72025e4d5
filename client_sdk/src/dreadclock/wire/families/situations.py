"""Situations: a situation is a part of a scene. A race is a situation against the scene's threat clock.

Source: rules.md B.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from dreadclock.rules.clocks import Difficulty, RaceOutcome, race_outcome
from dreadclock.rules.limits import MAX_CHARACTERS, MAX_CLOCK, SITUATIONS_KEPT
from dreadclock.wire.base import (
    ChosenId,
    ChosenName,
    ClockSize,
    Count,
    Id,
    Kind,
    Later,
    Level,
    Model,
    Name,
    Points,
    Text,
    Visibility,
)
from dreadclock.wire.families.base import CommandBase, EventBase, RollingCommand
from dreadclock.wire.families.challenges import CLOSES_CHALLENGES
from dreadclock.wire.families.check_effects import StandingEffects
from dreadclock.wire.families.clocks import Clock
from dreadclock.wire.families.contents import contents_of, without
from dreadclock.wire.families.countdowns import CountdownToStart
from dreadclock.wire.families.folds import (
    NOTHING,
    AnyView,
    Changes,
    Fold,
    ViewPart,
    counted,
    joins,
    put,
    sets,
    too_old,
    updated,
)


class SituationKind(StrEnum):
    """Whether a situation races against the threat clock."""

    STANDARD = "standard"
    RACE = "race"


class Content(StrEnum):
    """What a situation is about."""

    COMBAT = "combat"
    EXPLORATION = "exploration"
    SOCIAL = "social"


class RetreatReason(StrEnum):
    """Why the gm declares a situation failed."""

    DEFEATED = "defeated"
    RETREATED = "retreated"


class SituationStatus(StrEnum):
    """The status of a situation. `closed`: it ended with its scene."""

    PREPARED = "prepared"  # only the gm sees it until it begins
    OPEN = "open"
    WON = "won"
    RESOLVED = "resolved"
    FAILED = "failed"
    CLOSED = "closed"


NOT_OVER = (SituationStatus.PREPARED, SituationStatus.OPEN)


class Situation(Model):
    """A part of a scene with its own clock and challenges."""

    id: Id
    scene_id: Id
    name: Name
    kind: SituationKind
    content: Content
    clock_id: Id
    level: Level | None = None
    difficulty: Difficulty | None = None
    visibility: Visibility = Visibility.PUBLIC
    round: Count = 0  # how many rounds have ended
    status: SituationStatus = SituationStatus.OPEN
    outcome: RaceOutcome | None = None  # the outcome of a race that has ended
    party: tuple[Id, ...] | None = None  # the characters; None: all players' characters in play
    within: Id | None = None  # a race of the same scene: this situation's rounds tick the race's threat clock
    kept_back: Later[bool] = False  # the situation is hidden separately or prepared: it is not revealed with its scene
    effects: StandingEffects | None = None  # the effects that are attached to this situation

    @property
    def is_open(self) -> bool:
        """Whether the situation has begun and not ended."""
        return self.status is SituationStatus.OPEN

    @property
    def is_over(self) -> bool:
        """Whether the situation has ended: it is neither open nor prepared."""
        return self.status not in NOT_OVER


# Commands


class StartSituation(CommandBase):
    """Start a situation. A race needs a `level`. Without `difficulty`, the party's levels set the difficulty.

    `party`: characters in play; by default the players' characters. `party_levels`: their levels, in place of
    those on sheets.

    A situation in a hidden scene is hidden, too. A standard situation in it may have its own `visibility`: with
    `gm`, it stays hidden when its scene is revealed. Only the gm sees a `prepared` situation until it begins.
    `within`: an open race in the same scene. The rounds of this situation tick the race's threat clock.
    """

    type: Literal["start_situation"] = "start_situation"
    id: ChosenId | None = None
    scene_id: Id
    name: ChosenName
    kind: SituationKind
    content: Content
    clock: ClockSize
    level: Level | None = None
    party: tuple[Id, ...] | None = Field(default=None, min_length=1, max_length=MAX_CHARACTERS)
    party_levels: tuple[Level, ...] | None = Field(default=None, min_length=1, max_length=MAX_CHARACTERS)
    difficulty: Difficulty | None = None
    visibility: Visibility = Visibility.PUBLIC
    within: Id | None = None
    prepared: bool = False


class ResolveSituation(CommandBase):
    """Declare a situation resolved by the story. The situation counts as won."""

    type: Literal["resolve_situation"] = "resolve_situation"
    situation_id: Id
    how: Text


class FailSituation(CommandBase):
    """Declare a situation failed: everyone is defeated, or forced to retreat."""

    type: Literal["fail_situation"] = "fail_situation"
    situation_id: Id
    reason: RetreatReason


class EndRound(RollingCommand):
    """End a situation's round. Countdowns bound to its rounds are rolled, unless they were rolled in this round."""

    type: Literal["end_round"] = "end_round"
    situation_id: Id


class ClockEffect(Model):
    """The effect of a complication on a clock: enlarge the clock, then move it `by` points towards its end
    (negative: back).
    """

    clock_id: Id
    by: Annotated[int, Field(ge=-MAX_CLOCK, le=MAX_CLOCK)] = 0
    enlarge: Points = 0


class IntroduceComplication(CommandBase):
    """Introduce a complication (a setback), which may change a clock and start a countdown."""

    type: Literal["introduce_complication"] = "introduce_complication"
    situation_id: Id | None = None
    scene_id: Id | None = None
    text: Text
    clock: ClockEffect | None = None
    countdown: CountdownToStart | None = None


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class SituationFailure(StrEnum):
    """Why a situation failed."""

    DEFEATED = "defeated"
    RETREATED = "retreated"
    THREAT = "threat"  # the threat clock is empty


class SituationStarted(EventBase):
    """A situation of a scene was started, or prepared. Only the gm sees a prepared situation.

    `threat`: the scene's threat clock, if the situation is a race that has begun.
    """

    type: Literal["situation_started"] = "situation_started"
    situation: Situation
    clock: Clock
    threat: Clock | None = None


class SituationWon(EventBase):
    """A situation was won, because its clock is empty."""

    type: Literal["situation_won"] = "situation_won"
    situation_id: Id


class SituationResolved(EventBase):
    """The gm declared a situation resolved: it counts as won. `how`: what happened in the story."""

    type: Literal["situation_resolved"] = "situation_resolved"
    situation_id: Id
    how: Text


class SituationFailed(EventBase):
    """A situation failed; its scene continues. The `reason` is `threat` if the threat clock is empty."""

    type: Literal["situation_failed"] = "situation_failed"
    situation_id: Id
    reason: SituationFailure


class SituationClosed(EventBase):
    """A hidden situation ended, because its public scene ended."""

    type: Literal["situation_closed"] = "situation_closed"
    situation_id: Id


class RoundEnded(EventBase):
    """A round of a situation ended; `round` is its number, from 1."""

    type: Literal["round_ended"] = "round_ended"
    situation_id: Id
    round: Annotated[int, Field(ge=1)]


class RaceEnded(EventBase):
    """A race ended. `situation`, `threat`, `scene`: the values of these three clocks at the end."""

    type: Literal["race_ended"] = "race_ended"
    situation_id: Id
    outcome: RaceOutcome
    situation: Points
    threat: Points
    scene: Points


class ComplicationIntroduced(EventBase):
    """The gm introduced a complication into a situation or into a scene.

    Its effects on clocks and countdowns follow as further events.
    """

    type: Literal["complication_introduced"] = "complication_introduced"
    situation_id: Id | None = None  # the situation, if the complication is in a situation
    scene_id: Id | None = None  # the scene, if the complication is in no situation
    text: Text


# How these events change a view


def _situation_started(part: ViewPart, event: SituationStarted) -> Changes:
    fresh = event.situation
    forgotten = too_old(part.situations, lambda situation: situation.status not in NOT_OVER, SITUATIONS_KEPT)
    return [
        *(change for key in forgotten for change in without(contents_of(part, Kind.SITUATION, key))),
        put("clocks", event.clock),
        *situated(part, fresh, event.threat),
        *counted(part, Kind.SITUATION, fresh.id),
    ]


def situated(part: ViewPart, situation: Situation, threat: Clock | None) -> Changes:
    """Return the changes that put a situation into its scene. `threat`: for a race, the scene's threat clock."""
    if threat is None:
        return [put("situations", situation)]
    scene = updated(part, "scenes", situation.scene_id, threat_id=threat.id)
    return [put("situations", situation), scene, put("clocks", threat)]


FOLDS: dict[type[EventBase], Fold] = {
    SituationStarted: _situation_started,
    SituationWon: joins(sets("situations", status=SituationStatus.WON), CLOSES_CHALLENGES),
    SituationResolved: joins(sets("situations", status=SituationStatus.RESOLVED), CLOSES_CHALLENGES),
    SituationFailed: joins(sets("situations", status=SituationStatus.FAILED), CLOSES_CHALLENGES),
    SituationClosed: joins(sets("situations", status=SituationStatus.CLOSED), CLOSES_CHALLENGES),
    RoundEnded: sets("situations", "round"),
    RaceEnded: sets("situations", "outcome"),
    ComplicationIntroduced: NOTHING,
}


# Questions about a view


def open_races(view: AnyView, scene_id: Id) -> list[Situation]:
    """Return the open races of a scene, in the order of their starts."""
    races = [situation for situation in view.situations.values() if situation.kind is SituationKind.RACE]
    return [race for race in races if race.scene_id == scene_id and race.is_open]


def ends_as(view: AnyView, race: Situation) -> RaceOutcome:
    """Return the outcome that an open race would have if its scene ended now. Source: rules.md B21."""
    return race_outcome(*race_clocks(view, race))


def race_clocks(view: AnyView, race: Situation) -> tuple[int, int, int]:
    """Return the points left on three clocks: the race's own clock, the threat clock and the scene clock."""
    clocks, scene = view.clocks, view.scenes[race.scene_id]
    return clocks[race.clock_id].value, clocks[str(scene.threat_id)].value, clocks[scene.clock_id].value
