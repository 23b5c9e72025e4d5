"""Odds of races, against every way that the efforts can come out."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import Direction, tick
from dreadclock.rules.odds.race import Race, mean_threat_left, plan_race, threat_at, threat_left, win_chance
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
def test_the_threat_left_is_that_of_every_outcome(threat: int, faced: list[tuple[Fraction, int]], rate: Fraction):
    race = Race(threat, tuple(chance for chance, _ in faced), tuple(needed for _, needed in faced), rate)
    left = play_every_way(race)

    assert threat_left(race) == left
    assert win_chance(race) == sum(left[1:])
    if sum(left[1:]) > 0:
        assert mean_threat_left(race) == sum(points * chance for points, chance in enumerate(left)) / sum(left[1:])


def test_one_round_for_every_three_efforts_ends_after_the_third() -> None:
    race = plan_race(9, 20, HALF, rounds_per_effort=Fraction(1, 3))

    assert [threat_at(race, effort) for effort in range(1, 8)] == [19, 18, 17, 15, 14, 13, 11]


def test_the_figures_of_the_documentation_are_exact() -> None:
    efforts_alone = plan_race(3, 8, HALF)
    with_rounds = plan_race(3, 8, HALF, rounds_per_effort=Fraction(1, 3))

    assert win_chance(efforts_alone) == Fraction(99, 128)
    assert mean_threat_left(efforts_alone) == Fraction(101, 33)
    assert win_chance(with_rounds) == Fraction(21, 32)


def test_one_number_for_all_challenges_is_the_same_number_for_each() -> None:
    assert plan_race(3, 9, HALF, efforts=2) == plan_race(3, 9, [HALF] * 3, efforts=[2] * 3)


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
