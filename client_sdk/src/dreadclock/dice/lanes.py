"""Verify dice: whether the faces of every roll follow from its lane. Clients and audits use the same code.

A lane is a series of rolls that were fixed in advance. For each roll, the server committed to a key, and the seat to a
token, if it takes part. A slot is the n-th roll of a lane. The witness of a lane is a hash of tokens that other seats
have shown. Of a sealed thing, everyone sees only the name and the lane until it is revealed.

A roll is correct if
- its lane is open, and its slot is the next slot of the lane;
- its key hashes back to the lane's previous key, and its token to the previous token;
- its faces follow from the key, the token and the lane's witness.

After a wrong key or token, the check continues from the last correct one, so that a single wrong roll does not make the
later rolls wrong.

Source: docs/dice.md. `client_sdk/js/lanes.js` is an independent implementation of the same page.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Self

from dreadclock.dice.flaws import Flaw
from dreadclock.dice.rolled import Rolled, come_to_light, rolled
from dreadclock.rules.ledger import LANE_LENGTH, ZERO, Draws, key_before, lane_hash, token_before, value32, witnessed
from dreadclock.rules.limits import LANES_KEPT
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, RollProof, RoomId, Value32
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.records import Record, room_bytes
from dreadclock.wire.views import ChannelView


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking a roll, or the opening of a lane (then `roll` and `lane` are None).

    `flaw`: what is wrong, or None. `lane`: the roll's lane, if it is known. `witnesses`: the number of other seats
    whose tokens influenced the roll.
    """

    flaw: Flaw | None
    roll: Rolled | None = None
    lane: "Lane | None" = None
    witnesses: int = 0


@dataclass(frozen=True, slots=True)
class _Link:
    """The last verified value of a hash chain. `n`: its place in the chain."""

    n: int
    value: bytes


@dataclass(slots=True)
class _Slot:
    """The slot of a lane's latest roll. Later rolls of the same command may take more faces from the slot."""

    n: int
    by: Id
    at: int
    draws: Draws
    witnesses: int
    begun: tuple[str, ...] = ()  # marks of the latest roll: a later roll from this slot must name one


@dataclass(slots=True)
class Lane:
    """A lane: the last verified values of both chains, and the witness."""

    label: str
    hash: bytes
    starter: Id | None  # this seat's tokens are not hashed into the witness; None: no seat's are
    key: _Link | None  # None until the first roll, if no key was published before
    token: _Link | None  # None without tokens
    is_committed: bool = True  # whether the lane was public before its first roll
    rolls_show_late: bool = False  # whether its rolls are revealed later, with the number of tokens in their witness
    used: int = 0
    heard: set[Id] = field(default_factory=set)  # seats that showed a token since it opened
    witnesses: dict[int, bytes] = field(default_factory=lambda: {0: ZERO})  # the witness, by the number of tokens in it
    latest: int = 0  # tokens in the current witness
    next: int = 0  # tokens in the witness that the next roll uses
    slot: _Slot | None = None

    def witness(self, seat_id: Id, token: bytes) -> None:
        """Hash a token into the witness, if it is another seat's first token since the lane was opened."""
        if self.starter is None or seat_id == self.starter or seat_id in self.heard:
            return
        self.heard.add(seat_id)
        self.witnesses[self.latest + 1] = witnessed(self.witnesses[self.latest], token)
        self.latest += 1


