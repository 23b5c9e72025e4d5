"""Commands for totals, pushes and crises. Source: rules.md D."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from dreadclock.rules.total import CrisisKind
from dreadclock.wire.base import ChosenId, Id, Name, Score, Text
from dreadclock.wire.commands.base import CommandBase, RollingCommand
from dreadclock.wire.commands.checks import EffortOn
from dreadclock.wire.things import Required, Tool


class Aid(StrEnum):
    """What may add dice to an attribute."""

    TOOL = "tool"
    SPECIAL = "special"


class ProposeTotal(CommandBase):
    """Propose a total for a character; `attribute` is the name of one, or a score."""

    type: Literal["propose_total"] = "propose_total"
    id: ChosenId | None = None
    character_id: Id
    attribute: Name | Score
    tool: Tool | None = None
    special: Name | None = None
    purpose: Text | None = None
    effort: EffortOn | None = None


class AdjustTotal(CommandBase):
    """Change a total before it is rolled, and approve it; what is left out stays as it is.

    `without`: what is taken out of the pool.
    """

    type: Literal["adjust_total"] = "adjust_total"
    total_id: Id
    attribute: Name | Score | None = None
    tool: Tool | None = None
    special: Name | None = None
    without: tuple[Aid, ...] = Field(default=(), max_length=2)
    approve: bool | None = None


class WithdrawTotal(CommandBase):
    """Take a total back before it is rolled."""

    type: Literal["withdraw_total"] = "withdraw_total"
    total_id: Id


class SetRequired(CommandBase):
    """Name the number that a total must reach, openly or in `secret`; this approves the total too.

    `crisis`: what kind of crisis a push puts at stake.
    """

    type: Literal["set_required"] = "set_required"
    total_id: Id
    required: Required
    secret: bool = False
    crisis: CrisisKind | None = None


class RollTotal(RollingCommand):
    """Roll a total."""

    type: Literal["roll_total"] = "roll_total"
    total_id: Id


class OfferPush(CommandBase):
    """Offer to push the luck of a total that missed, and say what is at stake."""

    type: Literal["offer_push"] = "offer_push"
    total_id: Id
    crisis: CrisisKind | None = None
    description: Text | None = None


class PushLuck(RollingCommand):
    """Take the offer: roll one more die, at the risk of a crisis."""

    type: Literal["push_luck"] = "push_luck"
    total_id: Id


class StopPushing(CommandBase):
    """Leave a total that missed as it is: it has failed."""

    type: Literal["stop_pushing"] = "stop_pushing"
    total_id: Id


class DescribeCrisis(CommandBase):
    """Say what a crisis is, and of which `kind` if that is open."""

    type: Literal["describe_crisis"] = "describe_crisis"
    total_id: Id
    kind: CrisisKind | None = None
    description: Text
