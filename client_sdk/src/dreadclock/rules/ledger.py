"""The dice ledger's scheme, dice1: all of it that both sides need. Needs the standard library alone.

A lane is 1,024 rolls, n = 1 .. 1024, fixed by two hash chains before the first of them: the client's tokens t_n,
whose anchor t_0 the client gives when the lane is opened, and the server's keys k_n, whose k_0 the server publishes
then. Each roll shows the next value of both. `\\0` is one zero byte, `||` joins, values are 32 bytes:

    t_{n-1} = SHA256("dice1/token\\0" || room16 || u32be(n) || t_n)
    lane    = SHA256("dice1/lane\\0" || room16 || t_0 || label)
    k_{n-1} = SHA256("dice1/key\\0" || lane || u32be(n) || k_n)
    w       = SHA256("dice1/witness\\0" || w || t), for the first token t of each other seat; 32 zero bytes at first
    r       = HMAC-SHA256(k_n, "dice1/roll\\0" || t_n || w)
    bytes   = HMAC-SHA256(r, "dice1/block\\0" || u32be(j)), j = 0, 1, ...

A byte below 252 is the face `byte % 6 + 1`, others are skipped. Without tokens t_0 and every t_n are 32 zero bytes.
"""

import base64
import hashlib
import hmac

LANE_LENGTH = 1024  # rolls
ZERO = bytes(32)
_TOKEN, _KEY = b"dice1/token\0", b"dice1/key\0"
_STRIDE = 32  # every so many values of a chain are kept
_FACES = bytes(byte % 6 + 1 for byte in range(256))  # by byte
_SKIPPED = bytes(range(252, 256))


def text32(value: bytes) -> str:
    """Write 32 bytes as base64url without padding: 43 characters."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def value32(text: str) -> bytes:
    """Read 32 bytes from their text. Raises ValueError if it is not the one text of 32 bytes."""
    value = base64.b64decode(text + "=", altchars=b"-_", validate=True)
    if len(value) != 32 or text32(value) != text:
        raise ValueError("not the text of 32 bytes")
    return value


def token_before(room16: bytes, n: int, token: bytes) -> bytes:
    """Return t_{n-1} from t_n."""
    return _sha256(_TOKEN, room16, _u32(n), token)


def key_before(lane: bytes, n: int, key: bytes) -> bytes:
    """Return k_{n-1} from k_n."""
    return _sha256(_KEY, lane, _u32(n), key)


def lane_hash(room16: bytes, anchor: bytes, label: str) -> bytes:
    """Return what identifies a lane; `anchor` is ZERO where the client has no tokens."""
    return _sha256(b"dice1/lane\0", room16, anchor, label.encode())


def witnessed(witness: bytes, token: bytes) -> bytes:
    """Return a lane's witness after another seat's first token is folded in."""
    return _sha256(b"dice1/witness\0", witness, token)


class Chain:
    """A hash chain of one lane, from its last value down; every 32nd value is kept, so that none takes long.

    `prefix`: what is hashed before the number and the value, at each step.
    """

    def __init__(self, last: bytes, prefix: bytes) -> None:
        self._prefix = prefix
        self._kept = {LANE_LENGTH: last}
        self._stretch: dict[int, bytes] = {}
        for n in range(LANE_LENGTH, 0, -_STRIDE):
            self._kept[n - _STRIDE] = last = self._down(n, last)[-1]

    def value(self, n: int) -> bytes:
        """Return the `n`th value, 0 <= n <= 1024."""
        value = self._stretch.get(n) or self._kept.get(n)
        if value is None:
            above = (n // _STRIDE + 1) * _STRIDE
            values = self._down(above, self._kept[above])
            self._stretch = dict(zip(range(above - 1, above - _STRIDE - 1, -1), values, strict=True))
            value = self._stretch[n]
        return value

    def _down(self, above: int, value: bytes) -> list[bytes]:
        """Return the 32 values below one: `above` is its number."""
        sha256, prefix, values = hashlib.sha256, self._prefix, []  # a lane's start takes 1,024 of these steps
        for n in range(above, above - _STRIDE, -1):
            value = sha256(prefix + n.to_bytes(4, "big") + value).digest()
            values.append(value)
        return values


def token_chain(room16: bytes, last: bytes) -> Chain:
    """Return a client's tokens from t_1024; the anchor is their value 0."""
    return Chain(last, _TOKEN + room16)


def key_chain(lane: bytes, last: bytes) -> Chain:
    """Return a lane's keys from k_1024; what is published of them first is their value 0."""
    return Chain(last, _KEY + lane)


class Draws:
    """The faces of one roll, first in, first out: they are fixed before they are asked for."""

    def __init__(self, key: bytes, token: bytes = ZERO, witness: bytes = ZERO) -> None:
        self.taken: int = 0
        self._block = 0
        self._root = _hmac(key, b"dice1/roll\0" + token + witness)
        self._waiting = b""

    def take(self, count: int) -> tuple[int, ...]:
        """Return the next `count` faces."""
        while len(self._waiting) < count:
            block = _hmac(self._root, b"dice1/block\0" + _u32(self._block))
            self._waiting += block.translate(_FACES, _SKIPPED)
            self._block += 1
        faces, self._waiting = tuple(self._waiting[:count]), self._waiting[count:]
        self.taken += count
        return faces


def _sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")
