"""Challenges (barriers, puzzles and foes), and the characters' efforts to overcome them. Source: rules.md B."""

from collections.abc import Container
from enum import StrEnum
from functools import partial
from typing import Any, Literal

from dreadclock.wire.base import ChosenId, ChosenName, ClockSize, Id, Model, Name, Points
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.clocks import Clock
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, adds, dropped, drops, joins, puts, updated


class ChallengeKind(StrEnum):
    """The kind of a challenge. In a race, efforts against a foe do not tick the threat clock. Source: rules.md B7."""

    BARRIER = "barrier"
    PUZZLE = "puzzle"
    FOE = "foe"


class ChallengeStatus(StrEnum):
    """The status of a challenge. `closed`: it ended with its situation."""

    OPEN = "open"
    OVERCOME = "overcome"
    CLOSED = "closed"


class Challenge(Model):
    """A barrier, puzzle or foe."""

    id: Id
    situation_id: Id
    name: Name
    kind: ChallengeKind
    clock_id: Id
    status: ChallengeStatus = ChallengeStatus.OPEN

    @property
    def is_open(self) -> bool:
        """Whether the challenge is neither overcome nor closed."""
        return self.status is ChallengeStatus.OPEN


class Effort(Model):
    """An effort that waits for the gm's ruling."""

    id: Id
    challenge_id: Id
    seat_id: Id
    character_id: Id | None = None


# Commands


class AddChallenge(CommandBase):
    """Add a challenge (a barrier, a puzzle or a foe) to a situation."""

    type: Literal["add_challenge"] = "add_challenge"
    id: ChosenId | None = None
    situation_id: Id
    name: ChosenName
    kind: ChallengeKind
    clock: ClockSize = 1


class AttemptEffort(CommandBase):
    """Attempt an effort against a challenge. The gm decides whether the effort succeeds. In a race, the threat
    clock ticks at once, except for an effort against a foe.

    `character_id`: a character of the sender; may be left out if the sender has only one in play. The gm may name
    any character or none, and may rule in the same command with `success` and `amount`. Source: rules.md B17.
    """

    type: Literal["attempt_effort"] = "attempt_effort"
    id: ChosenId | None = None
    challenge_id: Id
    character_id: Id | None = None
    success: bool | None = None
    amount: ClockSize = 1


class RuleEffort(CommandBase):
    """Decide whether an effort succeeds. A success takes `amount` points off the challenge's clock."""

    type: Literal["rule_effort"] = "rule_effort"
    effort_id: Id
    success: bool
    amount: ClockSize = 1


class OvercomeChallenge(CommandBase):
    """Declare a challenge overcome."""

    type: Literal["overcome_challenge"] = "overcome_challenge"
    challenge_id: Id


class EffortOn(Model):
    """Makes a roll an effort against a challenge."""

    challenge_id: Id


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class ChallengeAdded(EventBase):
    """A challenge was put into a situation. `clock`: the challenge's clock."""

    type: Literal["challenge_added"] = "challenge_added"
    challenge: Challenge
    clock: Clock


class EffortMade(EventBase):
    """Somebody tried to overcome a challenge without a check or a total.

    When the gm rules on the effort, `effort_ruled` follows. If the challenge ends before the gm rules, the gm can no
    longer rule on the effort.
    """

    type: Literal["effort_made"] = "effort_made"
    effort: Effort


class EffortRuled(EventBase):
    """The gm ruled on an effort. `amount`: the points that the effort takes off the challenge; 0 if it failed."""

    type: Literal["effort_ruled"] = "effort_ruled"
    effort_id: Id
    challenge_id: Id
    success: bool
    amount: Points  # the points that a success takes off the challenge


class ChallengeOvercome(EventBase):
    """A challenge was overcome."""

    type: Literal["challenge_overcome"] = "challenge_overcome"
    challenge_id: Id


# How these events change a view


def _challenge_overcome(part: ViewPart, event: ChallengeOvercome) -> Changes:
    overcome = updated(part, "challenges", event.challenge_id, status=ChallengeStatus.OVERCOME)
    return [overcome, *_efforts_dropped(part, {event.challenge_id})]


def challenges_closed(part: ViewPart, situations: Container[Id]) -> Changes:
    """Close the open challenges of situations that ended, and remove their waiting efforts."""
    inside = {key: challenge for key, challenge in part.challenges.items() if challenge.situation_id in situations}
    open_ones = [key for key, challenge in inside.items() if challenge.status is ChallengeStatus.OPEN]
    closed = [updated(part, "challenges", key, status=ChallengeStatus.CLOSED) for key in open_ones]
    return closed + _efforts_dropped(part, inside)


def _efforts_dropped(part: ViewPart, challenges: Container[Id]) -> Changes:
    return dropped("efforts", [key for key, effort in part.efforts.items() if effort.challenge_id in challenges])


def _shut(part: ViewPart, event: Any) -> Changes:
    return challenges_closed(part, {event.situation_id})


CLOSES_CHALLENGES = partial(_shut)  # the fold for events that end a situation

FOLDS: dict[type[EventBase], Fold] = {
    ChallengeAdded: joins(adds("challenges"), puts("clocks")),
    EffortMade: adds("efforts"),
    EffortRuled: drops("efforts"),
    ChallengeOvercome: _challenge_overcome,
}
