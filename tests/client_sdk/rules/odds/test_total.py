"""Odds of totals and pushes, against every face of every roll."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules.odds.total import distribution, mean, push_crisis, reaches, reaches_at_all, reaches_by_pushing
from kit.examples import examples

SMALL_POOLS = range(1, 7)
NUMBERS = (1, 2, 3, 4, 5, 6)
EVERY_KEPT = [kept for size in NUMBERS for kept in combinations(NUMBERS, size)]

dice = st.integers(1, 60)
exact_odds = examples(20)


@cache
def rolled(pool: int) -> Counter[tuple[int, ...]]:
    """Play every face of a roll; how many rolls keep each set of dice."""
    return Counter(tuple(sorted(set(faces))) for faces in product(NUMBERS, repeat=pool))


def pushed_to(kept: tuple[int, ...], required: int) -> Fraction:
    """Play every face of push after push until the number is met or a crisis comes."""
    if sum(kept) >= required:
        return Fraction(1)
    won = [pushed_to((*kept, face), required) for face in NUMBERS if face not in kept]
    return sum(won, Fraction(0)) / 6


@pytest.mark.rule("D-odds", "D1")
@pytest.mark.parametrize("pool", SMALL_POOLS)
def test_the_distribution_is_that_of_every_face_played(pool: int) -> None:
    ways: Counter[int] = Counter()
    for kept, count in rolled(pool).items():
        ways[sum(kept)] += count

    assert distribution(pool) == {points: Fraction(ways[points], 6**pool) for points in range(1, 22)}


@pytest.mark.rule("D-odds")
@pytest.mark.parametrize("pool", SMALL_POOLS)
def test_the_chances_to_meet_a_number_are_those_of_every_face_played(pool: int) -> None:
    for required in range(1, 23):
        met = sum(count for kept, count in rolled(pool).items() if sum(kept) >= required)
        pushed = sum(count * pushed_to(kept, required) for kept, count in rolled(pool).items())

        assert reaches(pool, required) == Fraction(met, 6**pool)
        assert reaches_at_all(pool, required) == pushed / 6**pool


@pytest.mark.rule("D-odds", "D3", "D5")
@pytest.mark.parametrize("kept", EVERY_KEPT)
def test_always_pushing_is_that_of_every_face_pushed(kept: tuple[int, ...]) -> None:
    for required in range(1, 23):
        assert reaches_by_pushing(kept, required) == pushed_to(kept, required)


@pytest.mark.rule("D-odds")
@pytest.mark.parametrize("pool", [*SMALL_POOLS, 8, 60])
def test_the_mean_total_is_that_of_the_formula_and_of_the_distribution(pool: int) -> None:
    chances = distribution(pool)

    assert mean(pool) == 21 * (1 - Fraction(5, 6) ** pool)
    assert mean(pool) == sum(points * chance for points, chance in chances.items())
    assert sum(chances.values()) == 1


@pytest.mark.rule("D-odds", "D-crisis")
@pytest.mark.parametrize("kept", EVERY_KEPT)
def test_a_push_is_a_crisis_with_a_sixth_for_each_number_kept(kept: tuple[int, ...]) -> None:
    assert push_crisis(kept) == Fraction(len(kept), 6)


@exact_odds
@given(dice, st.integers(1, 21))
def test_pushing_never_hurts_the_chance_to_meet_a_number_and_more_dice_do_not_either(pool: int, required: int) -> None:
    assert reaches(pool, required) <= reaches_at_all(pool, required) <= 1
    assert reaches(pool, required) <= reaches(pool + 1, required)
    assert reaches(pool, required) == sum(chance for points, chance in distribution(pool).items() if points >= required)


@pytest.mark.parametrize("pool", [0, -1])
def test_a_pool_without_dice_has_no_odds(pool: int) -> None:
    for ask in (distribution, mean, lambda dice: reaches(dice, 5), lambda dice: reaches_at_all(dice, 5)):
        with pytest.raises(ValueError, match="at least 1 die"):
            ask(pool)


@pytest.mark.parametrize("kept", [(), (4, 4), (0, 1), (1, 7)])
def test_dice_that_cannot_be_kept_have_no_odds(kept: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"without dice|was rolled|different numbers|from 1 to 6"):
        reaches_by_pushing(kept, 12)
    with pytest.raises(ValueError, match=r"without dice|was rolled|different numbers|from 1 to 6"):
        push_crisis(kept)
