"""The keys of hidden things' lanes, and finding them in what somebody was sent."""

from collections.abc import Iterator

from dreadclock.wire.base import RoomId
from kit import second_ledger as second


def keys_of_lane(room: RoomId, secret: bytes, label: str) -> list[bytes]:
    """Return k_0 .. k_1024 of a token-less lane, from the room's secret."""
    lane = second.lane_of(room, second.ZERO, label)
    keys = [second.mac(secret, b"dice1/seed\0", lane)]
    for n in range(second.LAST, 0, -1):
        keys.append(second.key_before(lane, n, keys[-1]))
    return keys[::-1]


def found(keys: list[bytes], sent: bytes) -> list[int]:
    """Return the numbers of the keys that are among what was sent, however they are written."""
    return [n for n, key in enumerate(keys) if any(form in sent for form in _forms(key))]


def _forms(key: bytes) -> Iterator[bytes]:
    yield key
    yield key.hex().encode()
    yield key.hex().upper().encode()
    yield second.text32(key).encode()
    yield second.text32(key).replace("-", "+").replace("_", "/").encode()
