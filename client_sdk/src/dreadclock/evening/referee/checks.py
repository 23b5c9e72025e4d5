"""Checks until they are rolled, and the bargain over a failure: what begins with each. Source: rules.md C."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.check_rolls import resolve_when_complete
from dreadclock.evening.referee.effects import check_marks
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import (
    check_able,
    check_made,
    check_place,
    check_start,
    check_text,
    is_open_place,
    must_wait,
)
from dreadclock.following.characters import unpayable
from dreadclock.following.checks import succeeded_at_a_cost
from dreadclock.following.telling import root_of_check
from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Scope, Visibility
from dreadclock.wire.families.check_effects import keys_of
from dreadclock.wire.families.checks import check_odds, failed, free
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.families.scenes import usual_place
from dreadclock.wire.ids import NAMED_OPPONENT
from dreadclock.wire.things import (
    Benefit,
    ChallengeStatus,
    CharacterStatus,
    Check,
    CheckStatus,
    Cost,
    CostStage,
    Part,
    Payment,
    StandingEffects,
)
from dreadclock.wire.views import View

_ADJUSTED = ("parts", "contest", *StandingEffects.model_fields, "standing", "within_id", "status")
_BEFORE = (CheckStatus.PROPOSED, CheckStatus.READY)
_ANSWERS = (CostStage.ACCEPTED, CostStage.REFUSED, CostStage.COUNTERED)
_SETTLED = (CostStage.APPLIED, CostStage.DECLINED)
_SAID = ("id", "purpose", "parts", "contest", "effort", "within_id", "visibility", "made_by")


def proposed(r: Reader, step: Step, event: e.CheckProposed) -> None:
    """A check is proposed, with its odds; what a player proposes may wait for the gm."""
    one, view = event.check, step.before
    check_start(r, step, Kind.CHECK, one.id, one.visibility, rolled=True)
    check_made(r, step, one.made_by)
    said = {name: getattr(one, name) for name in _SAID}
    status = CheckStatus.PROPOSED if must_wait(r, step) else CheckStatus.READY
    fresh = Check.model_construct(**said, seat_id=r.actor(step), status=status, odds=check_odds(view, one))
    r.same(step, one, fresh, "check.")
    _check_place(r, step, one, one.within_id is None)
    if len(one.parts) != 1:
        return r.fault(step, "a check is proposed with one part")
    if one.effort is not None:
        _check_effort(r, step, one)
    return _check_part(r, step, one, one.parts[0], Side.ACTING)


def _check_effort(r: Reader, step: Step, check: Check) -> None:
    everyone = check.visibility is Visibility.PUBLIC
    known = step.before.public.challenges if everyone else step.before.challenges
    challenge = known.get(str(check.effort))
    fits = challenge is not None and challenge.status is ChallengeStatus.OPEN
    r.require(step, fits, "the challenge that it is an effort against is not open to it")


def _check_place(r: Reader, step: Step, check: Check, usual: bool) -> None:
    """A check is where everyone sees it happen; it is nowhere only where no place is the usual one. C21."""
    if usual:
        hidden = check.visibility is not Visibility.PUBLIC
        return r.require(step, hidden or usual_place(step.before, check.effort) is None, "it happens nowhere")
    is_open = is_open_place(step.before, check.within_id)
    return r.require(step, is_open and check.visibility is Visibility.PUBLIC, "it cannot happen there")


def _check_claims(r: Reader, step: Step, part: Part, but: Part | None) -> None:
    """A part claims ventures that lie ready for it, and are claimed for no other. Source: rules.md C19."""
    character = step.before.characters.get(part.character_id)
    open_to_it = keys_of(free(step.before, character, Benefit.CHECK, but=but)) if character else ()
    claims = part.claims or ()
    fits = part.claims is not None and claims == tuple(key for key in open_to_it if key in claims)
    r.require(step, fits and part.claim == bool(claims), "it claims ventures that do not lie ready for it")


def _check_part(r: Reader, step: Step, check: Check, part: Part, side: Side) -> None:
    """A part is its character's, of a score that it has; on a hidden check there is no venture."""
    if part.name is not None:
        _check_named(r, step, part, side)
        return
    character = check_able(r, step, part.character_id, check.visibility)
    if character is None:
        return
    r.allow(step, character.owner, scopes=(Scope.ROLLS,))
    blank = Part.model_construct(**{**dict(part), "side": side, "roll": None, "cost": None})
    if part.attribute is not None:
        blank = blank.model_copy(update={"score": character.attributes.get(part.attribute, -1)})
    r.same(step, part, blank, "part.")
    r.require(step, part.score + part.bonus - part.penalty <= MAX_POOL, "no roll starts with so many dice")
    r.require(step, not part.claims or check.visibility is Visibility.PUBLIC, "a hidden check claims no venture")
    _check_claims(r, step, part, None)
    if part.venture is not None:
        other = step.before.public.characters.get(part.venture.beneficiary or "")
        in_play = other is not None and other.status is CharacterStatus.IN_PLAY
        r.require(step, in_play and check.visibility is Visibility.PUBLIC, "such a venture cannot be declared")


