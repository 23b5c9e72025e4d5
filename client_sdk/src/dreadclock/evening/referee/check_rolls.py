"""Rolling a check, part by part, and what it comes to. Source: rules.md C1-C18."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.effects import check_settled
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_able, check_dice
from dreadclock.following import challenges
from dreadclock.following.checks import Dealt, is_complete, part_roll, planned, resolved, result_of
from dreadclock.following.telling import root_of_check
from dreadclock.following.tokens import Spent, spend
from dreadclock.following.ventures import count_anew
from dreadclock.rules.check import Plan
from dreadclock.rules.contest import Side, dealt
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Scope, Visibility
from dreadclock.wire.things import Check, CheckResult, CheckStatus, Part, PartRoll


def roll_check(r: Reader, first: Step, target: Step) -> None:
    """A part is rolled: what goes before it, its faces, and what the check comes to once all parts are in."""
    event = target.record.event
    assert isinstance(event, e.CheckRolled)
    check = first.before.channels[target.record.channel].checks.get(event.check_id)
    part = check.part_of(event.part.character_id) if check else None
    if check is None or part is None:
        return _give_up(r, target, "there is no such part of a check")
    named = part.name is not None
    character = None if named else check_able(r, target, part.character_id, check.visibility)
    r.allow(target, character.owner if character else None, scopes=(Scope.ROLLS,))
    r.require(target, part.roll is None, "its roll stands")
    r.require(target, check.status in (CheckStatus.READY, CheckStatus.ROLLING), "it cannot be rolled yet")
    opposed = not check.contest or bool(check.side(Side.OPPOSING))
    r.require(target, opposed, "it is a contest without another side")
    return _roll(r, check, part)


def _give_up(r: Reader, target: Step, why: str) -> None:
    r.fault(target, why)
    r.take(target.record.channel, type(target.record.event))


def _roll(r: Reader, check: Check, part: Part) -> None:
    hidden = check.visibility is not Visibility.PUBLIC
    if check.status is CheckStatus.READY:
        challenges.roll_begins(r, check.effort, hidden=hidden)
    spent = Spent() if hidden else spend(r, part, check.id)
    step = r.take(root_of_check(check).channel, e.CheckRolled)
    if step is None or not isinstance(step.record.event, e.CheckRolled):
        return None
    if not hidden:
        check_settled(r, step, part.character_id)
    event = step.record.event
    said = event.part.roll
    if said is None:
        return r.fault(step, "it shows no roll")
    plan = check_roll(r, step, part, said, spent)
    check_dice(r, step, physical=said.physical, proof=said.proof, any_dice=plan is None or plan.dice > 0)
    r.same(step, event, event.model_copy(update={"check_id": check.id, "part": part.model_copy(update={"roll": said})}))
    r.hint(root_of_check(check))
    return resolve_when_complete(r, check.id)


def check_roll(r: Reader, step: Step, part: Part, said: PartRoll, spent: Spent) -> Plan | None:
    """Check what the faces of a part come to; return what was to be rolled, if they are as many as that takes."""
    try:
        follows = part_roll(part, spent, said.faces, physical=said.physical, proof=said.proof)
    except ValueError as error:
        r.fault(step, str(error).rstrip("."))
        return None
    r.same(step, said, follows, "roll.")
    return planned(part, spent)


def resolve_when_complete(r: Reader, check_id: Id) -> None:
    """A check is resolved as soon as all its parts are rolled; what others count on may change with a roll."""
    check = r.view.checks[check_id]
    if is_complete(check):
        _resolve(r, check)
    if check.visibility is Visibility.PUBLIC:
        count_anew(r)


def _resolve(r: Reader, check: Check) -> None:
    root = root_of_check(check)
    step = r.take(root.channel, e.CheckResolved)
    if step is None or not isinstance(step.record.event, e.CheckResolved):
        return
    result = step.record.event.result
    _check_result(r, step, check, result)
    r.same(step, step.record.event, e.CheckResolved(check_id=check.id, result=result))
    r.hint(root)
    resolved(r, check, result)


def _check_result(r: Reader, step: Step, check: Check, said: CheckResult) -> None:
    """Check what the dice of both sides come to; a tie is dealt in pairs until one is higher. C16 and C17."""
    tied = False

    def deal() -> Dealt:
        nonlocal tied
        tied = True
        return said.deals, said.proof

    follows = result_of(step.before, check, deal)
    if tied:
        enough = len(said.deals) % 2 == 0 and dealt(said.deals) is not None and dealt(said.deals[:-2]) is None
        r.require(step, enough, "its deals do not end with the first pair that differs")
        r.require(step, said.proof is not None, "its deals do not say where they come from")
    r.same(step, said, follows, "result.")


def rolled(r: Reader, step: Step, event: e.CheckRolled) -> None:
    """A check is rolled with nothing that goes before it."""
    r.undo()
    roll_check(r, step, step)


BEGINNINGS: Beginnings = {e.CheckRolled: rolled}
