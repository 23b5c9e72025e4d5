"""Checks that are efforts against challenges: the threat's tick, and what a success takes off."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from kit.families import checks
from kit.families.plots import parley
from kit.families.races import challenge_at, overcome, race_ended, racing, situation_at, threat_at
from kit.tables import ANN, GM, Table, loaded

pytestmark = pytest.mark.rule("B-effort")

OVERCOME = [challenge_at("door", 0), e.ChallengeOvercome(challenge_id="door"), situation_at(2)]


def shoving(table: Table | None = None, challenge: str = "door", score: int = 1, **more: Any) -> Table:
    """Propose Han's check as an effort against the door."""
    table = checks.cast(table or racing())
    table.do(checks.propose(score=score, effort={"challenge_id": challenge}, **more))
    return table


def result(face: int, outcome: Outcome) -> list[e.Event]:
    return [checks.rolled(checks.part(score=1), checks.shown(face, outcome=outcome)), checks.resolved(outcome, face)]


def test_the_proposal_names_the_challenge_and_ticks_nothing():
    table = checks.cast(racing())

    [event] = table.do(checks.propose(effort={"challenge_id": "door"}))

    assert isinstance(event, e.CheckProposed)
    assert event.check.effort == "door"
    assert table.view.clocks["bomb-threat"].value == 15


@pytest.mark.rule("B13", "B-threat")
@pytest.mark.parametrize(("face", "outcome"), [(1, checks.FUMBLE), (3, checks.FAIL)])
def test_b13_the_threat_ticks_in_the_rolls_own_batch_whatever_it_shows(face: int, outcome: Outcome):
    fumbles = [checks.interference()] if outcome is checks.FUMBLE else []

    assert shoving().do(checks.roll(), dice=loaded(face)) == [
        threat_at(14, e.Cause.EFFORT),
        *result(face, outcome),
        *fumbles,
    ]


@pytest.mark.rule("B13", "B-challenge")
def test_a_success_takes_a_point_off_the_challenge_in_the_same_batch():
    assert shoving().do(checks.roll(), dice=loaded(4)) == [
        threat_at(14, e.Cause.EFFORT),
        *result(4, checks.SUCCESS),
        *OVERCOME,
    ]
    assert shoving(racing(door=3)).do(checks.roll(), dice=loaded(4)) == [
        threat_at(14, e.Cause.EFFORT),
        *result(4, checks.SUCCESS),
        challenge_at("door", 2),
    ]


def test_a_triumph_takes_no_more_than_a_success():
    events = shoving(racing(door=3)).do(checks.roll(), dice=loaded(6, 6, 2))

    assert events[2:] == [checks.resolved(checks.TRIUMPH, 6, 1), checks.momentum(), challenge_at("door", 2)]


@pytest.mark.rule("B13", "C-cooperation")
def test_several_parts_are_one_attempt_that_ticks_with_the_first():
    table = shoving()
    table.do(checks.aid("chen", 1))

    assert table.do(checks.roll("chen"), dice=loaded(2)) == [
        threat_at(14, e.Cause.EFFORT),
        checks.rolled(checks.part("chen", 1), checks.shown(2, outcome=checks.FAIL)),
    ]
    assert table.do(checks.roll("han"), dice=loaded(5)) == [*result(5, checks.SUCCESS), *OVERCOME]


@pytest.mark.rule("B1")
def test_b1_an_effort_that_empties_the_threat_fails_the_race_even_if_the_roll_wins():
    table = shoving(racing(threat=1))

    assert table.do(checks.roll(), dice=loaded(5)) == [
        threat_at(0, e.Cause.EFFORT),
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.THREAT),
        race_ended(RaceOutcome.FAILURE, situation=3, threat=0),
        *result(5, checks.SUCCESS),
    ]


@pytest.mark.rule("B1", "C-cost")
def test_b1_no_cost_buys_back_a_race_that_the_effort_lost():
    table = shoving(racing(threat=1))
    table.do(checks.roll(), dice=loaded(3))
    table.do(checks.cost())
    table.do(checks.answer("accept"))

    assert len(table.do(checks.settle(True))) == 1


@pytest.mark.rule("B7")
def test_b7_a_check_against_a_foe_ticks_nothing_and_may_still_overcome_it():
    assert shoving(challenge="turret").do(checks.roll(), dice=loaded(4)) == [
        *result(4, checks.SUCCESS),
        challenge_at("turret", 0),
        e.ChallengeOvercome(challenge_id="turret"),
        situation_at(2),
    ]


@pytest.mark.rule("E3")
@pytest.mark.parametrize("face", [3, 4])
def test_of_a_challenge_that_is_overcome_meanwhile_nothing_moves_and_the_roll_stands(face: int):
    table = shoving()
    table.do(overcome("door"))

    assert table.do(checks.roll(), dice=loaded(face)) == result(face, checks.FAIL if face == 3 else checks.SUCCESS)
    assert table.view.clocks["bomb-threat"].value == 15


