"""Plain rolls. Source: rules.md C8 and E1."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.effects import check_settled
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_able, check_dice, check_start
from dreadclock.following.tokens import pay, waiting
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Role, Visibility
from dreadclock.wire.things import Benefit, Roll, RollPurpose


def roll_dice(r: Reader, first: Step, target: Step) -> None:
    """A damage roll takes along the dice of ventures that were made for it."""
    event = target.record.event
    assert isinstance(event, e.DiceRolled)
    roll, owed = event.roll, 0
    if _is_damage(roll) and roll.character_id in first.before.public.characters:
        owed = pay(r, str(roll.character_id), Benefit.DAMAGE, into=roll.id)
    step = r.take(target.record.channel, e.DiceRolled)
    if step is not None:
        _check_roll(r, step, roll, owed)


def _is_damage(roll: Roll) -> bool:
    return roll.purpose is RollPurpose.DAMAGE and roll.visibility is Visibility.PUBLIC and roll.character_id is not None


def _check_roll(r: Reader, step: Step, roll: Roll, owed: int) -> None:
    check_start(r, step, Kind.ROLL, roll.id, roll.visibility, rolled=True)
    check_dice(r, step, physical=roll.physical, proof=roll.proof)
    r.allow(step, *_owners(r, step, roll))
    paid = owed if len(roll.faces) < MAX_POOL else min(owed, roll.paid)
    r.same(step, roll, roll.model_copy(update={"seat_id": step.record.by, "paid": paid}), "roll.")
    dice = len(roll.faces)
    r.require(step, max(1, roll.paid + 1) <= dice <= MAX_POOL, f"no roll has {dice} dice, {roll.paid} of them paid")
    if roll.character_id is not None and roll.visibility is Visibility.PUBLIC:
        check_settled(r, step, roll.character_id)
        one = step.before.public.characters.get(roll.character_id)
        left = one is not None and _is_damage(roll) and waiting(one, Benefit.DAMAGE) > 0
        r.require(step, not left, "dice of ventures that were made for it are not in it")


def _owners(r: Reader, step: Step, roll: Roll) -> tuple[Id | None, ...]:
    """A plain roll is a player's own, unless it is for somebody's character."""
    if roll.character_id is None:
        return (step.record.by,) if r.role(step) is Role.PLAYER else ()
    character = check_able(r, step, roll.character_id, roll.visibility)
    return (character.owner,) if character else ()


def rolled(r: Reader, step: Step, event: e.DiceRolled) -> None:
    """A plain roll with nothing that goes before it."""
    r.undo()
    roll_dice(r, step, step)


BEGINNINGS: Beginnings = {e.DiceRolled: rolled}
