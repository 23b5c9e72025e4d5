"""What `dreadclock odds` and `dreadclock resolve` refuse: exit code 2 and one sentence.

The limits of scores, ventures and required numbers are tested in tests/client_sdk/rules.
"""

import pytest

from dreadclock.cli import main
from dreadclock_server.tools.odds import app as odds
from dreadclock_server.tools.resolve import app as resolve
from kit.asking import ask

BOMB = "race --situation 3 --scene 5 --threat 15"
TIED = "contest --dice 1 --faces 5 --against 1 --against-faces 5"


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("countdown --pool 0", "A countdown has from 1 to 60 dice, not 0."),
        ("race --situation 3 --threat 15 --chance half", "Write a number like 2/3 or 0.65, not 'half'."),
        ("check --dice 61", "A score is from 0 to 60 dice, not 61."),
        ("check --dice 4 --helper x", "Write a helper's dice like 3, 3+1-2 or 3-1,momentum, not 'x'."),
        ("contest --dice 3 --against 61", "A score is from 0 to 60 dice, not 61."),
        ("total --dice 0", "Odds of a total cover from 1 to 60 dice, not 0."),
        ("push --kept 2,4,5 --required 11", "A total of 11 meets the required 11, so there is no push."),
        ("push --kept 2,x --required 11", "Write faces from 1 to 6 with commas, like 2,4,5, not '2,x'."),
    ],
)
def test_odds_that_cannot_be_told_are_refused(question: str, sentence: str):
    answer = ask(odds, question)

    assert (answer.exit_code, answer.stdout, answer.stderr) == (2, "", f"{sentence}\n")


@pytest.mark.rule("E1")
@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("check --dice 3 --faces 1,4", "This roll takes at least 3 faces, not 2: it starts with 3, each 6 adds one."),
        (
            "check --dice 1 --faces 2 --helper 2:2,3 --helper 2:1",
            "Helper 2: This roll takes at least 2 faces, not 1: it starts with 2, each 6 adds one.",
        ),
        ("check --dice 1 --faces 1 --helper 3", "Helper 1: Write a helper's dice and faces like 3-1:2,5, not '3'."),
        (
            "contest --dice 1 --faces 2 --against 1 --against-faces 2,3",
            "The other side: This roll takes 1 face, not 2: it starts with 1, each 6 adds one.",
        ),
        (
            "contest --dice 1 --faces 2 --against 1 --against-faces 2 --against-helper 1:-",
            "The other side, helper 1: Write faces from 1 to 6 with commas, like 2,4,5, not '-'.",
        ),
        (f"{TIED} --reflex 2 --against-reflex 1 --deal 3,4", "This contest is decided by reflex, so nothing is dealt."),
        (f"{TIED} --deal 3", "A deal has a face for each side, so an even number of them, not 1."),
        (f"{TIED} --deal 3,4,5,6", "A deal ends as soon as the two faces differ; there are faces after that."),
        (
            "total --faces 2,4,4,4,5 --push 1,5,6 --required 13",
            "Push 3 comes too late: the crisis of push 2 ended the attempt.",
        ),
        ("total --faces 3,4 --push 6,1 --required 8", "Push 2 comes too late: a total of 13 meets 8 already."),
        ("total --faces -", "A total is rolled with 1 to 8 dice, not 0."),
        ("total --faces 1 --required 100", "A number required is from 1 to 99, not 100."),
        ("countdown --pool 2 --faces 6,1 --faces 1,1", "Roll 2 takes 1 face, one for each die in the pool, not 2."),
        ("countdown --pool 1 --faces 6 --faces 1", "Roll 2 comes too late: the last die left with roll 1."),
        ("countdown --pool 61 --faces 1", "A countdown has from 1 to 60 dice, not 61."),
        ("countdown --pool 1 --faces 1 --stage 61", "A stage lies at 0 to 60 dice."),
        ("countdown --pool 1 --faces 1" + " --stage 1" * 25, "A countdown has at most 24 stages, not 25."),
        (f"{BOMB} --tick jump", "A tick is effort, round, overcome, travel, rest, fail or end-scene, not 'jump'."),
        (
            "race --situation 1 --scene 5 --threat 9 --tick overcome,effort",
            "Tick 2, effort, comes too late: the race ended as a success.",
        ),
        (f"{BOMB} --tick end-scene,round", "Tick 2, round, comes too late: the scene has ended."),
        ("race --situation 1 --scene 100 --threat 9 --tick round", "A scene clock has from 1 to 99 points, not 100."),
    ],
)
def test_dice_and_steps_that_do_not_fit_are_refused(question: str, sentence: str):
    answer = ask(resolve, question)

    assert (answer.exit_code, answer.stdout, answer.stderr) == (2, "", f"{sentence}\n")


@pytest.mark.parametrize(
    "question",
    [
        "odds check",
        "odds check --dice 4.5",
        f"odds check --dice 1{'0' * 5000}",
        "odds contest --dice 3 --against 2 --reflex -1",
        "odds push --kept 2,4 --required 1e3",
        "resolve check --dice x --faces 1",
        f"resolve countdown --pool 1{'0' * 5000} --faces 1",
        "resolve countdown --pool 1 --faces 1 --speed warp",
        f"resolve {BOMB}",
    ],
)
def test_what_is_no_question_is_refused_by_the_program(question: str, capsys: pytest.CaptureFixture[str]):
    assert main(question.split()) == 2

    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err[-2:]) == ("", 1, ".\n")
