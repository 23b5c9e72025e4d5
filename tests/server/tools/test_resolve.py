"""`dreadclock resolve check` and `contest`: what somebody's own dice mean, and what she is told if they do not fit."""

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
    assert lines(ask(app, "check --dice 2 --venture 1 --momentum --faces 1,6,1,3,4").stdout) == [
        "Rolled with 2 dice: 1, 6, 1, 3, 4.",
        "Rolled again: 2 dice that showed 1.",
        "Taken away: 6.",
        "Left: 3, 4.",
        "Outcome: success with 4, margin 0.",
    ]


@pytest.mark.rule("C-interference", "C10", "C-outcome")
def test_with_interference_a_six_adds_no_die_and_still_counts() -> None:
    assert lines(ask(app, "check --dice 2 --interference --faces 6,6").stdout)[-2:] == [
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
    assert lines(ask(app, "check --dice 2 --faces 1,1 --helper 3-1:2,5").stdout) == [
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
    assert dealt[-2:] == ["This side wins by the deal.", "Its fail is still no success."]


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


# `dreadclock resolve total`, `countdown` and `race`: courses of several steps, and where one stops being legal


BOMB = "race --situation 3 --scene 5 --threat 15"


# Totals


@pytest.mark.rule("D-example", "D1")
def test_the_wall_is_a_total_of_seven() -> None:
    assert lines(ask(app, "total --faces 3,4").stdout) == ["Rolled 3, 4: kept 3, 4, total 7."]


@pytest.mark.rule("D-example", "D3", "D5")
def test_the_tornado_is_told_push_by_push_until_the_crisis() -> None:
    answer = ask(app, "total --faces 2,4,4,4,5 --push 1,5 --required 13")

    assert answer.exit_code == 0
    assert lines(answer.stdout) == [
        "Rolled 2, 4, 4, 4, 5: kept 2, 4, 5, total 11.",
        "push brings kept total",
        "1 more 1, 2, 4, 5 12",
        "5 a crisis 1, 2, 4, 5 12",
        "The crisis ends the attempt as failed; the total stays 12.",
    ]


@pytest.mark.rule("D-example", "D3", "D5")
def test_a_total_as_json_has_every_push_and_where_it_stands() -> None:
    assert report(app, "total --faces 2,4,4,4,5 --push 1,5 --required 13") == {
        "faces": [2, 4, 4, 4, 5],
        "first_kept": [2, 4, 5],
        "first_total": 11,
        "required": 13,
        "pushes": [
            {"face": 1, "crisis": False, "kept": [1, 2, 4, 5], "total": 12, "enough": False},
            {"face": 5, "crisis": True, "kept": [1, 2, 4, 5], "total": 12, "enough": False},
        ],
        "kept": [1, 2, 4, 5],
        "total": 12,
        "outcome": "crisis",
    }


@pytest.mark.rule("D4")
@pytest.mark.parametrize(
    ("question", "outcome", "last_line"),
    [
        ("--faces 3,4 --required 7", "success", "A total of 7 meets the required 7."),
        ("--faces 3,4 --push 6 --required 8", "success", "A total of 13 meets the required 8."),
        ("--faces 3,4 --required 8", "short", "A total of 7 is 1 short of 8: failed, unless the gm offers a push."),
        ("--faces 3,4 --push 4", "crisis", "The crisis ends the attempt as failed; the total stays 7."),
        ("--faces 3,4", None, "Rolled 3, 4: kept 3, 4, total 7."),
    ],
)
def test_the_number_required_decides_unless_there_is_a_crisis(question: str, outcome: str | None, last_line: str):
    assert report(app, f"total {question}")["outcome"] == outcome
    assert lines(ask(app, f"total {question}").stdout)[-1] == last_line


@pytest.mark.rule("D3", "D4")
def test_without_a_number_required_pushes_go_on_until_a_crisis() -> None:
    read = report(app, "total --faces 1 --push 2,3,4")

    assert [(push["total"], push["enough"]) for push in read["pushes"]] == [(3, None), (6, None), (10, None)]
    assert (read["total"], read["outcome"]) == (10, None)


# Countdowns


@pytest.mark.rule("A2", "A-roll", "A-faces", "A-stages", "A-expiry")
def test_a_countdown_is_told_roll_by_roll_with_the_stages_it_passes() -> None:
    answer = ask(app, "countdown --pool 6 --speed fast --stage 2 --stage 5 --faces 1,2,3,4,5,6 --faces 1,5,5 --faces 6")

    assert answer.exit_code == 0
    assert lines(answer.stdout) == [
        "A fast countdown of 6 dice.",
        "roll faces out left reached",
        "1 1, 2, 3, 4, 5, 6 3 3 stage 5",
        "2 1, 5, 5 2 1 stage 2",
        "3 6 1 0",
        "The countdown is over.",
    ]


@pytest.mark.rule("A2", "A3")
def test_a_countdown_as_json_names_the_stages_passed_at_once_largest_first() -> None:
    stages = "--stage 0 --stage 3 --stage 1 --stage 4"

    assert report(app, f"countdown --pool 4 {stages} --faces 6,6,6,6") == {
        "pool": 4,
        "speed": "slow",
        "rolls": [{"roll": 1, "faces": [6, 6, 6, 6], "removed": 4, "remaining": 0, "stages": [3, 1, 0]}],
        "remaining": 0,
        "expired": True,
    }


def test_a_countdown_with_dice_left_goes_on() -> None:
    assert lines(ask(app, "countdown --pool 2 --faces 6,1").stdout)[-1] == "It goes on with 1 die."


# Races


@pytest.mark.rule("B-example", "B-race", "B-effort")
def test_the_bomb_is_reached_in_time() -> None:
    answer = ask(
        app, f"{BOMB} --tick effort --tick round --tick overcome --tick effort,overcome,round --tick round,overcome"
    )

    assert answer.exit_code == 0
    assert lines(answer.stdout) == [
        "tick threat situation scene race",
        "start 15 3 5",
        "effort 14 3 5",
        "round 13 3 5",
        "overcome 13 2 5",
        "effort 12 2 5",
        "overcome 12 1 5",
        "round 11 1 5",
        "round 10 1 5",
        "overcome 10 0 4 success",
        "The race ends as a success.",
    ]


@pytest.mark.rule("B-race")
def test_a_race_as_json_has_its_start_and_every_step() -> None:
    assert report(app, "race --situation 2 --scene 5 --threat 9 --tick effort,overcome") == {
        "start": {"tick": "start", "situation": 2, "scene": 5, "threat": 9, "outcome": None},
        "steps": [
            {"tick": "effort", "situation": 2, "scene": 5, "threat": 8, "outcome": None},
            {"tick": "overcome", "situation": 1, "scene": 5, "threat": 8, "outcome": None},
        ],
        "outcome": None,
    }


@pytest.mark.rule("B1", "B2", "B3", "B4", "B8", "B9")
@pytest.mark.parametrize(
    ("question", "outcome", "clocks"),
    [
        ("--situation 1 --scene 5 --threat 1 --tick effort", "failure", (1, 5, 0)),
        ("--situation 1 --scene 5 --threat 1 --tick overcome,round", "success", (0, 4, 1)),
        ("--situation 1 --scene 9 --threat 2 --tick overcome,end-scene", "success", (0, 8, 2)),
        ("--situation 1 --scene 1 --threat 5 --tick travel", None, (1, 0, 5)),
        ("--situation 1 --scene 1 --threat 5 --tick rest,overcome", "success", (0, 0, 5)),
        ("--situation 2 --scene 4 --threat 5 --tick end-scene", "partial_success", (2, 4, 5)),
        ("--situation 2 --scene 5 --threat 5 --tick end-scene", "failure", (2, 5, 5)),
        ("--situation 2 --scene 3 --threat 5 --tick fail", "failure", (2, 3, 5)),
        ("--situation 2 --scene 3 --threat 1 --tick round,round,travel,end-scene", "failure", (2, 2, 0)),
    ],
)
def test_a_race_ends_as_its_clocks_say_in_their_order(question: str, outcome: str | None, clocks: tuple[int, int, int]):
    read = report(app, f"race {question}")
    last = read["steps"][-1]

    assert read["outcome"] == last["outcome"] == outcome
    assert (last["situation"], last["scene"], last["threat"]) == clocks


def test_a_race_that_has_not_ended_goes_on() -> None:
    assert lines(ask(app, f"{BOMB} --tick round").stdout)[-1] == "The race goes on."


# What is refused
