"""Checks: their parts, what they are made of, and how they came out. Source: rules.md C."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire.base import Count, Face, Faces, Id, Model, Name, Ratio, RollProof, Score, Text, Visibility
from dreadclock.wire.things.characters import Benefit

VentureLevel = Annotated[int, Field(ge=1, le=3)]


class CheckStatus(StrEnum):
    """Where a check stands."""

    PROPOSED = "proposed"  # waits for the gm
    READY = "ready"
    ROLLING = "rolling"  # some parts are rolled, others are not
    RESOLVED = "resolved"


class CostStage(StrEnum):
    """Where the bargain over a failure stands."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    COUNTERED = "countered"  # the gm named other terms
    APPLIED = "applied"  # the cost is paid, and the check did what it was meant to
    DECLINED = "declined"  # the failure stands


class Venture(Model):
    """Dice given away now for a better roll later. Source: rules.md C."""

    level: VentureLevel
    benefits: Benefit = Benefit.CHECK
    beneficiary: Id | None = None  # a character; the declarer if None
    what: Text


class PartRoll(Model):
    """The dice of one part of a check."""

    pool: Count  # dice at first
    removed: Count  # dice taken away after the roll, highest first
    momentum: bool = False  # whether it was rolled with momentum
    interference: bool = False
    paid: Count = 0  # dice of earlier ventures in the pool
    faces: Faces
    remaining: Faces
    outcome: Outcome
    highest: Face | None = None  # None if no die remains
    margin: Count
    capped: bool = False  # whether the server's cap stopped it
    physical: bool = False
    proof: RollProof | None = None


class Part(Model):
    """One character's dice in a check; the first part of a side is its leader's."""

    character_id: Id
    side: Side = Side.ACTING
    score: Score
    attribute: Name | None = None
    bonus: Score = 0
    penalty: Score = 0
    venture: Venture | None = None
    claim: bool = True  # whether dice of earlier ventures are meant for this roll
    roll: PartRoll | None = None


class SideResult(Model):
    """What one side's pooled dice come to."""

    outcome: Outcome
    highest: Face | None = None  # None if no die remains
    margin: Count


class CheckResult(Model):
    """How a check came out; the last three fields are of a contest."""

    acting: SideResult
    opposing: SideResult | None = None
    winner: Side | None = None
    decided_by: DecidedBy | None = None
    deals: Faces = ()  # in pairs, the acting side's first
    proof: RollProof | None = None  # of the deals

    def won_by(self, side: Side) -> bool:
        """Tell whether a side succeeded, and won where there was a contest."""
        result = self.acting if side is Side.ACTING else self.opposing
        succeeded = result is not None and result.outcome in (Outcome.SUCCESS, Outcome.TRIUMPH)
        return succeeded and self.winner in (None, side)


class Cost(Model):
    """The bargain over a failure: what it would cost to have succeeded."""

    stage: CostStage
    cost: Text | None = None  # as the player proposed it
    terms: Text | None = None  # the gm's, where they differ


class CheckOdds(Model):
    """The exact chances of the acting side, of all its parts together."""

    fumble: Ratio
    fail: Ratio
    success: Ratio
    triumph: Ratio
    interference: Ratio  # that at least one of its parts fumbles
    wins: Ratio | None = None  # the contest
    succeeds: Ratio | None = None  # wins the contest with a success


class Check(Model):
    """A roll for an outcome: one character's, or several, or two sides'."""

    id: Id
    seat_id: Id  # that proposed it
    purpose: Text | None = None
    parts: tuple[Part, ...]  # in the order they joined
    contest: bool = False
    stunts: tuple[Text, ...] = ()
    fumble_effects: tuple[Text, ...] = ()
    effort: Id | None = None  # the challenge that it is an effort against
    visibility: Visibility = Visibility.PUBLIC
    status: CheckStatus = CheckStatus.READY
    odds: CheckOdds | None = None  # None where they would take long to work out
    result: CheckResult | None = None
    cost: Cost | None = None

    def side(self, side: Side) -> tuple[Part, ...]:
        """Return the parts of a side, its leader's first."""
        return tuple(part for part in self.parts if part.side is side)

    def part_of(self, character_id: Id) -> Part | None:
        """Return a character's part."""
        return next((part for part in self.parts if part.character_id == character_id), None)

    @property
    def leader(self) -> Part:
        """The part of the character whose check it is."""
        return self.side(Side.ACTING)[0]
