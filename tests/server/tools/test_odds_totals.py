"""`dreadclock odds total` and `push`: what a person reads, what a script reads, and what is refused."""

from __future__ import annotations

import pytest

from dreadclock_server.tools.odds import app
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
