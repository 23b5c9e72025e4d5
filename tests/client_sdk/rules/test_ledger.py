"""The scheme of the dice, against the published vector and a second reading of its definition."""

import hashlib
import hmac

import pytest

from dreadclock.rules import ledger

ROOM16 = bytes(range(16))
SECRET = bytes([0x11]) * 32
LAST_TOKEN = bytes([0x22]) * 32
LABEL = "seat/p1/1"


def by_hand(name: str, context: bytes, last: bytes) -> list[bytes]:
    """Return all values of a chain."""
    chain = [last]
    for n in range(ledger.LANE_LENGTH, 0, -1):
        chain.append(hashlib.sha256(f"dice1/{name}\0".encode() + context + n.to_bytes(4, "big") + chain[-1]).digest())
    return chain[::-1]


def bytes_by_hand(key: bytes, blocks: int) -> bytes:
    root = hmac.digest(key, b"dice1/roll\0" + bytes(64), "sha256")
    return b"".join(hmac.digest(root, b"dice1/block\0" + j.to_bytes(4, "big"), "sha256") for j in range(blocks))


def faces_by_hand(key: bytes, count: int) -> tuple[int, ...]:
    return tuple(byte % 6 + 1 for byte in bytes_by_hand(key, 2 + count // 16) if byte < 252)[:count]


def keys_of(lane: bytes) -> ledger.Chain:
    return ledger.key_chain(lane, hmac.digest(SECRET, b"dice1/seed\0" + lane, "sha256"))


LANE = ledger.lane_hash(ROOM16, ledger.ZERO, LABEL)
KEYS = keys_of(LANE)


# The published vector


def test_the_vector_of_lanes_and_keys():
    anchor = ledger.token_chain(ROOM16, LAST_TOKEN).value(0)
    lane = ledger.lane_hash(ROOM16, anchor, LABEL)
    keys = keys_of(lane)

    assert anchor.hex().startswith("7f2ea1e8")
    assert lane.hex().startswith("2c2c061b")
    assert keys.value(0).hex().startswith("bf059718")
    assert keys.value(1).hex().startswith("5b5c6bf6")


def test_the_vector_of_faces():
    tokens = ledger.token_chain(ROOM16, LAST_TOKEN)
    keys = keys_of(ledger.lane_hash(ROOM16, tokens.value(0), LABEL))
    witness = ledger.witnessed(ledger.ZERO, bytes([0x33]) * 32)

    assert ledger.Draws(keys.value(1), tokens.value(1)).take(10) == (2, 6, 2, 5, 2, 5, 5, 3, 3, 4)
    assert ledger.Draws(keys.value(2), tokens.value(2), witness).take(10) == (4, 1, 4, 6, 4, 2, 3, 2, 4, 3)


# Chains


@pytest.mark.parametrize(
    ("chain", "name", "context", "last"),
    [
        (ledger.token_chain(ROOM16, LAST_TOKEN), "token", ROOM16, LAST_TOKEN),
        (ledger.key_chain(LANE, SECRET), "key", LANE, SECRET),
    ],
    ids=["tokens", "keys"],
)
def test_every_value_is_the_hash_of_the_next_in_any_order(chain: ledger.Chain, name: str, context: bytes, last: bytes):
    expected = by_hand(name, context, last)

    for n in (*range(ledger.LANE_LENGTH + 1), 700, 3, 64, 65, 63, 1024, 0):
        assert chain.value(n) == expected[n]


def test_whoever_knows_a_key_can_check_it_against_the_one_before():
    assert ledger.key_before(LANE, 5, KEYS.value(5)) == KEYS.value(4)
    assert ledger.key_before(LANE, 6, KEYS.value(5)) != KEYS.value(4)
    assert ledger.key_before(LANE, 5, KEYS.value(6)) != KEYS.value(4)
    assert ledger.key_before(ROOM16, 5, KEYS.value(5)) != KEYS.value(4)


def test_whoever_knows_a_token_can_check_it_against_the_one_before():
    tokens = ledger.token_chain(ROOM16, LAST_TOKEN)

    assert ledger.token_before(ROOM16, 5, tokens.value(5)) == tokens.value(4)
    assert ledger.token_before(ROOM16, 6, tokens.value(5)) != tokens.value(4)
    assert ledger.token_before(bytes(16), 5, tokens.value(5)) != tokens.value(4)


@pytest.mark.parametrize(
    "other",
    [(bytes(16), ledger.ZERO, LABEL), (ROOM16, SECRET, LABEL), (ROOM16, ledger.ZERO, "seat/p1/2")],
    ids=["room", "anchor", "label"],
)
def test_another_room_anchor_or_label_is_another_lane(other: tuple[bytes, bytes, str]):
    assert ledger.lane_hash(*other) != LANE


def test_the_order_in_which_witnesses_come_matters():
    assert ledger.witnessed(ledger.witnessed(ledger.ZERO, SECRET), LAST_TOKEN) != ledger.witnessed(
        ledger.witnessed(ledger.ZERO, LAST_TOKEN), SECRET
    )
    assert ledger.witnessed(ledger.ZERO, SECRET) == hashlib.sha256(b"dice1/witness\0" + bytes(32) + SECRET).digest()


# Draws


def test_bytes_from_252_on_are_skipped():
    key = next(key for key in map(KEYS.value, range(1, 1025)) if any(byte >= 252 for byte in bytes_by_hand(key, 1)))
    raw = bytes_by_hand(key, 3)
    skipping = tuple(byte % 6 + 1 for byte in raw if byte < 252)[:40]

    assert ledger.Draws(key).take(40) == skipping
    assert skipping != tuple(byte % 6 + 1 for byte in raw)[:40]


def test_draws_come_first_in_first_out_however_they_are_asked_for():
    draws = ledger.Draws(KEYS.value(9))

    taken = [draws.take(count) for count in (1, 0, 5, 40, 2, 200)]

    assert sum(taken, ()) == ledger.Draws(KEYS.value(9)).take(248) == faces_by_hand(KEYS.value(9), 248)
    assert draws.taken == 248


# Texts


def test_32_bytes_are_written_as_43_characters_and_read_back():
    assert ledger.text32(ledger.ZERO) == "A" * 43
    assert ledger.text32(bytes([0xFF]) * 32) == "_" * 42 + "8"
    assert ledger.value32(ledger.text32(LANE)) == LANE


@pytest.mark.parametrize(
    "text",
    ["", "A" * 42, "A" * 44, "A" * 42 + "B", "A" * 42 + "+", "A" * 42 + "/", "A" * 42 + "=", "A" * 42 + "é", "\n" * 43],
)
def test_there_is_one_text_for_32_bytes_and_no_other_is_read(text: str):
    with pytest.raises(ValueError, match=r"."):
        ledger.value32(text)
