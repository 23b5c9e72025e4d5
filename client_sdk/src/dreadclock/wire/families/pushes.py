"""Pushes: one more die for a total that is too low, at the risk of a crisis. Source: rules.md D3-D5."""

from enum import StrEnum
from functools import lru_cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dreadclock.rules.countdown import FACES
from dreadclock.rules.total import CrisisKind, enough, push
from dreadclock.wire.base import Count, Face, Faces, Id, Later, Model, Ratio, RollProof, Text
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo, RollingCommand
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, sets, updated

Pushes = Annotated[int, Field(ge=1, le=len(FACES))]  # once one die of each number is kept, every push is a crisis


class TotalStatus(StrEnum):
    """The status of a total."""

    PROPOSED = "proposed"  # waits for the gm
    READY = "ready"
    ROLLED = "rolled"  # the total is too low, or the gm has not set the required number yet
    OFFERED = "offered"  # a push is offered
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Push(Model):
    """A push: one more die. `kept` (one die of each number), `total` and `enough` are the values after it."""

    face: Face
    kept: Faces
    total: Count
    crisis: bool
    enough: bool | None = None  # None if the gm must judge, because no number is set
    physical: bool = False
    proof: RollProof | None = None


class PushOdds(Model):
    """Exact chances of a push."""

    crisis: Ratio
    reaches: Ratio | None = None  # the chance that this push reaches the number
    reaches_pushing: Ratio | None = None  # the chance that this push or later pushes reach the number


# Commands


class OfferPush(CommandBase):
    """Offer a push of a total that is too low: one more die, at the risk of a crisis.

    `until`: how many pushes to offer at once; more than 1 only if a number is set.
    """

    type: Literal["offer_push"] = "offer_push"
    total_id: Id
    crisis: CrisisKind | None = None
    description: Text | None = None
    until: Pushes = 1


class PushLuck(RollingCommand):
    """Take the offered push: roll one more die, at the risk of a crisis."""

    type: Literal["push_luck"] = "push_luck"
    total_id: Id


class StopPushing(CommandBase):
    """Stop pushing a total that is too low: the total fails."""

    type: Literal["stop_pushing"] = "stop_pushing"
    total_id: Id


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class PushOffered(EventBase):
    """The gm offered a push, or `until` pushes one after the other.

    `crisis`, `description`: the crisis at stake, if the gm named it.
    """

    type: Literal["push_offered"] = "push_offered"
    total_id: Id
    crisis: CrisisKind | None = None
    description: Text | None = None
    odds: PushOdds
    until: Later[Pushes] = 1  # how many pushes are offered


class LuckPushed(EventBase):
    """A push was rolled. `until`: how many more pushes are still offered.

    `odds`: the odds of the next push, if one is offered.
    """

    type: Literal["luck_pushed"] = "luck_pushed"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    total_id: Id
    push: Push
    until: Later[Count] = 0
    odds: PushOdds | None = None


# How these events change a view


def _luck_pushed(part: ViewPart, event: LuckPushed) -> Changes:
    push, before = event.push, part.totals[event.total_id]
    said = {"kept": push.kept, "total": push.total, "enough": push.enough, "push_odds": event.odds}
    status = TotalStatus.OFFERED if event.until else TotalStatus.ROLLED
    said |= {"status": status, "until": event.until, "pushes": (*before.pushes, push)}
    return [updated(part, "totals", before.id, **said)]


FOLDS: dict[type[EventBase], Fold] = {
    PushOffered: sets("totals", "crisis description push_odds:odds until", status=TotalStatus.OFFERED),
    LuckPushed: _luck_pushed,
}


# Odds


@lru_cache(maxsize=8192)
def push_odds(kept: Faces, required: int | None = None) -> PushOdds:
    """Return the odds of a push. `kept`: the kept dice. Without a required number: only the chance of a crisis."""
    from fractions import Fraction

    from dreadclock.rules.odds import total as chances  # imported here, because most clients never compute odds
    from dreadclock.rules.odds.report import fraction

    crisis = fraction(chances.push_crisis(kept))
    if required is None:
        return PushOdds(crisis=crisis)
    reaching = sum(enough(push(kept, face).total, required) for face in FACES)
    pushing = chances.reaches_by_pushing(kept, required)
    return PushOdds(crisis=crisis, reaches=fraction(Fraction(reaching, len(FACES))), reaches_pushing=fraction(pushing))
