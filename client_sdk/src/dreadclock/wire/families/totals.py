"""Totals: the sum of a roll, in which each number counts once. Source: rules.md D.

The player of a total that is too low may be offered a push: one more die, at the risk of a crisis (a permanent injury
or derangement).
"""

from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dreadclock.rules.limits import TOTALS_KEPT
from dreadclock.rules.total import MAX_DICE, MIN_DICE, CrisisKind
from dreadclock.wire.base import ChosenId, Count, Faces, Id, Later, Model, Name, Ratio, RollProof, Score, Text
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo, RollingCommand
from dreadclock.wire.families.challenges import EffortOn
from dreadclock.wire.families.characters import Special
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, adds, dropped, drops, ends, forgets, puts, sets
from dreadclock.wire.families.pushes import Push, PushOdds, TotalStatus

Required = Annotated[int, Field(ge=1, le=99)]  # no total is over 21


class Tool(Model):
    """A tool that helps with a task. `quality`: how many dice the tool adds."""

    name: Name
    quality: Score


class TotalOdds(Model):
    """The exact mean and chances of a total. The chances are None if the required number is secret or not set."""

    mean: Ratio
    reaches: Ratio | None = None  # the chance that the roll reaches the number
    # the chance to reach the number if the player pushes until the number is reached, or a crisis ends the total
    reaches_pushing: Ratio | None = None


class Total(Model):
    """A roll that counts each number once. The gm sets the sum to reach, or judges whether the sum is enough."""

    id: Id
    seat_id: Id  # the proposer's seat
    character_id: Id
    purpose: Text | None = None
    score: Score
    attribute: Name | None = None
    tool: Tool | None = None
    special: Special | None = None
    more_specials: Later[tuple[Special, ...]] = ()  # further special attributes, if the house rules allow several
    pool: Annotated[int, Field(ge=MIN_DICE, le=MAX_DICE)]
    effort: Id | None = None  # the challenge, if the total is an effort to overcome one
    status: TotalStatus = TotalStatus.READY
    required: Required | None = None  # also None while the number is secret
    secret: bool = False  # whether only the gm sees the required number
    crisis: CrisisKind | None = None  # the kind of the crisis at stake
    description: Text | None = None  # the description of the crisis at stake
    faces: Faces = ()
    kept: Faces = ()
    total: Count = 0
    enough: bool | None = None  # None before the roll, and until the gm sets a number or judges the total
    pushes: tuple[Push, ...] = ()
    physical: bool = False
    proof: RollProof | None = None
    odds: TotalOdds | None = None
    push_odds: PushOdds | None = None  # the odds of the push on offer
    until: Later[Count] = 0  # how many pushes are on offer
    made_by: Id | None = None  # the player's or integration's seat that made it; None: the gm's, or an older record

    @property
    def is_over(self) -> bool:
        """Whether the total succeeded or failed."""
        return self.status in (TotalStatus.SUCCEEDED, TotalStatus.FAILED)


class SecretRequired(Model):
    """The secret number of a total, for the gm. It applies while the total is `secret`."""

    total_id: Id
    required: Required
    odds: TotalOdds


# Commands


class Aid(StrEnum):
    """Sources of dice beside an attribute."""

    TOOL = "tool"
    SPECIAL = "special"


MoreSpecials = Annotated[tuple[Name, ...], Field(max_length=MAX_DICE)]


class ProposeTotal(CommandBase):
    """Propose a total for a character.

    `more_specials`: special attributes beside `special`, if the policy `specials` allows several.
    """

    type: Literal["propose_total"] = "propose_total"
    id: ChosenId | None = None
    character_id: Id
    attribute: Name | Score
    tool: Tool | None = None
    special: Name | None = None
    more_specials: MoreSpecials = ()
    purpose: Text | None = None
    effort: EffortOn | None = None


class AdjustTotal(CommandBase):
    """Change a total before it is rolled, or approve it. Absent fields change nothing.

    `without`: sources of dice to take out of the pool. `more_specials`: further special attributes; the total must
    already have one, or get one with `special`.
    """

    type: Literal["adjust_total"] = "adjust_total"
    total_id: Id
    attribute: Name | Score | None = None
    tool: Tool | None = None
    special: Name | None = None
    more_specials: MoreSpecials | None = None
    without: tuple[Aid, ...] = Field(default=(), max_length=2)
    approve: bool | None = None


class WithdrawTotal(CommandBase):
    """Withdraw a total before it is rolled."""

    type: Literal["withdraw_total"] = "withdraw_total"
    total_id: Id


class SetRequired(CommandBase):
    """Set the number that a total must reach, in public or in `secret`. The command also approves the total.

    `crisis`: the kind of crisis that a push risks.
    """

    type: Literal["set_required"] = "set_required"
    total_id: Id
    required: Required
    secret: bool = False
    crisis: CrisisKind | None = None


class JudgeTotal(CommandBase):
    """Judge whether a rolled total is enough, if no number is set for it. After a push, the gm judges again."""

    type: Literal["judge_total"] = "judge_total"
    total_id: Id
    enough: bool


