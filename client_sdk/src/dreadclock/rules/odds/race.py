"""Exact odds of a race: does the situation clock empty before the threat clock?

The model. The party faces the challenges of a situation one after another. Each challenge needs a
number of successful efforts, each of them worth one point; every effort succeeds with the chance of its
challenge, independently of all others. The party never gives up. Then threat falls by the number of
efforts alone, so that a race is a walk over the successes still needed.

Order (ruling B1): an effort takes 1 off threat, and a race whose threat is then 0 is lost even if the
effort would have won it; then the effort's result counts, and a race won here is over; only then do
rounds end. After e efforts, the whole part of e * `rounds_per_effort` rounds have ended, and each took
1 off threat: 2 means that two rounds end after every effort, 1/3 that one ends after every third.
Rounds run on from one challenge into the next.

Not in the model: foes (their rounds tick but are no efforts: take them off threat beforehand), efforts
worth more than one point, and scenes that the gm ends early.
Source: rules.md B.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm


@dataclass(frozen=True, slots=True)
class Race:
    """A race before its first effort.

    `threat`: points left on the threat clock, 1 or more. `chances` and `efforts`: one per
    challenge, in the order faced: the chance of each effort, 0 to 1, and the successes needed,
    1 or more. `rounds_per_effort`: rounds that end per effort, 0 or more.
    Raises ValueError if a number is out of range or the two lists differ in length.
    """

    threat: int
    chances: tuple[Fraction, ...]
    efforts: tuple[int, ...]
    rounds_per_effort: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not self.chances or self.threat < 1:
            raise ValueError("A race starts with at least 1 point on each of its clocks.")
        if len(self.chances) != len(self.efforts):
            raise ValueError("A race needs as many numbers of efforts as it has chances.")
        if any(not 0 <= chance <= 1 for chance in self.chances):
            raise ValueError("The chance of an effort must be from 0 to 1.")
        if any(needed < 1 for needed in self.efforts):
            raise ValueError("A challenge needs at least 1 successful effort.")
        if self.rounds_per_effort < 0:
            raise ValueError("The rounds per effort must not be below 0.")


def plan_race(
    situation: int,
    threat: int,
    chance: Fraction | Sequence[Fraction],
    *,
    efforts: int | Sequence[int] = 1,
    rounds_per_effort: Fraction | int = 0,
) -> Race:
    """Describe a race of `situation` challenges; one chance or number of efforts holds for all.

    Raises ValueError if a list has not one number per challenge, or a number is out of range.
    """
    chances = (chance,) * situation if isinstance(chance, Fraction) else tuple(chance)
    needed = (efforts,) * situation if isinstance(efforts, int) else tuple(efforts)
    if situation < 1 or len(chances) != situation or len(needed) != situation:
        raise ValueError(f"A race of {situation} challenges needs one number for all, or one for each of them.")
    return Race(threat, chances, needed, Fraction(rounds_per_effort))


def threat_at(race: Race, effort: int) -> int:
    """Count the threat left right after the tick of this effort, 0 if the race is lost by then.

    `effort`: from 1. What is left here is what is left if this effort wins the race.
    """
    rounds_before = int((effort - 1) * race.rounds_per_effort)
    return max(race.threat - effort - rounds_before, 0)


def win_chances(race: Race) -> list[Fraction]:
    """Give the chance that effort 1, 2, ... wins, up to the last one that threat allows."""
    whole = lcm(*(chance.denominator for chance in race.chances))
    weights = [chance.numerator * (whole // chance.denominator) for chance in _successes(race)]
    return [Fraction(won, whole**effort) for effort, won in enumerate(_wins(race, weights, whole), start=1)]


def win_chance(race: Race) -> Fraction:
    """Give the chance that the race is won."""
    return sum(win_chances(race), Fraction(0))


def threat_left(race: Race) -> list[Fraction]:
    """Give the chance that a race ends with 0, 1, ... `race.threat` points of threat left.

    0 is the chance that it is lost; every other place is a race won.
    """
    chances = [Fraction(0)] * (race.threat + 1)
    for effort, chance in enumerate(win_chances(race), start=1):
        chances[threat_at(race, effort)] = chance
    chances[0] = 1 - sum(chances, Fraction(0))
    return chances


def mean_threat_left(race: Race) -> Fraction | None:
    """Give the mean threat left of the races that are won, or None if none can be."""
    chances = threat_left(race)
    won = 1 - chances[0]
    if won == 0:
        return None
    return sum((left * chance for left, chance in enumerate(chances)), Fraction(0)) / won


def _successes(race: Race) -> list[Fraction]:
    """List the chance of each success that the race needs, in order."""
    return [chance for chance, needed in zip(race.chances, race.efforts, strict=True) for _ in range(needed)]


def _wins(race: Race, weights: Sequence[int], whole: int) -> Iterator[int]:
    """Weigh the ways in which each effort wins, until threat is gone.

    `weights`: the chance of each success needed, as parts of `whole`. The ways of effort e are
    parts of whole^e; whole numbers alone, so no fraction is reduced on the way.
    """
    at = [1] + [0] * len(weights)  # the ways to stand at each number of successes; the last has won
    effort = 1
    while threat_at(race, effort) > 0:
        stepped = [0] * len(at)
        for done, weight in enumerate(weights[:effort]):
            stepped[done] += at[done] * (whole - weight)
            stepped[done + 1] += at[done] * weight
        yield stepped[-1]
        at = stepped
        effort += 1
