"""Checks: a character rolls a pool of dice, and the highest die counts. Source: rules.md C.

`plan` says how a check is rolled. The caller draws the faces: it calls `wanted` after each draw, until `wanted` asks
for no more. `read` then judges the complete faces. So the same code reads the server's dice and physical dice. A
venture takes dice away now, for more dice later. Momentum and interference are tokens that change a roll.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from dreadclock.rules.countdown import FACES
from dreadclock.rules.limits import MAX_POOL, MAX_ROLL_DICE

MAX_VENTURE: Final = 3


class Outcome(StrEnum):
    """The outcome of a check."""

    FUMBLE = "fumble"
    FAIL = "fail"
    SUCCESS = "success"
    TRIUMPH = "triumph"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a check will be rolled, after bonus, penalty, venture and tokens are taken into account.

    `dice`: the number of dice at first. `removed`: the number of dice to remove after the roll, the highest first.
    These are the venture's dice, and the part of the penalty that the pool could not take. `rerolls`: each 1 is rolled
    again until it is no 1. `explodes`: each 6 adds a die. Both rules also apply to added dice (C1, C2, C3).
    """

    dice: int
    removed: int
    rerolls: bool
    explodes: bool


class Reading(NamedTuple):
    """What the faces of a check mean.

    `faces`: every face drawn, in the order drawn. `remaining`: the faces after re-rolls and removals, in the
    same order. `highest`: the highest of these, None if no die remains. `margin`: how many other remaining dice
    equal the highest. `capped`: whether MAX_ROLL_DICE stopped dice from being added or re-rolled.
    """

    faces: tuple[int, ...]
    remaining: tuple[int, ...]
    outcome: Outcome
    highest: int | None
    margin: int
    capped: bool


def plan(
    score: int,
    *,
    bonus: int = 0,
    penalty: int = 0,
    venture: int = 0,
    momentum: bool = False,
    interference: bool = False,
) -> Plan:
    """Plan the roll of a check.

    `score`, `bonus`, `penalty`: numbers of dice, 0 or more. Bonus and penalty cancel each other first. A score
    of 0 without a net bonus rolls no dice, so none are removed. Raises ValueError if a number is out of range.
    Source: rules.md C4, C7, C9 and C15.
    """
    _check_numbers(score, bonus, penalty, venture)
    net = bonus - penalty
    dice = max(score + net, 1) if score > 0 or net > 0 else 0
    if dice > MAX_POOL:
        raise ValueError(f"A check starts with at most {MAX_POOL} dice, not {dice}.")
    return Plan(
        dice=dice,
        removed=max(1 - score - net, 0) + venture if dice else 0,
        rerolls=momentum and not interference,
        explodes=momentum or not interference,
    )


def damage_plan(dice: int, *, sixes_add: bool) -> Plan:
    """Plan a damage roll of `dice` dice, 1 to MAX_POOL. `sixes_add`: whether each 6 adds a die. Source: rules.md
    C27.
    """
    return Plan(dice=dice, removed=0, rerolls=False, explodes=sixes_add)


def wanted(plan: Plan, faces: Sequence[int]) -> int:
    """Return how many faces the roll needs in total, judged by the faces drawn so far.

    `faces`: the faces drawn so far: first the pool, then the added and re-rolled dice, in the order drawn. If
    the result is larger than `len(faces)`, draw more. Faces beyond the result are ignored. The result is at
    most MAX_ROLL_DICE. Source: rules.md C1, C2, C3 and E2.
    """
    return min(_asked(plan, faces), MAX_ROLL_DICE)


