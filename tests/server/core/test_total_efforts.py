"""Totals as efforts against challenges. Rulings B1, B7 and B13."""

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire.errors import Code
from dreadclock.wire.events import Cause, ChallengeOvercome, Event, SituationFailed, SituationFailure
from kit.families.races import challenge_at, race_ended, racing, situation_at, threat_at
from kit.families.totals import order, propose, require, roll_of, succeeded, with_characters
from kit.tables import ANN, GM, Table, loaded

ROLL = order("roll_total")


def roll(table: Table, *faces: int) -> list[Event]:
    return table.do(ROLL, by=ANN, dice=loaded(*faces))


def effort(table: Table, challenge_id: str = "door", number: int | None = 7) -> Table:
    """Propose a total as an effort, in a room where proposals wait for the gm."""
    with_characters(table)
    table.do(propose(effort={"challenge_id": challenge_id}), by=GM)
    if number is not None:
        table.do(require(number))
    return table


@pytest.mark.rule("B13", "B1", "B-effort")
@pytest.mark.parametrize("number", [99, None], ids=["missed", "not judged"])
def test_an_effort_ticks_the_threat_before_its_result_whatever_that_is(number: int | None):
    table = effort(racing(), number=number)

    enough = None if number is None else False
    assert roll(table, 3, 4) == [threat_at(14, Cause.EFFORT), roll_of(3, 4, enough=enough)]


@pytest.mark.rule("B13", "B-effort")
def test_an_effort_that_succeeds_takes_a_point_off_the_challenge():
    assert roll(effort(racing(door=2)), 3, 4) == [
        threat_at(14, Cause.EFFORT),
        roll_of(3, 4, enough=True),
        succeeded(),
        challenge_at("door", 1),
    ]


@pytest.mark.rule("B13", "D6")
def test_an_effort_that_is_judged_after_its_roll_ticks_no_threat_again():
    table = effort(racing(), number=None)
    roll(table, 3, 4)

    assert table.do(require(7))[1:] == [
        succeeded(),
        challenge_at("door", 0),
        ChallengeOvercome(challenge_id="door"),
        situation_at(2),
    ]


@pytest.mark.rule("B1", "B13")
def test_an_effort_that_empties_the_threat_fails_the_race_even_if_its_total_is_enough():
    assert roll(effort(racing(threat=1)), 3, 4) == [
        threat_at(0, Cause.EFFORT),
        SituationFailed(situation_id="run", reason=SituationFailure.THREAT),
        race_ended(RaceOutcome.FAILURE, situation=3, threat=0),
        roll_of(3, 4, enough=True),
        succeeded(),
    ]


@pytest.mark.rule("E4")
@pytest.mark.parametrize("visibility", ["sealed", "gm"])
@pytest.mark.parametrize("hidden", ["scene", "situation"])
def test_everyone_sees_a_total_so_it_is_no_effort_against_what_is_hidden(hidden: str, visibility: str):
    table = with_characters(Table())
    scene, situation = (visibility, "public") if hidden == "scene" else ("public", visibility)
    scene_id = "gm-den" if scene == "gm" else "den"
    table.do({"type": "open_scene", "id": scene_id, "name": "Den", "clock": 3, "visibility": scene})
    start = {"type": "start_situation", "scene_id": scene_id, "name": "Dig", "kind": "standard"}
    table.do({**start, "content": "social", "clock": 1, "visibility": situation})
    (dig,) = table.view.situations
    table.do({"type": "add_challenge", "id": "gm-rock", "situation_id": dig, "name": "Rock", "kind": "foe"})

    seen = table.refused(propose(effort={"challenge_id": "gm-rock"}), by=GM)
    unseen = table.refused(propose(effort={"challenge_id": "gm-rock"}), by=ANN)

    assert (seen.code, seen.details) == (Code.EFFORT_HIDDEN, {"id": "gm-rock"})
    assert (unseen.code, unseen.details) == (Code.UNKNOWN, {"kind": "challenge", "id": "gm-rock"})
