"""Commands for checks. Source: rules.md C."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from dreadclock.rules.contest import Side
from dreadclock.wire.base import ChosenId, Id, Model, Name, Score, Text, Visibility
from dreadclock.wire.commands.base import CommandBase, RollingCommand
from dreadclock.wire.things import Benefit, VentureLevel

MAX_EFFECTS = 8


class CostAnswer(StrEnum):
    """What the gm says to a cost that was proposed."""

    ACCEPT = "accept"
    REFUSE = "refuse"
    COUNTER = "counter"


class EffortOn(Model):
    """The challenge that a roll is an effort against."""

    challenge_id: Id


class NewVenture(Model):
    """Dice to give away now for a better roll later; the declarer's own unless a `beneficiary` is named."""

    level: VentureLevel
    benefits: Benefit = Benefit.CHECK
    beneficiary: Id | None = None
    what: Text


class JoiningCheck(CommandBase):
    """What every part of a check is made of: a `score`, or the name of an `attribute`."""

    character_id: Id
    score: Score | None = None
    attribute: Name | None = None
    bonus: Score = 0
    penalty: Score = 0
    venture: NewVenture | None = None
    claim: bool = True


class ProposeCheck(JoiningCheck):
    """Propose a check for a character; a `contest` waits for its opposition before it is rolled.

    `claim`: whether dice of earlier ventures are meant for this roll; if not, they lapse with it.
    """

    type: Literal["propose_check"] = "propose_check"
    id: ChosenId | None = None
    purpose: Text | None = None
    contest: bool = False
    effort: EffortOn | None = None
    visibility: Visibility = Visibility.PUBLIC


class AdjustCheck(CommandBase):
    """Change a check before it is rolled, and approve it.

    Score and modifiers are the leader's unless `character_id` names another part; `remove` takes a
    character's part out.
    """

    type: Literal["adjust_check"] = "adjust_check"
    check_id: Id
    character_id: Id | None = None
    score: Score | None = None
    bonus: Score | None = None
    penalty: Score | None = None
    remove: Id | None = None
    contest: bool | None = None
    stunts: tuple[Text, ...] | None = Field(default=None, max_length=MAX_EFFECTS)
    fumble_effects: tuple[Text, ...] | None = Field(default=None, max_length=MAX_EFFECTS)
    approve: bool | None = None


class HelpCheck(JoiningCheck):
    """Add a character's dice to a side of a check."""

    type: Literal["help_check"] = "help_check"
    check_id: Id
    side: Side = Side.ACTING


class OpposeCheck(JoiningCheck):
    """Make a check a contest, as the leader of its other side."""

    type: Literal["oppose_check"] = "oppose_check"
    check_id: Id


class RollCheck(RollingCommand):
    """Roll a character's part of a check; the sender's own first part that is not rolled unless said."""

    type: Literal["roll_check"] = "roll_check"
    check_id: Id
    character_id: Id | None = None


class WithdrawCheck(CommandBase):
    """Take a check back, before any die of it is rolled."""

    type: Literal["withdraw_check"] = "withdraw_check"
    check_id: Id


class ChooseEffect(CommandBase):
    """Choose what a triumph or a fumble brings: `momentum`, `interference`, or an effect that was offered."""

    type: Literal["choose_effect"] = "choose_effect"
    check_id: Id
    character_id: Id
    effect: Text


class ProposeCost(CommandBase):
    """Propose what it would cost to have succeeded after all."""

    type: Literal["propose_cost"] = "propose_cost"
    check_id: Id
    cost: Text


class AnswerCost(CommandBase):
    """Answer a cost: `accept`, `refuse`, or `counter` with other `terms`."""

    type: Literal["answer_cost"] = "answer_cost"
    check_id: Id
    answer: CostAnswer
    terms: Text | None = None


class SettleFailure(CommandBase):
    """Apply the terms that were agreed, or take the failure."""

    type: Literal["settle_failure"] = "settle_failure"
    check_id: Id
    apply: bool
