"""Contests: two checks against each other. Source: rules.md C."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from dreadclock.rules.countdown import FACES


class Side(StrEnum):
    """A side of a contest: ACTING is the side of the check's character, OPPOSING the other side."""

    ACTING = "acting"
    OPPOSING = "opposing"


class DecidedBy(StrEnum):
    """What decides a contest. A criterion counts only if all earlier criteria are equal."""

    HIGHEST = "highest"
    COUNT = "count"  # the number of dice that show the highest face
    REFLEX = "reflex"
    DEAL = "deal"  # pairs of faces, until the two faces of a pair differ


class Verdict(NamedTuple):
    """Who wins a contest, and what decides it. `winner` is None if pairs of faces must decide (`dealt`)."""

    winner: Side | None
    by: DecidedBy


def contest(acting: Sequence[int], opposing: Sequence[int], reflex: tuple[int | None, int | None]) -> Verdict:
    """Judge a contest by the dice that remain.

    `acting`, `opposing`: the remaining dice of a side, pooled, in any order, may be empty. A side without dice
    loses to a side with dice; two sides without dice are equal. `reflex`: the reflex of the acting and of the
    opposing character, None if it is missing. The winner of a contest may still have failed the check. Source:
    rules.md C16 and C17.
    """
    ours, theirs = _standing(acting), _standing(opposing)
    if ours[0] != theirs[0]:
        return Verdict(_larger(ours[0], theirs[0]), DecidedBy.HIGHEST)
    if ours[1] != theirs[1]:
        return Verdict(_larger(ours[1], theirs[1]), DecidedBy.COUNT)
    our_reflex, their_reflex = reflex
    if our_reflex is None or their_reflex is None or our_reflex == their_reflex:
        return Verdict(None, DecidedBy.DEAL)
    return Verdict(_larger(our_reflex, their_reflex), DecidedBy.REFLEX)


def dealt(faces: Sequence[int]) -> Side | None:
    """Return the winner of a contest that pairs of faces decide; None while the faces of every pair are equal.

    `faces`: the pairs in the order drawn, the acting side's face first. The first pair of different faces
    decides. Ignores a single last face, and all faces after the decision.
    Raises ValueError if a face is not from 1 to 6.
    Source: rules.md C17.
    """
    if not FACES.issuperset(faces):
        raise ValueError("Every face must be a whole number from 1 to 6.")
    pairs = zip(faces[::2], faces[1::2], strict=False)
    return next((_larger(ours, theirs) for ours, theirs in pairs if ours != theirs), None)


def _standing(remaining: Sequence[int]) -> tuple[int, int]:
    """Return the highest face and how many dice show it; 0 and 0 without dice."""
    top = max(remaining, default=0)
    return top, remaining.count(top)


def _larger(ours: int, theirs: int) -> Side:
    return Side.ACTING if ours > theirs else Side.OPPOSING
