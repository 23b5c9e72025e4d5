"""`dreadclock odds total` and `push`: what a person reads, what a script reads, and what is refused."""

from __future__ import annotations

import json

import pytest

from dreadclock.cli import main
from dreadclock.cli.odds import app
from dreadclock.rules.odds import push_report, total_report
from kit.asking import ask, lines


@pytest.mark.rule("D-odds")
def test_a_total_is_told_with_its_mean_and_every_sum_that_can_be_rolled() -> None:
    answer = ask(app, "total --dice 1")

    assert answer.exit_code == 0
    assert lines(answer.stdout) == [
        "A total of 1 die.",
        "It comes to 3.50 on average.",
        "total chance it or more",
        "1 16.67% 100.00%",
        "2 16.67% 83.33%",
        "3 16.67% 66.67%",
        "4 16.67% 50.00%",
        "5 16.67% 33.33%",
        "6 16.67% 16.67%",
    ]


@pytest.mark.rule("D-odds")
def test_a_number_required_is_told_with_and_without_pushing() -> None:
    answer = lines(ask(app, "total --dice 5 --required 13").stdout)

    assert answer[:4] == [
        "A total of 5 dice.",
        "It comes to 12.56 on average.",
        "The roll alone meets 13 with a chance of 50.93%.",
        "Then pushing whenever it misses makes that 69.04%, and ends in a crisis with 30.96%.",
    ]


@pytest.mark.rule("D2")
def test_more_dice_than_a_pool_can_have_are_answered_and_said_to_be() -> None:
    assert "No pool has more than 8 dice; these are the odds if it had." in lines(ask(app, "total --dice 9").stdout)
    assert "No pool has" not in ask(app, "total --dice 8").stdout


@pytest.mark.rule("D-odds", "D-example")
def test_a_push_is_told_face_by_face() -> None:
    answer = ask(app, "push --kept 2,4,5 --required 13")

    assert answer.exit_code == 0
    assert lines(answer.stdout) == [
        "Kept 2, 4, 5: a total of 11, 2 short of 13.",
        "The next die is enough with a chance of 33.33%, not yet enough with 16.67%, a crisis with 50.00%.",
        "Pushing whenever it misses succeeds with a chance of 38.89%, and ends in a crisis otherwise.",
        "face brings total success from there",
        "1 more 12 33.33%",
        "2 a crisis 11 0.00%",
        "3 enough 14 100.00%",
        "4 a crisis 11 0.00%",
        "5 a crisis 11 0.00%",
        "6 enough 17 100.00%",
    ]


def test_totals_and_pushes_as_json_are_the_reports_themselves() -> None:
    assert json.loads(ask(app, "total --dice 60 --required 21 --json").stdout) == total_report(60, required=21)
    assert json.loads(ask(app, "push --kept 5,2,4 --required 13 --json").stdout) == push_report((2, 4, 5), 13)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("total --dice 0", "Odds of a total cover from 1 to 60 dice, not 0.\n"),
        ("total --dice -2", "Odds of a total cover from 1 to 60 dice, not -2.\n"),
        (f"total --dice 1{'0' * 30}", f"Odds of a total cover from 1 to 60 dice, not 1{'0' * 30}.\n"),
        ("total --dice 5 --required 0", "A number required is from 1 to 99, not 0.\n"),
        ("total --dice 5 --required 100", "A number required is from 1 to 99, not 100.\n"),
        ("push --kept 2,4 --required 0", "A number required is from 1 to 99, not 0.\n"),
        ("push --kept 2,4,5 --required 11", "A total of 11 meets the required 11, so there is no push.\n"),
        ("push --kept - --required 11", "Only a total that was rolled can be pushed.\n"),
        ("push --kept 1,,2 --required 11", "Write faces from 1 to 6 with commas, like 2,4,5, not '1,,2'.\n"),
        ("push --kept 2,x --required 11", "Write faces from 1 to 6 with commas, like 2,4,5, not '2,x'.\n"),
        ("push --kept 2,7 --required 11", "Write faces from 1 to 6 with commas, like 2,4,5, not '2,7'.\n"),
        (
            "push --kept 2,4,4 --required 12",
            "Of each number one die is kept, so kept dice all show different numbers.\n",
        ),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_sentence(question: str, sentence: str) -> None:
    answer = ask(app, question)

    assert (answer.exit_code, answer.stdout, answer.stderr) == (2, "", sentence)


@pytest.mark.parametrize(
    "question",
    [
        "total",
        "total --dice five",
        "total --dice 2.5",
        "total --dice",
        f"total --dice 1{'0' * 5000}",
        "push",
        "push --kept 2,4",
        "push --kept 2,4 --required 1e3",
    ],
)
def test_what_is_no_question_is_one_sentence_of_the_program(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", *question.split()]) == 2

    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err[-2:]) == ("", 1, ".\n")
