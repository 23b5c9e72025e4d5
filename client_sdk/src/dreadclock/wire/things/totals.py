"""Totals and pushes. Source: rules.md D."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dreadclock.rules.total import MAX_DICE, MIN_DICE, CrisisKind
from dreadclock.wire.base import Count, Face, Faces, Id, Model, Name, Ratio, RollProof, Score, Text
from dreadclock.wire.things.characters import Special

Required = Annotated[int, Field(ge=1, le=99)]  # no total is over 21


class TotalStatus(StrEnum):
    """Where a total stands."""

    PROPOSED = "proposed"  # waits for the gm
    READY = "ready"
    ROLLED = "rolled"  # it missed, or the number required is not named yet
    OFFERED = "offered"  # a push
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Tool(Model):
    """What helps with a task; its quality is dice."""

    name: Name
    quality: Score


class Push(Model):
    """One more die; `kept`, `total` and `enough` are as it left them."""

    face: Face
    kept: Faces
    total: Count
    enough: bool
    crisis: bool
    physical: bool = False
    proof: RollProof | None = None


class TotalOdds(Model):
    """Exact chances; those of the number required are None where it is not open."""

    mean: Ratio
    reaches: Ratio | None = None  # by the roll alone
    reaches_pushing: Ratio | None = None  # when every offer is made and taken


class PushOdds(Model):
    """Exact chances of a push."""

    crisis: Ratio
    reaches: Ratio | None = None  # by this push
    reaches_pushing: Ratio | None = None  # by pushing on


class Total(Model):
    """A roll for a number."""

    id: Id
    seat_id: Id  # that proposed it
    character_id: Id
    purpose: Text | None = None
    score: Score
    attribute: Name | None = None
    tool: Tool | None = None
    special: Special | None = None
    pool: Annotated[int, Field(ge=MIN_DICE, le=MAX_DICE)]
    effort: Id | None = None  # the challenge that it is an effort against
    status: TotalStatus = TotalStatus.READY
    required: Required | None = None  # None too while it is secret
    secret: bool = False  # whether a number is required that only the gm knows
    crisis: CrisisKind | None = None  # at stake
    description: Text | None = None  # of the crisis at stake
    faces: Faces = ()
    kept: Faces = ()
    total: Count = 0
    enough: bool | None = None  # None before the roll, and until a number is required
    pushes: tuple[Push, ...] = ()
    physical: bool = False
    proof: RollProof | None = None
    odds: TotalOdds | None = None
    push_odds: PushOdds | None = None  # of the push on offer


class SecretRequired(Model):
    """The number required of a total, as the gm alone knows it; it holds while the total is `secret`."""

    total_id: Id
    required: Required
    odds: TotalOdds
