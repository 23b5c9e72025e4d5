"""Odds of checks and contests as JSON: complete, exact, and refused in a sentence when too large."""

import json
import re
from fractions import Fraction
from typing import Any

import pytest

from dreadclock.rules import Plan
from dreadclock.rules.check import plan
from dreadclock.rules.odds import CheckReport, ContestReport, check_report, contest_report
from dreadclock.rules.odds.check import MARGINS, margins
from dreadclock.rules.odds.report import exact

READABLE_DIGITS = 4300  # of one integer: what Python reads unless told otherwise
SPOILED = {"dice": 1, "removed": 0, "rerolls": False, "explodes": False}
COOPERATION = [plan(20, venture=level, momentum=level != 2) for level in (3, 2, 1, 0, 3)]

NO = {"fraction": "0/1", "decimal": 0.0}
SURE = {"fraction": "1/1", "decimal": 1.0}
HALF = {"fraction": "1/2", "decimal": 0.5}


def parts(numerator: int, denominator: int) -> dict[str, Any]:
    return dict(exact(Fraction(numerator, denominator)))


@pytest.mark.rule("C-odds")
def test_a_check_report_says_everything_about_one_spoiled_die() -> None:
    assert check_report(1, interference=True) == {
        "plan": SPOILED,
        "helpers": [],
        "outcomes": {"fumble": parts(1, 6), "fail": parts(1, 3), "success": HALF, "triumph": NO},
        "succeeds": HALF,
        "any_fumble": parts(1, 6),
        "highest": [
            {"face": None, "chance": NO, "at_least": SURE},
            *({"face": face, "chance": parts(1, 6), "at_least": parts(7 - face, 6)} for face in range(1, 7)),
        ],
        "margins": [
            {"margin": 0, "chance": SURE, "at_least": SURE, "succeeds": HALF},
            *({"margin": margin, "chance": NO, "at_least": NO, "succeeds": NO} for margin in range(1, MARGINS + 1)),
        ],
    }


@pytest.mark.rule("C-odds", "C1")
def test_the_last_margin_of_a_report_holds_all_beyond_it_in_its_at_least() -> None:
    last = check_report(9)["margins"][-1]
    chances = margins(plan(9))

    assert last["chance"] == exact(chances[MARGINS])
    assert last["at_least"] == exact(chances[MARGINS] + chances[MARGINS + 1])


@pytest.mark.rule("C-cooperation", "C12")
def test_the_dice_of_helpers_are_pooled_and_their_fumbles_counted() -> None:
    report = check_report(2, penalty=1, helpers=[plan(1, interference=True), plan(0)])

    assert report["plan"] == SPOILED | {"explodes": True}
    assert report["helpers"] == [SPOILED, SPOILED | {"dice": 0, "explodes": True}]
    assert report["outcomes"]["fumble"] == parts(1, 36)
    assert report["succeeds"] == parts(3, 4)
    assert report["any_fumble"] == SURE


@pytest.mark.rule("C-odds", "C-contest")
def test_a_contest_report_says_everything_about_two_spoiled_dice() -> None:
    one = [plan(1, interference=True)]
    outcomes = {"fumble": parts(1, 6), "fail": parts(1, 3), "success": HALF, "triumph": NO}

    assert contest_report(one, one, (None, 3)) == {
        "acting": [SPOILED],
        "opposing": [SPOILED],
        "reflex": [None, 3],
        "acting_wins": HALF,
        "opposing_wins": HALF,
        "acting_succeeds": parts(3, 8),
        "decided": {"highest": parts(5, 6), "count": NO, "reflex": NO, "deal": parts(1, 6)},
        "acting_outcomes": outcomes,
        "opposing_outcomes": outcomes,
    }


@pytest.mark.parametrize(
    "report",
    [
        check_report(60, helpers=[plan(60)] * 4),
        check_report(57, venture=3, helpers=[plan(57, venture=3, momentum=each > 1) for each in range(4)]),
        check_report(1, helpers=[plan(1, momentum=each % 2 == 0) for each in range(299)]),
        check_report(0, helpers=[plan(1, penalty=50, venture=3)] * 5),
        contest_report([plan(60)] * 2, [plan(60, momentum=True), plan(60)], (1, 2)),
        contest_report(COOPERATION, COOPERATION, (1, 1)),
        contest_report([Plan(12, 12, rerolls=False, explodes=True)] * 5, [plan(1, momentum=True)] * 120, (1, 2)),
    ],
    ids=["pooled", "ventures", "many", "penalties", "contest", "cooperation", "removals"],
)
def test_the_largest_reports_survive_json(report: CheckReport | ContestReport) -> None:
    written = json.dumps(report)

    assert json.loads(written) == report
    assert max(len(digits) for digits in re.findall("[0-9]+", written)) < READABLE_DIGITS


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"score": 61}, "A score is from 0 to 60 dice, not 61."),
        ({"score": 2, "venture": 4}, "A venture has level 1 to 3, or 0 for none, not 4."),
        ({"score": 60, "bonus": 1}, "A check starts with at most 60 dice, not 61."),
        (
            {"score": 60, "helpers": [plan(60)] * 3 + [plan(60, venture=1)]},
            "Odds cover at most 300 dice in a check, removed ones counted too, not 301.",
        ),
        ({"score": 1, "penalty": 1000}, "Odds cover at most 300 dice in a check, removed ones counted too, not 1001."),
        (
            {"score": 1, "helpers": [Plan(14, 13, rerolls=False, explodes=True)]},
            "Odds cover at most 180 dice times removed dice, not 14 x 13.",
        ),
    ],
)
def test_a_check_beyond_its_limits_is_refused_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        check_report(**arguments)


@pytest.mark.rule("E2")
def test_a_check_at_its_limit_has_odds() -> None:
    assert check_report(60, helpers=[plan(60)] * 4)


@pytest.mark.parametrize("too_large", [{"acting": [plan(60)] * 3}, {"opposing": [plan(60)] * 3}])
def test_a_contest_beyond_its_limits_is_refused_on_either_side(too_large: dict[str, Any]) -> None:
    sentence = "Odds cover at most 120 dice in one side of a contest, removed ones counted too, not 180."

    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        contest_report(**({"acting": [], "opposing": [], "reflex": (1, 1)} | too_large))
