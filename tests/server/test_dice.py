"""The server's side of the dice ledger: keys from the room's secret, and rolls from keys."""

import hmac

import pytest

from dreadclock.rules.ledger import ZERO, Chain, Draws, key_chain, lane_hash, text32, token_chain, value32, witnessed
from dreadclock.wire.base import Faces
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.records import room_id_of
from dreadclock.wire.things import Lane
from dreadclock_server.dice import Ledger, keys_of

ROOM16 = bytes(range(16))
SECRET = bytes([0x11]) * 32
ROOM = room_id_of(ROOM16)


def keys_by_hand(label: str) -> Chain:
    """Return the keys of a token-less lane."""
    lane = lane_hash(ROOM16, ZERO, label)
    return key_chain(lane, hmac.digest(SECRET, b"dice1/seed\0" + lane, "sha256"))


def bare(label: str) -> Lane:
    return Lane(label=label, key="Q" * 43)


def faces(ledger: Ledger, label: str, n: int = 3) -> Faces:
    """Roll 20 dice in a token-less lane."""
    return ledger.slot(bare(label), n, None).take(20)


def test_the_published_vector():
    anchor = token_chain(ROOM16, bytes([0x22]) * 32).value(0)
    keys = keys_of(SECRET, lane_hash(ROOM16, anchor, "seat/p1/1"))

    assert keys.value(0).hex().startswith("bf059718")
    assert keys.value(1).hex().startswith("5b5c6bf6")


def test_the_published_vector_of_rolls():
    """Roll 1 has no witness, roll 2 one."""
    tokens, ledger = token_chain(ROOM16, bytes([0x22]) * 32), Ledger(ROOM, SECRET)
    lane = Lane(label="seat/p1/1", seat_id="p1", anchor=text32(tokens.value(0)), key="Q" * 43)
    witness = text32(witnessed(ZERO, bytes([0x33]) * 32))

    first = ledger.slot(lane, 1, text32(tokens.value(1)))
    second = ledger.slot(lane.model_copy(update={"next_witness": witness}), 2, text32(tokens.value(2)))

    assert value32(ledger.key("seat/p1/1", lane.anchor)).hex().startswith("bf059718")
    assert value32(first.key).hex().startswith("5b5c6bf6")
    assert first.take(10) == (2, 6, 2, 5, 2, 5, 5, 3, 3, 4)
    assert second.take(10) == (4, 1, 4, 6, 4, 2, 3, 2, 4, 3)


def test_a_rooms_ledger_rolls_token_less_lanes():
    keys = keys_by_hand("seat/gm/0")
    ledger = Ledger(ROOM, SECRET)

    slot = ledger.slot(bare("seat/gm/0"), 7, None)

    assert ledger.key("seat/gm/0", None) == text32(keys.value(0))
    assert (slot.n, slot.key, slot.take(20)) == (7, text32(keys.value(7)), Draws(keys.value(7)).take(20))


def test_the_same_slot_gives_the_same_faces_again_and_in_another_process():
    first, second = Ledger(ROOM, SECRET), Ledger(ROOM, SECRET)

    assert faces(first, "seat/gm/0") == faces(first, "seat/gm/0") == faces(second, "seat/gm/0")


def test_other_slots_lanes_rooms_secrets_tokens_and_witnesses_give_other_faces():
    ledger = Ledger(ROOM, SECRET)
    witness = bare("seat/gm/0").model_copy(update={"next_witness": "Q" * 43})
    rolls = {
        faces(ledger, "seat/gm/0"),
        faces(ledger, "seat/gm/0", 4),
        faces(ledger, "seat/gm/1"),
        faces(Ledger(room_id_of(bytes(16)), SECRET), "seat/gm/0"),
        faces(Ledger(ROOM, bytes(32)), "seat/gm/0"),
        ledger.slot(bare("seat/gm/0"), 3, "Q" * 43).take(20),
        ledger.slot(witness, 3, None).take(20),
        ledger.slot(bare("seat/gm/0").model_copy(update={"anchor": "Q" * 43}), 3, None).take(20),
    }

    assert len(rolls) == 8


def test_an_anchor_that_comes_to_nothing_does_not_stay_in_the_way_of_another_for_the_same_label():
    ledger = Ledger(ROOM, SECRET)
    refused = ledger.key("seat/gm/1", "Q" * 43)

    assert ledger.key("seat/gm/1", "U" * 43) == Ledger(ROOM, SECRET).key("seat/gm/1", "U" * 43) != refused


def test_a_ledger_of_many_lanes_forgets_keys_but_not_what_they_are():
    ledger = Ledger(ROOM, SECRET)
    first = ledger.key("thing/roll/first", None)
    for number in range(300):
        ledger.key(f"thing/roll/{number}", None)

    assert ledger.key("thing/roll/first", None) == first


def test_without_the_rooms_secret_nothing_is_rolled():
    lost = Ledger(ROOM, None)
    for ask in (lambda: lost.key("seat/gm/0", None), lambda: lost.slot(bare("seat/gm/0"), 1, None)):
        with pytest.raises(Refused) as refused:
            ask()
        assert refused.value.code is Code.DICE_LOST