class Lanes:
    """The open lanes of a room. Checks the room's records one after the other.

    `holds_gm`: whether the records include the gm's channel. If so, hidden rolls are checked in that channel, and not
    again when they are revealed.
    """

    def __init__(self, room_id: RoomId, *, holds_gm: bool = False) -> None:
        self._room16, self._holds_gm = room_bytes(room_id), holds_gm
        self._open: dict[str, Lane] = {}
        self._made: dict[Id, int] = {}  # how many lanes each seat has opened
        self._anchors: set[Value32] = set()
        self._opened_by_gm: set[str] = set()  # labels of lanes opened in the gm's channel
        self._sealed: set[str] = set()  # labels of all things that were ever sealed
        self._consequences_of: tuple[Id, int] | None = None  # seat and time of the last command with consequences

    @classmethod
    def of(cls, room_id: RoomId, part: ChannelView) -> Self:
        """Start from a public view, without checking the rolls before it."""
        lanes = cls(room_id)
        for stored in part.lanes.values():
            lanes._recall(stored, part)
        for thing in part.sealed.values():
            if thing.lane is not None and thing.key is not None and thing.lane not in part.lanes:
                lanes._add(thing.lane, thing.key, None).rolls_show_late = True
        lanes._sealed = {thing.lane for thing in part.sealed.values() if thing.lane is not None}
        lanes._made = {name.removeprefix("lane/"): n for name, n in part.made.items() if name.startswith("lane/")}
        return lanes

    def _recall(self, stored: t.Lane, part: ChannelView) -> None:
        lane = self._add(stored.label, stored.key, stored.seat_id or stored.started_by, stored.anchor)
        lane.used, lane.rolls_show_late = stored.used, stored.seat_id is None
        for token in stored.tokens or ():
            lane.latest += 1
            lane.witnesses[lane.latest] = witnessed(lane.witnesses[lane.latest - 1], value32(token))
        lane.heard = {seat for seat, shown in part.shown.items() if shown > stored.tokens_before}
        if stored.token is not None:
            lane.token = _Link(stored.used, value32(stored.token))
        if stored.seat_id is not None:
            lane.latest, lane.next = stored.witnesses, stored.next_witnesses
            lane.witnesses |= {lane.next: _bytes(stored.next_witness), lane.latest: _bytes(stored.witness)}

    def check(self, before: ChannelView, record: Record) -> Iterator[Checked]:
        """Check the next record. Yield a result for each roll in it and for a lane that it opens.

        `before`: the view of the record's channel before the record.
        """
        match record.event:
            case e.LaneOpened(lane=lane):
                yield Checked(self._opened(before, record, lane))
            case e.SealedStarted(thing=thing):
                yield Checked(self._seal(before, record, thing))
            case e.Revealed() as event:
                yield from self._reveal(record, event)
            case e.ConsequenceHappened() if record.channel is Channel.PUBLIC:
                self._consequences_of = (record.by, record.at)
            case e.SeatRemoved(seat_id=seat_id):
                self._close([label for label in self._open if label.startswith(f"seat/{seat_id}/")])
            case event:
                if (roll := rolled(event, before.countdowns)) is not None:
                    yield self._check(record, roll)

    def _opened(self, before: ChannelView, record: Record, opened: t.Lane) -> Flaw | None:
        if opened.seat_id is None:
            return self._opened_for_thing(record, opened)
        number = self._made.get(opened.seat_id, 0)
        used_before = opened.anchor is not None and (opened.anchor in self._anchors or value32(opened.anchor) == ZERO)
        self._close_used(opened.seat_id, opened.anchor)
        self._made[opened.seat_id] = number + 1
        self._add(opened.label, opened.key, opened.seat_id, opened.anchor)
        blank = t.Lane(
            label=f"seat/{opened.seat_id}/{number}", seat_id=opened.seat_id, anchor=opened.anchor, key=opened.key
        )
        if opened != blank or opened.seat_id not in before.seats or record.channel is not Channel.PUBLIC:
            return Flaw.OPENING
        return Flaw.ANCHOR if used_before else None

    def _close_used(self, seat_id: Id, anchor: Value32 | None) -> None:
        """Close a seat's used-up lanes. If a new lane with tokens is one too many, also close the oldest such lane."""
        mine = [lane for lane in self._open.values() if lane.label.startswith(f"seat/{seat_id}/")]
        usable = [lane.label for lane in mine if lane.used < LANE_LENGTH and lane.token is not None]
        self._close([lane.label for lane in mine if lane.used >= LANE_LENGTH])
        if anchor is not None:
            self._close(usable[: max(0, len(usable) + 1 - LANES_KEPT)])

    def _opened_for_thing(self, record: Record, opened: t.Lane) -> Flaw | None:
        """Open the lane of a hidden thing from the gm's channel.

        The lane of a sealed thing was opened before, in public.
        """
        again, lane = opened.label in self._opened_by_gm, self._open.get(opened.label)
        self._opened_by_gm.add(opened.label)
        if again:
            return Flaw.OPENING
        if lane is not None:
            return None if lane.key == _Link(0, value32(opened.key)) else Flaw.OPENING
        self._unpublished(opened.label, opened.key)
        return None if record.channel is Channel.GM and opened.label.startswith("thing/") else Flaw.OPENING

    def _seal(self, before: ChannelView, record: Record, thing: t.Sealed) -> Flaw | None:
        if thing.id in before.sealed or thing.lane in self._sealed:
            return Flaw.OPENING
        if thing.lane is None or thing.key is None:
            return None
        self._sealed.add(thing.lane)
        self._add(thing.lane, thing.key, thing.seat_id).rolls_show_late = not self._holds_gm
        by_starter = thing.seat_id in (None, record.by)
        return None if by_starter and thing.lane == lane_of_thing(thing.kind, thing.id) else Flaw.OPENING

    def _add(self, label: str, key: Value32 | None, starter: Id | None, anchor: Value32 | None = None) -> Lane:
        token = _Link(0, value32(anchor)) if anchor is not None else None
        if anchor is not None:
            self._anchors.add(anchor)
        hashed = lane_hash(self._room16, token.value if token else ZERO, label)
        lane = self._open[label] = Lane(label, hashed, starter, _Link(0, value32(key)) if key else None, token)
        return lane

    def _unpublished(self, label: str, key: Value32 | None = None) -> Lane:
        """Open the lane of a hidden thing, to which the server did not commit in public.

        `key`: the key k_0, or None if the records do not include the gm's channel.
        """
        lane = self._add(label, key, None)
        lane.is_committed = False
        return lane

    def _close(self, labels: Sequence[str]) -> None:
        for label in labels:
            self._open.pop(label, None)

    def _reveal(self, record: Record, event: e.Revealed) -> Iterator[Checked]:
        """Check the rolls of revealed things, unless done in the gm's channel. Then close the thing's lane."""
        for roll in come_to_light(event.things) if not self._holds_gm else ():
            lane = self._open.get(roll.thing) or self._unpublished(roll.thing)
            yield self._in_lane(lane, record, roll, fits=roll.proof is not None and roll.proof.lane == roll.thing)
        self._close([lane_of_thing(event.kind, event.id)])

    def _check(self, record: Record, roll: Rolled) -> Checked:
        label, token = (roll.proof.lane, roll.proof.token) if roll.proof is not None else ("", None)
        is_public = record.channel is Channel.PUBLIC
        fits = label.startswith(f"seat/{record.by}/") if is_public else label == roll.thing
        result = self._in_lane(self._open.get(label), record, roll, fits=fits)
        if is_public and token is not None:
            for lane in self._open.values():
                lane.witness(record.by, value32(token))
        return result

    def _in_lane(self, lane: Lane | None, record: Record, roll: Rolled, *, fits: bool) -> Checked:
        """Check a roll in its lane; `fits`: whether it is the right lane for this roll."""
        proof = roll.proof
        if proof is None:
            return Checked(Flaw.UNPROVEN if roll.faces and not roll.physical else None, roll, lane)
        if lane is None or not fits or roll.physical:
            return Checked(Flaw.LANE, roll, lane)
        if proof.key is not None:
            flaw = self._begin(lane, record, proof)
        else:
            is_effect = record.channel is Channel.PUBLIC and self._consequences_of == (record.by, record.at)
            flaw = _go_on(lane, record, proof, roll, is_effect=is_effect)
        if flaw is not None or lane.slot is None:
            return Checked(flaw, roll, lane)
        lane.slot.begun = roll.begins
        follow = lane.slot.draws.take(len(roll.faces)) == roll.faces
        return Checked(None if follow else Flaw.FACES, roll, lane, lane.slot.witnesses)

    def _begin(self, lane: Lane, record: Record, proof: RollProof) -> Flaw | None:
        """Check the first roll of a slot, and open the slot if the roll is correct.

        Even if the roll is wrong, the slot counts as used, and the next slot uses the lane's current witness.
        """
        is_next, uses, lane.slot = lane.used + 1 == proof.n <= LANE_LENGTH, _witnesses_of(lane, proof), None
        lane.used = max(lane.used, proof.n) if proof.n <= LANE_LENGTH else lane.used
        lane.next = lane.next if lane.rolls_show_late else lane.latest
        if not is_next:
            return Flaw.SLOT
        if not self._takes_key(lane, proof):
            return Flaw.KEY
        if not self._takes_token(lane, proof):
            return Flaw.TOKEN
        if uses is None or proof.witnesses != uses:
            return Flaw.WITNESSES
        if proof.start != 0:
            return Flaw.START
        lane.next = uses if lane.rolls_show_late else lane.next
        draws = Draws(_bytes(proof.key), _bytes(proof.token), lane.witnesses[uses])
        lane.slot = _Slot(proof.n, record.by, record.at, draws, uses)
        return None

    def _takes_key(self, lane: Lane, proof: RollProof) -> bool:
        assert proof.key is not None
        key = _Link(proof.n, value32(proof.key))
        fits = lane.key is None or _leads(key, lane.key, partial(key_before, lane.hash))
        lane.key = key if fits else lane.key
        return fits

    def _takes_token(self, lane: Lane, proof: RollProof) -> bool:
        if lane.token is None or proof.token is None:
            return lane.token is None and proof.token is None
        token = _Link(proof.n, value32(proof.token))
        fits = _leads(token, lane.token, partial(token_before, self._room16))
        lane.token = token if fits else lane.token
        return fits


