"""Checks: proposing, adjusting, rolling and withdrawing them. Source: rules.md C1-C18.

A part is one character's roll in a check. An effort is a check against a challenge.
"""

from collections.abc import Callable

from dreadclock.rules import check as rules
from dreadclock.rules.check import Outcome, Plan
from dreadclock.rules.contest import Side, contest, dealt
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Faces, Id, Kind, RollProof, Scope, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.check_effects import keys_of
from dreadclock.wire.families.checks import check_odds, plan_of, reflexes, within_cap
from dreadclock.wire.families.scenes import usual_place
from dreadclock.wire.views import View
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, channel_of
from dreadclock_server.core.families import challenges, secrets
from dreadclock_server.core.families.challenges import challenge_for
from dreadclock_server.core.families.check_effects import checked, deeds_of, fumbled, settle_choices, triumphed
from dreadclock_server.core.families.check_parts import (
    PartOfCheck,
    is_own,
    is_stuck,
    make_part,
    own_part,
    owner_of_part,
    part_of,
    refuse_too_large,
    require_not_begun,
    score_of,
)
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.families.ventures import Spent, claim, count_anew, earn, gain, lapse, spend
from dreadclock_server.core.find import topic_of_check
from dreadclock_server.core.invariants import refuse_too_many
from dreadclock_server.core.rights import Rights, Who, only, owned
from dreadclock_server.core.rolling import draw_from_ledger, draw_until


def _own_part(draft: Draft, command: c.RollCheck) -> PartOfCheck:
    check = find.check(draft, command.check_id)
    return PartOfCheck(check, own_part(draft, check, command.character_id))


def _leader_of(draft: Draft, command: c.WithdrawCheck) -> PartOfCheck:
    check = find.check(draft, command.check_id)
    return PartOfCheck(check, check.leader)


RIGHTS: Rights = {
    c.ProposeCheck: owned(find.named_character, Who.ROLLS),
    c.AdjustCheck: only(Who.GM),
    c.RollCheck: owned(_own_part, Who.ROLLS, owner_of=owner_of_part),
    c.WithdrawCheck: owned(_leader_of, Who.ROLLS, owner_of=owner_of_part),
}


def propose_check(draft: Draft, command: c.ProposeCheck, character: t.Character) -> None:
    """Decide `propose_check`: start a check, whose dice are rolled later."""
    find.require_gm_for(draft, command.visibility)
    part = make_part(draft, command, character, Side.ACTING, command.visibility)
    refuse_too_many(draft, "checks", command.visibility)
    effort = challenge_for(draft, command.effort, command.visibility)
    check = t.Check(
        id=draft.new_id(Kind.CHECK, command.id, public=command.visibility is not Visibility.GM),
        seat_id=draft.by.seat_id,
        purpose=command.purpose,
        parts=(part,),
        contest=command.contest,
        effort=effort,
        within_id=_where(draft, command, effort),
        visibility=command.visibility,
        status=t.CheckStatus.PROPOSED if find.must_wait(draft) else t.CheckStatus.READY,
        made_by=draft.maker,
    )
    begin_hidden(draft, topic_of_check(check), rolled=True)
    channel = channel_of(command.visibility)
    draft.emit(channel, e.CheckProposed(check=check.model_copy(update={"odds": check_odds(draft.view, check)})))


def _where(draft: Draft, command: c.ProposeCheck, effort: Id | None) -> Id | None:
    if command.within_id is not None:
        return _place(draft, command.within_id, command.visibility)
    return usual_place(draft.view, effort) if command.visibility is Visibility.PUBLIC else None


def adjust_check(draft: Draft, command: c.AdjustCheck) -> None:
    """Decide `adjust_check`: change a check before its first roll.

    After the first roll, the command can only remove a part whose character is out of play.
    """
    given = command.model_dump(exclude={"type", "note", "check_id", "character_id"}, exclude_none=True)
    before = find.check(draft, command.check_id)
    if given.keys() == {"remove"} and _is_under_way_without(draft, before, command):
        return _go_on_without(draft, before, command)
    require_not_begun(before)
    if not given:
        raise Refused(Code.NOTHING_TO_CHANGE)
    check = _adjusted(draft, before.model_copy(update={"parts": _adjusted_parts(draft, before, command)}), command)
    check = check.model_copy(update={"odds": check_odds(draft.view, check)})
    if check == before:
        return draft.notify_sealed_changed(topic_of_check(check))
    return draft.tell(topic_of_check(check), e.CheckAdjusted(check=check))


