"""The end of a scene says how its races were expected to end. Ruling B21."""

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire.errors import Code
from dreadclock.wire.families.situations import ends_as
from kit.families.races import RACE, STANDARD, amend, effort, overcome, racing

pytestmark = pytest.mark.rule("B21")
END = {"type": "end_scene", "scene_id": "bomb"}


@pytest.mark.parametrize(
    ("threat", "scene", "outcome"),
    [(6, 5, "partial_success"), (5, 5, "failure"), (4, 5, "failure"), (1, 0, "partial_success")],
)
def test_a_race_says_how_it_would_end_and_so_it_ends(threat: int, scene: int, outcome: str):
    table = racing(scene=5)
    table.do(amend("bomb-threat", threat))
    if scene != 5:
        table.do(amend("bomb-clock", scene))
    race = table.view.situations["run"]

    assert ends_as(table.view, race) == outcome
    table.do({**END, "expect": {"run": outcome}})
    assert table.view.situations["run"].outcome is RaceOutcome(outcome)


def test_a_race_that_would_end_otherwise_by_now_holds_its_scene_open():
    table = racing(threat=6)
    expect = {"run": ends_as(table.view, table.view.situations["run"])}
    table.do(effort("door"))

    refused = table.refused({**END, "expect": expect})

    assert refused.code is Code.OUTCOME_CHANGED
    assert refused.details == {"id": "run", "now": "a failure", "expected": "a partial success"}
    table.do({**END, "expect": {"run": "failure"}})


@pytest.mark.parametrize(
    ("expect", "code"),
    [
        ({"run": "partial_success", "moon": "failure"}, Code.UNKNOWN),
        ({"run": "partial_success", "talk": "failure"}, Code.NOT_A_RACE),
        ({"run": "partial_success", "far": "success"}, Code.NOT_A_RACE),
        ({}, Code.OUTCOME_UNEXPECTED),
    ],
)
def test_what_is_expected_is_said_of_all_races_of_the_scene_and_of_nothing_else(expect: dict[str, str], code: Code):
    table = racing()
    table.do({**STANDARD, "id": "talk"})
    table.do({"type": "open_scene", "id": "hunt", "name": "Hunt", "clock": 8})
    table.do({**RACE, "id": "far", "scene_id": "hunt", "difficulty": "hard"})

    assert table.refused({**END, "expect": expect}).code is code


def test_a_race_that_ended_as_expected_meanwhile_changes_nothing_and_who_expects_nothing_ends_the_scene():
    table = racing(situation=1)
    table.do({**RACE, "id": "dash", "difficulty": "hard"})
    table.do(overcome("turret"))

    table.do({**END, "expect": {"run": "success", "dash": "partial_success"}})

    assert table.view.situations["dash"].outcome is RaceOutcome.PARTIAL_SUCCESS
    other = racing()
    other.do(END)
    assert other.view.situations["run"].outcome is RaceOutcome.PARTIAL_SUCCESS
