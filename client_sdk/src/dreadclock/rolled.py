"""What records roll: faces with what they come from, as they are told at once or come to light later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dreadclock.wire import events as e
from dreadclock.wire.base import Faces, RollProof
from dreadclock.wire.things import Check, Things


class Rolled(NamedTuple):
    """The faces of one roll; `thing`: the lane that it must come from if it is hidden."""

    faces: Faces
    physical: bool
    proof: RollProof | None
    thing: str


def rolled(event: e.Event) -> Rolled | None:
    """Return what an event rolls; None if nothing."""
    match event:
        case e.CountdownRolled():
            return Rolled(event.faces, event.physical, event.proof, f"thing/countdown/{event.countdown_id}")
        case e.TotalRolled():
            return Rolled(event.faces, event.physical, event.proof, "")
        case e.DiceRolled():
            return Rolled(event.roll.faces, event.roll.physical, event.roll.proof, f"thing/roll/{event.roll.id}")
        case e.CheckRolled():
            roll = event.part.roll
            return Rolled(roll.faces, roll.physical, roll.proof, f"thing/check/{event.check_id}") if roll else None
        case e.CheckResolved():
            return Rolled(event.result.deals, False, event.result.proof, f"thing/check/{event.check_id}")
        case e.LuckPushed():
            return Rolled((event.push.face,), event.push.physical, event.push.proof, "")
    return None


def faces_of(event: e.Event) -> Faces:
    """Return the faces that an event rolls, in the order drawn; none if it rolls nothing."""
    one = rolled(event)
    return one.faces if one is not None else ()


def come_to_light(things: Things) -> Iterator[Rolled]:
    """Give the rolls of what comes to light, each thing's in the order in which they were made."""
    for countdown in things.countdowns:
        label = f"thing/countdown/{countdown.id}"
        yield from (Rolled(each.faces, each.physical, each.proof, label) for each in countdown.hidden_rolls)
    for roll in things.rolls:
        yield Rolled(roll.faces, roll.physical, roll.proof, f"thing/roll/{roll.id}")
    for check in things.checks:
        yield from sorted(_of_check(check), key=_place)


def _of_check(check: Check) -> Iterator[Rolled]:
    label = f"thing/check/{check.id}"
    for part in check.parts:
        if part.roll is not None:
            yield Rolled(part.roll.faces, part.roll.physical, part.roll.proof, label)
    if check.result is not None:
        yield Rolled(check.result.deals, False, check.result.proof, label)


def _place(one: Rolled) -> tuple[int, int]:
    """Order the rolls of a check by their slots: its parts are told in another order than they were rolled in."""
    return (one.proof.n, one.proof.start) if one.proof is not None else (0, 0)
