"""Checking dice as they come in: every public roll against the lane that it comes from, without trusting the server.

A roll fits if its lane was open, its slot the next one, its key and its token hash to those shown before, and its
faces follow from both and from the lane's witness. What does not fit is an alarm, never an error: the log goes on.
The lanes themselves are those of the view: who is shown a view anew trusts what it says of the rolls before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from dreadclock.ledger import LANE_LENGTH, ZERO, Draws, key_before, lane_hash, text32, token_before, value32
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, RollProof, RoomId, Value32
from dreadclock.wire.fold import proof_of
from dreadclock.wire.records import Record, room_bytes
from dreadclock.wire.things import Lane
from dreadclock.wire.views import ChannelView


class Flaw(StrEnum):
    """What does not fit."""

    UNPROVEN = "unproven"
    LANE = "lane"
    OPENING = "opening"
    SLOT = "slot"
    KEY = "key"
    TOKEN = "token"
    WITNESSES = "witnesses"
    START = "start"
    FACES = "faces"


_SENTENCES = {
    Flaw.UNPROVEN: "it says neither what its faces follow from nor that its dice are physical",
    Flaw.LANE: "its lane is not an open one of the seat that rolled",
    Flaw.OPENING: "the lane does not begin as lanes do",
    Flaw.SLOT: "its slot is not the next of its lane",
    Flaw.KEY: "its key does not lead to those that the server has shown",
    Flaw.TOKEN: "its token does not lead to those that the roller has shown",
    Flaw.WITNESSES: "it does not count the witnesses that there were",
    Flaw.START: "it does not go on where the command's last roll ended",
    Flaw.FACES: "its faces are not those that follow from its key, token and witness",
}


@dataclass(frozen=True, slots=True)
class DiceAlarm:
    """A record of dice that does not fit; someone has cheated, or something is badly broken."""

    record: Record
    flaw: Flaw

    @property
    def sentence(self) -> str:
        """Say what does not fit."""
        return f"Record {self.record.seq} ({self.record.event.type}) is not to be trusted: {_SENTENCES[self.flaw]}."


@dataclass(slots=True)
class _Slot:
    """The slot of the latest roll, which other rolls of the same command may go on with."""

    lane: str
    n: int
    by: str
    at: int
    draws: Draws


class Verifier:
    """Checks the public records of a room one after the other."""

    def __init__(self, room_id: RoomId) -> None:
        self._room16 = room_bytes(room_id)
        self._slot: _Slot | None = None
        self._keys: dict[tuple[str, Value32], tuple[int, bytes]] = {}  # by a lane and its k_0: the latest that fitted

    def check(self, before: ChannelView, record: Record) -> Iterator[DiceAlarm]:
        """Give what does not fit in a record; `before` is its channel's view before it."""
        if record.channel is not Channel.PUBLIC:
            return
        if isinstance(record.event, e.LaneOpened):
            flaw = None if _begins(before, record.event.lane) else Flaw.OPENING
        else:
            flaw = self._flaw(before, record)
        if flaw is not None:
            yield DiceAlarm(record, flaw)

    def _flaw(self, before: ChannelView, record: Record) -> Flaw | None:
        faces, physical = _rolled(record.event)
        proof = proof_of(record.event)
        if proof is None:
            return Flaw.UNPROVEN if faces and not physical else None
        lane = before.lanes.get(proof.lane)
        if lane is None or lane.seat_id != record.by or physical:
            return Flaw.LANE
        if proof.key is None:
            return self._flaw_of_later(lane, proof, record, faces)
        return self._flaw_of_first(lane, proof, proof.key, record, faces)

    def _flaw_of_first(self, lane: Lane, proof: RollProof, key: Value32, record: Record, faces: Faces) -> Flaw | None:
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
        self._slot = _Slot(lane.label, proof.n, record.by, record.at, draws)
        return None if draws.take(len(faces)) == faces else Flaw.FACES

    def _flaw_of_later(self, lane: Lane, proof: RollProof, record: Record, faces: Faces) -> Flaw | None:
        """Check a roll that goes on with a slot; that must be of the same command, so of the same seat and time."""
        slot = self._slot
        same = slot is not None and (slot.lane, slot.n, slot.by, slot.at) == (lane.label, proof.n, record.by, record.at)
        if slot is None or not same or slot.draws.taken != proof.start:
            return Flaw.START
        if proof.token is not None or proof.witnesses is not None:
            return Flaw.TOKEN
        return None if slot.draws.take(len(faces)) == faces else Flaw.FACES

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


def _rolled(event: e.Event) -> tuple[Faces, bool]:
    """Return the faces that an event rolls, in the order drawn, and whether they are physical."""
    match event:
        case e.CountdownRolled() | e.TotalRolled():
            return event.faces, event.physical
        case e.DiceRolled():
            return event.roll.faces, event.roll.physical
        case e.CheckRolled():
            return (event.part.roll.faces, event.part.roll.physical) if event.part.roll else ((), False)
        case e.CheckResolved():
            return event.result.deals, False
        case e.LuckPushed():
            return (event.push.face,), event.push.physical
    return (), False


def _bytes(text: Value32 | None) -> bytes:
    return ZERO if text is None else value32(text)
