"""Whether a countdown was rolled in its turn or round, or is due; tests/js/due.test.mjs reads the same vectors."""

import json
from typing import Any

import pytest

from dreadclock.rules.due import RollState, roll_state
from kit.due_vectors import FILE, cases

NOW: dict[str, Any] = {"goes_on": True, "turn": 3, "period": 5}
FREE, DUE, ROLLED = RollState.FREE, RollState.DUE, RollState.ROLLED


def at(turn: int, period: int) -> dict[str, Any]:
    return {"rolled_turn": turn, "rolled_period": period}


@pytest.mark.rule("A8")
def test_a8_what_is_bound_to_the_turn_is_rolled_once_a_turn():
    assert roll_state("turn", **NOW, **at(2, 0)) is DUE
    assert roll_state("turn", **NOW, **at(3, 0)) is ROLLED
    assert roll_state("nothing", **NOW, **at(3, 5)) is FREE


@pytest.mark.rule("A12", "B20")
@pytest.mark.parametrize("bound_to", ["rounds", "scene"])
def test_nothing_rolls_what_is_bound_to_what_is_over_or_set_aside(bound_to: str):
    assert roll_state(bound_to, **{**NOW, "goes_on": False}, **at(3, 5)) is FREE
    assert roll_state(bound_to, **{**NOW, "goes_on": False}, **at(3, 5), at_turn_end=True) is FREE


@pytest.mark.rule("A12")
def test_a_round_may_last_for_several_turns_and_the_end_of_a_turn_rolls_nothing_of_it():
    assert roll_state("rounds", **NOW, **at(2, 5)) is ROLLED
    assert roll_state("rounds", **NOW, **at(3, 4)) is DUE
    assert roll_state("rounds", **NOW, **at(2, 4), at_turn_end=True) is FREE


@pytest.mark.rule("A12", "B19")
def test_the_end_of_the_whole_turn_rolls_what_is_bound_to_a_scene_once_a_turn():
    assert roll_state("scene", **NOW, **at(3, 4)) is DUE
    assert roll_state("scene", **NOW, **at(3, 4), at_turn_end=True) is ROLLED
    assert roll_state("scene", **NOW, **at(2, 5)) is DUE
    assert roll_state("scene", **NOW, **at(2, 5), at_turn_end=True) is DUE
    assert roll_state("scene", **NOW, **at(3, 5)) is ROLLED


def test_the_vectors_hold_every_case_and_what_comes_of_it():
    vectors = json.loads(FILE.read_text(encoding="utf-8"))

    assert [vector["given"] for vector in vectors] == cases()
    assert [vector["gives"] for vector in vectors] == [roll_state(**vector["given"]) for vector in vectors]
    assert {vector["gives"] for vector in vectors} == set(RollState)
