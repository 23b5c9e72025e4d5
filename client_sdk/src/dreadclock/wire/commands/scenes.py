"""Commands for scenes, situations, races and clocks. Source: rules.md B."""

from typing import Annotated, Literal

from pydantic import Field

from dreadclock.rules.clocks import Difficulty, Direction
from dreadclock.rules.limits import MAX_CHARACTERS, MAX_CLOCK
from dreadclock.wire.base import ChosenId, ChosenName, ClockSize, Id, Level, Model, Points, Text, Visibility
from dreadclock.wire.commands.base import CommandBase
from dreadclock.wire.commands.countdowns import NewCountdown
from dreadclock.wire.things import ChallengeKind, Content, RetreatReason, SituationKind


class OpenScene(CommandBase):
    """Open a scene with its clock."""

    type: Literal["open_scene"] = "open_scene"
    id: ChosenId | None = None
    name: ChosenName
    clock: ClockSize
    visibility: Visibility = Visibility.PUBLIC


class StartSituation(CommandBase):
    """Start a situation; a race also needs its `level`, and a party to measure it by or a `difficulty`.

    What is in a hidden scene is as hidden as the scene; in one that everyone sees, a standard situation
    may have a `visibility` of its own.
    """

    type: Literal["start_situation"] = "start_situation"
    id: ChosenId | None = None
    scene_id: Id
    name: ChosenName
    kind: SituationKind
    content: Content
    clock: ClockSize
    level: Level | None = None
    party_levels: tuple[Level, ...] | None = Field(default=None, min_length=1, max_length=MAX_CHARACTERS)
    difficulty: Difficulty | None = None
    visibility: Visibility = Visibility.PUBLIC


class AddChallenge(CommandBase):
    """Put a barrier, a puzzle or a foe into a situation; `clock` says how many efforts it takes."""

    type: Literal["add_challenge"] = "add_challenge"
    id: ChosenId | None = None
    situation_id: Id
    name: ChosenName
    kind: ChallengeKind
    clock: ClockSize = 1


class AttemptEffort(CommandBase):
    """Attempt an effort against a challenge; it ticks the threat at once and waits for the gm's ruling.

    The gm may rule in the same breath with `success` and `amount`.
    """

    type: Literal["attempt_effort"] = "attempt_effort"
    id: ChosenId | None = None
    challenge_id: Id
    character_id: Id | None = None
    success: bool | None = None
    amount: ClockSize = 1


class RuleEffort(CommandBase):
    """Say whether an effort succeeded, and how much it takes off its challenge."""

    type: Literal["rule_effort"] = "rule_effort"
    effort_id: Id
    success: bool
    amount: ClockSize = 1


class OvercomeChallenge(CommandBase):
    """Declare a challenge overcome."""

    type: Literal["overcome_challenge"] = "overcome_challenge"
    challenge_id: Id


class ResolveSituation(CommandBase):
    """Declare a situation resolved by the story."""

    type: Literal["resolve_situation"] = "resolve_situation"
    situation_id: Id
    how: Text


class FailSituation(CommandBase):
    """Declare a situation failed: everyone defeated, or forced to retreat."""

    type: Literal["fail_situation"] = "fail_situation"
    situation_id: Id
    reason: RetreatReason


class EndRound(CommandBase):
    """End a round of a situation."""

    type: Literal["end_round"] = "end_round"
    situation_id: Id


class Travel(CommandBase):
    """Let the party travel: the scene clock loses a point."""

    type: Literal["travel"] = "travel"
    scene_id: Id


class Rest(CommandBase):
    """Let the party rest: the scene clock loses a point."""

    type: Literal["rest"] = "rest"
    scene_id: Id


class EndScene(CommandBase):
    """End a scene, whatever is still open in it."""

    type: Literal["end_scene"] = "end_scene"
    scene_id: Id


class ClockEffect(Model):
    """What a complication does to a clock: `by` points towards its end, or away from it where negative."""

    clock_id: Id
    by: Annotated[int, Field(ge=-MAX_CLOCK, le=MAX_CLOCK)]


class IntroduceComplication(CommandBase):
    """Tell of a complication, with its effect on a clock or a new countdown."""

    type: Literal["introduce_complication"] = "introduce_complication"
    situation_id: Id
    text: Text
    clock: ClockEffect | None = None
    countdown: NewCountdown | None = None


class StartClock(CommandBase):
    """Start a clock that stands for itself."""

    type: Literal["start_clock"] = "start_clock"
    id: ChosenId | None = None
    name: ChosenName
    size: ClockSize
    direction: Direction = Direction.DOWN
    owner: Id | None = None
    visibility: Visibility = Visibility.PUBLIC


class TickClock(CommandBase):
    """Move a free-standing clock towards its end."""

    type: Literal["tick_clock"] = "tick_clock"
    clock_id: Id
    by: ClockSize = 1


class AmendClock(CommandBase):
    """Correct a clock's value after a slip of the hand."""

    type: Literal["amend_clock"] = "amend_clock"
    clock_id: Id
    value: Points
    reason: Text


class Cancel(CommandBase):
    """Take back a scene, situation, challenge or free-standing clock that was opened by mistake."""

    type: Literal["cancel"] = "cancel"
    thing_id: Id
    reason: Text
