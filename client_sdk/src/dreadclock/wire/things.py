"""What a room holds: seats, characters, countdowns, clocks, scenes and what is in them.

These models are part of events and of views alike. They are a storage format: a field may be
added with a default, never renamed or given another meaning.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dreadclock.rules import limits
from dreadclock.rules.clocks import Difficulty, Direction, RaceOutcome
from dreadclock.rules.countdown import Speed
from dreadclock.wire.base import (
    ClockSize,
    Count,
    Faces,
    HiddenKind,
    Id,
    Level,
    Model,
    Name,
    Points,
    Role,
    RollProof,
    Scope,
    Score,
    Text,
    Value32,
    Visibility,
)


class PhysicalDice(StrEnum):
    """Who may type in the faces of real dice. Source: ruling E1."""

    OFF = "off"
    GM = "gm"
    EVERYONE = "everyone"


class CheckApproval(StrEnum):
    """Whether a proposed check waits for the gm."""

    OPEN = "open"
    GM = "gm"


class RollPurpose(StrEnum):
    """What a plain roll is for."""

    DAMAGE = "damage"
    OTHER = "other"


class BoundTo(StrEnum):
    """What makes a countdown roll. Source: ruling A8."""

    TURN = "turn"
    NOTHING = "nothing"


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
    """What stands in the way; efforts against a foe tick no threat. Source: ruling B7."""

    BARRIER = "barrier"
    PUZZLE = "puzzle"
    FOE = "foe"


class RetreatReason(StrEnum):
    """How the party lost a situation by the gm's word."""

    DEFEATED = "defeated"
    RETREATED = "retreated"


class CountdownStatus(StrEnum):
    """Where a countdown stands."""

    RUNNING = "running"
    STABILIZED = "stabilized"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


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


class Policy(Model):
    """A room's house rules."""

    physical_dice: PhysicalDice = PhysicalDice.OFF
    check_approval: CheckApproval = CheckApproval.GM
    player_countdowns: bool = True


class Seat(Model):
    """A place at the table."""

    id: Id
    role: Role
    name: Name
    scopes: tuple[Scope, ...] = ()


class Special(Model):
    """A special attribute; a starred one counts twice."""

    name: Name
    starred: bool = False


class Character(Model):
    """Somebody in the story, with the scores that rolls are made of."""

    id: Id
    name: Name
    owner: Id | None = None  # a seat
    level: Level = 1
    attributes: dict[Name, Score] = Field(default_factory=dict)
    specials: tuple[Special, ...] = ()
    reflex: Score | None = None


class Stage(Model):
    """An effect that happens when a countdown's pool falls to `at` dice or past it."""

    at: Annotated[int, Field(ge=1, le=limits.MAX_POOL)]
    effect: Text


class HiddenRoll(Model):
    """One roll of a hidden countdown, kept until it is revealed."""

    faces: Faces
    removed: Count
    physical: bool = False
    proof: RollProof | None = None


class Countdown(Model):
    """A dice pool that empties."""

    id: Id
    name: Name
    pool: Count  # dice that remain
    speed: Speed
    stages: tuple[Stage, ...] = ()
    ending: Text | None = None
    owner: Id | None = None  # a seat
    stabilizable: bool = False
    replenishable: bool = False
    bound_to: BoundTo = BoundTo.NOTHING
    visibility: Visibility = Visibility.PUBLIC
    status: CountdownStatus = CountdownStatus.RUNNING
    started: Count  # the public seq of its start, or that it followed
    rolled_turn: Count = 0  # the turn of its last roll; 0 before the first
    last_faces: Faces = ()
    hidden_rolls: tuple[HiddenRoll, ...] = ()


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


class Roll(Model):
    """A plain roll."""

    id: Id
    seat_id: Id
    faces: Faces
    name: Name | None = None
    character_id: Id | None = None
    purpose: RollPurpose = RollPurpose.OTHER
    visibility: Visibility = Visibility.PUBLIC
    physical: bool = False
    proof: RollProof | None = None


class Lane(Model):
    """A lane of the dice ledger: both sides' chains, fixed before its first roll."""

    label: str
    seat_id: Id | None = None
    anchor: Value32 | None = None  # t_0 of the client's tokens, absent in a token-less lane
    key: Value32  # k_0 of the server's keys
    used: Count = 0  # rolls made


class Sealed(Model):
    """What the public knows of a sealed thing."""

    kind: HiddenKind
    id: Id
    name: Name
    lane: str | None = None  # that it is rolled with
    key: Value32 | None = None  # k_0 of that lane


class Things(Model):
    """Things that become visible together."""

    countdowns: tuple[Countdown, ...] = ()
    clocks: tuple[Clock, ...] = ()
    scenes: tuple[Scene, ...] = ()
    situations: tuple[Situation, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    efforts: tuple[Effort, ...] = ()
    rolls: tuple[Roll, ...] = ()
