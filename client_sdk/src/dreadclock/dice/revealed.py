"""Checking what comes to light: the rolls of a sealed thing, against the lane that was published when it started.

A thing that only the gm knew has no such lane; its rolls rest on the gm's word, and nothing here says otherwise.
"""

from dreadclock.dice.flaws import Flaw
from dreadclock.dice.ledger import ZERO, Draws, key_before, lane_hash, value32, witnessed
from dreadclock.dice.rolled import Rolled, come_to_light
from dreadclock.wire.base import RollProof, Value32
from dreadclock.wire.events import Revealed
from dreadclock.wire.views import ChannelView


def flaw_of_revealed(room16: bytes, before: ChannelView, event: Revealed) -> Flaw | None:
    """Return what does not fit in the rolls of a thing that comes to light; `before` is the public view before it."""
    label = f"thing/{event.kind}/{event.id}"
    lane, sealed = before.lanes.get(label), before.sealed.get(event.id)
    key = lane.key if lane is not None else sealed.key if sealed is not None else None
    if key is None:
        return None
    rolls = _Rolls(room16, label, key, (lane.tokens or ()) if lane is not None else ())
    return next((flaw for one in come_to_light(event.things) if (flaw := rolls.flaw(one)) is not None), None)


class _Rolls:
    """The rolls of one thing, in their order; `tokens`: those that its lane's witness is made of so far."""

    def __init__(self, room16: bytes, label: str, key: Value32, tokens: tuple[Value32, ...]) -> None:
        self._label, self._tokens = label, tokens
        self._lane = lane_hash(room16, ZERO, label)
        self._key, self._n, self._witnesses = value32(key), 0, 0
        self._draws = Draws(ZERO)
        self._begun = ""  # what may go on with the latest slot

    def flaw(self, one: Rolled) -> Flaw | None:
        """Take the next roll."""
        if one.proof is None:
            return Flaw.UNPROVEN if one.faces and not one.physical else None
        if one.physical or one.proof.lane != self._label:
            return Flaw.LANE
        flaw = self._begin(one.proof, one.proof.key) if one.proof.key is not None else self._go_on(one, one.proof)
        if flaw is not None:
            return flaw
        self._begun = one.begins
        return None if self._draws.take(len(one.faces)) == one.faces else Flaw.FACES

    def _begin(self, proof: RollProof, key: Value32) -> Flaw | None:
        if proof.n != self._n + 1:
            return Flaw.SLOT
        if key_before(self._lane, proof.n, value32(key)) != self._key:
            return Flaw.KEY
        if proof.token is not None:
            return Flaw.TOKEN
        most = len(self._tokens) if proof.n > 1 else 0
        if proof.witnesses is None or not self._witnesses <= proof.witnesses <= most:
            return Flaw.WITNESSES
        self._key, self._n, self._witnesses = value32(key), proof.n, proof.witnesses
        self._draws = Draws(self._key, ZERO, self._witness())
        return None if proof.start == 0 else Flaw.START

    def _go_on(self, one: Rolled, proof: RollProof) -> Flaw | None:
        if not one.follows or one.follows != self._begun:
            return Flaw.START
        if proof.n != self._n or proof.start != self._draws.taken:
            return Flaw.START
        return Flaw.TOKEN if proof.token is not None or proof.witnesses is not None else None

    def _witness(self) -> bytes:
        witness = ZERO
        for token in self._tokens[: self._witnesses]:
            witness = witnessed(witness, value32(token))
        return witness
