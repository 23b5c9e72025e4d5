"""The dice ledger, against the published vector and a second reading of its definition."""

import hashlib
import hmac

import pytest

from dreadclock.wire.base import Faces
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.folds.lanes import LANE_LENGTH
from dreadclock.wire.records import room_id_of
from dreadclock_server.dice import ZERO, Keys, Ledger, LostLedger, Slot, key_before, lane_hash, text32

ROOM16 = bytes(range(16))
SECRET = bytes([0x11]) * 32
LABEL = "seat/p1/1"
ROOM = room_id_of(ROOM16)


def tokens() -> list[bytes]:
    """Return t_0 to t_1024 of the vector's client."""
    chain = [bytes([0x22]) * 32]
    for n in range(LANE_LENGTH, 0, -1):
        chain.append(hashlib.sha256(b"dice1/token\0" + ROOM16 + n.to_bytes(4, "big") + chain[-1]).digest())
    return chain[::-1]


def keys_by_hand(lane: bytes) -> list[bytes]:
    """Return k_0 to k_1024."""
    chain = [hmac.digest(SECRET, b"dice1/seed\0" + lane, "sha256")]
    for n in range(LANE_LENGTH, 0, -1):
        chain.append(hashlib.sha256(b"dice1/key\0" + lane + n.to_bytes(4, "big") + chain[-1]).digest())
    return chain[::-1]


def bytes_by_hand(key: bytes, blocks: int) -> bytes:
    root = hmac.digest(key, b"dice1/roll\0" + bytes(64), "sha256")
    return b"".join(hmac.digest(root, b"dice1/block\0" + j.to_bytes(4, "big"), "sha256") for j in range(blocks))


def faces_by_hand(key: bytes, count: int) -> Faces:
    return tuple(byte % 6 + 1 for byte in bytes_by_hand(key, 2 + count // 16) if byte < 252)[:count]


# The published vector


def test_the_vector_of_keys():
    lane = lane_hash(ROOM16, tokens()[0], LABEL)
    keys = Keys(SECRET, lane)

    assert tokens()[0].hex().startswith("7f2ea1e8")
    assert lane.hex().startswith("2c2c061b")
    assert keys.key(0).hex().startswith("bf059718")
    assert keys.key(1).hex().startswith("5b5c6bf6")


def test_the_vector_of_faces():
    keys = Keys(SECRET, lane_hash(ROOM16, tokens()[0], LABEL))
    witness = hashlib.sha256(b"dice1/witness\0" + bytes(32) + bytes([0x33]) * 32).digest()

    assert Slot(keys.key(1), 1, tokens()[1]).take(10) == (2, 6, 2, 5, 2, 5, 5, 3, 3, 4)
    assert Slot(keys.key(2), 2, tokens()[2], witness).take(10) == (4, 1, 4, 6, 4, 2, 3, 2, 4, 3)


# Keys


def test_every_key_of_a_lane_is_the_hash_of_the_next_in_whatever_order_they_are_asked_for():
    lane = lane_hash(ROOM16, ZERO, LABEL)
    expected = keys_by_hand(lane)
    keys = Keys(SECRET, lane)

    for n in (*range(LANE_LENGTH + 1), 700, 3, 64, 65, 63, 1024, 0):
        assert keys.key(n) == expected[n]


def test_whoever_knows_a_key_can_check_it_against_the_one_before():
    lane = lane_hash(ROOM16, ZERO, LABEL)
    keys = Keys(SECRET, lane)

    assert key_before(lane, 5, keys.key(5)) == keys.key(4)
    assert key_before(lane, 6, keys.key(5)) != keys.key(4)
    assert key_before(lane, 5, keys.key(6)) != keys.key(4)


@pytest.mark.parametrize(
    "other",
    [(bytes(16), ZERO, LABEL), (ROOM16, SECRET, LABEL), (ROOM16, ZERO, "seat/p1/2")],
    ids=["room", "anchor", "label"],
)
def test_another_room_anchor_or_label_is_another_lane(other: tuple[bytes, bytes, str]):
    assert lane_hash(*other) != lane_hash(ROOM16, ZERO, LABEL)


def test_32_bytes_are_written_as_43_characters():
    assert text32(bytes(32)) == "A" * 43
    assert text32(bytes([0xFF]) * 32) == "_" * 42 + "8"


# Draws


def test_bytes_from_252_on_are_skipped():
    lane = lane_hash(ROOM16, ZERO, LABEL)
    key = next(key for key in keys_by_hand(lane)[1:] if any(byte >= 252 for byte in bytes_by_hand(key, 1)))
    raw = bytes_by_hand(key, 3)
    skipping = tuple(byte % 6 + 1 for byte in raw if byte < 252)[:40]

    assert Slot(key, 1).take(40) == skipping
    assert skipping != tuple(byte % 6 + 1 for byte in raw)[:40]


def test_draws_come_first_in_first_out_however_they_are_asked_for():
    key = Keys(SECRET, lane_hash(ROOM16, ZERO, LABEL)).key(9)
    slot = Slot(key, 9)

    taken = [slot.take(count) for count in (1, 0, 5, 40, 2, 200)]

    assert sum(taken, ()) == Slot(key, 9).take(248) == faces_by_hand(key, 248)
    assert slot.taken == 248


def test_all_faces_come_up_about_alike():
    faces = Slot(Keys(SECRET, lane_hash(ROOM16, ZERO, LABEL)).key(1), 1).take(6_000)

    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(900 < faces.count(face) < 1_100 for face in range(1, 7))


# The ledger of a room


def test_a_rooms_ledger_rolls_token_less_lanes():
    lane = lane_hash(ROOM16, ZERO, "seat/gm/0")
    keys = keys_by_hand(lane)
    ledger = Ledger(ROOM, SECRET)

    slot = ledger.slot("seat/gm/0", 7)

    assert ledger.key("seat/gm/0") == text32(keys[0])
    assert (slot.n, slot.key, slot.take(20)) == (7, text32(keys[7]), faces_by_hand(keys[7], 20))


def test_the_same_slot_gives_the_same_faces_again_and_in_another_process():
    first, second = Ledger(ROOM, SECRET), Ledger(ROOM, SECRET)

    assert first.slot("seat/gm/0", 3).take(20) == first.slot("seat/gm/0", 3).take(20)
    assert first.slot("seat/gm/0", 3).take(20) == second.slot("seat/gm/0", 3).take(20)


def test_other_slots_lanes_rooms_and_secrets_give_other_faces():
    faces = Ledger(ROOM, SECRET).slot("seat/gm/0", 3).take(20)

    assert Ledger(ROOM, SECRET).slot("seat/gm/0", 4).take(20) != faces
    assert Ledger(ROOM, SECRET).slot("seat/gm/1", 3).take(20) != faces
    assert Ledger(room_id_of(bytes(16)), SECRET).slot("seat/gm/0", 3).take(20) != faces
    assert Ledger(ROOM, bytes(32)).slot("seat/gm/0", 3).take(20) != faces


def test_a_ledger_of_many_lanes_forgets_keys_but_not_what_they_are():
    ledger = Ledger(ROOM, SECRET)
    first = ledger.key("thing/roll/first")
    for number in range(300):
        ledger.key(f"thing/roll/{number}")

    assert ledger.key("thing/roll/first") == first


def test_without_the_rooms_secret_nothing_is_rolled():
    for ask in (lambda: LostLedger().key("seat/gm/0"), lambda: LostLedger().slot("seat/gm/0", 1)):
        with pytest.raises(Refused) as refused:
            ask()
        assert refused.value.code is Code.DICE_LOST
