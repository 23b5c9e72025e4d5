"""`dreadclock odds`: what a person reads, what a script reads, and what is refused."""

from fractions import Fraction

import pytest

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
from kit.asking import ask, lines, report


def told(question: str) -> list[str]:
    """Return the lines of an answer."""
    answer = ask(app, question)
    assert answer.exit_code == 0, answer.stderr
    return lines(answer.stdout)


@pytest.mark.rule("A-table")
def test_the_average_table_is_shown_to_size_a_countdown_by() -> None:
    head, *rows = told("table")

    assert head == "dice slow medium fast"
    assert [[int(cell) for cell in row.split()] for row in rows] == [
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
    answer = told("countdown --pool 1 --speed fast")

    assert "A fast countdown of 1 die. It lasts 2.00 rolls on average." in " ".join(answer)
    assert "10% by roll 1, 50% by roll 1, 90% by roll 4, 99.9% by roll 10" in " ".join(answer)
    assert {"1 50.00% 50.00%", "3 12.50% 12.50%"} <= {*answer}
    assert answer[-1] == "10 0.10% 0.10%"


def test_the_bar_of_survival_shrinks_from_roll_to_roll() -> None:
    bars = [line.count("━") for line in ask(app, "countdown --pool 6").stdout.splitlines() if "%  " in line]

    assert bars[0] > bars[-1]
    assert bars == sorted(bars, reverse=True)


def test_a_countdown_is_slow_unless_said_otherwise() -> None:
    assert "A slow countdown of 6 dice." in " ".join(told("countdown --pool 6"))


def test_stages_and_a_number_of_rolls_add_their_own_lines() -> None:
    answer = told("countdown --pool 2 --speed fast --stage 1 --stage 0 --rolls 1")

    assert "The pool is down to 1 die after 1.33 rolls on average." in answer
    assert "The pool is down to 0 dice after 2.67 rolls on average." in answer
    assert "dice left after roll 1" in " ".join(answer)
    assert answer[-3:] == ["0 25.00%", "1 50.00%", "2 25.00%"]


def test_what_is_unlikely_is_not_shown_as_impossible() -> None:
    assert "1 >99.99% <0.01%" in told("countdown --pool 10 --rolls 1")


def test_a_race_is_told_effort_by_effort() -> None:
    answer = told("race --situation 1 --threat 3 --chance 2/3")

    assert "A race of 1 challenge against a threat of 3." in answer
    assert "It is won with a chance of 88.89% and lost with 11.11%." in answer
    assert "A race won leaves 1.75 threat on average." in answer
    assert answer[-2:] == ["1 2 66.67% 66.67%", "2 1 22.22% 88.89%"]


def test_a_race_without_any_chance_says_so_without_a_mean() -> None:
    answer = told("race --situation 1 --threat 3 --chance 0")

    assert "It is won with a chance of 0.00% and lost with 100.00%." in answer
    assert "on average" not in " ".join(answer)


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


# `dreadclock odds check` and `contest`: what a person reads, what a script reads, and what is refused


@pytest.mark.rule("C-odds")
def test_a_check_is_told_by_outcome_highest_die_and_margin() -> None:
    assert told("check --dice 2 --interference") == [
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
    answer = told("check --dice 0")

    assert answer[0] == "A check of 0 dice."
    assert "fumble 100.00%" in answer
    assert "no die 100.00% 100.00%" in answer


@pytest.mark.rule("C4", "C-modifiers", "C-venture", "C-momentum", "C-interference", "C7")
@pytest.mark.parametrize(
    ("question", "head"),
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
def test_modifiers_venture_and_tokens_are_told_as_what_they_do_to_the_dice(question: str, head: str) -> None:
    assert told(f"check {question}")[0] == head


@pytest.mark.rule("C12", "C-cooperation")
def test_with_helpers_the_chance_that_somebody_fumbles_is_told() -> None:
    assert "Somebody in it fumbles with a chance of 30.56%." in told("check --dice 1 --helper 1")
    assert "Somebody" not in ask(app, "check --dice 1").stdout


@pytest.mark.rule("C-contest", "C-odds")
def test_a_contest_is_told_by_who_wins_and_what_decides_it() -> None:
    assert told("contest --dice 1 --interference --against 1 --against-interference --reflex 3 --against-reflex 2") == [
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
    answer = told("contest --dice 2 --against 2 --reflex 3")

    assert answer[1].startswith("This side wins with a chance of 50.00%")
    assert ", reflex 0.00%, a deal " in answer[2]


# `dreadclock odds total` and `push`: what a person reads, what a script reads, and what is refused


@pytest.mark.rule("D-odds")
def test_a_total_is_told_with_its_mean_and_every_sum_that_can_be_rolled() -> None:
    assert told("total --dice 1") == [
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
    assert told("total --dice 5 --required 13")[:4] == [
        "A total of 5 dice.",
        "It comes to 12.56 on average.",
        "The roll alone meets 13 with a chance of 50.93%.",
        "Then pushing whenever it misses makes that 69.04%, and ends in a crisis with 30.96%.",
    ]


@pytest.mark.rule("D2")
def test_more_dice_than_a_pool_can_have_are_answered_and_said_to_be() -> None:
    assert "No pool has more than 8 dice; these are the odds if it had." in told("total --dice 9")
    assert "No pool has" not in ask(app, "total --dice 8").stdout


@pytest.mark.rule("D-odds", "D-example")
def test_a_push_is_told_face_by_face() -> None:
    assert told("push --kept 2,4,5 --required 13") == [
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
