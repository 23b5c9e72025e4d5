"""Odds of totals and pushes, against every face of every roll."""

import json
import re
import time
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules.odds import push_report, total_report
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


# Odds of totals and pushes as JSON: complete, exact, quick, and refused in a sentence


NOTHING = {"fraction": "0/1", "decimal": 0.0}
CERTAIN = {"fraction": "1/1", "decimal": 1.0}
THIRD = {"fraction": "1/3", "decimal": 1 / 3}


@pytest.mark.rule("D-odds")
def test_a_total_report_says_everything_about_one_die() -> None:
    report = total_report(1, required=6)
    sixths = [Fraction(left, 6) for left in range(6, 0, -1)] + [Fraction(0)] * 15

    assert (report["dice"], report["mean"]) == (1, {"fraction": "7/2", "decimal": 3.5})
    assert [row["total"] for row in report["totals"]] == list(range(1, 22))
    assert [Fraction(row["chance"]["fraction"]) for row in report["totals"]] == [Fraction(1, 6)] * 6 + [0] * 15
    assert [Fraction(row["reached"]["fraction"]) for row in report["totals"]] == sixths
    assert report["required"] == {
        "required": 6,
        "roll": {"fraction": "1/6", "decimal": 1 / 6},
        "pushing": {"fraction": "85/108", "decimal": 85 / 108},
        "crisis": {"fraction": "23/108", "decimal": 23 / 108},
    }


def test_without_a_number_required_a_total_report_says_nothing_of_one() -> None:
    assert total_report(3)["required"] is None


@pytest.mark.rule("D-odds", "D-example", "D5")
def test_a_push_report_says_what_each_face_would_bring() -> None:
    def crisis(face: int) -> dict[str, object]:
        return {"face": face, "crisis": True, "total": 11, "enough": False, "success": NOTHING}

    assert push_report((2, 4, 5), 13) == {
        "kept": [2, 4, 5],
        "total": 11,
        "required": 13,
        "missing": 2,
        "crisis": {"fraction": "1/2", "decimal": 0.5},
        "enough": THIRD,
        "short": {"fraction": "1/6", "decimal": 1 / 6},
        "success": {"fraction": "7/18", "decimal": 7 / 18},
        "faces": [
            {"face": 1, "crisis": False, "total": 12, "enough": False, "success": THIRD},
            crisis(2),
            {"face": 3, "crisis": False, "total": 14, "enough": True, "success": CERTAIN},
            crisis(4),
            crisis(5),
            {"face": 6, "crisis": False, "total": 17, "enough": True, "success": CERTAIN},
        ],
    }


def test_the_order_of_the_kept_dice_changes_nothing() -> None:
    assert push_report((5, 2, 4), 13) == push_report((2, 4, 5), 13)


@examples(20)
@given(st.sets(st.integers(1, 6), min_size=1).map(tuple), st.integers(1, 78))
def test_the_chances_of_a_push_add_up(kept: tuple[int, ...], missing: int) -> None:
    report = push_report(kept, sum(kept) + missing)
    after = [Fraction(face["success"]["fraction"]) for face in report["faces"]]

    assert sum(Fraction(report[part]["fraction"]) for part in ("crisis", "enough", "short")) == 1
    assert Fraction(report["success"]["fraction"]) == sum(after) / 6


@pytest.mark.rule("D-odds")
@pytest.mark.parametrize("required", [22, 99])
def test_a_number_out_of_reach_ends_in_a_crisis_if_one_pushes_for_it(required: int) -> None:
    report = total_report(8, required=required)["required"]

    assert report == {"required": required, "roll": NOTHING, "pushing": NOTHING, "crisis": CERTAIN}
    assert push_report((1, 2, 3, 4, 5, 6), required)["crisis"] == CERTAIN


def test_the_largest_pool_is_answered_within_fifty_milliseconds_and_can_be_read_back() -> None:
    def once() -> float:
        started = time.perf_counter()
        total_report(60, required=21)
        return time.perf_counter() - started

    assert min(once() for _ in range(5)) < 0.05
    assert json.loads(json.dumps(total_report(60, required=21))) == total_report(60, required=21)


@pytest.mark.parametrize(
    ("dice", "required", "sentence"),
    [
        (0, None, "Odds of a total cover from 1 to 60 dice, not 0."),
        (-3, None, "Odds of a total cover from 1 to 60 dice, not -3."),
        (61, None, "Odds of a total cover from 1 to 60 dice, not 61."),
        (5, 0, "A number required is from 1 to 99, not 0."),
        (5, -1, "A number required is from 1 to 99, not -1."),
        (5, 100, "A number required is from 1 to 99, not 100."),
    ],
)
def test_a_total_out_of_range_is_refused_in_a_sentence(dice: int, required: int | None, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        total_report(dice, required=required)


@pytest.mark.rule("D4")
@pytest.mark.parametrize("required", [11, 1])
def test_there_is_no_push_where_the_number_is_met_already(required: int) -> None:
    with pytest.raises(ValueError, match=f"^A total of 11 meets the required {required}, so there is no push.$"):
        push_report((2, 4, 5), required)


@pytest.mark.parametrize(
    ("kept", "required", "sentence"),
    [
        ((2, 2), 9, "Of each number one die is kept, so kept dice all show different numbers."),
        ((2, 8), 9, "Every face must be a whole number from 1 to 6."),
        ((), 9, "Only a total that was rolled can be pushed."),
        ((2, 4), 0, "A number required is from 1 to 99, not 0."),
        ((2, 4), 100, "A number required is from 1 to 99, not 100."),
    ],
)
def test_a_push_that_cannot_be_is_refused_in_a_sentence(kept: tuple[int, ...], required: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        push_report(kept, required)
