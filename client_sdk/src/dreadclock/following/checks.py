"""What a check comes to, part by part, and what that brings. Source: rules.md C1-C18."""

from collections.abc import Callable

from dreadclock.following import challenges, characters, secrets
from dreadclock.following.effects import fumbled, triumphed
from dreadclock.following.telling import Telling, note, root_of_check
from dreadclock.following.tokens import Spent, gain
from dreadclock.following.ventures import earn, lapse
from dreadclock.rules import check as rules
from dreadclock.rules.check import Outcome, Plan
from dreadclock.rules.contest import Side, contest, dealt
from dreadclock.wire.base import Faces, Kind, RollProof, Visibility
from dreadclock.wire.families.checks import plan_of, reflexes, within_cap
from dreadclock.wire.things import Check, CheckResult, CostStage, EffectKind, Part, PartRoll, SideResult, When
from dreadclock.wire.views import View

Dealt = tuple[Faces, RollProof | None]


def planned(part: Part, spent: Spent) -> Plan:
    """Return how a part is rolled with what was spent on it."""
    return plan_of(part, paid=spent.paid, momentum=spent.momentum, interference=spent.interference)


def part_roll(part: Part, spent: Spent, faces: Faces, *, physical: bool, proof: RollProof | None) -> PartRoll:
    """Return what the faces of a part come to. Raises ValueError if they are not as many as it takes."""
    plan = planned(part, spent)
    reading = rules.read(plan, faces)
    return PartRoll(
        pool=plan.dice,
        removed=plan.removed,
        momentum=spent.momentum,
        interference=spent.interference,
        paid=within_cap(part, spent.paid),
        faces=reading.faces,
        remaining=reading.remaining,
        outcome=reading.outcome,
        highest=reading.highest,
        margin=reading.margin,
        capped=reading.capped,
        physical=physical,
        proof=proof,
    )


def result_of(view: View, check: Check, deal: Callable[[], Dealt]) -> CheckResult:
    """Return what the dice of all parts come to; `deal` is asked for the pairs that settle a tie. C16 and C17."""
    acting, opposing = (side_result(check, side) for side in Side)
    if not check.side(Side.OPPOSING):
        return CheckResult(acting=acting)
    verdict = contest(_pooled(check, Side.ACTING), _pooled(check, Side.OPPOSING), reflexes(view, check))
    deals, proof = deal() if verdict.winner is None else ((), None)
    return CheckResult(
        acting=acting,
        opposing=opposing,
        winner=verdict.winner or dealt(deals),
        decided_by=verdict.by,
        deals=deals,
        proof=proof,
    )


def side_result(check: Check, side: Side) -> SideResult:
    """Return what the dice that remain of a side come to, of all its parts together."""
    pooled = _pooled(check, side)
    return SideResult(outcome=rules.grade(pooled), highest=rules.highest(pooled), margin=rules.margin(pooled))


def _pooled(check: Check, side: Side) -> Faces:
    return tuple(face for part in check.side(side) if part.roll for face in part.roll.remaining)


def is_complete(check: Check) -> bool:
    """Tell whether all parts of a check are rolled."""
    return all(part.roll for part in check.parts)


def resolved(t: Telling, check: Check, result: CheckResult) -> None:
    """Bring what follows from a check's result; a hidden one brings nothing to characters, who are public."""
    hidden = check.visibility is not Visibility.PUBLIC
    for when in _moments(result):
        note(t, Kind.CHECK, check.id, when)
    if not hidden:
        lapse(t, check.leader.character_id)
        for side in Side:
            _bring_effects(t, check, result, side)
    if result.won_by(Side.ACTING):
        challenges.roll_succeeds(t, check.effort, hidden=hidden)
    secrets.end(t, root_of_check(check))


_OUTCOMES = {
    Outcome.FUMBLE: (When.FUMBLE, When.FAIL),
    Outcome.FAIL: (When.FAIL,),
    Outcome.SUCCESS: (When.SUCCESS,),
    Outcome.TRIUMPH: (When.TRIUMPH, When.SUCCESS),
}


def _moments(result: CheckResult) -> tuple[When, ...]:
    """Return what a result is of the side whose check it is: a fumble is a fail, too, and a triumph a success."""
    won = When.WON if result.won_by(Side.ACTING) else When.LOST
    return (*_OUTCOMES[result.acting.outcome], won)


def _bring_effects(t: Telling, check: Check, result: CheckResult, side: Side) -> None:
    """Bring interference, momentum and the dice of ventures to a side. Source: rules.md C8, C12 and C13."""
    parts = check.side(side)
    if any(map(_fumbled, parts)):
        for part in parts:
            if _fumbled(part):
                fumbled(t, check, part.character_id)
            else:
                gain(t, part.character_id, EffectKind.INTERFERENCE, check.id)
    outcome = result.acting if side is Side.ACTING else result.opposing
    if outcome is not None and outcome.outcome is Outcome.TRIUMPH:
        triumphed(t, check, parts[0].character_id)
    if result.won_by(side):
        for part in parts:
            earn(t, check, part)


def _fumbled(part: Part) -> bool:
    return part.roll is not None and part.roll.outcome is Outcome.FUMBLE


def succeeded_at_a_cost(t: Telling, check: Check, part: Part) -> None:
    """Pay what was agreed, and let a side that did not win do what it was meant to with its first cost. C20."""
    agreed = check.cost_of(part)
    for payment in agreed.pays if agreed is not None else ():
        if payment.state is not None:
            characters.give_state(t, part.character_id, payment.state)
        elif payment.track is not None:
            characters.move_track(t, part.character_id, payment.track, payment.by)
    before = [one for one in check.side(part.side) if (cost := check.cost_of(one)) and cost.stage is CostStage.APPLIED]
    won = check.result is not None and check.result.won_by(part.side)
    if part.side is Side.ACTING and not won and not before:
        note(t, Kind.CHECK, check.id, When.SUCCESS)
        challenges.roll_succeeds(t, check.effort, hidden=check.visibility is not Visibility.PUBLIC)
