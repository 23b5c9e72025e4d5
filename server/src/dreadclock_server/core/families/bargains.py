"""Bargaining over a check that failed. Source: rules.md C."""

from dreadclock.following import checks
from dreadclock.following.telling import root_of_check
from dreadclock.rules.check import Outcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Id
from dreadclock.wire.commands import AnswerCost, CostAnswer, ProposeCost, SettleFailure
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Check, Cost, CostStage
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft

_SETTLED = (CostStage.APPLIED, CostStage.DECLINED)
_STAGES = {
    CostAnswer.ACCEPT: CostStage.ACCEPTED,
    CostAnswer.REFUSE: CostStage.REFUSED,
    CostAnswer.COUNTER: CostStage.COUNTERED,
}


def propose_cost(draft: Draft, command: ProposeCost) -> None:
    """Decide `propose_cost`; another one may be proposed until the failure is settled."""
    check = _failed(draft, command.check_id)
    cost = Cost(stage=CostStage.PROPOSED, cost=command.cost)
    draft.tell(root_of_check(check), e.CostProposed(check_id=check.id, cost=cost))


def answer_cost(draft: Draft, command: AnswerCost) -> None:
    """Decide `answer_cost`."""
    check = _failed(draft, command.check_id)
    if check.cost is None or check.cost.stage is not CostStage.PROPOSED:
        raise Refused(Code.NO_COST, id=check.id)
    if (command.answer is CostAnswer.COUNTER) != (command.terms is not None):
        raise Refused(Code.TERMS_NEEDED)
    cost = check.cost.model_copy(update={"stage": _STAGES[command.answer], "terms": command.terms})
    draft.tell(root_of_check(check), e.CostAnswered(check_id=check.id, cost=cost))


def settle_failure(draft: Draft, command: SettleFailure) -> None:
    """Decide `settle_failure`: terms that are applied make the check do what it was meant to."""
    check = _failed(draft, command.check_id)
    cost = check.cost or Cost(stage=CostStage.DECLINED)
    if command.apply and cost.stage not in (CostStage.ACCEPTED, CostStage.COUNTERED):
        raise Refused(Code.NOT_AGREED, id=check.id)
    cost = cost.model_copy(update={"stage": CostStage.APPLIED if command.apply else CostStage.DECLINED})
    draft.tell(root_of_check(check), e.FailureSettled(check_id=check.id, cost=cost))
    if command.apply:
        checks.paid(draft, check)


def _failed(draft: Draft, check_id: Id) -> Check:
    """Return a check whose acting side failed, and that is not settled.

    A fumble leaves nothing to bargain over, nor does a success that lost its contest.
    """
    check = find.check(draft, check_id)
    failed = check.result is not None and check.result.acting.outcome is Outcome.FAIL
    if not failed or (check.cost is not None and check.cost.stage in _SETTLED):
        raise Refused(Code.NOT_FAILED, id=check.id)
    return check


DECIDE: Deciders = {
    ProposeCost: propose_cost,
    AnswerCost: answer_cost,
    SettleFailure: settle_failure,
}
