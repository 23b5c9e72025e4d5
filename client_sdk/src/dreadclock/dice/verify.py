"""Checking dice as they come in: every public roll against the lane that it comes from, without trusting the server.

A roll fits if its lane was open, its slot the next one, its key and its token hash to those shown before, and its
faces follow from both and from the lane's witness. What does not fit is an alarm, never an error: the log goes on.
The lanes themselves are those of the view: who is shown a view anew trusts what it says of the rolls before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dreadclock.dice.flaws import SENTENCES, Flaw
from dreadclock.dice.ledger import LANE_LENGTH, ZERO, Draws, key_before, lane_hash, text32, token_before, value32
from dreadclock.dice.revealed import flaw_of_revealed
from dreadclock.dice.rolled import Rolled, rolled
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, RollProof, RoomId, Value32
from dreadclock.wire.records import Record, room_bytes
from dreadclock.wire.things import Lane
from dreadclock.wire.views import ChannelView

_NO_ANCHOR = text32(ZERO)  # what stands for the anchor where a lane has no tokens


@dataclass(frozen=True, slots=True)
class DiceAlarm:
    """A record of dice that does not fit; someone has cheated, or something is badly broken."""

    record: Record
    flaw: Flaw
    is_certain: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Say what does not fit."""
        return f"Record {self.record.seq} ({self.record.event.type}) is not to be trusted: {SENTENCES[self.flaw]}."


@dataclass(slots=True)
class _Slot:
    """The slot of the latest roll, which other rolls of the same command may go on with."""

    lane: str
    n: int
    by: str
    at: int
    draws: Draws
    begun: str  # what may go on with it


class Verifier:
    """Checks the public records of a room one after the other."""

    def __init__(self, room_id: RoomId) -> None:
        self._room16 = room_bytes(room_id)
        self._slot: _Slot | None = None
        self._keys: dict[tuple[str, Value32], tuple[int, bytes]] = {}  # by a lane and its k_0: the latest that fitted
        self._anchors: dict[Value32, int] = {}  # of the lanes opened so far: the number of the record

    def check(self, before: ChannelView, record: Record) -> Iterator[DiceAlarm]:
        """Give what does not fit in a record; `before` is its channel's view before it."""
        if record.channel is not Channel.PUBLIC:
            return
        if isinstance(record.event, e.LaneOpened):
            flaw = self._flaw_of_lane(before, record, record.event.lane)
        elif isinstance(record.event, e.SealedStarted):
            thing = record.event.thing
            flaw = Flaw.OPENING if thing.id in before.sealed or thing.lane in before.lanes else None
        elif isinstance(record.event, e.Revealed):
            flaw = flaw_of_revealed(self._room16, before, record.event)
        else:
            flaw = self._flaw(before, record)
        if flaw is not None:
            yield DiceAlarm(record, flaw)

    def _flaw_of_lane(self, before: ChannelView, record: Record, lane: Lane) -> Flaw | None:
        """Check a lane that is opened; of anchors only those are known that the view shows or that came by here."""
        if not _begins(before, lane):
            return Flaw.OPENING
        if lane.anchor is None:
            return None
        used = lane.anchor == _NO_ANCHOR or self._anchors.setdefault(lane.anchor, record.seq) != record.seq
        return Flaw.ANCHOR if used or any(lane.anchor == each.anchor for each in before.lanes.values()) else None

    def _flaw(self, before: ChannelView, record: Record) -> Flaw | None:
        one = rolled(record.event, before.countdowns)
        if one is None:
            return None
        proof = one.proof
        if proof is None:
            return Flaw.UNPROVEN if one.faces and not one.physical else None
        lane = before.lanes.get(proof.lane)
        if lane is None or lane.seat_id != record.by or one.physical:
            return Flaw.LANE
        if proof.key is None:
            return self._flaw_of_later(lane, proof, record, one)
        return self._flaw_of_first(lane, proof, proof.key, record, one)

    def _flaw_of_first(self, lane: Lane, proof: RollProof, key: Value32, record: Record, one: Rolled) -> Flaw | None:
        self._slot = None
        if proof.n != lane.used + 1 or lane.used >= LANE_LENGTH:
            return Flaw.SLOT
        if not self._leads_to_known_key(lane, proof.n, value32(key)):
            return Flaw.KEY
        if not self._leads_to_known_token(lane, proof):
            return Flaw.TOKEN
        if proof.witnesses != lane.next_witnesses:
            return Flaw.WITNESSES
        if proof.start != 0:
            return Flaw.START
        draws = Draws(value32(key), _bytes(proof.token), _bytes(lane.next_witness))
        self._slot = _Slot(lane.label, proof.n, record.by, record.at, draws, one.begins)
        return None if draws.take(len(one.faces)) == one.faces else Flaw.FACES

    def _flaw_of_later(self, lane: Lane, proof: RollProof, record: Record, one: Rolled) -> Flaw | None:
        """Check a roll that goes on with a slot: it is of the same command, and one that may."""
        slot = self._slot
        same = slot is not None and (slot.lane, slot.n, slot.by, slot.at) == (lane.label, proof.n, record.by, record.at)
        if slot is None or not same or slot.draws.taken != proof.start:
            return Flaw.START
        if not one.follows or one.follows != slot.begun:
            return Flaw.START
        slot.begun = one.begins
        if proof.token is not None or proof.witnesses is not None:
            return Flaw.TOKEN
        return None if slot.draws.take(len(one.faces)) == one.faces else Flaw.FACES

    def _leads_to_known_key(self, lane: Lane, n: int, key: bytes) -> bool:
        """Hash a key down to the latest one known of its lane, in the end to k_0."""
        known_n, known = self._keys.get((lane.label, lane.key), (0, value32(lane.key)))
        hashed = lane_hash(self._room16, _bytes(lane.anchor), lane.label)
        value = key
        for i in range(n, known_n, -1):
            value = key_before(hashed, i, value)
        if value != known:
            return False
        self._keys[lane.label, lane.key] = (n, key)
        return True

    def _leads_to_known_token(self, lane: Lane, proof: RollProof) -> bool:
        if lane.anchor is None or proof.token is None:
            return lane.anchor is proof.token is None
        return text32(token_before(self._room16, proof.n, value32(proof.token))) == (lane.token or lane.anchor)


def _begins(before: ChannelView, lane: Lane) -> bool:
    """Tell whether a seat's lane is new, has the next number of its seat, and nothing has happened in it."""
    blank = Lane(label=lane.label, seat_id=lane.seat_id, anchor=lane.anchor, key=lane.key)
    label = f"seat/{lane.seat_id}/{before.made.get(f'lane/{lane.seat_id}', 0)}"
    return lane == blank and lane.seat_id in before.seats and lane.label == label


def _bytes(text: Value32 | None) -> bytes:
    return ZERO if text is None else value32(text)
