"""`dreadclock odds check` and `contest`: what a person reads, what a script reads, and what is refused."""

from __future__ import annotations

import pytest

from dreadclock_server.tools.odds import app
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
