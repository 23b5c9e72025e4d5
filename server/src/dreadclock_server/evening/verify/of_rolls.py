"""Rebuild commands about checks, totals and plain rolls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Visibility
from dreadclock.wire.families.scenes import sixes_add, usual_place
from dreadclock.wire.things import Check, CheckStatus, CostStage, Part, RollPurpose, StandingEffects, Total, TotalStatus
from dreadclock_server.evening.verify.rebuilding import Case, Command, Maker, Said, chosen, new_effects, same, score_of

# Checks


def _part_of_check(part: Part, visibility: Visibility) -> dict[str, Any]:
    named, venture = part.name is not None, part.venture
    said: Said = {"character_id": None if named else part.character_id, "bonus": part.bonus, "penalty": part.penalty}
    said |= score_of(part.attribute, part.score)
    if not named and visibility is Visibility.PUBLIC:
        said["claims"] = part.claims
    if venture is not None:
        said["venture"] = c.NewVenture(**dict(venture))
    return said


def _propose_check(case: Case, event: e.CheckProposed) -> Iterator[Command]:
    check = event.check
    said = _part_of_check(check.leader, check.visibility) | {"id": chosen(check.id), "purpose": check.purpose}
    said |= {"contest": check.contest, "visibility": check.visibility}
    if check.effort is not None:
        said["effort"] = c.EffortOn(challenge_id=check.effort)
    usual = check.visibility is not Visibility.PUBLIC or check.within_id == usual_place(case.view, check.effort)
    yield c.ProposeCheck(within_id=None if usual else check.within_id, **said)


def _join_check(case: Case, event: e.HelpJoined | e.OppositionJoined) -> Iterator[Command]:
    check = case.thing("checks", event.check_id)
    said: Said = {"check_id": check.id, **_part_of_check(event.part, check.visibility)}
    if isinstance(event, e.HelpJoined):
        yield c.HelpCheck(side=event.part.side, **said)
    else:
        yield c.OpposeCheck(name=event.part.name, **said)


_OF_CHECK = ("contest", "stunts", "fumble_effects", "within_id")
_OF_PART = ("bonus", "penalty", "claims")


def _adjust_check(case: Case, event: e.CheckAdjusted) -> Iterator[Command]:
    before, after = case.thing("checks", event.check.id), event.check
    left = next((part.character_id for part in before.parts if after.part_of(part.character_id) is None), None)
    if before.status is CheckStatus.ROLLING:
        yield c.AdjustCheck(check_id=after.id, remove=left)
        return
    said: Said = {"remove": left, "standing": after.standing, **_changed_part(before, after)}
    said |= {name: getattr(after, name) for name in _OF_CHECK if getattr(after, name) != getattr(before, name)}
    if after.status is not before.status:
        said["approve"] = after.status is CheckStatus.READY
    yield c.AdjustCheck(check_id=after.id, **said, **_marks(before, after))


def _changed_part(before: Check, after: Check) -> dict[str, Any]:
    for new in after.parts:
        old = before.part_of(new.character_id)
        if old is None or old == new:
            continue
        said: Said = {name: getattr(new, name) for name in _OF_PART if getattr(new, name) != getattr(old, name)}
        if (new.score, new.attribute) != (old.score, old.attribute):
            said |= score_of(new.attribute, new.score)
        return {"character_id": new.character_id, **said}
    return {}


def _marks(before: Check | StandingEffects, after: Check | StandingEffects) -> dict[str, Any]:
    """Return a command's fields about fumble effects. Leaves out changes that follow from the removal of effects."""
    said: Said = {}
    kept = tuple(effect for effect in before.or_interference if effect in after.fumble_effects)
    if after.or_interference != kept:
        said["or_interference"] = after.or_interference
    if after.fumble_does != tuple(deed for deed in before.fumble_does if deed.effect in after.fumble_effects):
        deeds = after.fumble_does
        said["fumble_does"] = tuple(c.NewFumbleDoes(effect=deed.effect, do=new_effects(deed.do)) for deed in deeds)
    return said


def _roll_check(case: Case, event: e.CheckRolled) -> Iterator[Command]:
    if event.part.roll is not None:
        yield c.RollCheck(check_id=event.check_id, character_id=event.part.character_id, **case.dice())


def _set_effects(case: Case, event: e.EffectsSet) -> Iterator[Command]:
    before = case.thing(f"{event.kind}s", event.id).effects or StandingEffects()
    after = event.effects
    said: Said = {"stunts": after.stunts, "fumble_effects": after.fumble_effects, **_marks(before, after)}
    yield c.SetEffects(thing_id=event.id, sixes_add=event.sixes_add, **said)


