"""The server's side of the dice ledger: keys from the room's secret, and rolls from keys."""

import hmac

import pytest

from dreadclock.ledger import ZERO, Chain, Draws, key_chain, lane_hash, text32, token_chain
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.records import room_id_of
from dreadclock_server.dice import Ledger, LostLedger, keys_of

ROOM16 = bytes(range(16))
SECRET = bytes([0x11]) * 32
ROOM = room_id_of(ROOM16)


def keys_by_hand(label: str) -> Chain:
    """Return the keys of a token-less lane."""
    lane = lane_hash(ROOM16, ZERO, label)
    return key_chain(lane, hmac.digest(SECRET, b"dice1/seed\0" + lane, "sha256"))


def test_the_published_vector():
    anchor = token_chain(ROOM16, bytes([0x22]) * 32).value(0)
    keys = keys_of(SECRET, lane_hash(ROOM16, anchor, "seat/p1/1"))

    assert keys.value(0).hex().startswith("bf059718")
    assert keys.value(1).hex().startswith("5b5c6bf6")


def test_a_rooms_ledger_rolls_token_less_lanes():
    keys = keys_by_hand("seat/gm/0")
    ledger = Ledger(ROOM, SECRET)

    slot = ledger.slot("seat/gm/0", 7)

    assert ledger.key("seat/gm/0") == text32(keys.value(0))
    assert (slot.n, slot.key, slot.take(20)) == (7, text32(keys.value(7)), Draws(keys.value(7)).take(20))


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