def _is_under_way_without(draft: Draft, check: t.Check, command: c.AdjustCheck) -> bool:
    """Tell whether some parts of a check are rolled, and the character of the part to remove is out of play."""
    part = check.part_of(str(command.remove))
    return check.status is t.CheckStatus.ROLLING and part is not None and is_stuck(draft, part)


def _go_on_without(draft: Draft, check: t.Check, command: c.AdjustCheck) -> None:
    """Remove a part that will never be rolled. If all other parts are rolled, the check is resolved. Source: E3."""
    parts = tuple(part for part in check.parts if part.character_id != command.remove)
    if not any(part.side is Side.ACTING for part in parts):
        raise Refused(Code.LEADER_STAYS, id=check.leader.character_id, check=check.id)
    draft.tell(topic_of_check(check), e.CheckAdjusted(check=check.model_copy(update={"parts": parts})))
    resolve_when_complete(draft, check.id)


def _adjusted_parts(draft: Draft, check: t.Check, command: c.AdjustCheck) -> tuple[t.Part, ...]:
    target = part_of(check, command.character_id or check.leader.character_id)
    changed = target.model_copy(update=_changes(draft, check, target, command))
    refuse_too_large(changed)
    leaving = None if command.remove is None else part_of(check, command.remove)
    if leaving == check.leader:
        raise Refused(Code.LEADER_STAYS, id=check.leader.character_id, check=check.id)
    return tuple(changed if part is target else part for part in check.parts if part is not leaving)


def _changes(draft: Draft, check: t.Check, part: t.Part, command: c.AdjustCheck) -> dict[str, object]:
    """Return the changes that a command makes to a part. C23.

    A given score clears the attribute. A given attribute also sets the score, from the sheet.
    """
    named = {field: getattr(command, field) for field in ("bonus", "penalty")}
    changes: dict[str, object] = {field: value for field, value in named.items() if value is not None}
    sheetless = t.Character(id=part.character_id, name=part.name or part.character_id)
    character = draft.view.characters.get(part.character_id, sheetless)
    if command.score is not None or command.attribute is not None:
        changes["score"] = score_of(character, command.score, command.attribute)
        changes["attribute"] = command.attribute
    if command.claims is not None:
        if check.visibility is not Visibility.PUBLIC:
            raise Refused(Code.NOT_AVAILABLE, what="dice of ventures on a check that not everyone sees")
        claims = keys_of(claim(draft, character, t.Benefit.CHECK, command.claims, but=part))
        changes |= {"claims": claims, "claim": bool(claims)}
    return changes


def _adjusted(draft: Draft, check: t.Check, command: c.AdjustCheck) -> t.Check:
    changes: dict[str, object] = {}
    for field in ("contest", *t.StandingEffects.model_fields, "standing"):
        if getattr(command, field) is not None:
            changes[field] = getattr(command, field)
    if check.side(Side.OPPOSING) and command.contest is False:
        raise Refused(Code.ALREADY_OPPOSED, id=check.id)
    if command.within_id is not None:
        changes["within_id"] = _place(draft, command.within_id, check.visibility)
    if command.approve is not None:
        changes["status"] = t.CheckStatus.READY if command.approve else t.CheckStatus.PROPOSED
    adjusted = check.model_copy(update={**changes, **deeds_of(command)})
    own = t.StandingEffects(**{name: getattr(adjusted, name) for name in t.StandingEffects.model_fields})
    return adjusted.model_copy(update=dict(checked(draft, own, command)))


def _place(draft: Draft, within_id: Id, visibility: Visibility) -> Id:
    """Return `within_id`, the place of a check. Raises Refused if the place is not open, or the check is hidden."""
    if visibility is not Visibility.PUBLIC:
        raise Refused(Code.NOT_AVAILABLE, what="effects on a check that not everyone sees")
    return find.open_place(draft, within_id)


