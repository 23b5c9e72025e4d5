"""Rolling a check, part by part, and what it comes to. Source: rules.md C1-C18."""

from __future__ import annotations

from typing import NamedTuple

from dreadclock.export import Step
from dreadclock.referee import clocks, secrets
from dreadclock.referee.effects import bring_effects, check_settled, lapse, pay, spend_tokens
from dreadclock.referee.odds import plan_of, reflexes, within_cap
from dreadclock.referee.reader import Beginnings, Reader
from dreadclock.referee.roots import root_of_check
from dreadclock.referee.things import check_able, check_dice
from dreadclock.rules import check as rules
from dreadclock.rules.check import Plan
from dreadclock.rules.contest import Side, contest, dealt
from dreadclock.wire import events as e
from dreadclock.wire.base import Faces, Id, Visibility
from dreadclock.wire.things import Benefit, Check, CheckResult, CheckStatus, Part, PartRoll, SideResult
from dreadclock.wire.views import View


def roll_check(r: Reader, first: Step, target: Step) -> None:
    """A part is rolled: what goes before it, its faces, and what the check comes to once all parts are in."""
    event = target.record.event
    assert isinstance(event, e.CheckRolled)
    check = first.before.channels[target.record.channel].checks.get(event.check_id)
    part = check.part_of(event.part.character_id) if check else None
    if check is None or part is None:
        return _give_up(r, target, "there is no such part of a check")
    character = check_able(r, target, part.character_id)
    r.allow(target, character.owner if character else None)
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
        clocks.roll_begins(r, check.effort, hidden=hidden)
    spent = Spent()
    if not hidden:
        before = spend_tokens(r, part.character_id, check.id)
        paid = pay(r, part.character_id, Benefit.CHECK, check.id) if part.claim else 0
        spent = Spent(paid, before.momentum, before.interference)
        lapse(r, part.character_id)
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


class Spent(NamedTuple):
    """What goes into a roll of what waited for its character: dice of ventures, and tokens."""

    paid: int = 0
    momentum: bool = False
    interference: bool = False


def check_roll(r: Reader, step: Step, part: Part, said: PartRoll, spent: Spent) -> Plan | None:
    """Check what the faces of a part come to; return what was to be rolled, if they are as many as that takes."""
    plan = plan_of(part, **spent._asdict())
    try:
        reading = rules.read(plan, said.faces)
    except ValueError as error:
        r.fault(step, str(error).rstrip("."))
        return None
    follows = PartRoll(
        pool=plan.dice,
        removed=plan.removed,
        momentum=spent.momentum,
        interference=spent.interference,
        paid=within_cap(part, spent.paid),
        faces=said.faces,
        remaining=reading.remaining,
        outcome=reading.outcome,
        highest=reading.highest,
        margin=reading.margin,
        capped=reading.capped,
        physical=said.physical,
        proof=said.proof,
    )
    r.same(step, said, follows, "roll.")
    return plan


def resolve_when_complete(r: Reader, check_id: Id) -> None:
    """A check is resolved as soon as all its parts are rolled."""
    check = r.view.checks[check_id]
    if not all(part.roll for part in check.parts):
        return
    root = root_of_check(check)
    step = r.take(root.channel, e.CheckResolved)
    if step is None or not isinstance(step.record.event, e.CheckResolved):
        return
    result = step.record.event.result
    check_result(r, step, step.before, check, result)
    r.same(step, step.record.event, e.CheckResolved(check_id=check_id, result=result))
    r.hint(root)
    if check.visibility is Visibility.PUBLIC:
        for side in Side:
            bring_effects(r, check, result, side)
    if result.won_by(Side.ACTING):
        clocks.roll_succeeds(r, check.effort, hidden=check.visibility is not Visibility.PUBLIC)
    secrets.end(r, root)


def check_result(r: Reader, step: Step, view: View, check: Check, said: CheckResult) -> None:
    """Check what the dice of both sides come to; a tie is dealt in pairs until one is higher. C16 and C17."""
    acting, opposing = (pooled(check, side) for side in Side)
    if not check.side(Side.OPPOSING):
        return r.same(step, said, CheckResult(acting=side_result(acting)), "result.")
    verdict = contest(acting, opposing, reflexes(view, check))
    deals = said.deals if verdict.winner is None else ()
    enough = dealt(deals) is not None and len(deals) % 2 == 0 and dealt(deals[:-2]) is None
    r.require(step, verdict.winner is not None or enough, "its deals do not end with the first pair that differs")
    r.require(step, (said.proof is not None) == bool(deals), "its deals do not say where they come from")
    follows = CheckResult(
        acting=side_result(acting),
        opposing=side_result(opposing),
        winner=verdict.winner or dealt(deals),
        decided_by=verdict.by,
        deals=deals,
        proof=said.proof,
    )
    return r.same(step, said, follows, "result.")


def pooled(check: Check, side: Side) -> Faces:
    """Return the dice that remain of a side, of all its parts."""
    return tuple(face for part in check.side(side) if part.roll for face in part.roll.remaining)


def side_result(faces: Faces) -> SideResult:
    """Return what the dice that remain of a side come to."""
    return SideResult(outcome=rules.grade(faces), highest=rules.highest(faces), margin=rules.margin(faces))


def rolled(r: Reader, step: Step, event: e.CheckRolled) -> None:
    """A check is rolled with nothing that goes before it."""
    r.undo()
    roll_check(r, step, step)


BEGINNINGS: Beginnings = {e.CheckRolled: rolled}
