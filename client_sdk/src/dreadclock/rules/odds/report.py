"""Odds as JSON, in the same form for REST and the command line.

Every fraction is written exactly and as a decimal. The functions raise ValueError, with a sentence that names
the limit, if the answer would be too large. Without the limits, the numbers in fractions could have thousands of
digits, which Python and some JSON readers refuse.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final, TypedDict

from dreadclock.rules.countdown import Speed
from dreadclock.rules.limits import MAX_CLOCK, MAX_POOL, MAX_STAGES
from dreadclock.rules.odds import countdown, race

HORIZON: Final = Fraction(999, 1000)
QUANTILES: Final = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), HORIZON)
MAX_ROLLS: Final = 100
MAX_DIE_ROLLS: Final = 2000
MAX_DENOMINATOR: Final = 1_000_000

_FRACTION: Final = re.compile(r"[0-9]{1,7}(/0*[1-9][0-9]{0,6}|\.[0-9]{1,6})?", re.ASCII)


class Exact(TypedDict):
    """An exact number, as "p/q" and as the nearest decimal."""

    fraction: str
    decimal: float


class RollOdds(TypedDict):
    """One roll of a countdown: the chance that dice are left after it, and the chance that it takes the last die."""

    roll: int
    alive: Exact
    ends: Exact


class StageOdds(TypedDict):
    """A stage (a number of dice), and the mean number of rolls until the pool has at most that many dice."""

    at: int
    mean_rolls: Exact


class QuantileOdds(TypedDict):
    """The lowest number of rolls after which a countdown has expired with this chance or more."""

    chance: Exact
    rolls: int


class DiceOdds(TypedDict):
    """The chance that exactly this number of dice is left."""

    dice: int
    chance: Exact


class CountdownReport(TypedDict):
    """The odds of a countdown. `remaining`: None unless the question gave a number of rolls."""

    pool: int
    speed: str
    expiring: list[int]
    mean_rolls: Exact
    quantiles: list[QuantileOdds]
    stages: list[StageOdds]
    rolls: list[RollOdds]
    remaining: list[DiceOdds] | None


class TableReport(TypedDict):
    """A table for choosing a countdown's pool: by speed, the mean number of rolls of each pool, rounded to whole
    numbers.
    """

    pools: list[int]
    mean_rolls: dict[str, list[int]]


class EffortOdds(TypedDict):
    """One effort of a race. `threat_left`: the threat left if this effort wins the race.

    `wins`: the chance that this effort wins the race. `won`: the chance that it or an earlier effort does.
    """

    effort: int
    threat_left: int
    wins: Exact
    won: Exact


class RaceReport(TypedDict):
    """The odds of a race. `mean_threat_left`: the mean for won races, None if the race cannot be won."""

    situation: int
    threat: int
    chances: list[Exact]
    efforts: list[int]
    rounds_per_effort: Exact
    success: Exact
    failure: Exact
    mean_threat_left: Exact | None
    by_effort: list[EffortOdds]


def read_fraction(text: str) -> Fraction:
    """Return the exact value of a text such as "2/3", "0.65" or "1".

    Raises ValueError for other forms, such as signs, exponents and very long numbers.
    """
    if not _FRACTION.fullmatch(text):
        raise ValueError(f"Write a number like 2/3 or 0.65, not {text[:20]!r}.")
    return Fraction(text)


def countdown_report(
    pool: int, speed: Speed, *, stages: Sequence[int] = (), rolls: int | None = None
) -> CountdownReport:
    """Return the odds of a countdown, roll by roll.

    `stages`: pool sizes of interest, 0 to MAX_POOL. `rolls`: the number of rolls to report. None: until the
    countdown has expired with a chance of 99.9 %. Raises ValueError if a number is beyond its limit.
    """
    check_countdown(pool, stages, rolls)
    last = countdown.quantile(pool, speed, HORIZON) if rolls is None else rolls
    return CountdownReport(
        pool=pool,
        speed=speed.value,
        expiring=sorted(speed.expiring),
        mean_rolls=exact(countdown.mean_rolls(pool, speed)),
        quantiles=[QuantileOdds(chance=exact(p), rolls=countdown.quantile(pool, speed, p)) for p in QUANTILES],
        stages=[
            StageOdds(at=at, mean_rolls=exact(countdown.mean_rolls_to(pool, speed, at)))
            for at in sorted(set(stages), reverse=True)
        ],
        rolls=_roll_rows(pool, speed, last),
        remaining=None if rolls is None else _dice_rows(pool, speed, rolls),
    )


def table_report() -> TableReport:
    """Return how many rolls countdowns of 1 to 10 dice last on average. Source: rules.md A."""
    table = countdown.average_table()
    return TableReport(
        pools=list(countdown.TABLE_POOLS), mean_rolls={speed.value: list(rolls) for speed, rolls in table.items()}
    )


def race_report(
    situation: int,
    threat: int,
    chance: Fraction | Sequence[Fraction],
    *,
    efforts: int | Sequence[int] = 1,
    rounds_per_effort: Fraction | int = 0,
) -> RaceReport:
    """Return the odds of a race, effort by effort. The model is described in `odds.race`.

    Raises ValueError if a number is out of range or beyond its limit.
    """
    check_clock("situation", situation)
    check_clock("threat", threat)
    plan = race.plan_race(situation, threat, chance, efforts=efforts, rounds_per_effort=rounds_per_effort)
    _check_race(plan)
    success, mean = race.win_chance(plan), race.mean_threat_left(plan)
    return RaceReport(
        situation=situation,
        threat=threat,
        chances=[exact(chance) for chance in plan.chances],
        efforts=list(plan.efforts),
        rounds_per_effort=exact(plan.rounds_per_effort),
        success=exact(success),
        failure=exact(1 - success),
        mean_threat_left=None if mean is None else exact(mean),
        by_effort=_effort_rows(plan),
    )


def exact(number: Fraction) -> Exact:
    """Return a fraction in the form for JSON."""
    return Exact(fraction=fraction(number), decimal=float(number))


def fraction(number: Fraction) -> str:
    """Return a fraction as "p/q"."""
    return f"{number.numerator}/{number.denominator}"


def _roll_rows(pool: int, speed: Speed, last: int) -> list[RollOdds]:
    expired = [countdown.expired_by(pool, speed, roll) for roll in range(last + 1)]
    return [
        RollOdds(roll=roll, alive=exact(1 - expired[roll]), ends=exact(expired[roll] - expired[roll - 1]))
        for roll in range(1, last + 1)
    ]


def _dice_rows(pool: int, speed: Speed, rolls: int) -> list[DiceOdds]:
    return [
        DiceOdds(dice=dice, chance=exact(chance))
        for dice, chance in enumerate(countdown.distribution(pool, speed, rolls))
    ]


def _effort_rows(plan: race.Race) -> list[EffortOdds]:
    rows, won = [], Fraction(0)
    for effort, wins in enumerate(race.win_chances(plan), start=1):
        won += wins
        left = race.threat_at(plan, effort)
        rows.append(EffortOdds(effort=effort, threat_left=left, wins=exact(wins), won=exact(won)))
    return rows


def check_countdown(pool: int, stages: Sequence[int], rolls: int | None = None) -> None:
    """Raise ValueError if a number of dice, stages or rolls is out of range, or if the answer would be too large."""
    if not 1 <= pool <= MAX_POOL:
        raise ValueError(f"A countdown has from 1 to {MAX_POOL} dice, not {pool}.")
    if len(stages) > MAX_STAGES:
        raise ValueError(f"A countdown has at most {MAX_STAGES} stages, not {len(stages)}.")
    if any(not 0 <= at <= MAX_POOL for at in stages):
        raise ValueError(f"A stage lies at 0 to {MAX_POOL} dice.")
    if rolls is None:
        return
    if not 1 <= rolls <= MAX_ROLLS:
        raise ValueError(f"Odds look from 1 to {MAX_ROLLS} rolls ahead, not {rolls}.")
    if pool * rolls > MAX_DIE_ROLLS:
        raise ValueError(f"Odds cover at most {MAX_DIE_ROLLS} dice times rolls, not {pool} x {rolls}.")


def check_clock(name: str, points: int) -> None:
    """Raise ValueError if a clock cannot have this number of points. `name`: the clock's name in the message."""
    if not 1 <= points <= MAX_CLOCK:
        raise ValueError(f"A {name} clock has from 1 to {MAX_CLOCK} points, not {points}.")


def _check_race(plan: race.Race) -> None:
    if max(plan.efforts) > MAX_CLOCK:
        raise ValueError(f"A challenge needs at most {MAX_CLOCK} successful efforts, not {max(plan.efforts)}.")
    if plan.rounds_per_effort > MAX_CLOCK:
        raise ValueError(f"At most {MAX_CLOCK} rounds end per effort, not {plan.rounds_per_effort}.")
    whole = lcm(*(chance.denominator for chance in plan.chances))
    if whole > MAX_DENOMINATOR or plan.rounds_per_effort.denominator > MAX_DENOMINATOR:
        raise ValueError(f"Chances and rounds need a common denominator of at most {MAX_DENOMINATOR:,}.")
