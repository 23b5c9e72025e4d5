"""`dreadclock odds`: what a person reads, what a script reads, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from typer.testing import CliRunner, Result

from dreadclock.rules import Speed
from dreadclock.rules.check import plan
from dreadclock.rules.odds import (
    check_report,
    contest_report,
    countdown_report,
    push_report,
    race_report,
    table_report,
    total_report,
)
from dreadclock_server.tools.odds import app
from kit.asking import report


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "100", "NO_COLOR": "1"})


def words(text: str) -> str:
    """Join the words of an answer, so that only they and their order count."""
    return " ".join(text.split())


def rows(text: str) -> list[list[str]]:
    """Split the lines of the tables into cells, bars left out."""
    return [[cell for cell in line.split() if cell.strip("━╸╺-")] for line in text.splitlines()]


@pytest.mark.rule("A-table")
def test_the_average_table_is_shown_to_size_a_countdown_by() -> None:
    told = rows(ask("table").stdout)

    assert told[0] == ["dice", "slow", "medium", "fast"]
    assert [[int(cell) for cell in row] for row in told[1:]] == [
        [1, 6, 3, 2],
        [2, 9, 4, 3],
        [3, 11, 5, 3],
        [4, 12, 6, 4],
        [5, 13, 6, 4],
        [6, 14, 7, 4],
        [7, 15, 7, 4],
        [8, 15, 7, 4],
        [9, 16, 7, 5],
        [10, 17, 8, 5],
    ]
    assert report(app, "table") == table_report()


def test_a_countdown_is_told_roll_by_roll_with_its_mean() -> None:
    answer = ask("countdown", "--pool", "1", "--speed", "fast")

    assert answer.exit_code == 0
    assert "A fast countdown of 1 die. It lasts 2.00 rolls on average." in words(answer.stdout)
    assert "10% by roll 1, 50% by roll 1, 90% by roll 4, 99.9% by roll 10" in words(answer.stdout)
    assert ["1", "50.00%", "50.00%"] in rows(answer.stdout)
    assert ["3", "12.50%", "12.50%"] in rows(answer.stdout)
    assert rows(answer.stdout)[-1] == ["10", "0.10%", "0.10%"]


def test_the_bar_of_survival_shrinks_from_roll_to_roll() -> None:
    bars = [line.count("━") for line in ask("countdown", "--pool", "6").stdout.splitlines() if "%  " in line]

    assert bars[0] > bars[-1]
    assert bars == sorted(bars, reverse=True)


def test_a_countdown_is_slow_unless_said_otherwise() -> None:
    assert "A slow countdown of 6 dice." in ask("countdown", "--pool", "6").stdout


def test_stages_and_a_number_of_rolls_add_their_own_lines() -> None:
    answer = ask("countdown", "--pool", "2", "--speed", "fast", "--stage", "1", "--stage", "0", "--rolls", "1")

    assert "The pool is down to 1 die after 1.33 rolls on average." in answer.stdout
    assert "The pool is down to 0 dice after 2.67 rolls on average." in answer.stdout
    assert "dice left after roll 1" in words(answer.stdout)
    assert rows(answer.stdout)[-3:] == [["0", "25.00%"], ["1", "50.00%"], ["2", "25.00%"]]


def test_what_is_unlikely_is_not_shown_as_impossible() -> None:
    answer = ask("countdown", "--pool", "10", "--rolls", "1")

    assert ["1", ">99.99%", "<0.01%"] in rows(answer.stdout)


def test_a_race_is_told_effort_by_effort() -> None:
    answer = ask("race", "--situation", "1", "--threat", "3", "--chance", "2/3")

    assert answer.exit_code == 0
    assert "A race of 1 challenge against a threat of 3." in answer.stdout
    assert "It is won with a chance of 88.89% and lost with 11.11%." in answer.stdout
    assert "A race won leaves 1.75 threat on average." in answer.stdout
    assert rows(answer.stdout)[-2:] == [["1", "2", "66.67%", "66.67%"], ["2", "1", "22.22%", "88.89%"]]


def test_a_race_without_any_chance_says_so_without_a_mean() -> None:
    answer = ask("race", "--situation", "1", "--threat", "3", "--chance", "0")

    assert "It is won with a chance of 0.00% and lost with 100.00%." in answer.stdout
    assert "on average" not in answer.stdout


OURS = "--dice 3 --bonus 1 --penalty 2 --venture 1 --momentum --reflex 4 --helper 2"
THEIRS = (
    "--against 4 --against-bonus 2 --against-penalty 1 --against-venture 2 --against-interference --against-reflex 0"
)
INTERFERED = plan(2, penalty=1, interference=True)


@pytest.mark.parametrize(
    ("question", "reported"),
    [
        ("countdown --pool 6 --speed slow --stage 2 --rolls 5", countdown_report(6, Speed.SLOW, stages=[2], rolls=5)),
        (
            "race --situation 2 --threat 9 --chance 0.65 --chance 1/2 --efforts 2 --efforts 1 --rounds-per-effort 1/3",
            race_report(2, 9, [Fraction("0.65"), Fraction(1, 2)], efforts=[2, 1], rounds_per_effort=Fraction(1, 3)),
        ),
        (
            "check --dice 4 --bonus 1 --penalty 2 --venture 1 --momentum --helper 3 --helper 2-1,interference",
            check_report(4, bonus=1, penalty=2, venture=1, momentum=True, helpers=[plan(3), INTERFERED]),
        ),
        (
            f"contest {OURS} {THEIRS} --against-reflex 0 --against-helper 3-1 --against-helper 1",
            contest_report(
                [plan(3, bonus=1, penalty=2, venture=1, momentum=True), plan(2)],
                [plan(4, bonus=2, penalty=1, venture=2, interference=True), plan(3, penalty=1), plan(1)],
                (4, 0),
            ),
        ),
        ("total --dice 60 --required 21", total_report(60, required=21)),
        ("push --kept 5,2,4 --required 13", push_report((2, 4, 5), 13)),
    ],
    ids=lambda value: value.split()[0] if isinstance(value, str) else "",
)
def test_an_answer_as_json_is_the_report_itself(question: str, reported: object) -> None:
    assert report(app, question) == reported
