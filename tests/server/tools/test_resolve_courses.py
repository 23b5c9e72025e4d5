"""`dreadclock resolve total`, `countdown` and `race`: courses of several steps, and where one stops being legal."""

from __future__ import annotations

import pytest

from dreadclock_server.tools.resolve import app
from kit.asking import ask, lines, report

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
def test_the_number_required_decides_unless_there_is_a_crisis(
    question: str, outcome: str | None, last_line: str
) -> None:
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
def test_a_race_ends_as_the_clocks_say_in_the_order_of_the_ticks(
    question: str, outcome: str | None, clocks: tuple[int, int, int]
) -> None:
    read = report(app, f"race {question}")
    last = read["steps"][-1]

    assert read["outcome"] == last["outcome"] == outcome
    assert (last["situation"], last["scene"], last["threat"]) == clocks


def test_a_race_that_has_not_ended_goes_on() -> None:
    assert lines(ask(app, f"{BOMB} --tick round").stdout)[-1] == "The race goes on."


# What is refused