def _check_named(r: Reader, step: Step, part: Part, side: Side) -> None:
    """An opponent without a sheet is the gm's, and is nothing but its name and its dice. Source: rules.md E6."""
    r.allow(step)
    said = {name: getattr(part, name) for name in ("name", "score", "bonus", "penalty")}
    r.same(step, part, Part.model_construct(character_id=NAMED_OPPONENT, side=Side.OPPOSING, **said), "part.")
    r.require(step, side is Side.OPPOSING, "it opposes nobody")
    r.require(step, part.score + part.bonus - part.penalty <= MAX_POOL, "no roll starts with so many dice")


def _one(r: Reader, step: Step, check_id: Id) -> Check | None:
    one = step.before.channels[step.record.channel].checks.get(check_id)
    if one is None:
        r.fault(step, f"there is no check {check_id}")
    return one


def joined(r: Reader, step: Step, event: e.HelpJoined | e.OppositionJoined) -> None:
    """A part joins a check, whose odds change; what a player adds may wait for the gm."""
    one = _one(r, step, event.check_id)
    if one is None:
        return
    opposed = bool(one.side(Side.OPPOSING))
    helps = isinstance(event, e.HelpJoined)
    side = event.part.side if helps else Side.OPPOSING
    r.require(step, one.status in _BEFORE, "the check is being rolled already")
    r.require(step, opposed if helps and side is Side.OPPOSING else helps or not opposed, "it cannot join that side")
    r.require(step, one.part_of(event.part.character_id) is None, "its character takes part already")
    _check_part(r, step, one, event.part, side)
    check_text(r, step)
    status = CheckStatus.PROPOSED if must_wait(r, step) else one.status
    odds = check_odds(step.before, one.model_copy(update={"parts": (*one.parts, event.part)}))
    r.same(step, event, event.model_copy(update={"status": status, "odds": odds}))
    r.hint(root_of_check(one))


def adjusted(r: Reader, step: Step, event: e.CheckAdjusted) -> None:
    """The gm changes a check before it is rolled; later she takes out a part that never will be."""
    r.allow(step)
    before, after = _one(r, step, event.check.id), event.check
    if before is None:
        return None
    if before.status is CheckStatus.ROLLING:
        return _gone_on(r, step, before, after)
    r.require(step, before.status in _BEFORE and after.status in _BEFORE, "the check is being rolled already")
    fresh = before.model_copy(update={name: getattr(after, name) for name in _ADJUSTED})
    fresh = fresh.model_copy(update={"odds": check_odds(step.before, fresh)})
    r.same(step, after, fresh, "check.")
    r.require(step, after != before, "it changes nothing")
    r.require(step, after.contest or not after.side(Side.OPPOSING), "it has another side")
    check_marks(r, step, *(_effects_of(each) for each in (after, before)))
    if after.within_id != before.within_id:
        _check_place(r, step, after, usual=False)
    _check_parts(r, step, before, after)
    return r.hint(root_of_check(before))


def _effects_of(check: Check) -> StandingEffects:
    return StandingEffects.trusted(**{name: getattr(check, name) for name in StandingEffects.model_fields})


def _check_parts(r: Reader, step: Step, before: Check, after: Check) -> None:
    """Of the parts, one may change in its numbers and one may go, but not the leader's."""
    kept = [part for part in before.parts if after.part_of(part.character_id) is not None]
    names = [part.character_id for part in after.parts]
    fits = names == [part.character_id for part in kept] and len(before.parts) - len(kept) <= 1
    r.require(step, fits and before.leader in kept, "its parts are others")
    changed = 0
    for old, new in zip(kept, after.parts, strict=False):
        changed += old != new
        numbers = {name: getattr(new, name) for name in ("score", "attribute", "bonus", "penalty", "claim", "claims")}
        r.same(step, new, old.model_copy(update=numbers), "part.")
        _check_sheet(r, step, old, new)
        if new.claims != old.claims:
            r.require(step, after.visibility is Visibility.PUBLIC, "a hidden check claims no venture")
            _check_claims(r, step, new, old)
        r.require(step, new.score + new.bonus - new.penalty <= MAX_POOL, "no roll starts with so many dice")
    r.require(step, changed <= 1, "more than one of its parts changed")


def _check_sheet(r: Reader, step: Step, old: Part, new: Part) -> None:
    """A score that an attribute labels is that of the sheet. Source: rules.md C23."""
    kept = (new.score, new.attribute) == (old.score, old.attribute)
    character = step.before.characters.get(new.character_id)
    fits = character is not None and character.attributes.get(str(new.attribute)) == new.score
    r.require(step, kept or new.attribute is None or fits, "its score is not that of its attribute")


