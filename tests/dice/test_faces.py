"""A million faces of fixed secrets: every face and every pair of neighbours comes up alike, and no byte goes astray.

The bound is one in a million, at both ends: faces that are too even are no chance either.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from dreadclock.rules.ledger import ZERO, text32, value32, witnessed
from dreadclock.wire.base import Faces
from dreadclock.wire.things import Lane
from dreadclock_server.dice import Ledger
from kit import second_ledger as second
from kit.dice.chi_square import chi_square, survival
from kit.dice.lanes import tokens
from kit.tables import ROOM

LANES, ROLLS, POOL = 20, 1000, 50
FACES = LANES * ROLLS * POOL
BOUND = 1e-6
PAIRS = [(first, then) for first in range(1, 7) for then in range(1, 7)]
LEDGER = Ledger(ROOM, bytes([0x5A]) * 32)
WITNESS = witnessed(ZERO, bytes([0x33]) * 32)


@cache
def million() -> tuple[tuple[int, ...], bytes]:
    """Return the faces of all rolls, one roll after the other, and the bytes that were skipped."""
    rolls = [roll for place in range(LANES) for roll in rolls_of(place)]
    return tuple(face for faces, _ in rolls for face in faces), bytes(byte for _, skipped in rolls for byte in skipped)


def rolls_of(place: int) -> Iterator[tuple[Faces, list[int]]]:
    """Roll in one lane; every other one has tokens, every fourth a witness.

    Each roll is read twice: as the server gives it, and from its key, token and witness byte by byte.
    """
    chain = tokens(place) if place % 2 else None
    witness = WITNESS if place % 4 == 3 else ZERO
    lane = Lane(
        label=f"seat/player-{place}/1",
        anchor=text32(chain.value(0)) if chain else None,
        key="Q" * 43,
        next_witness=text32(witness) if witness is WITNESS else None,
    )
    for n in range(1, ROLLS + 1):
        token = chain.value(n) if chain else ZERO
        slot = LEDGER.slot(lane, n, text32(token) if chain else None)
        faces, skipped = second.roll(value32(slot.key), token, witness, POOL)
        assert slot.take(POOL) == tuple(faces)
        yield tuple(faces), skipped


def test_each_face_comes_up_alike():
    faces, _ = million()
    counts = [faces.count(face) for face in range(1, 7)]

    assert sum(counts) == len(faces) == FACES
    assert likely(chi_square(counts, [FACES / 6] * 6), 5)


def test_each_pair_of_neighbours_comes_up_alike():
    """Pairs that share a die are no independent draws: what counts is by how much they differ more than single faces.

    So that each die begins one pair and ends one, the last is a neighbour of the first. Source: I. J. Good, 1953.
    """
    faces, _ = million()
    pairs = Counter(pairwise((*faces, faces[0])))
    singles = [faces.count(face) for face in range(1, 7)]
    of_pairs = chi_square([pairs[pair] for pair in PAIRS], [FACES / 36] * 36)

    assert likely(of_pairs - chi_square(singles, [FACES / 6] * 6), 30)


def test_each_pair_of_dice_comes_up_alike():
    faces, _ = million()
    pairs = Counter(zip(faces[::2], faces[1::2], strict=True))

    assert pairs.total() == FACES // 2
    assert likely(chi_square([pairs[pair] for pair in PAIRS], [FACES / 72] * 36), 35)


def test_each_place_in_a_pool_shows_each_face_alike():
    faces, _ = million()
    counts = [Counter(faces[place::POOL])[face] for place in range(POOL) for face in range(1, 7)]

    assert likely(chi_square(counts, [LANES * ROLLS / 6] * len(counts)), 5 * POOL)


def test_every_byte_is_a_face_or_is_skipped_for_being_252_or_more(figures: list[str]):
    faces, skipped = million()
    read = len(faces) + len(skipped)
    kinds = [skipped.count(byte) for byte in range(252, 256)]

    assert min(skipped) >= 252
    assert sum(kinds) == len(skipped) == read - FACES
    assert likely(chi_square([FACES, len(skipped)], [read * 252 / 256, read * 4 / 256]), 1)
    assert likely(chi_square(kinds, [len(skipped) / 4] * 4), 3)
    figures.append(f"dice: {FACES} faces from {read} bytes, {len(skipped)} of them skipped; {told(faces)}")


def told(faces: Faces) -> str:
    counts = [faces.count(face) for face in range(1, 7)]
    chance = survival(chi_square(counts, [len(faces) / 6] * 6), 5)
    return f"faces {counts}, as uneven as this by chance: {chance:.3f}"


# So that the test can find something


def test_a_face_that_takes_the_place_of_another_once_in_two_hundred_times_is_noticed():
    faces, _ = million()
    loaded = [6 if face == 1 and place % 200 < 6 else face for place, face in enumerate(faces)]

    assert not likely(chi_square([loaded.count(face) for face in range(1, 7)], [FACES / 6] * 6), 5)


def test_faces_that_are_too_even_are_noticed():
    even = [FACES // 6 + 1] * (FACES % 6) + [FACES // 6] * (6 - FACES % 6)

    assert not likely(chi_square(even, [FACES / 6] * 6), 5)


@pytest.mark.parametrize(("value", "freedom", "chance"), [(11.0705, 5, 0.05), (43.773, 30, 0.05), (10.828, 1, 0.001)])
def test_the_distribution_is_that_of_the_printed_tables(value: float, freedom: int, chance: float):
    assert survival(value, freedom) == pytest.approx(chance, rel=1e-3)


def likely(value: float, freedom: int) -> bool:
    """Tell whether chance alone gives such a chi-square: not one this high, nor one this low, once in a million."""
    return BOUND < survival(value, freedom) < 1 - BOUND
