"""Watching the rolls of one's own seat: each one that is logged was asked for, and each one asked for is logged.

Nobody else can do that. The Verifier finds what contradicts the log; a roll that was dropped, or made in the name of
a seat that wanted none, contradicts nothing.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from dreadclock.client.outcomes import Acknowledged
from dreadclock.client.trust.alarms import RollAlarm
from dreadclock.client.trust.asked_rolls import (
    fits,
    in_its_slot,
    is_about,
    is_left_out,
    is_misplaced,
    is_rolled,
    must_roll,
    rolls,
)
from dreadclock.client.unanswered import Ticket
from dreadclock.dice.flaws import Flaw
from dreadclock.rules.ledger import text32, token_before, value32
from dreadclock.wire.base import Channel, Id, RollProof, Value32
from dreadclock.wire.commands import CommandBase, RollingCommand
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.fold import proof_of
from dreadclock.wire.records import Record
from dreadclock.wire.views import View

REMEMBERED = 64  # commands that were refused, or of which it is not known whether they were done
_IN_DOUBT = frozenset({Code.SESSION_EXPIRED, Code.DUPLICATE})  # refusals that leave open whether a command was done


def nowhere(anchor: Value32) -> bool:
    """Tell that nobody else on this device rolls for the seat."""
    return False


@dataclass(eq=False, slots=True)
class _Unclaimed:
    """A roll that nobody has claimed so far; it may belong to any of the commands that are on their way."""

    record: Record
    waits_for: set[Ticket] = field(default_factory=set)


class OwnRolls:
    """Holds the commands of one connection against the public rolls of its seat; each answer is the alarms it raises.

    `elsewhere` tells of an anchor whether others on this device roll in its lane, in the name of the same seat.
    """

    def __init__(self, elsewhere: Callable[[Value32], bool] = nowhere) -> None:
        self._elsewhere = elsewhere
        self._sent: dict[Ticket, tuple[CommandBase, View]] = {}  # with what the sender saw
        self._unclaimed: list[_Unclaimed] = []
        self._refused: deque[CommandBase] = deque(maxlen=REMEMBERED)
        self._in_doubt: deque[CommandBase] = deque(maxlen=REMEMBERED)
        self._named: set[str] = set()  # lanes of rolls that nobody here sent

    def send(self, ticket: Ticket, command: CommandBase, view: View) -> None:
        """Note a command that is sent, and what its sender sees."""
        self._sent[ticket] = (command, view)

    def hear(self, record: Record, seat_id: Id, view: View) -> list[RollAlarm]:
        """Take a record, and the view after it."""
        if record.channel is not Channel.PUBLIC or record.by != seat_id or not rolls(record):
            return []
        if self._from_elsewhere(record, view):
            return []
        roll = _Unclaimed(record, set(self._sent))
        if not roll.waits_for:
            return self._judged(roll)
        self._unclaimed.append(roll)
        return []

    def answer(self, ticket: Ticket, outcome: Acknowledged | Exception, view: View) -> list[RollAlarm]:
        """Take the final reply to a command, which comes after its records, and the view after them."""
        if ticket not in self._sent:
            return []
        command, before = self._sent.pop(ticket)
        alarms: list[RollAlarm] = []
        if isinstance(outcome, Acknowledged):
            own = [record for record in outcome.records if record.channel is Channel.PUBLIC]
            self._claim({record.seq for record in own})
            if outcome.complete:
                alarms += _amiss(command, own, before, view)
            else:
                self._in_doubt.append(command)  # its records are among those that this client has not heard
        elif isinstance(command, RollingCommand):
            in_doubt = not isinstance(outcome, Refused) or outcome.code in _IN_DOUBT
            (self._in_doubt if in_doubt else self._refused).append(command)
        return alarms + self._no_longer_waiting(ticket)

    def missed(self, records: Sequence[Record], seat_id: Id, is_own: Callable[[RollProof], bool]) -> list[RollAlarm]:
        """Judge records that were logged while this client heard nothing.

        `is_own` tells whether a roll shows a token of this device: nobody else could have shown it.
        """
        alarms: list[RollAlarm] = []
        for record in records:
            if record.channel is Channel.PUBLIC and record.by == seat_id and rolls(record):
                alarms += self._judged_late(record, is_own)
        return alarms

    def _judged_late(self, record: Record, is_own: Callable[[RollProof], bool]) -> list[RollAlarm]:
        proof = proof_of(record.event)
        if proof is not None and proof.token is not None and is_own(proof):
            self._named.add(proof.lane)  # later rolls of the slot show no token of their own
            return []
        if any(fits(command, record) for command, _ in self._sent.values()):
            return []
        return self._judged(_Unclaimed(record))

    def forget(self) -> None:
        """Start from a view that was shown anew: which rolls it holds of those that were asked for is not known."""
        self._unclaimed.clear()

    def _from_elsewhere(self, record: Record, view: View) -> bool:
        """Tell whether a roll is in a lane of somebody else on this device."""
        proof = proof_of(record.event)
        lane = view.public.lanes.get(proof.lane) if proof else None
        return lane is not None and lane.anchor is not None and self._elsewhere(lane.anchor)

    def _claim(self, seqs: Collection[int]) -> None:
        self._unclaimed = [roll for roll in self._unclaimed if roll.record.seq not in seqs]

    def _no_longer_waiting(self, ticket: Ticket) -> list[RollAlarm]:
        alarms: list[RollAlarm] = []
        for roll in self._unclaimed:
            roll.waits_for.discard(ticket)
            if not roll.waits_for:
                alarms += self._judged(roll)
        self._unclaimed = [roll for roll in self._unclaimed if roll.waits_for]
        return alarms

    def _judged(self, roll: _Unclaimed) -> list[RollAlarm]:
        """Judge a roll that belongs to no command that was done."""
        if any(fits(command, roll.record) for command in self._in_doubt):
            return []
        refused = next((command for command in self._refused if fits(command, roll.record)), None)
        if refused is not None:
            return [RollAlarm(Flaw.REFUSED, roll.record, refused)]
        return [RollAlarm(Flaw.NOT_SENT, roll.record, None)] if self._is_to_be_named(roll.record) else []

    def _is_to_be_named(self, record: Record) -> bool:
        """Tell whether a roll from elsewhere is to be named.

        In a lane with tokens the first is enough: only another device of the same seat can roll there. Without tokens
        the server can, too, so that each is named; what goes on with a slot (it shows no key) was named with it.
        """
        proof = proof_of(record.event)
        if proof is None:
            return True
        is_first = proof.lane not in self._named
        self._named.add(proof.lane)
        return is_first or (proof.key is not None and proof.token is None)


def anchor_of(room16: bytes, proof: RollProof) -> Value32 | None:
    """Return the anchor that a roll's token leads to, None if it shows none."""
    if proof.token is None:
        return None
    value = value32(proof.token)
    for n in range(proof.n, 0, -1):
        value = token_before(room16, n, value)
    return text32(value)


def _amiss(command: CommandBase, records: list[Record], before: View, after: View) -> Iterator[RollAlarm]:
    """Name what is wrong with the public records of a command that was done."""
    rolled = [record for record in records if rolls(record)]
    lacks = must_roll(command, before) and not any(is_rolled(command, record) for record in records)
    if lacks or is_left_out(command, records, before, after):
        yield RollAlarm(Flaw.DROPPED, None, command)
    for record in rolled:
        if not is_about(command, record.event) or is_misplaced(command, record.event, (before, after)):
            yield RollAlarm(Flaw.OTHER_THING, record, command)
        elif not in_its_slot(command, record):
            yield RollAlarm(Flaw.WITHOUT_TOKEN, record, command)
