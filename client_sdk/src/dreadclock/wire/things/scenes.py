"""Scenes, situations and challenges, with their clocks. Source: rules.md B."""

from enum import StrEnum

from dreadclock.rules.clocks import Difficulty, Direction, RaceOutcome
from dreadclock.wire.base import ClockSize, Count, Id, Level, Model, Name, Points, Visibility


class SituationKind(StrEnum):
    """Whether a situation races against the threat clock."""

    STANDARD = "standard"
    RACE = "race"


class Content(StrEnum):
    """What a situation is about."""

    COMBAT = "combat"
    EXPLORATION = "exploration"
    SOCIAL = "social"


class ChallengeKind(StrEnum):
    """What stands in the way; efforts against a foe tick no threat. Source: rules.md B7."""

    BARRIER = "barrier"
    PUZZLE = "puzzle"
    FOE = "foe"


class RetreatReason(StrEnum):
    """How the party lost a situation by the gm's word."""

    DEFEATED = "defeated"
    RETREATED = "retreated"


class ClockKind(StrEnum):
    """What a clock measures."""

    SCENE = "scene"
    SITUATION = "situation"
    THREAT = "threat"
    CHALLENGE = "challenge"
    FREE = "free"


class SceneStatus(StrEnum):
    """Where a scene stands; `unfinished` was ended before its clock was empty."""

    OPEN = "open"
    SUCCESS = "success"
    UNFINISHED = "unfinished"


class SituationStatus(StrEnum):
    """Where a situation stands; `closed` ended with its scene."""

    OPEN = "open"
    WON = "won"
    RESOLVED = "resolved"
    FAILED = "failed"
    CLOSED = "closed"


class ChallengeStatus(StrEnum):
    """Where a challenge stands; `closed` ended with its situation."""

    OPEN = "open"
    OVERCOME = "overcome"
    CLOSED = "closed"


class Clock(Model):
    """A numeric clock in the story."""

    id: Id
    kind: ClockKind
    name: Name
    of: Id | None = None  # the scene, situation or challenge it belongs to
    size: ClockSize
    value: Points
    direction: Direction = Direction.DOWN
    owner: Id | None = None  # a seat, for a free-standing clock
    visibility: Visibility = Visibility.PUBLIC

    @property
    def done(self) -> bool:
        """Whether the clock has reached its end."""
        return self.value == (0 if self.direction is Direction.DOWN else self.size)


class Scene(Model):
    """The party's main objective."""

    id: Id
    name: Name
    clock_id: Id
    threat_id: Id | None = None  # its threat clock, from its first race on
    typical: bool = True  # whether its clock started within the usual 8 to 15 points
    visibility: Visibility = Visibility.PUBLIC
    status: SceneStatus = SceneStatus.OPEN


class Situation(Model):
    """One obstacle course within a scene."""

    id: Id
    scene_id: Id
    name: Name
    kind: SituationKind
    content: Content
    clock_id: Id
    level: Level | None = None
    difficulty: Difficulty | None = None
    visibility: Visibility = Visibility.PUBLIC
    round: Count = 0  # rounds ended
    status: SituationStatus = SituationStatus.OPEN
    outcome: RaceOutcome | None = None  # of a race that ended


class Challenge(Model):
    """A barrier, puzzle or foe."""

    id: Id
    situation_id: Id
    name: Name
    kind: ChallengeKind
    clock_id: Id
    status: ChallengeStatus = ChallengeStatus.OPEN


class Effort(Model):
    """An effort that waits for the gm's ruling."""

    id: Id
    challenge_id: Id
    seat_id: Id
    character_id: Id | None = None
