"""Ways in which a server can cheat at a plain roll, each as a decision that takes the place of the honest one."""

from dataclasses import replace
from typing import Any

from dreadclock.wire.base import Faces, Id
from dreadclock.wire.events import DiceRolled
from dreadclock.wire.things import Lane
from dreadclock_server.core.decide import Decision
from dreadclock_server.dice import Ledger
from kit.cheating.server import Case, Cheat


def told(decision: Decision) -> DiceRolled:
    """Return the one roll of a decision."""
    [event] = [each.event for each in decision.written if isinstance(each.event, DiceRolled)]
    return event


def forged(event: DiceRolled, **changes: Any) -> DiceRolled:
    """Change a roll, or its proof where the fields are of that."""
    roll = event.roll
    own = {name: value for name, value in changes.items() if name in type(roll).model_fields}
    of_proof = {name: value for name, value in changes.items() if name not in own}
    proof = roll.proof.model_copy(update=of_proof) if roll.proof else None
    return event.model_copy(update={"roll": roll.model_copy(update={"proof": proof, **own})})


def other_faces(case: Case) -> Decision:
    """Show faces that the server likes."""
    event = told(case.honest())
    return case.told(forged(event, faces=tuple(7 - face for face in event.roll.faces)))


class Slots:
    """Dice from another slot than the next, said to be what they are or `said` to be the next one's."""

    def __init__(self, dice: Ledger, by: int, *, said: bool) -> None:
        self._dice, self._by, self._said = dice, by, said

    def key(self, label: str, anchor: str | None) -> str:
        return self._dice.key(label, anchor)

    def slot(self, lane: Lane, n: int, token: str | None) -> Any:
        slot = self._dice.slot(lane, n + self._by, token)
        slot.n = n if self._said else slot.n
        return slot


def next_slot(case: Case) -> Decision:
    """Leave the next slot out, and roll in the one after it."""
    return case.honest(dice=Slots(ledger_of(case), 1, said=False))


def swapped_slots(case: Case) -> Decision:
    """Roll with the key of the slot after the next, and keep that of the next for then."""
    return case.honest(dice=Slots(ledger_of(case), 1, said=True))


def used_slot(case: Case) -> Decision:
    """Roll in the last slot once more."""
    return case.honest(dice=Slots(ledger_of(case), -1, said=False))


def ledger_of(case: Case) -> Ledger:
    """Return the server's own dice."""
    assert isinstance(case.dice, Ledger)
    return case.dice


class BestOfTwo:
    """Dice from two secrets: at each roll the one that shows more."""

    def __init__(self, dice: Ledger, other: Ledger, pool: int) -> None:
        self.others_taken = 0
        self._dice, self._other, self._pool = dice, other, pool

    def key(self, label: str, anchor: str | None) -> str:
        return self._dice.key(label, anchor)

    def slot(self, lane: Lane, n: int, token: str | None) -> Any:
        both = [dice.slot(lane, n, token) for dice in (self._dice, self._other)]
        first, second = (sum(dice.slot(lane, n, token).take(self._pool)) for dice in (self._dice, self._other))
        self.others_taken += second > first
        return both[second > first]


def without_token(case: Case) -> Decision:
    """Roll in the seat's token-less lane, although a token came with the command."""
    assert case.command.dice is not None
    return replace(case, command=case.command.model_copy(update={"dice": None})).honest()


def dropped(case: Case) -> Decision:
    """Say that it was done, and log nothing."""
    return Decision(case.room, [])


def in_the_name_of(seat: Id, *, token: bool) -> Cheat:
    """Return a cheat that also rolls for somebody else: with the token that she showed last, or in her bare lane."""

    def cheat(case: Case) -> Decision:
        label = f"seat/{seat}/{1 if token else 0}"
        honest = case.honest()
        lane = honest.room.view.public.lanes[label]
        slot = ledger_of(case).slot(lane, lane.used + 1, lane.token)
        faces: Faces = slot.take(4)
        event = forged(
            told(honest),
            id="forged",
            seat_id=seat,
            faces=faces,
            lane=label,
            n=slot.n,
            key=slot.key,
            token=lane.token,
            witnesses=lane.next_witnesses,
        )
        return after(case, honest, lambda then: then.told(event, by=seat))

    return cheat


def after(case: Case, first: Decision, cheat: Cheat) -> Decision:
    """Decide once more, after a decision, and return both as one."""
    second = cheat(replace(case, room=first.room))
    return Decision(second.room, [*first.written, *second.written])
