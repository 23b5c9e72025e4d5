"""Contests: two checks against each other. Source: rules.md C."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from dreadclock.rules.countdown import FACES


class Side(StrEnum):
    """A side of a contest: the one whose check it is, and the other."""

    ACTING = "acting"
    OPPOSING = "opposing"


class DecidedBy(StrEnum):
    """What decides a contest, each only where all before it are equal."""

    HIGHEST = "highest"
    COUNT = "count"
    REFLEX = "reflex"
    DEAL = "deal"


class Verdict(NamedTuple):
    """Who wins a contest and by what; `winner` is None while it is still to be dealt."""

    winner: Side | None
    by: DecidedBy


def contest(acting: Sequence[int], opposing: Sequence[int], reflex: tuple[int | None, int | None]) -> Verdict:
    """Judge a contest by the dice that remain.

    `acting`, `opposing`: a side's remaining dice, pooled, any order, may be empty: a side without
    dice is below every face, and two without are equal. `reflex`: of the acting and of the opposing
    character, None where it is missing. A failure that wins stays a failure.
    Source: rules.md C16 and C17.
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
    """Name the winner of a dealt contest, None while every pair is equal.

    `faces`: dealt in pairs, the acting side's face first, until the two of a pair differ; a last
    face without its pair is not looked at, nor is any after the pair that decides.
    Raises ValueError if a face is no face of a die.
    Source: rules.md C17.
    """
    if not FACES.issuperset(faces):
        raise ValueError("Every face must be a whole number from 1 to 6.")
    pairs = zip(faces[::2], faces[1::2], strict=False)
    return next((_larger(ours, theirs) for ours, theirs in pairs if ours != theirs), None)


def _standing(remaining: Sequence[int]) -> tuple[int, int]:
    """Give the highest face and how many dice show it; 0 and 0 without dice."""
    top = max(remaining, default=0)
    return top, remaining.count(top)


def _larger(ours: int, theirs: int) -> Side:
    return Side.ACTING if ours > theirs else Side.OPPOSING
