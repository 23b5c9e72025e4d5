"""Odds of countdowns, against every face of every roll and against the published table."""

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import Speed, roll
from dreadclock.rules.odds import countdown
from kit.examples import examples

SMALL_POOLS = (1, 2, 3, 4)
DICE_OF_THE_TABLE = range(1, 11)

speeds = st.sampled_from(Speed)
pools = st.integers(1, 30)
rolls = st.integers(0, 30)
exact_odds = examples(20)


@cache
def one_roll(pool: int, speed: Speed) -> dict[int, Fraction]:
    """Play every face of one roll; the chance of each pool size after it."""
    if pool == 0:
        return {0: Fraction(1)}
    sizes = Counter(roll(speed, faces).remaining for faces in product(range(1, 7), repeat=pool))
    return {size: Fraction(ways, 6**pool) for size, ways in sizes.items()}


def played(pool: int, speed: Speed, times: int) -> list[Fraction]:
    """Play `times` rolls face by face; the chance of each pool size after them."""
    chances = {pool: Fraction(1)}
    for _ in range(times):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for size, chance in chances.items():
            for smaller, share in one_roll(size, speed).items():
                after[smaller] += chance * share
        chances = after
    return [chances.get(size, Fraction(0)) for size in range(pool + 1)]


def played_mean(pool: int, speed: Speed, at: int) -> Fraction:
    """Solve the mean rolls to `at` dice from the faces of one roll alone."""
    if pool <= at:
        return Fraction(0)
    chances = one_roll(pool, speed)
    after = sum(chance * played_mean(size, speed, at) for size, chance in chances.items() if size < pool)
    return (1 + after) / (1 - chances[pool])


@pytest.mark.rule("A-table")
@pytest.mark.parametrize(
    ("speed", "averages"),
    [
        (Speed.SLOW, (6, 9, 11, 12, 13, 14, 15, 15, 16, 17)),
        (Speed.MEDIUM, (3, 4, 5, 6, 6, 7, 7, 7, 7, 8)),
        (Speed.FAST, (2, 3, 3, 4, 4, 4, 4, 4, 5, 5)),
    ],
)
def test_the_average_table_has_all_thirty_published_cells(speed: Speed, averages: tuple[int, ...]) -> None:
    assert countdown.average_table()[speed] == averages
    for pool, average in zip(DICE_OF_THE_TABLE, averages, strict=True):
        assert abs(countdown.mean_rolls(pool, speed) - average) < Fraction(1, 2)


@pytest.mark.rule("A-odds")
@pytest.mark.parametrize("speed", Speed)
@pytest.mark.parametrize("pool", SMALL_POOLS)
def test_the_distribution_is_that_of_every_face_played(pool: int, speed: Speed) -> None:
    for times in range(7):
        assert countdown.distribution(pool, speed, times) == played(pool, speed, times)


@pytest.mark.rule("A-odds")
@pytest.mark.parametrize("speed", Speed)
@pytest.mark.parametrize("pool", SMALL_POOLS)
def test_expiry_is_that_of_every_face_played(pool: int, speed: Speed) -> None:
    expired = [played(pool, speed, times)[0] for times in range(7)]

    assert [countdown.expired_by(pool, speed, times) for times in range(7)] == expired
    assert [countdown.alive_after(pool, speed, times) for times in range(7)] == [1 - chance for chance in expired]
    assert [countdown.ends_at(pool, speed, times) for times in range(1, 7)] == [
        now - before for before, now in pairwise(expired)
    ]


@pytest.mark.rule("A-odds")
@pytest.mark.parametrize("speed", Speed)
@pytest.mark.parametrize("pool", SMALL_POOLS)
def test_the_mean_rolls_to_every_size_are_those_of_every_face_played(pool: int, speed: Speed) -> None:
    for at in range(pool + 2):
        assert countdown.mean_rolls_to(pool, speed, at) == played_mean(pool, speed, at)
    assert countdown.mean_rolls(pool, speed) == played_mean(pool, speed, 0)


def test_an_empty_pool_has_ended_already() -> None:
    assert countdown.expired_by(0, Speed.SLOW, 0) == countdown.ends_at(0, Speed.SLOW, 0) == 1
    assert countdown.ends_at(0, Speed.SLOW, 1) == 0
    assert countdown.mean_rolls(0, Speed.SLOW) == 0
    assert countdown.quantile(0, Speed.SLOW, Fraction(1, 2)) == 0


@pytest.mark.rule("A-odds")
@exact_odds
@given(pools, speeds, rolls)
def test_the_distribution_sums_to_exactly_one_and_agrees_with_expiry_and_mean(pool: int, speed: Speed, times: int):
    chances = countdown.distribution(pool, speed, times)

    assert sum(chances) == 1
    assert chances[0] == countdown.expired_by(pool, speed, times)
    assert sum(dice * chance for dice, chance in enumerate(chances)) == pool * speed.stay**times


@exact_odds
@given(pools, speeds, rolls)
def test_the_ends_so_far_are_the_chance_to_have_expired(pool: int, speed: Speed, times: int) -> None:
    assert sum(countdown.ends_at(pool, speed, t) for t in range(times + 1)) == countdown.expired_by(pool, speed, times)


@exact_odds
@given(pools, speeds, rolls)
def test_the_mean_is_the_sum_of_alive_after_but_for_a_tail_that_vanishes(pool: int, speed: Speed, times: int) -> None:
    so_far = sum(countdown.alive_after(pool, speed, t) for t in range(times))
    most_of_the_rest = pool * speed.stay**times / (1 - speed.stay)

    assert 0 < countdown.mean_rolls(pool, speed) - so_far <= most_of_the_rest


@exact_odds
@given(pools, speeds, st.fractions(0, Fraction(999_999, 1_000_000)))
def test_a_quantile_is_the_first_roll_that_reaches_its_chance(pool: int, speed: Speed, p: Fraction) -> None:
    first = countdown.quantile(pool, speed, p)

    assert countdown.expired_by(pool, speed, first) >= p
    assert first == 0 or countdown.expired_by(pool, speed, first - 1) < p


@pytest.mark.parametrize("p", [Fraction(1), Fraction(-1, 2), Fraction(3, 2)])
def test_no_number_of_rolls_is_certain(p: Fraction) -> None:
    with pytest.raises(ValueError, match="below 1"):
        countdown.quantile(1, Speed.FAST, p)


def test_numbers_below_0_are_refused() -> None:
    with pytest.raises(ValueError, match="from 0"):
        countdown.expired_by(-1, Speed.SLOW, 1)
    with pytest.raises(ValueError, match="from 0"):
        countdown.distribution(1, Speed.SLOW, -1)
    with pytest.raises(ValueError, match="below 0"):
        countdown.mean_rolls_to(1, Speed.SLOW, -1)
