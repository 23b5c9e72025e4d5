"""The formulas of the dice ledger, `dice1`, which server and clients share. Uses only the standard library.

A lane is a series of 1,024 rolls, n = 1 .. 1024. Before the first roll, client and server each commit to their input
for all rolls, with a hash chain. The client's chain has the tokens t_n: the client sends the anchor t_0 when the lane
is opened. The server's chain has the keys k_n: the server then publishes k_0. Each roll shows the next value of both
chains. The witness w is a hash of tokens that other seats have shown. `\\0` is one zero byte, `||` joins bytes, and all
values have 32 bytes:

    t_{n-1} = SHA256("dice1/token\\0" || room16 || u32be(n) || t_n)
    lane    = SHA256("dice1/lane\\0" || room16 || t_0 || label)
    k_{n-1} = SHA256("dice1/key\\0" || lane || u32be(n) || k_n)
    w       = SHA256("dice1/witness\\0" || w || t), for each other seat's first token t; at first w is 32 zero bytes
    r       = HMAC-SHA256(k_n, "dice1/roll\\0" || t_n || w)
    bytes   = HMAC-SHA256(r, "dice1/block\\0" || u32be(j)), j = 0, 1, ...

A byte below 252 is the face `byte % 6 + 1`. Other bytes are skipped. In a lane without tokens, t_0 and every
t_n are 32 zero bytes.
"""

import base64
import hashlib
import hmac

LANE_LENGTH = 1024  # rolls
ZERO = bytes(32)
_TOKEN, _KEY = b"dice1/token\0", b"dice1/key\0"
_STRIDE = 32  # every 32nd value of a chain is kept
_FACES = bytes(byte % 6 + 1 for byte in range(256))  # the face of each byte
_SKIPPED = bytes(range(252, 256))


def text32(value: bytes) -> str:
    """Return 32 bytes as base64url without padding: 43 characters."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def value32(text: str) -> bytes:
    """Return the 32 bytes that a text encodes. Raises ValueError for a text that `text32` never returns."""
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
    """Return the hash that identifies a lane. `anchor`: ZERO if the client has no tokens."""
    return _sha256(b"dice1/lane\0", room16, anchor, label.encode())


def witnessed(witness: bytes, token: bytes) -> bytes:
    """Return a lane's witness after another seat's first token is hashed into it."""
    return _sha256(b"dice1/witness\0", witness, token)


class Chain:
    """A hash chain of one lane, computed from its last value down to value 0. Keeps every 32nd value: `value` then
    computes at most 32 values.

    `prefix`: the bytes that are hashed before the number and the value, at each step.
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
        """Return the 32 values below `value`. `above`: the number of `value`."""
        # local names for speed: a lane takes 1,024 of these steps
        sha256, prefix, values = hashlib.sha256, self._prefix, []
        for n in range(above, above - _STRIDE, -1):
            value = sha256(prefix + n.to_bytes(4, "big") + value).digest()
            values.append(value)
        return values


def token_chain(room16: bytes, last: bytes) -> Chain:
    """Return a client's chain of tokens. `last`: t_1024. The anchor is value 0 of the chain."""
    return Chain(last, _TOKEN + room16)


def key_chain(lane: bytes, last: bytes) -> Chain:
    """Return a lane's chain of keys. `last`: k_1024. The server publishes value 0 when the lane is opened."""
    return Chain(last, _KEY + lane)


class Draws:
    """The faces of one roll, in a fixed order: key, token and witness determine them."""

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
