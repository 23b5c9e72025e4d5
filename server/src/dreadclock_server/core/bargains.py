"""What follows a check: choosing effects, and bargaining over a failure. Source: rules.md C."""

from dreadclock.following import challenges
from dreadclock.following.telling import root_of_check
from dreadclock.following.tokens import chosen
from dreadclock.rules.check import Outcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Visibility
from dreadclock.wire.commands import AnswerCost, ChooseEffect, CostAnswer, ProposeCost, SettleFailure
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Check, Choice, Cost, CostStage
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft

_SETTLED = (CostStage.APPLIED, CostStage.DECLINED)
_STAGES = {
    CostAnswer.ACCEPT: CostStage.ACCEPTED,
    CostAnswer.REFUSE: CostStage.REFUSED,
    CostAnswer.COUNTER: CostStage.COUNTERED,
}


def choose_effect(draft: Draft, command: ChooseEffect) -> None:
    """Decide `choose_effect`; a leader who fumbled in a triumph has two choices of one check."""
    character = find.character(draft, command.character_id)
    choices = [each for each in character.choices if each.check_id == command.check_id]
    if not choices:
        raise Refused(Code.NO_CHOICE, id=character.id, check=command.check_id)
    choice = next((each for each in choices if command.effect in _effects(each)), None)
    if choice is None:
        raise Refused(Code.NOT_OFFERED, offered=", ".join(effect for each in choices for effect in _effects(each)))
    choose(draft, character.id, choice, command.effect)


def choose(draft: Draft, character_id: Id, choice: Choice, effect: str) -> None:
    """Take an effect, be it the token that the choice is instead of."""
    left = tuple(one for one in draft.view.characters[character_id].choices if one != choice)
    event = e.EffectChosen(character_id=character_id, check_id=choice.check_id, effect=effect, choices=left)
    draft.emit(Channel.PUBLIC, event)
    chosen(draft, character_id, choice, effect)


def settle_choices(draft: Draft, character_id: Id) -> None:
    """Turn choices that were not made before the next roll into their tokens. Source: rules.md C18."""
    for choice in draft.view.characters[character_id].choices:
        choose(draft, character_id, choice, choice.instead_of)


def _effects(choice: Choice) -> tuple[str, ...]:
    return (choice.instead_of, *choice.offered)


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
        challenges.roll_succeeds(draft, check.effort, hidden=check.visibility is not Visibility.PUBLIC)


def _failed(draft: Draft, check_id: Id) -> Check:
    """Return a check whose acting side failed, and that is not settled.

    A fumble leaves nothing to bargain over, nor does a success that lost its contest.
    """
    check = find.check(draft, check_id)
    failed = check.result is not None and check.result.acting.outcome is Outcome.FAIL
    if not failed or (check.cost is not None and check.cost.stage in _SETTLED):
        raise Refused(Code.NOT_FAILED, id=check.id)
    return check
