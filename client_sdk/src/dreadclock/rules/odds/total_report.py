"""Odds of totals and pushes as JSON, in the same form for REST and the command line.

Each chance is written as a fraction "p/q" and as the nearest decimal. A push adds a die to a total that is too low.
"Always pushing" means: push as long as the total is below the required number.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypedDict

from dreadclock.rules import total as rules
from dreadclock.rules.countdown import FACES
from dreadclock.rules.limits import MAX_POOL
from dreadclock.rules.odds import total
from dreadclock.rules.odds.report import Exact, exact


class TotalChance(TypedDict):
    """One total: the chance of exactly this total, and of this total or more (`reached`)."""

    total: int
    chance: Exact
    reached: Exact


class RequiredOdds(TypedDict):
    """The odds of a required number. `roll`: the chance that the roll alone reaches it.

    `pushing`: the chance that the roll, followed by always pushing, reaches it. `crisis`: the chance that this ends in
    a crisis instead.
    """

    required: int
    roll: Exact
    pushing: Exact
    crisis: Exact


class TotalReport(TypedDict):
    """The odds of a total. `required`: None unless the question gave a required number."""

    dice: int
    mean: Exact
    totals: list[TotalChance]
    required: RequiredOdds | None


class PushedFace(TypedDict):
    """The result of a push with this face. `success`: the chance to succeed from there by always pushing."""

    face: int
    crisis: bool
    total: int
    enough: bool
    success: Exact


class PushReport(TypedDict):
    """The odds of a push that is offered now.

    `crisis`: the chance that the next die matches a kept die. Otherwise, the new total reaches the required number
    (`enough`) or is still too low (`short`). `success`: the chance that always pushing succeeds; otherwise it ends
    in a crisis. `missing`: points missing now.
    """

    kept: list[int]
    total: int
    required: int
    missing: int
    crisis: Exact
    enough: Exact
    short: Exact
    success: Exact
    faces: list[PushedFace]


def total_report(dice: int, *, required: int | None = None) -> TotalReport:
    """Return the odds of a total.

    `dice`: 1 to MAX_POOL, although the rules allow at most 8. `required`: 1 to 99. No total exceeds 21. Raises
    ValueError if a number is beyond its limit.
    Source: rules.md D.
    """
    if not 1 <= dice <= MAX_POOL:
        raise ValueError(f"Odds of a total cover from 1 to {MAX_POOL} dice, not {dice}.")
    check_required(required)
    return TotalReport(
        dice=dice,
        mean=exact(total.mean(dice)),
        totals=_total_rows(dice),
        required=None if required is None else _required(dice, required),
    )


def push_report(kept: Sequence[int], required: int) -> PushReport:
    """Return the odds of a push with these kept dice, towards a required number.

    `kept`: the kept dice, all with different numbers, in any order. Raises ValueError for other dice, for a
    number beyond its limit, and if the total already reaches the number: then there is no push. Source:
    rules.md D4.
    """
    check_required(required)
    faces = [_face(rules.push(kept, face), required) for face in sorted(FACES)]
    now = rules.total(kept)
    if rules.enough(now, required):
        raise ValueError(f"A total of {now} meets the required {required}, so there is no push.")
    crisis = total.push_crisis(kept)
    enough = Fraction(sum(face["enough"] for face in faces), len(faces))
    return PushReport(
        kept=sorted(kept),
        total=now,
        required=required,
        missing=required - now,
        crisis=exact(crisis),
        enough=exact(enough),
        short=exact(1 - crisis - enough),
        success=exact(total.reaches_by_pushing(kept, required)),
        faces=faces,
    )


def _total_rows(dice: int) -> list[TotalChance]:
    rows, reached = [], Fraction(1)
    for points, chance in total.distribution(dice).items():
        rows.append(TotalChance(total=points, chance=exact(chance), reached=exact(reached)))
        reached -= chance
    return rows


def _required(dice: int, required: int) -> RequiredOdds:
    pushing = total.reaches_at_all(dice, required)
    return RequiredOdds(
        required=required,
        roll=exact(total.reaches(dice, required)),
        pushing=exact(pushing),
        crisis=exact(1 - pushing),
    )


def _face(pushed: rules.Pushed, required: int) -> PushedFace:
    success = Fraction(0) if pushed.crisis else total.reaches_by_pushing(pushed.kept, required)
    return PushedFace(
        face=pushed.face,
        crisis=pushed.crisis,
        total=pushed.total,
        enough=not pushed.crisis and rules.enough(pushed.total, required),
        success=exact(success),
    )


def check_required(required: int | None) -> None:
    """Raise ValueError if a required number is out of range."""
    if required is not None and not 1 <= required <= rules.MAX_REQUIRED:
        raise ValueError(f"A number required is from 1 to {rules.MAX_REQUIRED}, not {required}.")
