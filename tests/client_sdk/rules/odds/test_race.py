"""Odds of races, against every way that the efforts can come out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import Direction, tick
from dreadclock.rules.odds.race import (
    Race,
    mean_threat_left,
    plan_race,
    threat_at,
    threat_left,
    win_chance,
    win_chances,
)
from kit.examples import examples

HALF = Fraction(1, 2)
ROUNDS_AFTER_EFFORTS = {
    Fraction(0): (0,),
    Fraction(1): (1,),
    Fraction(2): (2,),
    Fraction(1, 2): (0, 1),
    Fraction(1, 3): (0, 0, 1),
    Fraction(3, 2): (1, 2),
}

chances = st.sampled_from([Fraction(0), Fraction(1, 6), Fraction(1, 2), Fraction(2, 3), Fraction(1)])
challenges = st.lists(st.tuples(chances, st.integers(1, 3)), min_size=1, max_size=3)
round_rates = st.sampled_from(sorted(ROUNDS_AFTER_EFFORTS))
exact_odds = examples(25)


def down(value: int) -> int:
    return tick(value, 1, 99, Direction.DOWN)


def play_every_way(race: Race) -> list[Fraction]:
    """Play every way the efforts can come out, clock by clock; the chance of each threat left (0: lost)."""
    left = [Fraction(0)] * (race.threat + 1)
    rounds = ROUNDS_AFTER_EFFORTS[race.rounds_per_effort]

    def attempt(threat: int, clocks: tuple[int, ...], efforts_made: int, chance: Fraction) -> None:
        threat = down(threat)
        if threat == 0:
            left[0] += chance
            return
        facing = next(i for i, clock in enumerate(clocks) if clock > 0)
        overcome = (*clocks[:facing], down(clocks[facing]), *clocks[facing + 1 :])
        success = race.chances[facing]
        if not any(overcome):
            left[threat] += chance * success
        else:
            end_rounds(threat, overcome, efforts_made + 1, chance * success)
        end_rounds(threat, clocks, efforts_made + 1, chance * (1 - success))

    def end_rounds(threat: int, clocks: tuple[int, ...], efforts_made: int, chance: Fraction) -> None:
        for _ in range(rounds[(efforts_made - 1) % len(rounds)]):
            threat = down(threat)
        if threat == 0:
            left[0] += chance
        else:
            attempt(threat, clocks, efforts_made, chance)

    attempt(race.threat, race.efforts, 0, Fraction(1))
    return left


@pytest.mark.rule("B-threat", "B1")
@exact_odds
@given(st.integers(1, 8), challenges, round_rates)
def test_the_threat_left_is_that_of_every_way_the_efforts_can_come_out(
    threat: int, faced: list[tuple[Fraction, int]], rate: Fraction
) -> None:
    race = Race(threat, tuple(chance for chance, _ in faced), tuple(needed for _, needed in faced), rate)
    left = play_every_way(race)

    assert threat_left(race) == left
    assert win_chance(race) == sum(left[1:])
    if sum(left[1:]) > 0:
        assert mean_threat_left(race) == sum(points * chance for points, chance in enumerate(left)) / sum(left[1:])


def test_a_single_effort_wins_with_its_own_chance() -> None:
    assert win_chance(plan_race(1, 2, Fraction(2, 3))) == Fraction(2, 3)


def test_two_efforts_in_time_win_unless_both_fail() -> None:
    assert win_chances(plan_race(1, 3, Fraction(2, 3))) == [Fraction(2, 3), Fraction(2, 9)]


@pytest.mark.rule("B1")
def test_b1_an_effort_that_takes_threat_to_0_loses_even_if_it_would_succeed() -> None:
    race = plan_race(1, 1, Fraction(1))

    assert win_chances(race) == []
    assert threat_left(race) == [1, 0]


@pytest.mark.rule("B1")
def test_b1_a_round_that_ends_after_the_race_was_won_changes_nothing() -> None:
    race = plan_race(2, 5, Fraction(1), rounds_per_effort=1)

    assert threat_left(race) == [0, 0, 1, 0, 0, 0]
    assert mean_threat_left(race) == 2


def test_a_round_that_takes_threat_to_0_between_two_efforts_loses_the_race() -> None:
    assert win_chance(plan_race(2, 2, Fraction(1), rounds_per_effort=1)) == 0
    assert win_chance(plan_race(2, 3, Fraction(1), rounds_per_effort=1)) == 0
    assert win_chance(plan_race(2, 4, Fraction(1), rounds_per_effort=1)) == 1


def test_b7_a_race_of_efforts_alone_loses_no_threat_to_rounds() -> None:
    race = plan_race(3, 15, Fraction(1))

    assert [threat_at(race, effort) for effort in (1, 2, 3)] == [14, 13, 12]
    assert mean_threat_left(race) == 12


def test_b8_a_second_race_runs_on_the_threat_that_the_first_one_left() -> None:
    one_after_the_other = sum(
        chance * win_chance(plan_race(1, left, HALF))
        for left, chance in enumerate(threat_left(plan_race(1, 6, HALF)))
        if left > 0
    )

    assert one_after_the_other == win_chance(plan_race(2, 6, HALF))


def test_one_round_for_every_three_efforts_ends_after_the_third() -> None:
    race = plan_race(9, 20, HALF, rounds_per_effort=Fraction(1, 3))

    assert [threat_at(race, effort) for effort in range(1, 8)] == [19, 18, 17, 15, 14, 13, 11]


def test_the_figures_of_the_documentation_are_exact() -> None:
    efforts_alone = plan_race(3, 8, HALF)
    with_rounds = plan_race(3, 8, HALF, rounds_per_effort=Fraction(1, 3))

    assert win_chance(efforts_alone) == Fraction(99, 128)
    assert mean_threat_left(efforts_alone) == Fraction(101, 33)
    assert win_chance(with_rounds) == Fraction(21, 32)


def test_without_any_chance_the_race_is_always_lost_and_leaves_no_mean() -> None:
    race = plan_race(2, 9, Fraction(0))

    assert win_chance(race) == 0
    assert threat_left(race) == [1, *[0] * 9]
    assert mean_threat_left(race) is None


def test_with_certainty_the_race_is_won_as_soon_as_it_can_be() -> None:
    race = plan_race(2, 9, Fraction(1), efforts=[2, 3])

    assert win_chances(race) == [0, 0, 0, 0, 1, 0, 0, 0]


def test_one_number_for_all_challenges_is_the_same_number_for_each() -> None:
    assert plan_race(3, 9, HALF, efforts=2) == plan_race(3, 9, [HALF] * 3, efforts=[2] * 3)


@exact_odds
@given(st.integers(1, 40), challenges, round_rates)
def test_the_threat_left_sums_to_exactly_one(threat: int, faced: list[tuple[Fraction, int]], rate: Fraction) -> None:
    race = Race(threat, tuple(chance for chance, _ in faced), tuple(needed for _, needed in faced), rate)

    assert sum(threat_left(race)) == 1


@exact_odds
@given(st.integers(1, 30), st.integers(1, 4), chances, round_rates)
def test_more_threat_helps_and_more_challenges_and_rounds_hurt(
    threat: int, situation: int, chance: Fraction, rate: Fraction
) -> None:
    won = win_chance(plan_race(situation, threat, chance, rounds_per_effort=rate))

    assert win_chance(plan_race(situation, threat + 1, chance, rounds_per_effort=rate)) >= won
    assert win_chance(plan_race(situation + 1, threat, chance, rounds_per_effort=rate)) <= won
    assert win_chance(plan_race(situation, threat, chance, rounds_per_effort=rate + 1)) <= won


@exact_odds
@given(st.integers(1, 30), st.lists(chances, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_the_challenges_does_not_matter(threat: int, faced: list[Fraction], random: Random) -> None:
    shuffled = random.sample(faced, len(faced))

    assert win_chances(plan_race(len(faced), threat, faced)) == win_chances(plan_race(len(faced), threat, shuffled))


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (lambda: plan_race(0, 5, HALF), "one number for all"),
        (lambda: plan_race(2, 5, [HALF]), "one number for all"),
        (lambda: plan_race(2, 5, HALF, efforts=[1]), "one number for all"),
        (lambda: plan_race(1, 0, HALF), "at least 1 point"),
        (lambda: plan_race(1, 5, Fraction(3, 2)), "from 0 to 1"),
        (lambda: plan_race(1, 5, Fraction(-1, 2)), "from 0 to 1"),
        (lambda: plan_race(1, 5, HALF, efforts=0), "at least 1 successful"),
        (lambda: plan_race(1, 5, HALF, rounds_per_effort=-1), "not be below 0"),
        (lambda: Race(5, (HALF,), (1, 1)), "as many"),
        (lambda: Race(5, (), ()), "at least 1 point"),
    ],
)
def test_a_race_that_cannot_be_is_refused(broken: Callable[[], Race], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        broken()
