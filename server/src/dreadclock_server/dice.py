"""The server's side of the dice ledger (see `dreadclock.rules.ledger`). No other code of the server makes
dice faces.

A lane is a series of rolls with a key for each, which the server fixed in advance. A roll uses the next slot of its
lane. The faces follow from the slot's key, from a token of the client, and from a witness: a hash of tokens that other
seats have shown.

All keys of a room are computed from its secret M and public labels: `k_1024 = HMAC(M, "dice1/seed\\0" || lane)`.
"""

import hmac
from collections import OrderedDict

import structlog

from dreadclock.rules.ledger import ZERO, Chain, Draws, key_chain, lane_hash, text32, value32
from dreadclock.wire.base import RoomId, Value32
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.records import room_bytes
from dreadclock.wire.things import Lane

SECRET_BYTES = 32  # bytes of M
_LANES_KEPT = 256
_log = structlog.get_logger()


def keys_of(secret: bytes, lane: bytes) -> Chain:
    """Return the keys of a lane. `secret`: the room's M."""
    return key_chain(lane, hmac.digest(secret, b"dice1/seed\0" + lane, "sha256"))


class Slot(Draws):
    """A slot of a lane. Its key, token and witness decide the faces of a roll."""

    def __init__(self, key: bytes, n: int, token: bytes = ZERO, witness: bytes = ZERO) -> None:
        super().__init__(key, token, witness)
        self.n, self.key = n, text32(key)


class Ledger:
    """The lanes of a room, and their keys.

    `published`: a lane whose key is in the room's log. If `secret` gives another key for this lane, the secret is
    wrong, and every request for a key raises Refused(dice_lost). The keys are compared at the first request, so that
    loading a room stays fast.
    """

    def __init__(self, room_id: RoomId, secret: bytes | None, published: Lane | None = None) -> None:
        """`secret`: the room's M; None if it is lost. Then every roll is refused."""
        self._room16, self._secret = room_bytes(room_id), secret or b""
        self._room_id, self._unchecked, self._is_lost = room_id, published, secret is None
        self._lanes: OrderedDict[tuple[str, Value32 | None], Chain] = OrderedDict()

    def _check(self) -> None:
        """Compare the secret with the published lane, once. Raises Refused if the secret is lost or does not match."""
        published, self._unchecked = self._unchecked, None
        if published is not None and text32(self._made(published.label, published.anchor).value(0)) != published.key:
            self._is_lost = True
            _log.error("the dice secret is not the one we know", room=self._room_id)
        if self._is_lost:
            raise Refused(Code.DICE_LOST)

    def _keys(self, label: str, anchor: Value32 | None) -> Chain:
        if self._unchecked is not None or self._is_lost:
            self._check()
        return self._made(label, anchor)

    def _made(self, label: str, anchor: Value32 | None) -> Chain:
        lanes, name = self._lanes, (label, anchor)
        keys = lanes.get(name)
        if keys is None:
            lane = lane_hash(self._room16, _bytes(anchor), label)
            keys = lanes[name] = keys_of(self._secret, lane)
            if len(lanes) > _LANES_KEPT:
                lanes.popitem(last=False)
        else:
            lanes.move_to_end(name)
        return keys

    def key(self, label: str, anchor: Value32 | None) -> str:
        """Return the published key of a lane (k_0), in base64url. `anchor`: its token 0; None if it has no tokens."""
        return text32(self._keys(label, anchor).value(0))

    def slot(self, lane: Lane, n: int, token: Value32 | None) -> Slot:
        """Return slot `n` of a lane, its next slot. `token`: the client's token n; None for a lane without tokens."""
        key = self._keys(lane.label, lane.anchor).value(n)
        return Slot(key, n, _bytes(token), _bytes(lane.next_witness))


def _bytes(text: Value32 | None) -> bytes:
    return ZERO if text is None else value32(text)
