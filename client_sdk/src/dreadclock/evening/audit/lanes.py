"""Lanes of the dice ledger as an audit keeps them: from the records alone, whatever a view says of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dreadclock.dice.flaws import Flaw
from dreadclock.dice.ledger import LANE_LENGTH, ZERO, Draws, key_before, lane_hash, token_before, value32, witnessed
from dreadclock.rules.limits import LANES_KEPT
from dreadclock.wire.base import Id, RollProof, Value32


@dataclass(slots=True)
class Lane:
    """One lane: both chains as far as they were shown, and its witness."""

    label: str
    hash: bytes
    key: bytes | None  # the latest shown, None where none was published before the first
    anchor: bytes | None
    owner: Id | None  # the seat whose tokens are no witnesses; None in a lane without any
    committed: bool = True  # whether everyone could have known of it before its first roll
    by_count: bool = False  # whether its rolls show only later, so that their witnesses are known by their number
    used: int = 0
    token: bytes | None = None
    witnesses: list[bytes] = field(default_factory=lambda: [ZERO])  # by how many tokens are in it
    next: int = 0  # tokens in the witness of the next roll
    seen: set[Id] = field(default_factory=set)

    def witness(self, seat_id: Id, token: bytes) -> None:
        """Take the first token that another seat shows."""
        if self.owner is not None and seat_id != self.owner and seat_id not in self.seen:
            self.seen.add(seat_id)
            self.witnesses.append(witnessed(self.witnesses[-1], token))

    def flaw_of(self, room16: bytes, proof: RollProof) -> Flaw | None:
        """Take the first roll of a slot and say what does not fit, up to its witness."""
        assert proof.key is not None
        key, before, is_next = value32(proof.key), self.key, proof.n == self.used + 1
        self.used, self.key = proof.n, key
        if not is_next or proof.n > LANE_LENGTH:
            return Flaw.SLOT
        if before is not None and key_before(self.hash, proof.n, key) != before:
            return Flaw.KEY
        if (proof.token is None) != (self.anchor is None):
            return Flaw.TOKEN
        if proof.token is not None:
            token, known = value32(proof.token), self.token or self.anchor
            self.token = token
            if token_before(room16, proof.n, token) != known:
                return Flaw.TOKEN
        return None if self._counts(proof.witnesses) else Flaw.WITNESSES

    def _counts(self, said: int | None) -> bool:
        if not self.by_count or self.used == 1:
            return said == self.next
        fits = said is not None and self.next <= said < len(self.witnesses)
        self.next = said if fits and said is not None else self.next
        return fits

    def draws(self, proof: RollProof) -> Draws:
        """Return the faces of the slot that was opened last."""
        assert proof.key is not None
        token = value32(proof.token) if proof.token is not None else ZERO
        return Draws(value32(proof.key), token, self.witnesses[self.next])

    def rolled(self) -> None:
        """Let the next roll use the witness as it stands now."""
        if not self.by_count:
            self.next = len(self.witnesses) - 1


class Lanes:
    """The lanes of a room, by label."""

    def __init__(self, room16: bytes) -> None:
        self._room16 = room16
        self.open: dict[str, Lane] = {}
        self.sealed: set[str] = set()  # the labels of all that were ever published for sealed things
        self._made: dict[Id, int] = {}
        self._anchors: set[Value32] = set()

    def open_seats(self, seat_id: Id, label: str, anchor: Value32 | None, key: Value32) -> Flaw | None:
        """Open a seat's lane; say what does not fit."""
        number = self._made.get(seat_id, 0)
        used_before = anchor is not None and (anchor in self._anchors or value32(anchor) == ZERO)
        for closed in list(self._closed_by(seat_id, anchor)):
            del self.open[closed]
        self._made[seat_id] = number + 1
        if anchor is not None:
            self._anchors.add(anchor)
        self.open[label] = self._lane(label, anchor, value32(key), seat_id)
        if label != f"seat/{seat_id}/{number}":
            return Flaw.OPENING
        return Flaw.ANCHOR if used_before else None

    def _closed_by(self, seat_id: Id, anchor: Value32 | None) -> Iterator[str]:
        mine = [lane for label, lane in self.open.items() if label.startswith(f"seat/{seat_id}/")]
        yield from (lane.label for lane in mine if lane.used >= LANE_LENGTH)
        usable = [lane.label for lane in mine if lane.used < LANE_LENGTH and lane.anchor is not None]
        if anchor is not None:
            yield from usable[: max(0, len(usable) + 1 - LANES_KEPT)]

    def open_things(self, label: str, key: Value32 | None, owner: Id | None) -> Lane:
        """Open the lane of a hidden thing; `owner` is None where it gathers no witnesses."""
        lane = self.open[label] = self._lane(label, None, value32(key) if key else None, owner)
        return lane

    def _lane(self, label: str, anchor: Value32 | None, key: bytes | None, owner: Id | None) -> Lane:
        start = value32(anchor) if anchor is not None else None
        return Lane(label, lane_hash(self._room16, start or ZERO, label), key, start, owner)

    def close_seats(self, seat_id: Id) -> None:
        """Close all lanes of a seat that is gone."""
        self.open = {label: lane for label, lane in self.open.items() if not label.startswith(f"seat/{seat_id}/")}
        self._made.pop(seat_id, None)

    def witness(self, seat_id: Id, token: Value32) -> None:
        """Show a token to the lanes of the others."""
        value = value32(token)
        for lane in self.open.values():
            lane.witness(seat_id, value)
