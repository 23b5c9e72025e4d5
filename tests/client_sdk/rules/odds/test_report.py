"""Odds as JSON: complete, exact, and refused in a sentence when too large."""

import json
import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.rules import Speed
from dreadclock.rules.odds import CountdownReport, RaceReport, countdown_report, race_report, read_fraction

HALF = Fraction(1, 2)
ONE_DOOR: dict[str, Any] = {"situation": 1, "threat": 5, "chance": HALF}


@pytest.mark.rule("A-odds")
def test_a_countdown_report_says_everything_about_one_fast_die() -> None:
    assert countdown_report(1, Speed.FAST, stages=[0], rolls=2) == {
        "pool": 1,
        "speed": "fast",
        "expiring": [4, 5, 6],
        "mean_rolls": {"fraction": "2/1", "decimal": 2.0},
        "quantiles": [
            {"chance": {"fraction": "1/10", "decimal": 0.1}, "rolls": 1},
            {"chance": {"fraction": "1/2", "decimal": 0.5}, "rolls": 1},
            {"chance": {"fraction": "9/10", "decimal": 0.9}, "rolls": 4},
            {"chance": {"fraction": "999/1000", "decimal": 0.999}, "rolls": 10},
        ],
        "stages": [{"at": 0, "mean_rolls": {"fraction": "2/1", "decimal": 2.0}}],
        "rolls": [
            {"roll": 1, "alive": {"fraction": "1/2", "decimal": 0.5}, "ends": {"fraction": "1/2", "decimal": 0.5}},
            {"roll": 2, "alive": {"fraction": "1/4", "decimal": 0.25}, "ends": {"fraction": "1/4", "decimal": 0.25}},
        ],
        "remaining": [
            {"dice": 0, "chance": {"fraction": "3/4", "decimal": 0.75}},
            {"dice": 1, "chance": {"fraction": "1/4", "decimal": 0.25}},
        ],
    }


@pytest.mark.parametrize("speed", Speed)
@pytest.mark.parametrize("pool", [1, 6, 60])
def test_a_countdown_report_looks_ahead_until_expiry_is_all_but_certain(pool: int, speed: Speed) -> None:
    report = countdown_report(pool, speed)
    alive = [Fraction(row["alive"]["fraction"]) for row in report["rolls"]]

    assert alive[-1] <= Fraction(1, 1000)
    assert all(chance > Fraction(1, 1000) for chance in alive[:-1])
    assert report["remaining"] is None


def test_stages_are_reported_once_each_in_the_order_they_are_reached() -> None:
    report = countdown_report(6, Speed.SLOW, stages=[2, 4, 2])
    means = [Fraction(stage["mean_rolls"]["fraction"]) for stage in report["stages"]]

    assert [stage["at"] for stage in report["stages"]] == [4, 2]
    assert 0 < means[0] < means[1] < Fraction(report["mean_rolls"]["fraction"])


@pytest.mark.parametrize(
    "report",
    [
        countdown_report(60, Speed.SLOW, stages=range(24)),
        countdown_report(20, Speed.SLOW, rolls=100),
        race_report(99, 99, Fraction(999_999, 1_000_000), rounds_per_effort=0),
    ],
    ids=["the largest pool", "the most rolls", "the largest race"],
)
def test_the_largest_reports_survive_json(report: CountdownReport | RaceReport) -> None:
    assert json.loads(json.dumps(report)) == report


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"pool": 0}, "A countdown has from 1 to 60 dice, not 0."),
        ({"pool": 61}, "A countdown has from 1 to 60 dice, not 61."),
        ({"pool": 6, "rolls": 0}, "Odds look from 1 to 100 rolls ahead, not 0."),
        ({"pool": 6, "rolls": 101}, "Odds look from 1 to 100 rolls ahead, not 101."),
        ({"pool": 21, "rolls": 100}, "Odds cover at most 2000 dice times rolls, not 21 x 100."),
        ({"pool": 6, "stages": range(25)}, "A countdown has at most 24 stages, not 25."),
        ({"pool": 6, "stages": [61]}, "A stage lies at 0 to 60 dice."),
        ({"pool": 6, "stages": [-1]}, "A stage lies at 0 to 60 dice."),
    ],
)
def test_a1_a_countdown_beyond_its_limits_is_refused_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        countdown_report(speed=Speed.SLOW, **arguments)


def test_a_race_report_says_everything_about_one_door() -> None:
    assert race_report(1, 3, Fraction(2, 3), rounds_per_effort=HALF) == {
        "situation": 1,
        "threat": 3,
        "chances": [{"fraction": "2/3", "decimal": 2 / 3}],
        "efforts": [1],
        "rounds_per_effort": {"fraction": "1/2", "decimal": 0.5},
        "success": {"fraction": "8/9", "decimal": 8 / 9},
        "failure": {"fraction": "1/9", "decimal": 1 / 9},
        "mean_threat_left": {"fraction": "7/4", "decimal": 1.75},
        "by_effort": [
            {
                "effort": 1,
                "threat_left": 2,
                "wins": {"fraction": "2/3", "decimal": 2 / 3},
                "won": {"fraction": "2/3", "decimal": 2 / 3},
            },
            {
                "effort": 2,
                "threat_left": 1,
                "wins": {"fraction": "2/9", "decimal": 2 / 9},
                "won": {"fraction": "8/9", "decimal": 8 / 9},
            },
        ],
    }


def test_a_race_without_any_chance_has_no_mean_threat_left() -> None:
    report = race_report(2, 4, Fraction(0))

    assert report["success"] == {"fraction": "0/1", "decimal": 0.0}
    assert report["mean_threat_left"] is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"situation": 0}, "A situation clock has from 1 to 99 points, not 0."),
        ({"situation": 100}, "A situation clock has from 1 to 99 points, not 100."),
        ({"threat": 0}, "A threat clock has from 1 to 99 points, not 0."),
        ({"threat": 100}, "A threat clock has from 1 to 99 points, not 100."),
        ({"efforts": 100}, "A challenge needs at most 99 successful efforts, not 100."),
        ({"rounds_per_effort": 100}, "At most 99 rounds end per effort, not 100."),
        ({"chance": Fraction(1, 1_000_003)}, "Chances and rounds need a common denominator of at most 1,000,000."),
        (
            {"situation": 2, "chance": [Fraction(1, 1009), Fraction(1, 1013)]},
            "Chances and rounds need a common denominator of at most 1,000,000.",
        ),
    ],
)
def test_a_race_beyond_its_limits_is_refused_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        race_report(**(ONE_DOOR | arguments))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2/3", Fraction(2, 3)),
        ("0.65", Fraction(13, 20)),
        ("1", Fraction(1)),
        ("0", Fraction(0)),
        ("0/5", Fraction(0)),
        ("03/06", Fraction(1, 2)),
    ],
)
def test_a_number_is_read_exactly(text: str, number: Fraction) -> None:
    assert read_fraction(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "half",
        "1/0",
        "1/00",
        "-1/2",
        "1e9999999",
        "0.1234567",
        "1/2/3",
        "1 / 2",
        ".5",
        "1/2\n",
        "\u0661/\u0662",
        "nan",
    ],
)
def test_what_is_no_plain_number_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="Write a number like"):
        read_fraction(text)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_every_fraction_of_a_report_can_be_read_back(p: int, q: int) -> None:
    assert read_fraction(f"{p}/{q}") == Fraction(p, q)
