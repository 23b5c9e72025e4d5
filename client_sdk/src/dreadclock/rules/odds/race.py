"""Exact odds of a race: does the situation clock empty before the threat clock?

The model. The party faces the challenges of a situation one after another. Each challenge needs a number of successful
efforts, each worth one point. An effort succeeds with the chance of its challenge, independently of all other efforts.
The party never gives up. So the numbers of efforts and of successes so far describe the whole state of a race.

The order of an effort (ruling B1). First, the effort takes 1 point off the threat. If the threat is then 0, the race
is lost, even if the effort would have won the race. Second, the result of the effort counts. If it wins, the race is
over. Third, rounds may end. Each round takes 1 point off the threat. After e efforts, floor(e * `rounds_per_effort`)
rounds have ended. With 2, two rounds end after every effort; with 1/3, one round ends after every third effort. A new
challenge does not restart this count.

The model leaves out efforts worth more than one point, scenes that the gm ends early, and foes. Attacks on foes
are no efforts, but the rounds of a fight tick the threat: subtract these rounds from `threat` beforehand.
Source: rules.md B.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm


@dataclass(frozen=True, slots=True)
class Race:
    """A race before its first effort.

    `threat`: points left on the threat clock, 1 or more. `chances` and `efforts` have an item per challenge, in
    their order. `chances`: the chance that an effort succeeds, 0 to 1. `efforts`: the successes needed, 1 or
    more. `rounds_per_effort`: rounds that end per effort, 0 or more.
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
    """Return a race of `situation` challenges.

    `chance`, `efforts`: one number for each challenge, or a single number for all challenges.

    Raises ValueError if a list does not have one number per challenge, or a number is out of range.
    """
    chances = (chance,) * situation if isinstance(chance, Fraction) else tuple(chance)
    needed = (efforts,) * situation if isinstance(efforts, int) else tuple(efforts)
    if situation < 1 or len(chances) != situation or len(needed) != situation:
        raise ValueError(f"A race of {situation} challenges needs one number for all, or one for each of them.")
    return Race(threat, chances, needed, Fraction(rounds_per_effort))


def threat_at(race: Race, effort: int) -> int:
    """Return the threat left right after an effort has ticked it; 0 if the race is lost by then.

    `effort`: its number, from 1. If this effort wins the race, the race ends with this threat.
    """
    rounds_before = int((effort - 1) * race.rounds_per_effort)
    return max(race.threat - effort - rounds_before, 0)


def win_chances(race: Race) -> list[Fraction]:
    """Return the chances that effort 1, 2, ... wins the race, up to the last effort before the threat is 0."""
    whole = lcm(*(chance.denominator for chance in race.chances))
    weights = [chance.numerator * (whole // chance.denominator) for chance in _successes(race)]
    return [Fraction(won, whole**effort) for effort, won in enumerate(_wins(race, weights, whole), start=1)]


def win_chance(race: Race) -> Fraction:
    """Return the chance that the race is won."""
    return sum(win_chances(race), Fraction(0))


def threat_left(race: Race) -> list[Fraction]:
    """Return the chances that a race ends with 0, 1, ... `race.threat` points of threat left.

    The race is lost at 0, and won at every other number.
    """
    chances = [Fraction(0)] * (race.threat + 1)
    for effort, chance in enumerate(win_chances(race), start=1):
        chances[threat_at(race, effort)] = chance
    chances[0] = 1 - sum(chances, Fraction(0))
    return chances


def mean_threat_left(race: Race) -> Fraction | None:
    """Return the mean threat left when the race is won; None if it cannot be won."""
    chances = threat_left(race)
    won = 1 - chances[0]
    if won == 0:
        return None
    return sum((left * chance for left, chance in enumerate(chances)), Fraction(0)) / won


def _successes(race: Race) -> list[Fraction]:
    """Return the chance of each success that the race needs, in order."""
    return [chance for chance, needed in zip(race.chances, race.efforts, strict=True) for _ in range(needed)]


def _wins(race: Race, weights: Sequence[int], whole: int) -> Iterator[int]:
    """Yield the weight of winning with effort 1, 2, ..., until the threat is 0.

    `weights`: the chance of each needed success, times `whole`. The yielded weight of effort e is the chance of winning
    with it, times whole^e. All weights are whole numbers, because adding fractions would be slower.
    """
    at = [1] + [0] * len(weights)  # the weight of each number of successes; the last number wins
    effort = 1
    while threat_at(race, effort) > 0:
        stepped = [0] * len(at)
        for done, weight in enumerate(weights[:effort]):
            stepped[done] += at[done] * (whole - weight)
            stepped[done + 1] += at[done] * weight
        yield stepped[-1]
        at = stepped
        effort += 1