class RollTotal(RollingCommand):
    """Roll a total."""

    type: Literal["roll_total"] = "roll_total"
    total_id: Id


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class TotalFailure(StrEnum):
    """Why a total failed."""

    STOPPED = "stopped"
    CRISIS = "crisis"


class TotalProposed(EventBase):
    """A total was proposed, with its odds."""

    type: Literal["total_proposed"] = "total_proposed"
    total: Total


class TotalAdjusted(EventBase):
    """The gm changed or approved a total. `total`: the total after the change."""

    type: Literal["total_adjusted"] = "total_adjusted"
    total: Total


class TotalWithdrawn(EventBase):
    """A total was withdrawn."""

    type: Literal["total_withdrawn"] = "total_withdrawn"
    total_id: Id


class RequiredSet(EventBase):
    """The gm set the number that a total must reach. `required`: absent if the number is secret.

    `crisis`: the kind of the crisis at stake, if the gm named it. `enough`: for a total that is already rolled, whether
    it reaches the number.
    """

    type: Literal["required_set"] = "required_set"
    total_id: Id
    required: Required | None = None
    secret: bool = False
    crisis: CrisisKind | None = None
    status: TotalStatus
    enough: bool | None = None
    odds: TotalOdds

    @property
    def no_undo(self) -> NoUndo | None:  # type: ignore[override]
        """Why this event cannot be undone, if its number decided a total that was already rolled; otherwise None."""
        return NoUndo.DICE if self.enough is not None else None


class SecretSet(EventBase):
    """The gm set a secret number that a total must reach, or the odds of an earlier secret number changed.

    If the number was set, everyone gets `required_set`, without the number. `forgotten`: each total whose secret
    number is removed, because the total is gone or its number is no longer secret.
    """

    type: Literal["secret_set"] = "secret_set"
    secret: SecretRequired
    forgotten: tuple[Id, ...] = ()


class RequiredRevealed(EventBase):
    """A secret number that a total must reach was revealed to everyone.

    `push_odds`: the odds of the push on offer, if there is one.
    """

    type: Literal["required_revealed"] = "required_revealed"
    no_undo: ClassVar[NoUndo | None] = NoUndo.SHOWN
    total_id: Id
    required: Required
    odds: TotalOdds
    push_odds: PushOdds | None = None


class TotalRolled(EventBase):
    """A total was rolled. `kept`: one die of each number. `total`: the sum of these dice.

    `enough`: absent if no number is set yet.
    """

    type: Literal["total_rolled"] = "total_rolled"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    total_id: Id
    faces: Faces
    kept: Faces  # one die of each number, in ascending order
    total: Count
    enough: bool | None = None
    physical: bool = False
    proof: RollProof | None = None


class TotalJudged(EventBase):
    """The gm judged whether a total is enough, without setting a number."""

    type: Literal["total_judged"] = "total_judged"
    total_id: Id
    enough: bool


class TotalSucceeded(EventBase):
    """A total reached its number, or was judged to be enough."""

    type: Literal["total_succeeded"] = "total_succeeded"
    total_id: Id


class TotalFailed(EventBase):
    """A total failed: somebody gave it up (`stopped`), or a push brought a crisis (`crisis`)."""

    type: Literal["total_failed"] = "total_failed"
    total_id: Id
    reason: TotalFailure


# How these events change a view


def _secret_set(part: ViewPart, event: SecretSet) -> Changes:
    return [*dropped("secrets", event.forgotten), ("secrets", event.secret.total_id, event.secret)]


FOLDS: dict[type[EventBase], Fold] = {
    TotalProposed: adds("totals", forgotten=forgets(attrgetter("is_over"), TOTALS_KEPT)),
    TotalAdjusted: puts("totals"),
    TotalWithdrawn: drops("totals"),
    RequiredSet: sets("totals", "required secret crisis status enough odds"),
    SecretSet: _secret_set,
    RequiredRevealed: sets("totals", "required odds push_odds", secret=False),
    TotalRolled: sets("totals", "faces kept total enough physical proof", status=TotalStatus.ROLLED),
    TotalJudged: sets("totals", "enough"),
    TotalSucceeded: ends("totals", status=TotalStatus.SUCCEEDED, push_odds=None, until=0),
    TotalFailed: ends("totals", status=TotalStatus.FAILED, push_odds=None, until=0),
}


# Odds


@lru_cache(maxsize=1024)
def total_odds(pool: int, required: int | None = None) -> TotalOdds:
    """Return the odds of a total. Without a required number: only the mean."""
    from dreadclock.rules.odds import total as chances  # imported here, because most clients never compute odds
    from dreadclock.rules.odds.report import fraction

    mean = fraction(chances.mean(pool))
    if required is None:
        return TotalOdds(mean=mean)
    reaches, pushing = chances.reaches(pool, required), chances.reaches_at_all(pool, required)
    return TotalOdds(mean=mean, reaches=fraction(reaches), reaches_pushing=fraction(pushing))
