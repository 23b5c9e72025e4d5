"""The only place that makes faces: the lanes of the dice ledger.

Everything follows from the room's secret M and public labels, by SHA-256 and HMAC alone:

    lane     = SHA256("dice1/lane\\0" || room16 || anchor || label)
    k_1024   = HMAC(M, "dice1/seed\\0" || lane);  k_{n-1} = SHA256("dice1/key\\0" || lane || u32be(n) || k_n)
    r        = HMAC(k_n, "dice1/roll\\0" || t_n || w);  bytes = HMAC(r, "dice1/block\\0" || u32be(j)), j = 0, 1, ...

A byte below 252 is the face `byte % 6 + 1`, others are skipped. Without client tokens the anchor,
every t_n and the witness w are 32 zero bytes.
"""

import base64
import hashlib
import hmac
from collections import OrderedDict

from dreadclock.wire.base import Faces, RoomId
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.folds.lanes import LANE_LENGTH
from dreadclock.wire.records import room_bytes

ZERO = bytes(32)
_STRIDE = 32  # every so many keys of a lane are kept
_LANES_KEPT = 256


def _sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _hmac(key: bytes, *parts: bytes) -> bytes:
    return hmac.digest(key, b"".join(parts), "sha256")


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def text32(value: bytes) -> str:
    """Write 32 bytes as base64url without padding."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def lane_hash(room16: bytes, anchor: bytes, label: str) -> bytes:
    """Return what identifies a lane."""
    return _sha256(b"dice1/lane\0", room16, anchor, label.encode())


def key_before(lane: bytes, n: int, key: bytes) -> bytes:
    """Return k_{n-1} from k_n."""
    return _sha256(b"dice1/key\0", lane, _u32(n), key)


class Keys:
    """The server's key chain of one lane."""

    def __init__(self, secret: bytes, lane: bytes) -> None:
        self.lane = lane
        key = _hmac(secret, b"dice1/seed\0", lane)
        self._kept = {LANE_LENGTH: key}
        self._stretch: dict[int, bytes] = {}
        for n in range(LANE_LENGTH, 0, -1):
            key = key_before(lane, n, key)
            if (n - 1) % _STRIDE == 0:
                self._kept[n - 1] = key

    def key(self, n: int) -> bytes:
        """Return k_n, 0 <= n <= 1024."""
        if n in self._kept:
            return self._kept[n]
        if n not in self._stretch:
            self._stretch = self._between(n // _STRIDE * _STRIDE)
        return self._stretch[n]

    def _between(self, below: int) -> dict[int, bytes]:
        """Work out the keys between two that are kept: the rolls of a lane come in order."""
        key = self._kept[below + _STRIDE]
        stretch = {}
        for n in range(below + _STRIDE, below + 1, -1):
            key = stretch[n - 1] = key_before(self.lane, n, key)
        return stretch


class Slot:
    """One roll of a lane: its draws come first in, first out."""

    def __init__(self, key: bytes, n: int, token: bytes = ZERO, witness: bytes = ZERO) -> None:
        self.n, self.taken = n, 0
        self._key = key
        self._root = _hmac(key, b"dice1/roll\0", token, witness)
        self._block = 0
        self._waiting: list[int] = []

    @property
    def key(self) -> str:
        """Return k_n, base64url."""
        return text32(self._key)

    def take(self, count: int) -> Faces:
        """Return the next `count` faces."""
        while len(self._waiting) < count:
            block = _hmac(self._root, b"dice1/block\0", _u32(self._block))
            self._waiting += [byte % 6 + 1 for byte in block if byte < 252]
            self._block += 1
        faces, self._waiting = tuple(self._waiting[:count]), self._waiting[count:]
        self.taken += count
        return faces


class Ledger:
    """The lanes of one room."""

    def __init__(self, room_id: RoomId, secret: bytes) -> None:
        self._room16, self._secret = room_bytes(room_id), secret
        self._lanes: OrderedDict[str, Keys] = OrderedDict()

    def _keys(self, label: str) -> Keys:
        keys = self._lanes.get(label)
        if keys is None:
            keys = self._lanes[label] = Keys(self._secret, lane_hash(self._room16, ZERO, label))
            if len(self._lanes) > _LANES_KEPT:
                self._lanes.popitem(last=False)
        self._lanes.move_to_end(label)
        return keys

    def key(self, lane: str) -> str:
        """Return k_0 of a token-less lane, base64url."""
        return text32(self._keys(lane).key(0))

    def slot(self, lane: str, n: int) -> Slot:
        """Open the `n`th slot of a token-less lane."""
        return Slot(self._keys(lane).key(n), n)


class LostLedger:
    """What is left of the dice when a room's secret is missing: a refusal."""

    def key(self, lane: str) -> str:
        """Refuse."""
        raise Refused(Code.DICE_LOST)

    def slot(self, lane: str, n: int) -> Slot:
        """Refuse."""
        raise Refused(Code.DICE_LOST)
