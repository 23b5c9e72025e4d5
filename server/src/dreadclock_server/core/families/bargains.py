"""Bargaining over a failed check: a player proposes a cost that turns the failure into a success, and the gm answers.

A part is one character's roll in a check. Source: rules.md C20.
"""

from collections.abc import Iterable

from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_ON_SHEET
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Kind, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.checks import failed
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.families import challenges
from dreadclock_server.core.families.characters import gain_state, shift_track
from dreadclock_server.core.families.check_parts import PartOfCheck, named_part, owner_of_part
from dreadclock_server.core.find import topic_of_check
from dreadclock_server.core.rights import Rights, Who, only, owned

RIGHTS: Rights = {
    c.ProposeCost: owned(named_part, Who.ROLLS, owner_of=owner_of_part),
    c.AnswerCost: only(Who.GM),
    c.SettleFailure: owned(named_part, Who.ROLLS, owner_of=owner_of_part),
}


_SETTLED = (t.CostStage.APPLIED, t.CostStage.DECLINED)
_STAGES = {
    c.CostAnswer.ACCEPT: t.CostStage.ACCEPTED,
    c.CostAnswer.REFUSE: t.CostStage.REFUSED,
    c.CostAnswer.COUNTER: t.CostStage.COUNTERED,
}


def propose_cost(draft: Draft, command: c.ProposeCost, target: PartOfCheck) -> None:
    """Decide `propose_cost`: propose a cost that turns a failure into a success. Replaces an earlier proposal."""
    check, part = _failed(target)
    _refuse_unpayable(draft, check, part, command.pays)
    _tell(draft, e.CostProposed, check, part, t.Cost(stage=t.CostStage.PROPOSED, cost=command.cost, pays=command.pays))


def answer_cost(draft: Draft, command: c.AnswerCost) -> None:
    """Decide `answer_cost`: accept or refuse a proposed cost, or propose other terms."""
    check, part = _failed(named_part(draft, command))
    before = check.cost_of(part)
    if before is None or before.stage is not t.CostStage.PROPOSED:
        raise Refused(Code.NO_COST, id=check.id)
    counters = command.answer is c.CostAnswer.COUNTER
    if counters != (command.terms is not None) or (command.pays and not counters):
        raise Refused(Code.TERMS_NEEDED)
    _refuse_unpayable(draft, check, part, command.pays)
    pays = command.pays if counters else before.pays
    changes = {"stage": _STAGES[command.answer], "terms": command.terms, "pays": pays}
    _tell(draft, e.CostAnswered, check, part, before.model_copy(update=changes))


def settle_failure(draft: Draft, command: c.SettleFailure, target: PartOfCheck) -> None:
    """Decide `settle_failure`: pay the agreed cost, which turns the failure into a success, or decline it."""
    check, part = _failed(target)
    cost = check.cost_of(part) or t.Cost(stage=t.CostStage.DECLINED)
    if not command.apply:
        declined = cost.model_copy(update={"stage": t.CostStage.DECLINED})
        return _tell(draft, e.FailureSettled, check, part, declined)
    find.require_under_way(draft, check.effort)
    if cost.stage not in (t.CostStage.ACCEPTED, t.CostStage.COUNTERED):
        raise Refused(Code.NOT_AGREED, id=check.id)
    _refuse_unpayable(draft, check, part, cost.pays)
    _tell(draft, e.FailureSettled, check, part, cost.model_copy(update={"stage": t.CostStage.APPLIED}))
    return succeeded_at_a_cost(draft, check, part)


def _refuse_unpayable(draft: Draft, check: t.Check, part: t.Part, payments: tuple[t.Payment, ...]) -> None:
    """Raise Refused if a character cannot pay, or if a hidden check would change a public sheet."""
    if payments and check.visibility is not Visibility.PUBLIC:
        raise Refused(Code.NOT_AVAILABLE, what="states and tracks as the cost of a check that not everyone sees")
    character = draft.view.characters.get(part.character_id)  # None for an opponent without a sheet
    payment = unpayable(character, payments) if character is not None else next(iter(payments), None)
    if payment is not None:
        raise Refused(Code.CANNOT_PAY, id=part.character_id, name=payment.state or payment.track or "nothing")


def _tell(draft: Draft, event: type[e.CostEvent], check: t.Check, part: t.Part, cost: t.Cost) -> None:
    about = None if part.character_id == check.leader.character_id else part.character_id
    draft.tell(topic_of_check(check), event(check_id=check.id, character_id=about, cost=cost))  # type: ignore[arg-type]


def _failed(target: PartOfCheck) -> PartOfCheck:
    """Return `target`. Raises Refused if its part did not fail, fumble or lose, or if the failure is settled. C20."""
    check, part = target
    cost = check.cost_of(part)
    if not failed(check, part) or (cost is not None and cost.stage in _SETTLED):
        raise Refused(Code.NOT_FAILED, id=check.id)
    return target


def unpayable(character: t.Character, payments: Iterable[t.Payment]) -> t.Payment | None:
    """Return the first payment that a character cannot make when paying in this order; None if it can make all.

    A character cannot pay with a state that it has already or for which its sheet has no room. A track must exist and
    stay between 0 and its maximum. A payment must name either a state or a track. Source: rules.md C20.
    """
    states, values = set(character.states), {name: track.value for name, track in character.tracks.items()}
    for payment in payments:
        name = payment.track
        if (payment.state is None) == (name is None):
            return payment
        if payment.state is not None:
            if payment.state in states or len(states) >= MAX_ON_SHEET:
                return payment
            states.add(payment.state)
        if name is not None:
            values[name] = values.get(name, 0) + payment.by
            if name not in character.tracks or payment.by == 0 or not 0 <= values[name] <= character.tracks[name].most:
                return payment
    return None


def succeeded_at_a_cost(draft: Draft, check: t.Check, part: t.Part) -> None:
    """Pay the agreed cost.

    If the acting side did not win the check, its first payment also triggers the effects of a success. If the check was
    an effort against a challenge, the effort then succeeds. Source: rules.md C20.
    """
    agreed = check.cost_of(part)
    for payment in agreed.pays if agreed is not None else ():
        if payment.state is not None:
            gain_state(draft, part.character_id, payment.state)
        elif payment.track is not None:
            shift_track(draft, part.character_id, payment.track, payment.by)
    costs = [check.cost_of(ally) for ally in check.side(part.side)]
    before = [cost for cost in costs if cost is not None and cost.stage is t.CostStage.APPLIED]
    won = check.result is not None and check.result.won_by(part.side)
    if part.side is Side.ACTING and not won and not before:
        draft.happened(Kind.CHECK, check.id, t.When.SUCCESS)
        challenges.roll_succeeds(draft, check.effort, hidden=check.visibility is not Visibility.PUBLIC)
