"""Rolling a check, part by part, and what it comes to. Source: rules.md C1-C18."""

from dreadclock.rules import check as rules
from dreadclock.rules.check import Plan
from dreadclock.rules.contest import Side, contest, dealt
from dreadclock.wire import events as e
from dreadclock.wire.base import Faces, Id, Kind, Role, RollProof, Visibility
from dreadclock.wire.commands import RollCheck
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import (
    Benefit,
    Check,
    CheckResult,
    CheckStatus,
    Part,
    PartRoll,
    SideResult,
)
from dreadclock_server.core import characters, efforts, find, secrets
from dreadclock_server.core.chances import plan_of, reflexes, within_cap
from dreadclock_server.core.check_effects import bring_effects
from dreadclock_server.core.check_parts import is_own, own_part
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.rolls import deal, throw_until
from dreadclock_server.core.roots import root_of_check


def roll_check(draft: Draft, command: RollCheck) -> None:
    """Decide `roll_check`: the last part to be rolled resolves the check."""
    check = find.check(draft, command.check_id)
    part = _part_to_roll(draft, check, command)
    find.able_character(draft, part.character_id)
    hidden = check.visibility is not Visibility.PUBLIC
    if not hidden:
        characters.settle_choices(draft, part.character_id)
    if check.status is CheckStatus.READY:
        efforts.tick_for(draft, check.effort, hidden=hidden)
    rolled = part.model_copy(update={"roll": _roll(draft, check, part, command, hidden=hidden)})
    draft.tell(root_of_check(check), e.CheckRolled(check_id=check.id, part=rolled))
    resolve_when_complete(draft, check.id)


def resolve_when_complete(draft: Draft, check_id: Id) -> None:
    """Say what a check comes to, once all its parts are rolled."""
    check = draft.view.checks[check_id]
    if all(each.roll for each in check.parts):
        _resolve(draft, check)


def _part_to_roll(draft: Draft, check: Check, command: RollCheck) -> Part:
    part = own_part(draft, check, command.character_id)
    waiting = [each.character_id for each in check.parts if each.roll is None]
    unsaid = command.character_id is None and draft.by.role is Role.GM
    if unsaid and waiting and (part.roll or not is_own(draft, check, part)):
        raise Refused(Code.PART_UNSAID, id=check.id, waiting=", ".join(waiting))  # a second click rolls nobody else's
    if part.roll is not None:
        raise Refused(Code.ROLL_STANDS, kind=Kind.CHECK, id=check.id)
    if check.status is CheckStatus.PROPOSED:
        raise Refused(Code.NOT_APPROVED, kind=Kind.CHECK, id=check.id)
    if check.contest and not check.side(Side.OPPOSING):
        raise Refused(Code.NOT_OPPOSED, id=check.id)
    return part


def _roll(draft: Draft, check: Check, part: Part, command: RollCheck, *, hidden: bool) -> PartRoll:
    """Roll a part; one that everyone sees spends what waits for its character. Source: rules.md C10."""
    paid, momentum, interference = 0, False, False
    if not hidden:
        before = characters.spend_tokens(draft, part.character_id, check.id)
        momentum, interference = before.momentum, before.interference
        paid = characters.pay(draft, part.character_id, Benefit.CHECK, into=check.id) if part.claim else 0
        characters.lapse(draft, part.character_id)
    plan = plan_of(part, paid=paid, momentum=momentum, interference=interference)
    faces, proof = _throw(draft, check, plan, command)
    reading = rules.read(plan, faces)
    return PartRoll(
        pool=plan.dice,
        removed=plan.removed,
        momentum=momentum,
        interference=interference,
        paid=within_cap(part, paid),
        faces=reading.faces,
        remaining=reading.remaining,
        outcome=reading.outcome,
        highest=reading.highest,
        margin=reading.margin,
        capped=reading.capped,
        physical=command.faces is not None,
        proof=proof,
    )


def _throw(draft: Draft, check: Check, plan: Plan, command: RollCheck) -> tuple[Faces, RollProof | None]:
    if plan.dice == 0 and command.faces is None:  # nothing to roll uses no slot
        return (), None
    why = f"{plan.dice} at first" + (", one more for each 6" if plan.explodes else "")
    why += ", and each 1 is rolled again" if plan.rerolls else ""
    return throw_until(draft, lambda faces: rules.wanted(plan, faces), why, command, root_of_check(check))


def _resolve(draft: Draft, check: Check) -> None:
    result = _result(draft, check)
    draft.tell(root_of_check(check), e.CheckResolved(check_id=check.id, result=result))
    if check.visibility is Visibility.PUBLIC:
        for side in Side:
            bring_effects(draft, check, result, side)
    if result.won_by(Side.ACTING):
        efforts.succeed_for(draft, check.effort, hidden=check.visibility is not Visibility.PUBLIC)
    secrets.end(draft, root_of_check(check))


def _result(draft: Draft, check: Check) -> CheckResult:
    acting, opposing = (_pooled(check, side) for side in Side)
    if not check.side(Side.OPPOSING):
        return CheckResult(acting=_side_result(acting))
    verdict = contest(acting, opposing, reflexes(draft, check))
    deals: Faces = ()
    proof = None
    if verdict.winner is None:
        deals, proof = deal(draft, lambda faces: len(faces) + 2 * (dealt(faces) is None), root_of_check(check))
    return CheckResult(
        acting=_side_result(acting),
        opposing=_side_result(opposing),
        winner=verdict.winner or dealt(deals),
        decided_by=verdict.by,
        deals=deals,
        proof=proof,
    )


def _pooled(check: Check, side: Side) -> Faces:
    return tuple(face for part in check.side(side) if part.roll for face in part.roll.remaining)


def _side_result(pooled: Faces) -> SideResult:
    return SideResult(outcome=rules.grade(pooled), highest=rules.highest(pooled), margin=rules.margin(pooled))
