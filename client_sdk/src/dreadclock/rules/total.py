"""Totals: what a roll keeps, pushing luck, and what a crisis costs. Source: rules.md D."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from dreadclock.rules.countdown import FACES

MIN_DICE: Final = 1
MAX_DICE: Final = 8
"""Dice in the pool of a total, both ends included (D2)."""

MAX_REQUIRED: Final = 99
"""The highest number that may be required; above 21 no total meets it."""

BOXES: Final = 3
"""Boxes of each kind of crisis that a character has."""

STARRED: Final = 2
"""Dice that a starred special attribute adds; a normal one adds 1."""


class CrisisKind(StrEnum):
    """What a crisis leaves behind for good: an injury or a derangement."""

    PHYSICAL = "physical"
    MENTAL = "mental"


class Fate(StrEnum):
    """How a character leaves play: the third crisis of a kind brings one of the first two."""

    DIES = "dies"
    RETIRES = "retires"
    LEAVES = "leaves"  # and may come back


_FATES: Final = {CrisisKind.PHYSICAL: Fate.DIES, CrisisKind.MENTAL: Fate.RETIRES}


class Pushed(NamedTuple):
    """What one push did: its die, the dice kept after it, their total, and whether it was a crisis."""

    face: int
    kept: tuple[int, ...]
    total: int
    crisis: bool


def pool(attribute: int, tool: int = 0, special: int = 0, *more: int) -> int:
    """Add up the dice that a total is rolled with.

    `attribute`, `tool`: the score and the tool's quality, 0 or more, 0 if there is none.
    `special`: 0 without a special attribute, 1 with a normal one, 2 with a starred one.
    `more`: the same of each further special attribute, where the room allows several (D11).
    Raises ValueError if the sum is not from 1 to 8, with the sum in it, or a part is no such number.
    Source: rules.md D2.
    """
    if attribute < 0 or tool < 0:
        raise ValueError("An attribute and the quality of a tool are counted from 0.")
    for extra in (special, *more):
        if not 0 <= extra <= STARRED:
            raise ValueError(f"A special attribute adds from 0 to {STARRED} dice, not {extra}.")
    special += sum(more)
    dice = attribute + tool + special
    if not MIN_DICE <= dice <= MAX_DICE:
        parts = f"attribute {attribute} + tool {tool} + special {special}"
        raise ValueError(f"A total is rolled with {MIN_DICE} to {MAX_DICE} dice, not {dice} ({parts}).")
    return dice


def keep(faces: Sequence[int]) -> tuple[int, ...]:
    """Keep one die of each number, in ascending order; its duplicates are discarded.

    `faces`: the whole pool, one face 1-6 per die, any order.
    Raises ValueError if there is no die, or a face is no face of a die.
    Source: rules.md D1.
    """
    if not faces:
        raise ValueError("A total without dice cannot be rolled.")
    if not FACES.issuperset(faces):
        raise ValueError("Every face must be a whole number from 1 to 6.")
    return tuple(sorted(set(faces)))


def total(kept: Sequence[int]) -> int:
    """Add up the dice that stay."""
    return sum(kept)


def push(kept: Sequence[int], face: int) -> Pushed:
    """Add one more die to the kept ones, or suffer a crisis if its number is among them.

    A crisis leaves the kept dice and their total as they were. Whether a push was offered is not asked here.
    Raises ValueError if none is kept, two show the same number, or a face is no face of a die.
    Source: rules.md D3 and D5.
    """
    if not kept:
        raise ValueError("Only a total that was rolled can be pushed.")
    before = keep(kept)
    if len(before) != len(kept):
        raise ValueError("Of each number one die is kept, so kept dice all show different numbers.")
    after = keep((*before, face))
    return Pushed(face=face, kept=after, total=total(after), crisis=after == before)


def enough(total: int, required: int) -> bool:
    """Tell whether a total meets the number required. Source: rules.md D4."""
    return total >= required


def fate(kind: CrisisKind, box: int) -> Fate | None:
    """Say what marking a box of crisis brings: nothing before the third.

    `box`: which one of its kind is marked, 1 to 3. Raises ValueError if it is outside.
    Source: rules.md D7 and D8.
    """
    if not 1 <= box <= BOXES:
        raise ValueError(f"A character has {BOXES} boxes of each kind of crisis, so there is no box {box}.")
    return _FATES[kind] if box == BOXES else None
