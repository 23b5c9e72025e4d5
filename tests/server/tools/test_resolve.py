"""`dreadclock resolve check` and `contest`: what somebody's own dice mean, and what she is told if they do not fit."""

from __future__ import annotations

import pytest

from dreadclock.cli import main
from dreadclock_server.tools.resolve import app
from kit.asking import ask, lines, report


@pytest.mark.rule("C-example", "C-outcome")
def test_the_dive_under_the_door_succeeds_with_a_five() -> None:
    answer = ask(app, "check --dice 4 --penalty 1 --faces 1,4,5")

    assert answer.exit_code == 0
    assert lines(answer.stdout) == [
        "Rolled with 3 dice: 1, 4, 5.",
        "Left: 1, 4, 5.",
        "Outcome: success with 5, margin 0.",
    ]


@pytest.mark.rule("C-example", "C-roll")
def test_a_check_as_json_has_the_leaders_dice_and_what_they_are_worth() -> None:
    assert report(app, "check --dice 4 --penalty 1 --faces 1,4,5") == {
        "parts": [
            {
                "dice": 3,
                "faces": [1, 4, 5],
                "rerolled": 0,
                "removed": [],
                "remaining": [1, 4, 5],
                "outcome": "success",
                "highest": 5,
                "margin": 0,
                "capped": False,
            }
        ],
        "remaining": [1, 4, 5],
        "outcome": "success",
        "highest": 5,
        "margin": 0,
        "fumbled": False,
    }


@pytest.mark.rule("C-venture", "C-momentum", "C1", "C2")
def test_what_was_rolled_again_and_what_was_taken_away_is_told() -> None:
    answer = lines(ask(app, "check --dice 2 --venture 1 --momentum --faces 1,6,1,3,4").stdout)

    assert answer == [
        "Rolled with 2 dice: 1, 6, 1, 3, 4.",
        "Rolled again: 2 dice that showed 1.",
        "Taken away: 6.",
        "Left: 3, 4.",
        "Outcome: success with 4, margin 0.",
    ]


@pytest.mark.rule("C-interference", "C10", "C-outcome")
def test_with_interference_a_six_adds_no_die_and_still_counts() -> None:
    answer = lines(ask(app, "check --dice 2 --interference --faces 6,6").stdout)

    assert answer[-2:] == [
        "Outcome: triumph with 6, margin 1.",
        "A triumph gives momentum for the next check, unless a stunt is chosen at once.",
    ]


@pytest.mark.rule("C9", "C-interference")
def test_without_a_score_nothing_is_rolled_and_that_is_a_fumble() -> None:
    answer = ask(app, "check --dice 0 --faces -")

    assert lines(answer.stdout) == [
        "Rolled with 0 dice: nothing.",
        "Left: nothing.",
        "Outcome: fumble without a die.",
        "A fumble gives interference for the next check, unless another fumble effect is chosen.",
    ]


def test_a_fumble_has_no_margin_to_speak_of() -> None:
    assert "Outcome: fumble with 1." in lines(ask(app, "check --dice 2 --faces 1,1").stdout)


@pytest.mark.rule("C-cooperation", "C12")
def test_helpers_dice_are_pooled_and_any_fumble_gives_interference_to_all() -> None:
    answer = lines(ask(app, "check --dice 2 --faces 1,1 --helper 3-1:2,5").stdout)

    assert answer == [
        "Rolled with 2 dice: 1, 1.",
        "Left: 1, 1.",
        "Helper 1: Rolled with 2 dice: 2, 5.",
        "Left: 2, 5.",
        "Together: success with 5, margin 0.",
        "A fumble gives everyone involved interference for the next check, unless another fumble effect is chosen.",
    ]


@pytest.mark.rule("E2")
def test_a_roll_that_reached_the_cap_says_so() -> None:
    answer = ask(app, "check --dice 60 --faces " + ",".join(["6"] * 200))

    assert answer.exit_code == 0
    assert "The roll stopped growing at 200 dice." in lines(answer.stdout)


@pytest.mark.rule("C-example", "C-contest")
def test_the_kick_is_dodged_by_the_higher_die() -> None:
    answer = ask(app, "contest --dice 3 --faces 2,4,5 --against 2 --against-faces 1,6,2")

    assert answer.exit_code == 0
    assert lines(answer.stdout) == [
        "This side:",
        "Rolled with 3 dice: 2, 4, 5.",
        "Left: 2, 4, 5.",
        "Outcome: success with 5, margin 0.",
        "The other side:",
        "Rolled with 2 dice: 1, 6, 2.",
        "Left: 1, 6, 2.",
        "Outcome: success with 6, margin 0.",
        "The other side wins by the highest die.",
    ]


@pytest.mark.rule("C-contest", "C17")
def test_a_tie_says_what_to_deal_and_a_failure_that_wins_stays_one() -> None:
    question = "contest --dice 1 --faces 2 --against 2 --against-faces 1,2"

    tied, dealt = (lines(ask(app, asked).stdout) for asked in (question, f"{question} --deal 3,3,5,2"))

    assert (
        tied[-1] == "It is a tie: deal a die to each side until they differ, and add them as --deal, this side's first."
    )
    assert dealt[-2:] == ["This side wins by the deal.", "That does not make its fail a success."]


@pytest.mark.rule("C-contest", "C-cooperation")
def test_both_sides_of_a_contest_have_modifiers_and_helpers() -> None:
    read = report(
        app,
        "contest --dice 2 --bonus 1 --faces 1,2,3 --helper 1:4 "
        "--against 3 --against-penalty 1 --against-venture 1 --against-momentum --against-interference "
        "--against-bonus 0 --against-faces 5,1 --against-helper 2:4,2",
    )

    assert (read["acting"]["remaining"], read["acting"]["outcome"]) == ([1, 2, 3, 4], "success")
    assert (read["opposing"]["remaining"], read["opposing"]["fumbled"]) == ([1, 4, 2], True)
    assert (read["winner"], read["by"], read["dealt"]) == (None, "deal", [])


def test_alone_it_lists_what_it_can_resolve(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resolve"]) == 0

    out = capsys.readouterr().out
    assert [name for name in ("check", "contest", "total", "countdown", "race") if name not in out] == []
