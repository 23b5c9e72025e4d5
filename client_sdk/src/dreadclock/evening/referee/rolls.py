"""Plain rolls. Source: rules.md C8, C27 and E1."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.effects import check_settled
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_able, check_dice, check_start, is_open_place
from dreadclock.following.ventures import action_over, pay
from dreadclock.rules.check import damage_plan, wanted
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Role, Scope, Visibility
from dreadclock.wire.families.checks import free
from dreadclock.wire.families.scenes import sixes_add, usual_place
from dreadclock.wire.things import Benefit, Roll, RollPurpose


def roll_dice(r: Reader, first: Step, target: Step) -> None:
    """A character's roll takes along the dice of the ventures that it claims; what was an action ends others. C19."""
    event = target.record.event
    assert isinstance(event, e.DiceRolled)
    roll, owed = event.roll, 0
    if isinstance(first.record.event, e.VenturePaid):
        owed = _paid(r, first, first.record.event, roll)
    step = r.take(target.record.channel, e.DiceRolled)
    if step is not None:
        _check_roll(r, step, roll, owed)


def _paid(r: Reader, step: Step, event: e.VenturePaid, roll: Roll) -> int:
    """Count the dice that are paid into damage: of ventures that lie ready, and are claimed for no check."""
    character = step.before.public.characters.get(roll.character_id or "")
    if character is None or roll.visibility is not Visibility.PUBLIC:
        r.fault(step, "such a roll takes no dice of ventures")
        return 0
    r.require(step, bool(event.paid), "nothing is paid")
    open_to_it = free(step.before, character, Benefit.DAMAGE)
    paid = tuple(bonus for bonus in open_to_it if bonus in event.paid)
    return pay(r, character.id, paid, into=roll.id)


def _check_roll(r: Reader, step: Step, roll: Roll, owed: int) -> None:
    check_start(r, step, Kind.ROLL, roll.id, roll.visibility, rolled=True)
    check_dice(r, step, physical=roll.physical, proof=roll.proof)
    r.allow(step, *_owners(r, step, roll), scopes=(Scope.ROLLS,))
    dice = len(roll.faces) - (roll.added or 0)
    paid = owed if dice < MAX_POOL else min(owed, roll.paid)
    r.same(step, roll, roll.model_copy(update={"seat_id": r.actor(step), "paid": paid}), "roll.")
    r.require(step, roll.paid + 1 <= dice <= MAX_POOL, f"no roll has {dice} dice, {roll.paid} of them paid")
    _check_added(r, step, roll, dice)
    everyone = roll.character_id is not None and roll.visibility is Visibility.PUBLIC
    r.require(step, everyone or not roll.action, "such a roll is nobody's action")
    if everyone:
        check_settled(r, step, str(roll.character_id))
    if everyone and roll.action:
        action_over(r, str(roll.character_id))


def _check_added(r: Reader, step: Step, roll: Roll, dice: int) -> None:
    """Check that damage has the dice that sixes add where it is rolled; `dice`: those at first. C21 and C27."""
    view, place = step.before, roll.within_id
    is_damage = roll.purpose is RollPurpose.DAMAGE and roll.visibility is Visibility.PUBLIC
    if place is None:
        unsaid = is_damage and sixes_add(view, usual_place(view, None))
        r.require(step, not unsaid, "its sixes add dice where it is rolled")
    else:
        r.require(step, is_damage and is_open_place(view, place), "it cannot happen there")
    plan = damage_plan(dice, sixes_add=is_damage and sixes_add(view, place))
    needed = wanted(plan, roll.faces) - dice
    r.require(step, needed == (roll.added or 0), f"its sixes add {needed} dice, not {roll.added or 0}")


def _owners(r: Reader, step: Step, roll: Roll) -> tuple[Id | None, ...]:
    """A plain roll is a player's own, unless it is for somebody's character."""
    if roll.character_id is None:
        return (r.actor(step),) if r.role(step) is Role.PLAYER else ()
    character = check_able(r, step, roll.character_id, roll.visibility)
    return (character.owner,) if character else ()


def rolled(r: Reader, step: Step, event: e.DiceRolled) -> None:
    """A plain roll with nothing that goes before it."""
    r.undo()
    roll_dice(r, step, step)


BEGINNINGS: Beginnings = {e.DiceRolled: rolled}
