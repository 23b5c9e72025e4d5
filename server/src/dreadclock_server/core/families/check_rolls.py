"""Rolling a check, part by part, and what it comes to. Source: rules.md C1-C18."""

from dreadclock.following import challenges
from dreadclock.following.checks import Dealt, is_complete, part_roll, planned, resolved, result_of
from dreadclock.following.telling import root_of_check
from dreadclock.following.tokens import Spent, spend
from dreadclock.following.ventures import count_anew
from dreadclock.rules import check as rules
from dreadclock.rules.check import Plan
from dreadclock.rules.contest import Side, dealt
from dreadclock.wire import events as e
from dreadclock.wire.base import Faces, Id, Kind, RollProof, Scope, Visibility
from dreadclock.wire.commands import RollCheck
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import (
    Check,
    CheckStatus,
    Part,
    PartRoll,
)
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.families.check_effects import settle_choices
from dreadclock_server.core.families.check_parts import is_own, own_part
from dreadclock_server.core.throwing import deal, throw_until


def roll_check(draft: Draft, command: RollCheck) -> None:
    """Decide `roll_check`: the last part to be rolled resolves the check."""
    check = find.check(draft, command.check_id)
    part = _part_to_roll(draft, check, command)
    if part.name is None:
        find.able_character(draft, part.character_id)
    find.require_under_way(draft, check.effort)
    hidden = check.visibility is not Visibility.PUBLIC
    if not hidden:
        settle_choices(draft, part.character_id)
    if check.status is CheckStatus.READY:
        challenges.roll_begins(draft, check.effort, hidden=hidden)
    spent = Spent() if hidden else spend(draft, part, check.id)
    rolled = part.model_copy(update={"roll": _roll(draft, check, part, spent, command)})
    draft.tell(root_of_check(check), e.CheckRolled(check_id=check.id, part=rolled))
    resolve_when_complete(draft, check.id)


def resolve_when_complete(draft: Draft, check_id: Id) -> None:
    """Say what a check comes to, once all its parts are rolled."""
    check = draft.view.checks[check_id]
    if is_complete(check):
        _resolve(draft, check)
    if check.visibility is Visibility.PUBLIC:
        count_anew(draft)


def _part_to_roll(draft: Draft, check: Check, command: RollCheck) -> Part:
    part = own_part(draft, check, command.character_id)
    waiting = [each.character_id for each in check.parts if each.roll is None]
    unsaid = command.character_id is None and draft.by.may(Scope.ROLLS)
    if unsaid and waiting and (part.roll or not is_own(draft, check, part)):
        raise Refused(Code.PART_UNSAID, id=check.id, waiting=", ".join(waiting))  # a second click rolls nobody else's
    if part.roll is not None:
        raise Refused(Code.ROLL_STANDS, kind=Kind.CHECK, id=check.id)
    if check.status is CheckStatus.PROPOSED:
        raise Refused(Code.NOT_APPROVED, kind=Kind.CHECK, id=check.id)
    if check.contest and not check.side(Side.OPPOSING):
        raise Refused(Code.NOT_OPPOSED, id=check.id)
    return part


def _roll(draft: Draft, check: Check, part: Part, spent: Spent, command: RollCheck) -> PartRoll:
    faces, proof = _throw(draft, check, planned(part, spent), command)
    return part_roll(part, spent, faces, physical=command.faces is not None, proof=proof)


def _throw(draft: Draft, check: Check, plan: Plan, command: RollCheck) -> tuple[Faces, RollProof | None]:
    if plan.dice == 0 and command.faces is None:  # nothing to roll uses no slot
        return (), None
    why = f"{plan.dice} at first" + (", one more for each 6" if plan.explodes else "")
    why += ", and each 1 is rolled again" if plan.rerolls else ""
    return throw_until(draft, lambda faces: rules.wanted(plan, faces), why, command, root_of_check(check))


def _resolve(draft: Draft, check: Check) -> None:
    root = root_of_check(check)

    def deal_pairs() -> Dealt:
        return deal(draft, lambda faces: len(faces) + 2 * (dealt(faces) is None), root)

    result = result_of(draft.view, check, deal_pairs)
    draft.tell(root, e.CheckResolved(check_id=check.id, result=result))
    resolved(draft, check, result)