def _leads(later: _Link, earlier: _Link, before: Callable[[int, bytes], bytes]) -> bool:
    """Return whether a value of a chain hashes back to an earlier value."""
    value = later.value
    for n in range(later.n, earlier.n, -1):
        value = before(n, value)
    return value == earlier.value


def _witnesses_of(lane: Lane, proof: RollProof) -> int | None:
    """Return how many tokens are in the witness that a roll uses; None if the proof says an impossible number.

    The proof decides this number only for a roll that is revealed later. The number never decreases within a lane.
    """
    if not lane.rolls_show_late or lane.used == 0:
        return lane.next
    said = proof.witnesses
    return said if said is not None and lane.next <= said <= lane.latest else None


def _go_on(lane: Lane, record: Record, proof: RollProof, roll: Rolled, *, is_effect: bool) -> Flaw | None:
    """Check a roll that takes more faces from the latest slot. Only some rolls of the same command may do so.

    `is_effect`: whether the command has triggered consequences. These may roll any countdown.
    """
    slot = lane.slot
    if slot is None or (slot.n, slot.by, slot.at, slot.draws.taken) != (proof.n, record.by, record.at, proof.start):
        return Flaw.START
    by_consequence = is_effect and isinstance(record.event, e.CountdownRolled)
    if not by_consequence and (not roll.follows or roll.follows not in slot.begun):
        return Flaw.START
    return Flaw.TOKEN if proof.token is not None or proof.witnesses is not None else None


def _bytes(text: Value32 | None) -> bytes:
    return ZERO if text is None else value32(text)
