"""Checks the rolls of the client's own seat: every logged roll was requested, and every requested roll is logged.

Only the client can check this. The Verifier detects contradictions in the log. A roll that the server dropped, or made
without a request, contradicts nothing.

A lane is a series of rolls (slots) whose dice a seat and the server fixed in advance. The client may have a secret
token for each. The anchor is the public first value of the tokens, and identifies the lane.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from dreadclock.client.outcomes import Acknowledged
from dreadclock.client.trust.alarms import RollAlarm
from dreadclock.client.unanswered import Ticket
from dreadclock.dice.asked_rolls import (
    fits,
    in_its_slot,
    is_about,
    is_left_out,
    is_misplaced,
    is_rolled,
    must_roll,
    rolls,
)
from dreadclock.dice.flaws import Flaw
from dreadclock.rules.ledger import text32, token_before, value32
from dreadclock.wire.base import Channel, Id, RollProof, Value32
from dreadclock.wire.commands import CommandBase, RollingCommand
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.fold import proof_of
from dreadclock.wire.records import Record
from dreadclock.wire.views import View

REMEMBERED = 64  # commands that were refused, or whose outcome is unknown
_IN_DOUBT = frozenset({Code.SESSION_EXPIRED, Code.DUPLICATE})  # refusals after which the outcome is unknown


@dataclass(eq=False, slots=True)
class _Unclaimed:
    """A roll that no reply has listed yet. It may belong to any of the commands in `waits_for`, which are under way."""

    record: Record
    waits_for: set[Ticket] = field(default_factory=set)


class OwnRolls:
    """Compares the commands of a connection with the public rolls of its seat. Its methods return alarms.

    `elsewhere(anchor)`: whether another connection on this device, of the same seat, rolls in the lane with this
    anchor. By default, there is no such connection.
    """

    def __init__(self, elsewhere: Callable[[Value32], bool] = lambda _: False) -> None:
        self._elsewhere = elsewhere
        self._sent: dict[Ticket, tuple[CommandBase, View]] = {}  # each command, with the view when it was sent
        self._unclaimed: list[_Unclaimed] = []
        self._refused: deque[CommandBase] = deque(maxlen=REMEMBERED)
        self._in_doubt: deque[CommandBase] = deque(maxlen=REMEMBERED)
        self._named: set[str] = set()  # lanes with a roll that this client did not send and that needs no further alarm

    def send(self, ticket: Ticket, command: CommandBase, view: View) -> None:
        """Remember a command that is sent, with the client's view at that time."""
        self._sent[ticket] = (command, view)

    def hear(self, record: Record, seat_id: Id, view: View) -> list[RollAlarm]:
        """Check a record. `view`: the view after the record. Return alarms if no command under way can explain
        the record."""
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
        """Check the final reply to a command. `view`: the view after the command's records.

        Call `hear` with these records first.
        """
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
                self._in_doubt.append(command)  # the client may have missed the records of this command
        elif isinstance(command, RollingCommand):
            in_doubt = not isinstance(outcome, Refused) or outcome.code in _IN_DOUBT
            (self._in_doubt if in_doubt else self._refused).append(command)
        return alarms + self._no_longer_waiting(ticket)

    def missed(self, records: Sequence[Record], seat_id: Id, is_own: Callable[[RollProof], bool]) -> list[RollAlarm]:
        """Check records that were logged while this client was away.

        `is_own(proof)`: whether a roll shows a token that only this device can know.
        """
        alarms: list[RollAlarm] = []
        for record in records:
            if record.channel is Channel.PUBLIC and record.by == seat_id and rolls(record):
                alarms += self._judged_late(record, is_own)
        return alarms

    def _judged_late(self, record: Record, is_own: Callable[[RollProof], bool]) -> list[RollAlarm]:
        proof = proof_of(record.event)
        if proof is not None and proof.token is not None and is_own(proof):
            self._named.add(proof.lane)  # later rolls of the slot show no token
            return []
        if any(fits(command, record) for command, _ in self._sent.values()):
            return []
        return self._judged(_Unclaimed(record))

    def forget(self) -> None:
        """Forget the unclaimed rolls after the view was replaced: later replies may lack the records of these rolls."""
        self._unclaimed.clear()

    def _from_elsewhere(self, record: Record, view: View) -> bool:
        """Tell whether a roll is in a lane of another connection on this device."""
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
        """Return the alarms for a roll that belongs to no applied command."""
        if any(fits(command, roll.record) for command in self._in_doubt):
            return []
        refused = next((command for command in self._refused if fits(command, roll.record)), None)
        if refused is not None:
            return [RollAlarm(Flaw.REFUSED, roll.record, refused)]
        return [RollAlarm(Flaw.NOT_SENT, roll.record, None)] if self._is_to_be_named(roll.record) else []

    def _is_to_be_named(self, record: Record) -> bool:
        """Tell whether a roll that this client did not send needs an alarm.

        In a lane with tokens, only the first roll needs an alarm, because only another device of the same seat can
        roll there. In a lane without tokens, the server can roll, too, so every roll needs an alarm. A later roll of
        a slot (it shows no key) shares the alarm of its slot.
        """
        proof = proof_of(record.event)
        if proof is None:
            return True
        is_first = proof.lane not in self._named
        self._named.add(proof.lane)
        return is_first or (proof.key is not None and proof.token is None)


def anchor_of(room16: bytes, proof: RollProof) -> Value32 | None:
    """Return the anchor of the lane whose token a roll shows, by hashing the token; None if the roll shows no token."""
    if proof.token is None:
        return None
    value = value32(proof.token)
    for n in range(proof.n, 0, -1):
        value = token_before(room16, n, value)
    return text32(value)


def _amiss(command: CommandBase, records: list[Record], before: View, after: View) -> Iterator[RollAlarm]:
    """Yield the alarms for the public records of an applied command."""
    rolled = [record for record in records if rolls(record)]
    lacks = must_roll(command, before) and not any(is_rolled(command, record) for record in records)
    if lacks or is_left_out(command, records, before, after):
        yield RollAlarm(Flaw.DROPPED, None, command)
    for record in rolled:
        if not is_about(command, record.event) or is_misplaced(command, record.event, (before, after)):
            yield RollAlarm(Flaw.OTHER_THING, record, command)
        elif not in_its_slot(command, record):
            yield RollAlarm(Flaw.WITHOUT_TOKEN, record, command)
