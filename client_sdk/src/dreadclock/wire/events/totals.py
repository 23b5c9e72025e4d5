"""Events of totals, pushes and crises. This is the storage format. Source: rules.md D."""

from enum import StrEnum
from typing import Literal

from dreadclock.rules.total import CrisisKind
from dreadclock.wire.base import Count, Faces, Id, RollProof, Text
from dreadclock.wire.events.base import EventBase
from dreadclock.wire.things import Crisis, Push, PushOdds, Required, SecretRequired, Total, TotalOdds, TotalStatus


class TotalFailure(StrEnum):
    """Why a total failed."""

    STOPPED = "stopped"
    CRISIS = "crisis"


class TotalProposed(EventBase):
    """A total was proposed, with its odds."""

    type: Literal["total_proposed"] = "total_proposed"
    total: Total


class TotalAdjusted(EventBase):
    """The gm changed or approved a total; `total` is as it stands now."""

    type: Literal["total_adjusted"] = "total_adjusted"
    total: Total


class TotalWithdrawn(EventBase):
    """A total was taken back."""

    type: Literal["total_withdrawn"] = "total_withdrawn"
    total_id: Id


class RequiredSet(EventBase):
    """A number is required of a total; `required` is None where only the gm knows it.

    `enough` says how a total that was rolled before compares with it.
    """

    type: Literal["required_set"] = "required_set"
    total_id: Id
    required: Required | None = None
    secret: bool = False
    crisis: CrisisKind | None = None
    status: TotalStatus
    enough: bool | None = None
    odds: TotalOdds


class SecretSet(EventBase):
    """The number that a `required_set` in public is silent about.

    `forgotten`: the totals whose secret numbers nobody needs any more.
    """

    type: Literal["secret_set"] = "secret_set"
    secret: SecretRequired
    forgotten: tuple[Id, ...] = ()


class RequiredRevealed(EventBase):
    """A secret number is open to everyone; `push_odds` are of the push on offer."""

    type: Literal["required_revealed"] = "required_revealed"
    total_id: Id
    required: Required
    odds: TotalOdds
    push_odds: PushOdds | None = None


class TotalRolled(EventBase):
    """A total was rolled; `enough` is None if no number is required yet."""

    type: Literal["total_rolled"] = "total_rolled"
    total_id: Id
    faces: Faces
    kept: Faces  # one of each number, ascending
    total: Count
    enough: bool | None = None
    physical: bool = False
    proof: RollProof | None = None


class PushOffered(EventBase):
    """The gm offers a push; `crisis` and `description` say what is at stake, where she says it."""

    type: Literal["push_offered"] = "push_offered"
    total_id: Id
    crisis: CrisisKind | None = None
    description: Text | None = None
    odds: PushOdds


class LuckPushed(EventBase):
    """One more die was rolled."""

    type: Literal["luck_pushed"] = "luck_pushed"
    total_id: Id
    push: Push


class TotalSucceeded(EventBase):
    """A total reached its number."""

    type: Literal["total_succeeded"] = "total_succeeded"
    total_id: Id


class TotalFailed(EventBase):
    """A total failed."""

    type: Literal["total_failed"] = "total_failed"
    total_id: Id
    reason: TotalFailure


class CrisisDue(EventBase):
    """A character suffers a crisis whose kind the gm has yet to say; until then nothing is rolled for it."""

    type: Literal["crisis_due"] = "crisis_due"
    character_id: Id
    total_id: Id


class CrisisSuffered(EventBase):
    """A box of a character was marked, for good."""

    type: Literal["crisis_suffered"] = "crisis_suffered"
    character_id: Id
    crisis: Crisis


class CrisisDescribed(EventBase):
    """The gm said what a crisis is; `crisis` is as it stands now."""

    type: Literal["crisis_described"] = "crisis_described"
    character_id: Id
    crisis: Crisis


class CharacterDied(EventBase):
    """The third physical crisis killed a character."""

    type: Literal["character_died"] = "character_died"
    character_id: Id


class CharacterRetired(EventBase):
    """The third mental crisis took a character out of play."""

    type: Literal["character_retired"] = "character_retired"
    character_id: Id
