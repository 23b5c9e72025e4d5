"""Bargains over a failed check: the player offers a cost, and the check counts as a success if the cost is paid.
Source: rules.md C.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from dreadclock.rules.limits import MAX_CLOCK, MAX_EFFECTS
from dreadclock.wire.base import ChosenName, Id, Later, Model, Name, Text
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, updated


class CostStage(StrEnum):
    """The status of a bargain over a failure."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    COUNTERED = "countered"  # the gm named other terms
    APPLIED = "applied"  # the cost is paid, and the check counts as a success
    DECLINED = "declined"  # the failure stands


class Payment(Model):
    """A payment by the proposer's own character: a `state` that the character gets, or a `track` (a number such as
    hits) that moves by `by`."""

    state: ChosenName | None = None
    track: Name | None = None
    by: Annotated[int, Field(ge=-MAX_CLOCK, le=MAX_CLOCK)] = 0


Payments = Annotated[tuple[Payment, ...], Field(max_length=MAX_EFFECTS)]


class Cost(Model):
    """A bargain over a failure: if the cost is paid, the failure counts as a success."""

    stage: CostStage
    cost: Text | None = None  # the cost that the player proposed
    terms: Text | None = None  # the gm's terms, if they differ
    pays: Later[Payments] = ()  # the payments, made when the terms are applied


# Commands


class CostAnswer(StrEnum):
    """The gm's answer to a proposed cost."""

    ACCEPT = "accept"
    REFUSE = "refuse"
    COUNTER = "counter"


class ProposeCost(CommandBase):
    """Propose a cost. If the cost is paid, a character's failed, fumbled or lost roll in a check counts as success.

    `character_id`: this character; by default the leader, whose check it is. `pays`: the states and tracks of this
    character that pay the cost. They change when the agreed terms are applied.
    """

    type: Literal["propose_cost"] = "propose_cost"
    check_id: Id
    character_id: Id | None = None
    cost: Text
    pays: Payments = ()


class AnswerCost(CommandBase):
    """Answer a cost: `accept`, `refuse`, or `counter` with other `terms` and payments (`pays`).

    `character_id`: the character whose failure it is; by default the leader.
    """

    type: Literal["answer_cost"] = "answer_cost"
    check_id: Id
    character_id: Id | None = None
    answer: CostAnswer
    terms: Text | None = None
    pays: Payments = ()


class SettleFailure(CommandBase):
    """Settle a failure in a check. If `apply` is true, pay the agreed cost; otherwise accept the failure.

    `character_id`: the character whose failure it is; by default the leader.
    """

    type: Literal["settle_failure"] = "settle_failure"
    check_id: Id
    character_id: Id | None = None
    apply: bool


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CostEvent(EventBase):
    """A bargain over a failure changed.

    `cost`: the cost as it is now. `character_id`: who failed; absent: the check's leader.
    """

    check_id: Id
    character_id: Id | None = None
    cost: Cost


class CostProposed(CostEvent):
    """A cost was proposed. If the cost is paid, a failed check counts as a success.

    `character_id`: the character who failed; absent: the check's leader.
    """

    type: Literal["cost_proposed"] = "cost_proposed"


class CostAnswered(CostEvent):
    """The gm accepted or refused the proposed cost, or named other terms.

    `cost`: the cost as it is now. `character_id`: the character who failed; absent: the check's leader.
    """

    type: Literal["cost_answered"] = "cost_answered"


class FailureSettled(CostEvent):
    """The agreed cost was paid, and the check counts as a success; or the failure stands.

    `stage` of `cost`: `applied` if the cost was paid, otherwise `declined`. `character_id`: the character who failed;
    absent: the check's leader.
    """

    type: Literal["failure_settled"] = "failure_settled"


# How these events change a view


def _cost_set(part: ViewPart, event: CostEvent) -> Changes:
    if event.character_id is None:
        return [updated(part, "checks", event.check_id, cost=event.cost)]
    parts = tuple(
        other.model_copy(update={"cost": event.cost}) if other.character_id == event.character_id else other
        for other in part.checks[event.check_id].parts
    )
    return [updated(part, "checks", event.check_id, parts=parts)]


FOLDS: dict[type[EventBase], Fold] = {
    CostProposed: _cost_set,
    CostAnswered: _cost_set,
    FailureSettled: _cost_set,
}