def _gone_on(r: Reader, step: Step, before: Check, after: Check) -> None:
    """A part whose character is out of play goes; what was rolled stands, and counts. Source: rules.md E3."""
    stuck = [part for part in before.parts if _is_stuck(step.before, part)]
    gone = [part for part in before.parts if after.part_of(part.character_id) is None]
    r.require(step, len(gone) == 1 and gone[0] in stuck, "only a part that never will be rolled can go")
    r.require(step, bool(after.side(Side.ACTING)), "the side whose check it is has no part left")
    r.same(step, after, before.model_copy(update={"parts": tuple(p for p in before.parts if p not in gone)}), "check.")
    r.hint(root_of_check(before))
    resolve_when_complete(r, before.id)


def _is_stuck(view: View, part: Part) -> bool:
    return part.roll is None and part.name is None and not in_play(view, part.character_id)


def withdrawn(r: Reader, step: Step, event: e.CheckWithdrawn) -> None:
    """A check is taken back before any die of it is rolled, or when none of its own side ever will be."""
    one = _one(r, step, event.check_id)
    if one is not None:
        r.allow(step, *_owners(step, one), scopes=(Scope.ROLLS,))
        stuck = all(_is_stuck(step.before, part) for part in one.side(Side.ACTING))
        r.require(step, stuck or one.status in _BEFORE, "the check is being rolled already")
        check_place(r, step, root_of_check(one))
        r.require(step, one.visibility is not Visibility.SEALED, "a sealed check is shown before it goes")


def _owners(step: Step, check: Check) -> tuple[Id | None, ...]:
    character = step.before.characters.get(check.leader.character_id)
    return (character.owner,) if character else ()


def _failed(r: Reader, step: Step, event: e.CostEvent) -> tuple[Check, Part] | None:
    """Return a part of a check whose failure is still bargained over. Source: rules.md C20."""
    one = _one(r, step, event.check_id)
    if one is None:
        return None
    part = one.part_of(event.character_id or one.leader.character_id)
    if part is None or event.character_id == one.leader.character_id:
        r.fault(step, "there is no such part of a check")
        return None
    cost = one.cost_of(part)
    settled = cost is not None and cost.stage in _SETTLED
    r.require(step, failed(one, part) and not settled, "there is no failure to bargain over")
    r.hint(root_of_check(one))
    return one, part


def _owner_of(step: Step, part: Part) -> Id | None:
    character = step.before.characters.get(part.character_id)
    return character.owner if character else None


def cost_proposed(r: Reader, step: Step, event: e.CostProposed) -> None:
    """Somebody says what it would cost to have succeeded."""
    found = _failed(r, step, event)
    if found is not None:
        r.allow(step, _owner_of(step, found[1]), scopes=(Scope.ROLLS,))
        r.require(step, event.cost.cost is not None, "it names no cost")
        pays = event.cost.pays
        r.same(step, event.cost, Cost(stage=CostStage.PROPOSED, cost=event.cost.cost, pays=pays), "cost.")
        _check_payments(r, step, found[1], pays)


def cost_answered(r: Reader, step: Step, event: e.CostAnswered) -> None:
    """The gm answers a cost; a counter names other terms."""
    found = _failed(r, step, event)
    before = found[0].cost_of(found[1]) if found else None
    if before is None or before.stage is not CostStage.PROPOSED:
        return r.fault(step, "no cost was proposed")
    r.allow(step)
    answer = event.cost
    counters = answer.stage is CostStage.COUNTERED
    r.require(step, answer.stage in _ANSWERS and counters == (answer.terms is not None), "this is no answer to a cost")
    pays = answer.pays if counters else before.pays
    follows = {"stage": answer.stage, "terms": answer.terms, "pays": pays}
    if counters and found is not None:
        _check_payments(r, step, found[1], pays)
    return r.same(step, answer, before.model_copy(update=follows), "cost.")


def _check_payments(r: Reader, step: Step, part: Part, payments: tuple[Payment, ...]) -> None:
    """Check that a character can pay. Source: rules.md C20."""
    character = step.before.characters.get(part.character_id)
    r.require(step, character is not None and unpayable(character, payments) is None, "it cannot pay with that")


def failure_settled(r: Reader, step: Step, event: e.FailureSettled) -> None:
    """Terms that are applied make the part do what it was meant to."""
    found = _failed(r, step, event)
    if found is None:
        return
    one, part = found
    r.allow(step, _owner_of(step, part), scopes=(Scope.ROLLS,))
    cost = one.cost_of(part) or Cost(stage=CostStage.DECLINED)
    applied = event.cost.stage is CostStage.APPLIED
    agreed = cost.stage in (CostStage.ACCEPTED, CostStage.COUNTERED)
    r.require(step, event.cost.stage in _SETTLED and (agreed or not applied), "nothing was agreed")
    r.same(step, event.cost, cost.model_copy(update={"stage": event.cost.stage}), "cost.")
    if applied:
        _check_payments(r, step, part, cost.pays)
        succeeded_at_a_cost(r, one, part)


BEGINNINGS: Beginnings = {
    e.CheckProposed: proposed,
    e.HelpJoined: joined,
    e.OppositionJoined: joined,
    e.CheckAdjusted: adjusted,
    e.CheckWithdrawn: withdrawn,
    e.CostProposed: cost_proposed,
    e.CostAnswered: cost_answered,
    e.FailureSettled: failure_settled,
}