@pytest.mark.parametrize("thing", ["door", "run", "bomb"])
def test_of_a_challenge_that_is_taken_back_meanwhile_nothing_moves(thing: str):
    table = shoving()
    table.do({"type": "cancel", "thing_id": thing, "reason": "a slip"})

    assert table.do(checks.roll(), dice=loaded(4)) == result(4, checks.SUCCESS)


@pytest.mark.rule("E3")
def test_a_challenge_overcome_between_two_parts_is_overcome_once():
    table = shoving()
    table.do(checks.aid("chen", 1))
    table.do(checks.roll("chen"), dice=loaded(2))
    table.do(overcome("door"))

    assert table.do(checks.roll("han"), dice=loaded(5)) == result(5, checks.SUCCESS)


def test_two_checks_against_one_challenge_tick_each_and_the_second_success_takes_nothing():
    table = shoving()
    table.do(checks.propose("chen", 1, id="kick", effort={"challenge_id": "door"}))
    table.do(checks.roll(), dice=loaded(4))

    events = table.do(checks.roll("chen", "kick"), dice=loaded(4))

    assert [event.type for event in events] == ["check_rolled", "check_resolved"]
    assert table.view.clocks["bomb-threat"].value == 14


@pytest.mark.rule("C-cost")
def test_a_cost_that_is_applied_takes_the_point():
    table = shoving()
    table.do(checks.roll(), dice=loaded(3))
    table.do(checks.cost())
    table.do(checks.answer("accept"))

    assert table.do(checks.settle(True))[1:] == OVERCOME
    assert table.view.clocks["bomb-threat"].value == 14


@pytest.mark.rule("C-cost")
def test_a_failure_that_is_taken_takes_nothing():
    table = shoving()
    table.do(checks.roll(), dice=loaded(3))

    assert len(table.do(checks.settle(False))) == 1


@pytest.mark.rule("C-contest")
@pytest.mark.parametrize(
    ("han", "chen", "winner", "moves"),
    [(5, 4, Side.ACTING, OVERCOME), (4, 5, checks.OPPOSING, []), (3, 2, Side.ACTING, [])],
    ids=["won", "lost", "a failure that won"],
)
def test_a_contest_is_an_effort_that_a_winning_success_wins(han: int, chen: int, winner: Side, moves: list[e.Event]):
    table = shoving()
    table.do(checks.oppose("chen", 1))
    first = table.do(checks.roll("han"), dice=loaded(han))

    events = table.do(checks.roll("chen"), dice=loaded(chen))

    assert first[0] == threat_at(14, e.Cause.EFFORT)
    sides = [checks.side(checks.SUCCESS if face > 3 else checks.FAIL, face) for face in (han, chen)]
    assert events[1:] == [checks.contested(sides[0], sides[1], winner, DecidedBy.HIGHEST), *moves]


@pytest.mark.rule("E1")
def test_a_roll_that_is_refused_ticks_nothing():
    table = shoving()
    table.do({"type": "set_policy", "physical_dice": "everyone"})

    assert table.refused(checks.roll(faces=(6,))).code is Code.WRONG_FACES
    assert table.view.clocks["bomb-threat"].value == 15


def test_a_check_that_is_withdrawn_ticks_nothing():
    assert shoving().do(checks.withdraw()) == [e.CheckWithdrawn(check_id="dive")]


def test_an_effort_is_against_a_challenge_that_is_there_and_open():
    table = checks.cast(racing())
    table.do(overcome("door"))

    assert table.refused(checks.propose(effort={"challenge_id": "wall"}), by=ANN).code is Code.UNKNOWN
    refused = table.refused(checks.propose(effort={"challenge_id": "door"}), by=ANN)
    assert (refused.code, refused.details) == (Code.ENDED, {"kind": "challenge", "id": "door", "status": "overcome"})


# Hidden challenges, hidden checks


@pytest.mark.rule("E4")
def test_a_check_that_everyone_sees_is_no_effort_against_a_challenge_that_not_everyone_sees():
    table = checks.cast(parley())
    hidden, missing = (checks.propose(effort={"challenge_id": name}) for name in ("gm-spy", "gm-nobody"))

    gm = table.refused(hidden, by=GM)
    player, nobody = (table.refused(order, by=ANN) for order in (hidden, missing))

    assert (gm.code, gm.details) == (Code.EFFORT_HIDDEN, {"id": "gm-spy"})
    assert (player.code, player.details) == (Code.UNKNOWN, {"kind": "challenge", "id": "gm-spy"})
    assert nobody.code is player.code


@pytest.mark.rule("E4")
def test_a_hidden_check_against_a_challenge_that_everyone_sees_moves_it_without_saying_why():
    table = shoving(id="gm-dive", visibility="gm")

    assert table.in_channel(Channel.PUBLIC, checks.roll(check="gm-dive"), dice=loaded(4)) == [
        threat_at(14, e.Cause.HIDDEN),
        challenge_at("door", 0, e.Cause.HIDDEN),
        e.ChallengeOvercome(challenge_id="door"),
        situation_at(2),
    ]
