"""Rolling totals and pushing luck, and the crises that follow. Source: rules.md D1-D8."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.effects import check_settled
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_able, check_dice
from dreadclock.following import challenges
from dreadclock.following.totals import luck_pushed as expected
from dreadclock.following.totals import pushed_too_far, succeed, suffered
from dreadclock.rules import total as rules
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Scope
from dreadclock.wire.things import Total, TotalStatus

PUBLIC = Channel.PUBLIC


def roll_total(r: Reader, first: Step, target: Step) -> None:
    """A total is rolled; an effort ticks the threat before. Source: rules.md B1, B13, D1 and D4."""
    event = target.record.event
    assert isinstance(event, e.TotalRolled)
    one = first.before.totals.get(event.total_id)
    if one is None:
        r.fault(target, f"there is no total {event.total_id}")
        r.take(PUBLIC, e.TotalRolled)
        return
    character = check_able(r, target, one.character_id)
    r.allow(target, character.owner if character else None, scopes=(Scope.ROLLS,))
    r.require(target, one.status is TotalStatus.READY, "it cannot be rolled")
    challenges.roll_begins(r, one.effort, hidden=False)
    step = r.take(PUBLIC, e.TotalRolled)
    if step is not None:
        _check_roll(r, step, event, one)


def _check_roll(r: Reader, step: Step, event: e.TotalRolled, one: Total) -> None:
    check_settled(r, step, one.character_id)
    check_dice(r, step, physical=event.physical, proof=event.proof)
    if len(event.faces) != one.pool:
        return r.fault(step, f"its pool has {one.pool} dice, and it shows {len(event.faces)}")
    kept = rules.keep(event.faces)
    follows = {"kept": kept, "total": rules.total(kept), "enough": _enough(r, one, sum(kept), event.enough)}
    r.same(step, event, event.model_copy(update=follows))
    if event.enough:
        succeed(r, one)
    return None


def _enough(r: Reader, one: Total, total: int, said: bool | None) -> bool | None:
    """Return how a total compares with its number: as is said where that is secret, None where there is none."""
    if not one.secret:
        return None if one.required is None else rules.enough(total, one.required)
    secret = r.hidden.secrets.get(one.id)
    return rules.enough(total, secret.required) if secret else bool(said)


def rolled(r: Reader, step: Step, event: e.TotalRolled) -> None:
    """A total is rolled with nothing that goes before it."""
    r.undo()
    roll_total(r, step, step)


def luck_pushed(r: Reader, step: Step, event: e.LuckPushed) -> None:
    """A push is taken: a number that is kept already is a crisis. Source: rules.md D3 and D5."""
    one, push = step.before.totals.get(event.total_id), event.push
    if one is None or one.status is not TotalStatus.OFFERED or not one.kept:
        return r.fault(step, "no push is on offer")
    character = check_able(r, step, one.character_id)
    r.allow(step, character.owner if character else None, scopes=(Scope.ROLLS,))
    check_settled(r, step, one.character_id)
    check_dice(r, step, physical=push.physical, proof=push.proof)
    after = rules.push(one.kept, push.face)
    enough = False if after.crisis else _enough(r, one, after.total, push.enough)
    follows = {"kept": after.kept, "total": after.total, "crisis": after.crisis, "enough": enough}
    r.same(step, push, push.model_copy(update=follows), "push.")
    r.same(step, event, expected(one, push))
    if after.crisis:
        pushed_too_far(r, one)
    elif push.enough:
        succeed(r, one)
    return None


def crisis_suffered(r: Reader, step: Step, event: e.CrisisSuffered) -> None:
    """The gm names the kind of a crisis that waited for it. Source: rules.md D6."""
    r.allow(step)
    one, crisis = step.before.characters.get(event.character_id), event.crisis
    if one is None or one.crisis_due != crisis.total_id:
        return r.fault(step, "no such crisis is due")
    r.same(step, crisis, crisis.model_copy(update={"box": one.boxes(crisis.kind) + 1}), "crisis.")
    r.require(step, crisis.description is not None, "it is not described")
    return suffered(r, one.id, crisis)


def crisis_described(r: Reader, step: Step, event: e.CrisisDescribed) -> None:
    """The gm describes a crisis, once; its kind and its box stay. Source: rules.md D8."""
    r.allow(step)
    one, crisis = step.before.characters.get(event.character_id), event.crisis
    known = [each for each in one.crises if each.total_id == crisis.total_id] if one else []
    if not known:
        return r.fault(step, "there is no such crisis")
    once = known[0].description is None and crisis.description is not None
    r.require(step, once, "a crisis is described once")
    return r.same(step, crisis, known[0].model_copy(update={"description": crisis.description}), "crisis.")


BEGINNINGS: Beginnings = {
    e.TotalRolled: rolled,
    e.LuckPushed: luck_pushed,
    e.CrisisSuffered: crisis_suffered,
    e.CrisisDescribed: crisis_described,
}