def read(plan: Plan, faces: Sequence[int]) -> Reading:
    """Read the faces of a whole roll.

    `faces`: as many as `wanted` returns, each 1-6, in the order drawn. If dice are equal, the first drawn is
    removed first. Raises ValueError for too few or too many faces, or for a face outside 1-6. Source: rules.md
    C4, C5, C6, C9, C14 and E1.
    """
    if not FACES.issuperset(faces):
        raise ValueError("Every face must be a whole number from 1 to 6.")
    if len(faces) != wanted(plan, faces):
        raise ValueError(_miscounted(plan, faces))
    remaining = _without_highest(_standing(plan, faces), plan.removed)
    return Reading(
        faces=tuple(faces),
        remaining=remaining,
        outcome=grade(remaining),
        highest=highest(remaining),
        margin=margin(remaining),
        capped=_asked(plan, faces) > MAX_ROLL_DICE,
    )


def grade(remaining: Sequence[int]) -> Outcome:
    """Return the outcome of a check from the dice that remain.

    `remaining`: faces 1-6, any order, may be empty.
    Source: rules.md C5, C6 and C9.
    """
    if all(face == 1 for face in remaining):
        return Outcome.FUMBLE
    if remaining.count(6) >= 2:
        return Outcome.TRIUMPH
    return Outcome.SUCCESS if max(remaining) >= 4 else Outcome.FAIL


def highest(remaining: Sequence[int]) -> int | None:
    """Return the highest of the dice that remain; None if no die remains."""
    return max(remaining, default=None)


def margin(remaining: Sequence[int]) -> int:
    """Return how many other dice equal the highest die; 0 if no die remains. Source: rules.md C5."""
    return remaining.count(max(remaining)) - 1 if remaining else 0


def _asked(plan: Plan, faces: Sequence[int]) -> int:
    """Return how many faces the roll needs, as `wanted` does, but without the limit MAX_ROLL_DICE."""
    asked = plan.dice
    for drawn, face in enumerate(faces):
        if drawn == min(asked, MAX_ROLL_DICE):
            break
        asked += _asks(plan, face)
    return asked


def _asks(plan: Plan, face: int) -> bool:
    return (face == 6 and plan.explodes) or (face == 1 and plan.rerolls)


def _standing(plan: Plan, faces: Sequence[int]) -> list[int]:
    """Return the faces without each 1 that was rolled again. A 1 stays if MAX_ROLL_DICE left no draw for it."""
    asked, standing = plan.dice, []
    for face in faces:
        asked += _asks(plan, face)
        if not (face == 1 and plan.rerolls and asked <= MAX_ROLL_DICE):
            standing.append(face)
    return standing


def _without_highest(standing: Sequence[int], removed: int) -> tuple[int, ...]:
    places = sorted(
        range(len(standing)), key=standing.__getitem__, reverse=True
    )  # among equal dice, the first drawn comes first
    kept = sorted(places[removed:])
    return tuple(standing[place] for place in kept)


def _check_numbers(score: int, bonus: int, penalty: int, venture: int) -> None:
    if not 0 <= score <= MAX_POOL:
        raise ValueError(f"A score is from 0 to {MAX_POOL} dice, not {score}.")
    if bonus < 0 or penalty < 0:
        raise ValueError("Bonuses and penalties are counted in dice from 0; a negative bonus is a penalty.")
    if not 0 <= venture <= MAX_VENTURE:
        raise ValueError(f"A venture has level 1 to {MAX_VENTURE}, or 0 for none, not {venture}.")


def _miscounted(plan: Plan, faces: Sequence[int]) -> str:
    needed, given = wanted(plan, faces), len(faces)
    may_grow = given < needed and (plan.explodes or plan.rerolls)
    least = "at least " if may_grow and needed < MAX_ROLL_DICE else ""
    reasons = [f"it starts with {plan.dice}"]
    reasons += ["each 6 adds one"] * plan.explodes + ["each 1 is rolled again"] * plan.rerolls
    if needed == MAX_ROLL_DICE:
        reasons.append(f"it stops at {MAX_ROLL_DICE}")
    return f"This roll takes {least}{needed} {'face' if needed == 1 else 'faces'}, not {given}: {', '.join(reasons)}."
