"""What chance says of a countdown, against every way that its dice can fall."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from dreadclock.rules.countdown import Speed
from dreadclock.rules.odds import countdown as odds
from dreadclock_server.evening.recap import chances
from dreadclock_server.evening.recap.things import Stretch


def survivors(pool: int, speed: Speed, rolls: int) -> list[int]:
    """Throw every die its rolls in every way there is, and return how many dice are left each time."""
    ways = list(product(range(1, 7), repeat=rolls))
    stays = [not any(face in speed.expiring for face in way) for way in ways]
    return [sum(each) for each in product(stays, repeat=pool)]


@pytest.mark.parametrize("speed", list(Speed))
@pytest.mark.parametrize("rolls", [1, 2])
def test_a_countdown_that_ended_lasted_as_long_as_those_that_still_had_dice_before_its_last_roll(
    speed: Speed, rolls: int
) -> None:
    before = survivors(2, speed, rolls - 1)

    ended = chances.lasted_so_long(Stretch((2, *(1,) * (rolls - 1), 0)), speed)

    assert ended == Fraction(sum(left > 0 for left in before), len(before))


@pytest.mark.parametrize("speed", list(Speed))
def test_a_countdown_that_goes_on_lasted_longer_than_those_without_dice(speed: Speed) -> None:
    now = survivors(2, speed, 2)

    assert chances.lasted_so_long(Stretch((2, 2, 1)), speed) == Fraction(sum(left > 0 for left in now), len(now))


@pytest.mark.parametrize("speed", list(Speed))
@pytest.mark.parametrize("pool", [1, 4, 60])
@pytest.mark.parametrize("rolls", [0, 1, 7])
def test_the_band_leaves_out_at_most_a_tenth_at_either_end_and_no_more_dice_than_it_must(
    speed: Speed, pool: int, rolls: int
) -> None:
    low, high = chances.band(pool, speed, rolls)

    left = odds.distribution(pool, speed, rolls)
    assert sum(left[:low]) < Fraction(1, 10) <= sum(left[: low + 1])
    assert sum(left[:high]) < Fraction(9, 10) <= sum(left[: high + 1])
    assert chances.mean(pool, speed, rolls) == pytest.approx(float(sum(n * chance for n, chance in enumerate(left))))
