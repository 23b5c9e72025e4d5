"""Bargains over a check that failed: what it would cost to have succeeded. Source: rules.md C."""

from enum import StrEnum
from typing import Literal

from dreadclock.wire.base import Id, Model, Text
from dreadclock.wire.families.base import CommandBase, EventBase, Fold, sets


class CostStage(StrEnum):
    """Where the bargain over a failure stands."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    COUNTERED = "countered"  # the gm named other terms
    APPLIED = "applied"  # the cost is paid, and the check did what it was meant to
    DECLINED = "declined"  # the failure stands


class Cost(Model):
    """The bargain over a failure: what it would cost to have succeeded."""

    stage: CostStage
    cost: Text | None = None  # as the player proposed it
    terms: Text | None = None  # the gm's, where they differ


# Commands


class CostAnswer(StrEnum):
    """What the gm says to a cost that was proposed."""

    ACCEPT = "accept"
    REFUSE = "refuse"
    COUNTER = "counter"


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


BargainCommand = ProposeCost | AnswerCost | SettleFailure


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CostProposed(EventBase):
    """A cost was proposed for a check that failed."""

    type: Literal["cost_proposed"] = "cost_proposed"
    check_id: Id
    cost: Cost


class CostAnswered(EventBase):
    """The gm answered a cost."""

    type: Literal["cost_answered"] = "cost_answered"
    check_id: Id
    cost: Cost


class FailureSettled(EventBase):
    """The player applied the terms agreed, or took the failure."""

    type: Literal["failure_settled"] = "failure_settled"
    check_id: Id
    cost: Cost


BargainEvent = CostProposed | CostAnswered | FailureSettled


# How these events change a view


FOLDS: dict[type[EventBase], Fold] = {
    CostProposed: sets("checks", "cost"),
    CostAnswered: sets("checks", "cost"),
    FailureSettled: sets("checks", "cost"),
}
