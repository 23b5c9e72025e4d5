"""Find the rolls in events: faces with their proofs, in the event of the roll or revealed later."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from dreadclock.wire import events as e
from dreadclock.wire.base import Faces, Id, RollProof
from dreadclock.wire.things import BoundTo, Check, Countdown, HiddenRoll, Things


class Rolled(NamedTuple):
    """The faces of one roll. `thing`: the label of the lane that a hidden roll must use; empty if it is never hidden.

    A lane is a series of rolls fixed in advance, and a slot is the n-th of them. Several rolls of a command may take
    faces from the same slot. Each of them but the first has a mark in `follows`, and the roll before it in the slot
    must have the same mark in `begins`. These rolls may share a slot:

    - the dice that break the tie of a contest, with a roll of the check
    - the countdowns that the end of a turn or round rolls, with each other
    - the die for the new pool of a countdown that repeats, with the roll that emptied the countdown

    Countdowns that a consequence rolls may share any slot of the command, without a mark.
    """

    faces: Faces
    physical: bool
    proof: RollProof | None
    thing: str
    begins: tuple[str, ...] = ()
    follows: str = ""


_TURN: Final = "turn"


def rolled(event: e.Event, countdowns: Mapping[Id, Countdown] | None = None) -> Rolled | None:
    """Return the roll of an event; None if the event is no roll.

    `countdowns`: the countdowns before the event. Without them, marks of bound countdowns are missing.
    """
    match event:
        case e.CountdownRolled():
            turn, thing = _turn(countdowns, event.countdown_id), f"thing/countdown/{event.countdown_id}"
            return Rolled(event.faces, event.physical, event.proof, thing, (turn, thing), turn)
        case e.CountdownRepeated():
            turn, thing = _turn(countdowns, event.countdown_id), f"thing/countdown/{event.countdown_id}"
            return Rolled(event.faces, False, event.proof, thing, (turn,), thing)
        case e.TotalRolled():
            return Rolled(event.faces, event.physical, event.proof, "")
        case e.DiceRolled():
            return Rolled(event.roll.faces, event.roll.physical, event.roll.proof, f"thing/roll/{event.roll.id}")
        case e.CheckRolled():
            roll = event.part.roll
            thing = f"thing/check/{event.check_id}"
            return Rolled(roll.faces, roll.physical, roll.proof, thing, begins=(thing,)) if roll else None
        case e.CheckResolved():
            thing = f"thing/check/{event.check_id}"
            return Rolled(event.result.deals, False, event.result.proof, thing, follows=thing)
        case e.LuckPushed():
            return Rolled((event.push.face,), event.push.physical, event.push.proof, "")
    return None


def _turn(countdowns: Mapping[Id, Countdown] | None, countdown_id: Id) -> str:
    """Return the mark of countdowns that share a slot at the end of a turn or round; empty for an unbound countdown."""
    countdown = (countdowns or {}).get(countdown_id)
    return _TURN if countdown is not None and countdown.bound_to is not BoundTo.NOTHING else ""


def faces_of(event: e.Event) -> Faces:
    """Return the faces that an event rolls, in the order drawn; empty if the event is no roll."""
    roll = rolled(event)
    return roll.faces if roll is not None else ()


def come_to_light(things: Things) -> Iterator[Rolled]:
    """Yield the rolls of revealed things, each thing's rolls in the order in which they were made."""
    for countdown in things.countdowns:
        label = f"thing/countdown/{countdown.id}"
        yield from (_of_countdown(label, roll) for roll in countdown.hidden_rolls if roll.faces)
    for roll in things.rolls:
        yield Rolled(roll.faces, roll.physical, roll.proof, f"thing/roll/{roll.id}")
    for check in things.checks:
        yield from sorted(_of_check(check), key=_place)


def _of_countdown(label: str, roll: HiddenRoll) -> Rolled:
    begins, follows = ((label,), "") if roll.pool is None else ((), label)
    return Rolled(roll.faces, roll.physical, roll.proof, label, begins, follows)


def _of_check(check: Check) -> Iterator[Rolled]:
    label = f"thing/check/{check.id}"
    for part in check.parts:
        if part.roll is not None:
            yield Rolled(part.roll.faces, part.roll.physical, part.roll.proof, label, begins=(label,))
    if check.result is not None:
        yield Rolled(check.result.deals, False, check.result.proof, label, follows=label)


def _place(roll: Rolled) -> tuple[int, int]:
    """Sort key for the rolls of a check: their slots, because parts may be rolled in any order."""
    return (roll.proof.n, roll.proof.start) if roll.proof is not None else (0, 0)
