"""Plain rolls. Source: rules.md C8 and E1."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.effects import check_settled
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_able, check_dice, check_start
from dreadclock.following.held import free
from dreadclock.following.ventures import action_over, pay
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Role, Scope, Visibility
from dreadclock.wire.things import Benefit, Roll


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
    paid = owed if len(roll.faces) < MAX_POOL else min(owed, roll.paid)
    r.same(step, roll, roll.model_copy(update={"seat_id": r.actor(step), "paid": paid}), "roll.")
    dice = len(roll.faces)
    r.require(step, max(1, roll.paid + 1) <= dice <= MAX_POOL, f"no roll has {dice} dice, {roll.paid} of them paid")
    everyone = roll.character_id is not None and roll.visibility is Visibility.PUBLIC
    r.require(step, everyone or not roll.action, "such a roll is nobody's action")
    if everyone:
        check_settled(r, step, str(roll.character_id))
    if everyone and roll.action:
        action_over(r, str(roll.character_id))


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
