"""The only place that makes faces: the server's side of the dice ledger, which `dreadclock.ledger` defines.

All keys of a room follow from its secret M and public labels: `k_1024 = HMAC(M, "dice1/seed\\0" || lane)`.
"""

import hmac
from collections import OrderedDict

from dreadclock.ledger import ZERO, Chain, Draws, key_chain, lane_hash, text32
from dreadclock.wire.base import RoomId
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.records import room_bytes

_LANES_KEPT = 256


def keys_of(secret: bytes, lane: bytes) -> Chain:
    """Return the keys of a lane; `secret` is the room's M."""
    return key_chain(lane, hmac.digest(secret, b"dice1/seed\0" + lane, "sha256"))


class Slot(Draws):
    """One roll of a lane."""

    def __init__(self, key: bytes, n: int, token: bytes = ZERO, witness: bytes = ZERO) -> None:
        super().__init__(key, token, witness)
        self.n, self.key = n, text32(key)


class Ledger:
    """The lanes of one room."""

    def __init__(self, room_id: RoomId, secret: bytes) -> None:
        self._room16, self._secret = room_bytes(room_id), secret
        self._lanes: OrderedDict[str, Chain] = OrderedDict()

    def _keys(self, label: str) -> Chain:
        keys = self._lanes.get(label)
        if keys is None:
            keys = self._lanes[label] = keys_of(self._secret, lane_hash(self._room16, ZERO, label))
            if len(self._lanes) > _LANES_KEPT:
                self._lanes.popitem(last=False)
        self._lanes.move_to_end(label)
        return keys

    def key(self, lane: str) -> str:
        """Return k_0 of a token-less lane, base64url."""
        return text32(self._keys(lane).value(0))

    def slot(self, lane: str, n: int) -> Slot:
        """Open the `n`th slot of a token-less lane."""
        return Slot(self._keys(lane).value(n), n)


class LostLedger:
    """What is left of the dice when a room's secret is missing: a refusal."""

    def key(self, lane: str) -> str:
        """Refuse."""
        raise Refused(Code.DICE_LOST)

    def slot(self, lane: str, n: int) -> Slot:
        """Refuse."""
        raise Refused(Code.DICE_LOST)