def _bargain(case: Case, event: e.CostEvent) -> Iterator[Command]:
    about: Said = {"check_id": event.check_id, "character_id": event.character_id}
    cost = event.cost
    if isinstance(event, e.CostProposed):
        yield c.ProposeCost(cost=str(cost.cost), pays=cost.pays, **about)
    elif isinstance(event, e.CostAnswered):
        answers = {CostStage.ACCEPTED: c.CostAnswer.ACCEPT, CostStage.REFUSED: c.CostAnswer.REFUSE}
        answer = answers.get(cost.stage, c.CostAnswer.COUNTER)
        pays = cost.pays if answer is c.CostAnswer.COUNTER else ()
        yield c.AnswerCost(answer=answer, terms=cost.terms, pays=pays, **about)
    else:
        yield c.SettleFailure(apply=cost.stage is CostStage.APPLIED, **about)


# Totals


def _propose_total(case: Case, event: e.TotalProposed) -> Iterator[Command]:
    total = event.total
    said: Said = {"attribute": total.score if total.attribute is None else total.attribute, **_specials(total)}
    if total.effort is not None:
        said["effort"] = c.EffortOn(challenge_id=total.effort)
    about: Said = {"character_id": total.character_id, "tool": total.tool, "purpose": total.purpose}
    yield c.ProposeTotal(id=chosen(total.id), **about, **said)


def _specials(total: Total) -> dict[str, Any]:
    more = tuple(more_special.name for more_special in total.more_specials)
    return {"special": total.special.name if total.special else None, "more_specials": more}


def _adjust_total(case: Case, event: e.TotalAdjusted) -> Iterator[Command]:
    before, after = case.thing("totals", event.total.id), event.total
    without = tuple(aid for aid in c.Aid if getattr(before, aid) is not None and getattr(after, aid) is None)
    said: Said = {"without": without}
    if (after.score, after.attribute) != (before.score, before.attribute):
        said["attribute"] = after.score if after.attribute is None else after.attribute
    if after.tool != before.tool and after.tool is not None:
        said["tool"] = after.tool
    if (after.special, after.more_specials) != (before.special, before.more_specials):
        said |= _specials(after)
    if after.status is not before.status or not said:
        said["approve"] = after.status is TotalStatus.READY
    yield c.AdjustTotal(total_id=after.id, **said)


def _require(case: Case, event: e.RequiredSet) -> Iterator[Command]:
    """Yield commands that set the number which a total must reach.

    If the export lacks the number, yield a command with 1, which every total reaches, and a command with 99, which
    no total reaches.
    """
    before, secret_set = case.thing("totals", event.total_id), case.ahead(e.SecretSet)
    secret = (secret_set.secret.required,) if secret_set is not None else (1, 99)
    crisis = event.crisis if event.crisis is not before.crisis else None
    for required in secret if event.secret else (event.required,):
        yield c.SetRequired(total_id=event.total_id, required=int(required or 0), secret=event.secret, crisis=crisis)


def _stop(case: Case, event: e.TotalFailed) -> Iterator[Command]:
    if event.reason is e.TotalFailure.STOPPED:
        yield c.StopPushing(total_id=event.total_id)


# Plain rolls


def _roll_dice(case: Case, event: e.DiceRolled) -> Iterator[Command]:
    roll, everyone = event.roll, event.roll.visibility is Visibility.PUBLIC
    paid = next((payment for payment in case.all_ahead(e.VenturePaid) if payment.into == roll.id), None)
    said: Said = {name: getattr(roll, name) for name in ("name", "character_id", "purpose", "action", "visibility")}
    said["claims"] = tuple(claim.key for claim in paid.paid) if paid is not None else None
    usual = usual_place(case.view, None) if roll.purpose is RollPurpose.DAMAGE and everyone else None
    said["within_id"] = None if roll.within_id == (usual if sixes_add(case.view, usual) else None) else roll.within_id
    pool = len(roll.faces) - (roll.added or 0) - roll.paid
    yield c.RollDice(id=chosen(roll.id), pool=pool, **said, **case.dice())


REBUILD: Mapping[type[e.EventBase], Maker] = {
    e.CheckProposed: _propose_check,
    e.HelpJoined: _join_check,
    e.OppositionJoined: _join_check,
    e.CheckAdjusted: _adjust_check,
    e.CheckWithdrawn: same(c.WithdrawCheck),
    e.CheckRolled: _roll_check,
    e.EffectChosen: same(c.ChooseEffect),
    e.EffectsSet: _set_effects,
    e.CostProposed: _bargain,
    e.CostAnswered: _bargain,
    e.FailureSettled: _bargain,
    e.TotalProposed: _propose_total,
    e.TotalAdjusted: _adjust_total,
    e.TotalWithdrawn: same(c.WithdrawTotal),
    e.RequiredSet: _require,
    e.RequiredRevealed: same(c.Reveal, thing_id="total_id"),
    e.TotalJudged: same(c.JudgeTotal),
    e.TotalRolled: same(c.RollTotal),
    e.PushOffered: same(c.OfferPush),
    e.LuckPushed: same(c.PushLuck),
    e.TotalFailed: _stop,
    e.DiceRolled: _roll_dice,
}
