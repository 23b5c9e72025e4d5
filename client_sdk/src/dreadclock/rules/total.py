"""Totals: one die of each number is kept, and the kept dice are added up. Source: rules.md D.

A push adds a die to a total that is too low. If a kept die shows the same number, the push is a crisis.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from dreadclock.rules.countdown import FACES

MIN_DICE: Final = 1
MAX_DICE: Final = 8
"""The lowest and the highest number of dice in the pool of a total (D2)."""

MAX_REQUIRED: Final = 99
"""The highest number that the gm may require. No total exceeds 21."""

BOXES: Final = 3
"""Boxes of each kind of crisis that a character has."""

STARRED: Final = 2
"""Dice that a starred special attribute adds. A normal special attribute adds 1 die."""


class CrisisKind(StrEnum):
    """The lasting result of a crisis: physical is an injury, mental a derangement."""

    PHYSICAL = "physical"
    MENTAL = "mental"


class Fate(StrEnum):
    """How a character leaves play. The third physical crisis makes a character die, the third mental crisis retire."""

    DIES = "dies"
    RETIRES = "retires"
    LEAVES = "leaves"  # without a crisis; the character may come back


_FATES: Final = {CrisisKind.PHYSICAL: Fate.DIES, CrisisKind.MENTAL: Fate.RETIRES}


class Pushed(NamedTuple):
    """The result of a push: the face of its die, the dice kept after it, their total, and whether it was a crisis."""

    face: int
    kept: tuple[int, ...]
    total: int
    crisis: bool


def pool(attribute: int, tool: int = 0, special: int = 0, *more: int) -> int:
    """Return the number of dice in the pool of a total.

    `attribute`: the score. `tool`: the quality of the tool. Both are 0 or more, 0 if there is none. `special`:
    0 without a special attribute, 1 with a normal special attribute, 2 with a starred special attribute.
    `more`: the same for each further special attribute, if the room allows several (D11). Raises ValueError if
    the sum is not from 1 to 8, or an argument is out of range. Source: rules.md D2.
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
    """Return one die of each number that a roll shows, in ascending order.

    `faces`: the whole pool, one face 1-6 per die, any order.
    Raises ValueError for an empty pool, or a face outside 1-6.
    Source: rules.md D1.
    """
    if not faces:
        raise ValueError("A total without dice cannot be rolled.")
    if not FACES.issuperset(faces):
        raise ValueError("Every face must be a whole number from 1 to 6.")
    return tuple(sorted(set(faces)))


def total(kept: Sequence[int]) -> int:
    """Return the sum of the kept dice."""
    return sum(kept)


def push(kept: Sequence[int], face: int) -> Pushed:
    """Return the result of adding a die to the kept dice. It is a crisis if a kept die shows the same number.

    A crisis changes neither the kept dice nor their total. Does not check whether a push was offered. Raises
    ValueError if `kept` is empty or has a number twice, or for a face outside 1-6. Source: rules.md D3 and D5.
    """
    if not kept:
        raise ValueError("Only a total that was rolled can be pushed.")
    before = keep(kept)
    if len(before) != len(kept):
        raise ValueError("Of each number one die is kept, so kept dice all show different numbers.")
    after = keep((*before, face))
    return Pushed(face=face, kept=after, total=total(after), crisis=after == before)


def enough(total: int, required: int) -> bool:
    """Tell whether a total reaches the required number. Source: rules.md D4."""
    return total >= required


def fate(kind: CrisisKind, box: int) -> Fate | None:
    """Return how a character leaves play when a crisis box is marked; None for the first two boxes of a kind.

    `box`: the number of the box among the boxes of its kind, 1 to 3. Raises ValueError for another number. Source:
    rules.md D7 and D8.
    """
    if not 1 <= box <= BOXES:
        raise ValueError(f"A character has {BOXES} boxes of each kind of crisis, so there is no box {box}.")
    return _FATES[kind] if box == BOXES else None