def withdraw_check(draft: Draft, command: c.WithdrawCheck, target: PartOfCheck) -> None:
    """Decide `withdraw_check`: withdraw a check before its first roll, or if its acting side can never be rolled.

    A sealed check, of which everyone knows only that it exists, is revealed first. Only the gm may withdraw it.
    """
    check = target.check
    if not all(is_stuck(draft, part) for part in check.side(Side.ACTING)):
        require_not_begun(check)
    topic = topic_of_check(check)
    if topic.visibility is Visibility.SEALED:
        find.require_gm_for(draft, topic.visibility)
        secrets.end(draft, topic)
        topic = topic._replace(visibility=Visibility.PUBLIC)
    draft.tell(topic, e.CheckWithdrawn(check_id=check.id))


# Rolling


def roll_check(draft: Draft, command: c.RollCheck, target: PartOfCheck) -> None:
    """Decide `roll_check`: roll a part of a check. The roll of the last part resolves the check."""
    check, part = target
    _require_to_roll(draft, check, part, command)
    if part.name is None:
        find.require_able(find.character(draft, part.character_id))
    find.require_under_way(draft, check.effort)
    hidden = check.visibility is not Visibility.PUBLIC
    if not hidden:
        settle_choices(draft, part.character_id)
    if check.status is t.CheckStatus.READY:
        challenges.roll_begins(draft, check.effort, hidden=hidden)
    spent = Spent() if hidden else spend(draft, part, check.id)
    rolled = part.model_copy(update={"roll": _roll(draft, check, part, spent, command)})
    draft.tell(topic_of_check(check), e.CheckRolled(check_id=check.id, part=rolled))
    resolve_when_complete(draft, check.id)


def resolve_when_complete(draft: Draft, check_id: Id) -> None:
    """Resolve a check if all its parts are rolled. After a public roll, also update the odds of waiting checks."""
    check = draft.view.checks[check_id]
    if all(part.roll for part in check.parts):
        _resolve(draft, check)
    if check.visibility is Visibility.PUBLIC:
        count_anew(draft)


def _require_to_roll(draft: Draft, check: t.Check, part: t.Part, command: c.RollCheck) -> None:
    """Raise Refused if a part cannot be rolled now, or if a sender who may roll for everyone must name the part."""
    waiting = [unrolled.character_id for unrolled in check.parts if unrolled.roll is None]
    unsaid = command.character_id is None and draft.by.may(Scope.ROLLS)
    if unsaid and waiting and (part.roll or not is_own(draft, check, part)):
        # Otherwise a second click would roll another part.
        raise Refused(Code.PART_UNSAID, id=check.id, waiting=", ".join(waiting))
    if part.roll is not None:
        raise Refused(Code.ROLL_STANDS, kind=Kind.CHECK, id=check.id)
    if check.status is t.CheckStatus.PROPOSED:
        raise Refused(Code.NOT_APPROVED, kind=Kind.CHECK, id=check.id)
    if check.contest and not check.side(Side.OPPOSING):
        raise Refused(Code.NOT_OPPOSED, id=check.id)


def _roll(draft: Draft, check: t.Check, part: t.Part, spent: Spent, command: c.RollCheck) -> t.PartRoll:
    plan = planned(part, spent)
    faces, proof = _draw(draft, check, plan, command)
    return part_roll(part, spent, plan, faces, physical=command.faces is not None, proof=proof)


def _draw(draft: Draft, check: t.Check, plan: Plan, command: c.RollCheck) -> tuple[Faces, RollProof | None]:
    if plan.dice == 0 and command.faces is None:  # without dice, no slot of a lane is used up
        return (), None
    why = f"{plan.dice} at first" + (", one more for each 6" if plan.explodes else "")
    why += ", and each 1 is rolled again" if plan.rerolls else ""
    return draw_until(draft, lambda faces: rules.wanted(plan, faces), why, command, topic_of_check(check))


def _resolve(draft: Draft, check: t.Check) -> None:
    topic = topic_of_check(check)

    def deal_pairs() -> Dealt:
        return draw_from_ledger(draft, lambda faces: len(faces) + 2 * (dealt(faces) is None), topic)

    result = result_of(draft.view, check, deal_pairs)
    draft.tell(topic, e.CheckResolved(check_id=check.id, result=result))
    bring_result(draft, check, result)


# Consequences


Dealt = tuple[Faces, RollProof | None]


