"""`dreadclock odds check` and `contest`: what a person reads, what a script reads, and what is refused."""

from __future__ import annotations

import json

import pytest

from dreadclock.cli import main
from dreadclock.cli.odds import app
from dreadclock.rules.check import plan
from dreadclock.rules.odds import check_report, contest_report
from kit.asking import ask, lines


@pytest.mark.rule("C-odds")
def test_a_check_is_told_by_outcome_highest_die_and_margin() -> None:
    answer = ask(app, "check --dice 2 --interference")

    assert answer.exit_code == 0
    assert lines(answer.stdout) == [
        "A check of 2 dice (6s add none).",
        "It succeeds with a chance of 75.00%, triumphs included.",
        "outcome chance",
        "fumble 2.78%",
        "fail 22.22%",
        "success 72.22%",
        "triumph 2.78%",
        "highest chance it or more",
        "1 2.78% 100.00%",
        "2 8.33% 97.22%",
        "3 13.89% 88.89%",
        "4 19.44% 75.00%",
        "5 25.00% 55.56%",
        "6 30.56% 30.56%",
        "margin chance it or more with a success",
        "0 83.33% 100.00% 75.00%",
        "1 16.67% 16.67% 8.33%",
        "2 0.00% 0.00% 0.00%",
        "3 0.00% 0.00% 0.00%",
        "4 0.00% 0.00% 0.00%",
        "5 0.00% 0.00% 0.00%",
    ]


@pytest.mark.rule("C9", "C-odds")
def test_a_check_without_dice_is_sure_to_fumble() -> None:
    answer = lines(ask(app, "check --dice 0").stdout)

    assert answer[0] == "A check of 0 dice."
    assert "fumble 100.00%" in answer
    assert "no die 100.00% 100.00%" in answer


@pytest.mark.rule("C4", "C-modifiers", "C-venture", "C-momentum", "C-interference", "C7")
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("--dice 4 --bonus 1 --penalty 2 --venture 1", "A check of 3 dice (1 taken away)."),
        ("--dice 4 --momentum", "A check of 4 dice (1s rolled again)."),
        ("--dice 1 --penalty 2 --interference", "A check of 1 die (2 taken away, 6s add none)."),
        ("--dice 4 --momentum --interference", "A check of 4 dice."),
        (
            "--dice 2 --helper 3-1 --helper 1,momentum",
            "A check of 2 dice, helped by 2 dice, helped by 1 die (1s rolled again).",
        ),
    ],
)
def test_modifiers_venture_and_tokens_are_told_as_what_they_do_to_the_dice(question: str, told: str) -> None:
    assert lines(ask(app, f"check {question}").stdout)[0] == told


@pytest.mark.rule("C12", "C-cooperation")
def test_with_helpers_the_chance_that_somebody_fumbles_is_told() -> None:
    assert "Somebody in it fumbles with a chance of 30.56%." in lines(ask(app, "check --dice 1 --helper 1").stdout)
    assert "Somebody" not in ask(app, "check --dice 1").stdout


def test_a_check_as_json_is_the_report_itself() -> None:
    answer = ask(
        app, "check --dice 4 --bonus 1 --penalty 2 --venture 1 --momentum --helper 3 --helper 2-1,interference --json"
    )

    helpers = [plan(3), plan(2, penalty=1, interference=True)]
    assert json.loads(answer.stdout) == check_report(4, bonus=1, penalty=2, venture=1, momentum=True, helpers=helpers)


@pytest.mark.rule("C-contest", "C-odds")
def test_a_contest_is_told_by_who_wins_and_what_decides_it() -> None:
    answer = ask(
        app, "contest --dice 1 --interference --against 1 --against-interference --reflex 3 --against-reflex 2"
    )

    assert answer.exit_code == 0
    assert lines(answer.stdout) == [
        "A contest of 1 die (6s add none) against 1 die (6s add none).",
        "This side wins with a chance of 58.33%, with 41.67% by a success; the other side wins with 41.67%.",
        "What decides it: the highest die 83.33%, more such dice 0.00%, reflex 16.67%, a deal 0.00%.",
        "This side:",
        "outcome chance",
        "fumble 16.67%",
        "fail 33.33%",
        "success 50.00%",
        "triumph 0.00%",
        "The other side:",
        "outcome chance",
        "fumble 16.67%",
        "fail 33.33%",
        "success 50.00%",
        "triumph 0.00%",
    ]


@pytest.mark.rule("C17")
def test_without_reflex_ties_are_dealt() -> None:
    answer = lines(ask(app, "contest --dice 2 --against 2 --reflex 3").stdout)

    assert answer[1].startswith("This side wins with a chance of 50.00%")
    assert ", reflex 0.00%, a deal " in answer[2]


def test_a_contest_as_json_is_the_report_itself_with_modifiers_and_helpers_on_each_side() -> None:
    ours = "--dice 3 --bonus 1 --penalty 2 --venture 1 --momentum --reflex 4 --helper 2"
    theirs = "--against 4 --against-bonus 2 --against-penalty 1 --against-venture 2 --against-interference"
    helped = "--against-reflex 0 --against-helper 3-1 --against-helper 1"

    answer = ask(app, f"contest {ours} {theirs} {helped} --json")

    assert json.loads(answer.stdout) == contest_report(
        [plan(3, bonus=1, penalty=2, venture=1, momentum=True), plan(2)],
        [plan(4, bonus=2, penalty=1, venture=2, interference=True), plan(3, penalty=1), plan(1)],
        (4, 0),
    )


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("check --dice -1", "A score is from 0 to 60 dice, not -1.\n"),
        ("check --dice 61", "A score is from 0 to 60 dice, not 61.\n"),
        ("check --dice 60 --bonus 1", "A check starts with at most 60 dice, not 61.\n"),
        ("check --dice 4 --venture 4", "A venture has level 1 to 3, or 0 for none, not 4.\n"),
        ("check --dice 4 --venture -1", "A venture has level 1 to 3, or 0 for none, not -1.\n"),
        (
            "check --dice 4 --penalty -1",
            "Bonuses and penalties are counted in dice from 0; a negative bonus is a penalty.\n",
        ),
        ("check --dice 4 --helper x", "Write a helper's dice like 3, 3+1-2 or 3-1,momentum, not 'x'.\n"),
        ("check --dice 4 --helper -", "Write a helper's dice like 3, 3+1-2 or 3-1,momentum, not ''.\n"),
        ("check --dice 4" + " --helper 1" * 64, "At most 63 help in a check, not 64.\n"),
        ("contest --dice 3 --against 61", "A score is from 0 to 60 dice, not 61.\n"),
        (
            "contest --dice 60 --against 3 --helper 60 --helper 1",
            "Odds cover at most 120 dice in one side of a contest, removed ones counted too, not 121.\n",
        ),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_sentence(question: str, sentence: str) -> None:
    answer = ask(app, question)

    assert (answer.exit_code, answer.stdout, answer.stderr) == (2, "", sentence)


@pytest.mark.parametrize(
    "question",
    [
        "check",
        "check --dice four",
        "check --dice 4.5",
        "check --dice 4 --momentum yes",
        f"check --dice 1{'0' * 5000}",
        "contest --dice 3",
        "contest --dice 3 --against 2 --reflex -1",
        "contest --dice 3 --against 2 --against-reflex 61",
    ],
)
def test_what_is_no_question_is_one_sentence_of_the_program(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", *question.split()]) == 2

    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err[-2:]) == ("", 1, ".\n")
