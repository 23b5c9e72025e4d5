"""What fuzzing begins with and what it has found, read again; and a little of the same without a fuzzer."""

import random

import pytest

from fuzz.seeds import SEEDS, found
from fuzz.targets import TARGETS

MUTANTS = 300  # of each target
_TOKENS = (b"[", b"{", b'"', b"\\ud800", b"1e400", b"null", b"\xff", b"\0", b"\x81\xfe", b"-1", b"9" * 20)


def mutant(data: bytes, chance: random.Random) -> bytes:
    """Change a few places: a byte, a piece left out, doubled or put elsewhere, or something rare put in."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed) + 1)
        piece = changed[at : at + chance.randint(1, 40)]
        match chance.randrange(4):
            case 0 if at < len(changed):
                changed[at] = chance.randrange(256)
            case 1:
                del changed[at : at + len(piece)]
            case 2:
                changed[chance.randrange(len(changed) + 1) : 0] = piece
            case _:
                changed[at:at] = chance.choice(_TOKENS)
    return bytes(changed)


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_all_that_was_found_are_read_without_a_fault(name: str):
    seeds = [*SEEDS[name](), *found(name)]
    assert seeds
    with TARGETS[name]() as target:
        for seed in seeds:
            target(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_changed_seeds_are_read_without_a_fault(name: str):
    seeds, chance = [*SEEDS[name]()], random.Random(name)
    with TARGETS[name]() as target:
        for _ in range(MUTANTS):
            target(mutant(chance.choice(seeds), chance))