def planned(part: t.Part, spent: Spent) -> Plan:
    """Return the plan of a part's roll: its number of dice, and what the spent tokens and ventures change."""
    return plan_of(part, paid=spent.paid, momentum=spent.momentum, interference=spent.interference)


def part_roll(
    part: t.Part, spent: Spent, plan: Plan, faces: Faces, *, physical: bool, proof: RollProof | None
) -> t.PartRoll:
    """Return the roll of a part with these faces. Raises ValueError if there are too few or too many faces."""
    reading = rules.read(plan, faces)
    return t.PartRoll(
        pool=plan.dice,
        removed=plan.removed,
        momentum=spent.momentum,
        interference=spent.interference,
        paid=within_cap(part, spent.paid),
        **reading._asdict(),
        physical=physical,
        proof=proof,
    )


def result_of(view: View, check: t.Check, deal: Callable[[], Dealt]) -> t.CheckResult:
    """Return the result of a check whose parts are all rolled.

    `deal`: draws pairs of faces that settle a tie. C16 and C17.
    """
    acting, opposing = (side_result(check, side) for side in Side)
    if not check.side(Side.OPPOSING):
        return t.CheckResult(acting=acting)
    verdict = contest(_pooled(check, Side.ACTING), _pooled(check, Side.OPPOSING), reflexes(view, check))
    deals, proof = deal() if verdict.winner is None else ((), None)
    return t.CheckResult(
        acting=acting,
        opposing=opposing,
        winner=verdict.winner or dealt(deals),
        decided_by=verdict.by,
        deals=deals,
        proof=proof,
    )


def side_result(check: t.Check, side: Side) -> t.SideResult:
    """Return the result of a side: the remaining dice of all its parts, pooled."""
    pooled = _pooled(check, side)
    return t.SideResult(outcome=rules.grade(pooled), highest=rules.highest(pooled), margin=rules.margin(pooled))


def _pooled(check: t.Check, side: Side) -> Faces:
    return tuple([face for part in check.side(side) if part.roll for face in part.roll.remaining])


def bring_result(draft: Draft, check: t.Check, result: t.CheckResult) -> None:
    """Do what follows from a check's result: note triggers, give tokens and ventures, and let a won effort succeed.

    A hidden check gives characters no tokens and no ventures, because everyone would see them. A sealed check is
    revealed.
    """
    hidden = check.visibility is not Visibility.PUBLIC
    for when in _moments(result):
        draft.happened(Kind.CHECK, check.id, when)
    if not hidden:
        lapse(draft, check.leader.character_id)
        for side in Side:
            _bring_effects(draft, check, result, side)
    if result.won_by(Side.ACTING):
        challenges.roll_succeeds(draft, check.effort, hidden=hidden)
    secrets.end(draft, topic_of_check(check))


_OUTCOMES = {
    Outcome.FUMBLE: (t.When.FUMBLE, t.When.FAIL),
    Outcome.FAIL: (t.When.FAIL,),
    Outcome.SUCCESS: (t.When.SUCCESS,),
    Outcome.TRIUMPH: (t.When.TRIUMPH, t.When.SUCCESS),
}


def _moments(result: t.CheckResult) -> tuple[t.When, ...]:
    """Return the triggers of a result for the acting side. A fumble is also a fail, and a triumph a success."""
    won = t.When.WON if result.won_by(Side.ACTING) else t.When.LOST
    return (*_OUTCOMES[result.acting.outcome], won)


def _bring_effects(draft: Draft, check: t.Check, result: t.CheckResult, side: Side) -> None:
    """Apply the fumbles and the triumph of a side, and let its parts earn their ventures if it won. C8, C12, C13."""
    parts = check.side(side)
    fumbling = [part for part in parts if part.roll and part.roll.outcome is Outcome.FUMBLE]
    if fumbling:
        for part in parts:
            if part in fumbling:
                fumbled(draft, check, part.character_id)
            else:
                gain(draft, part.character_id, t.EffectKind.INTERFERENCE, check.id)
    outcome = result.acting if side is Side.ACTING else result.opposing
    if outcome is not None and outcome.outcome is Outcome.TRIUMPH:
        triumphed(draft, check, parts[0].character_id)
    if result.won_by(side):
        for part in parts:
            earn(draft, check, part)
