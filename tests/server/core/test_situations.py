"""How situations end, and complications. Rulings B2, B3, B8, B9 and B10."""

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.things import ChallengeStatus, ClockKind, SceneStatus, SituationStatus
from kit.families import races
from kit.tables import ANN

# Ends


@pytest.mark.rule("B-situation", "B-scene")
def test_a_standard_situation_is_won_at_0_and_takes_a_point_off_the_scene():
    table = races.standing()
    table.do(races.amend("run-clock", 1))

    assert table.do(races.overcome("turret")) == [
        races.challenge_at("turret", 0, e.Cause.RULING),
        e.ChallengeOvercome(challenge_id="turret"),
        races.situation_at(0),
        e.SituationWon(situation_id="run"),
        races.scene_at(4),
    ]
    assert table.view.challenges["door"].status is ChallengeStatus.CLOSED


@pytest.mark.rule("B8", "B-situation")
@pytest.mark.parametrize("reason", ["defeated", "retreated"])
def test_b8_a_failed_situation_takes_nothing_off_the_scene_which_goes_on(reason: str):
    table = races.standing()

    assert table.do(races.fail(reason)) == [e.SituationFailed(situation_id="run", reason=e.SituationFailure(reason))]
    assert table.view.scenes["bomb"].status is SceneStatus.OPEN
    assert table.view.clocks["bomb-clock"].value == 5


@pytest.mark.rule("B9")
def test_b9_a_race_whose_situation_fails_ends_as_a_failure():
    assert races.racing().do(races.fail()) == [
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.DEFEATED),
        races.race_ended(RaceOutcome.FAILURE, situation=3, threat=15),
    ]


@pytest.mark.rule("B8")
def test_b8_a_situation_resolved_by_the_gms_word_counts_as_won():
    assert races.racing().do({"type": "resolve_situation", "situation_id": "run", "how": "They talk."}) == [
        races.situation_at(0, e.Cause.RULING),
        e.SituationResolved(situation_id="run", how="They talk."),
        races.scene_at(4),
        races.race_ended(RaceOutcome.SUCCESS, situation=0, threat=15, scene=4),
    ]


@pytest.mark.parametrize(
    "order",
    [
        races.fail(),
        {"type": "resolve_situation", "situation_id": "run", "how": "x"},
        {"type": "add_challenge", "situation_id": "run", "name": "Door", "kind": "barrier"},
        {"type": "cancel", "thing_id": "run", "reason": "x"},
        races.amend("run-clock", 1),
    ],
    ids=lambda order: order["type"],
)
def test_nothing_more_happens_in_a_situation_that_ended(order: dict[str, object]):
    table = races.racing()
    table.do(races.fail())

    assert table.refusal(order) == (Code.ENDED, {"kind": "situation", "id": "run", "status": "failed"})


@pytest.mark.rule("B10")
def test_b10_amending_a_challenge_to_0_overcomes_it():
    assert races.racing(door=3).do(races.amend("door-clock", 0)) == [
        e.ClockAmended(clock_id="door-clock", kind=ClockKind.CHALLENGE, value=0, reason="a slip"),
        e.ChallengeOvercome(challenge_id="door"),
        races.situation_at(2),
    ]


@pytest.mark.rule("B10")
def test_b10_amending_the_threat_to_0_fails_every_open_race():
    assert races.racing().do(races.amend("bomb-threat", 0)) == [
        e.ClockAmended(clock_id="bomb-threat", kind=ClockKind.THREAT, value=0, reason="a slip"),
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.THREAT),
        races.race_ended(RaceOutcome.FAILURE, situation=3, threat=0),
    ]


@pytest.mark.rule("B3")
def test_b3_an_emptied_scene_ends_with_the_gms_word_after_its_race_was_lost():
    table = races.racing(scene=1)
    table.do({"type": "travel", "scene_id": "bomb"})

    table.do(races.fail())

    assert table.view.scenes["bomb"].status is SceneStatus.OPEN
    assert table.do({"type": "end_scene", "scene_id": "bomb"}) == [
        e.SceneEnded(scene_id="bomb", outcome=SceneStatus.SUCCESS)
    ]


def test_a_situation_or_a_challenge_opened_by_mistake_is_taken_back_with_all_in_it():
    table = races.racing()
    table.do(races.effort("door"), by=ANN)

    assert table.do({"type": "cancel", "thing_id": "door", "reason": "x"}) == [
        e.Cancelled(kind=Kind.CHALLENGE, id="door", reason="x")
    ]
    assert table.view.efforts == {}
    assert "door-clock" not in table.view.clocks
    assert table.do({"type": "cancel", "thing_id": "run", "reason": "x"}) == [
        e.Cancelled(kind=Kind.SITUATION, id="run", reason="x")
    ]
    assert (table.view.situations, table.view.challenges) == ({}, {})
    assert list(table.view.clocks) == ["bomb-clock", "bomb-threat"]


def test_of_situations_that_ended_the_latest_32_are_remembered():
    table = races.opened(scene=99)
    for number in range(34):
        table.do({**races.STANDARD, "id": f"s{number}"})
        table.do({"type": "fail_situation", "situation_id": f"s{number}", "reason": "retreated"})

    table.do({**races.STANDARD, "id": "last"})

    assert list(table.view.situations) == [*(f"s{number}" for number in range(2, 34)), "last"]
    assert table.view.situations["s33"].status is SituationStatus.FAILED


# Complications


def complication(**more: object) -> dict[str, object]:
    return {"type": "introduce_complication", "situation_id": "run", "text": "Fog.", **more}


TOLD = e.ComplicationIntroduced(situation_id="run", text="Fog.")


@pytest.mark.rule("B-situation")
def test_a_complication_may_be_told_after_the_situation_failed():
    table = races.racing()
    table.do(races.fail())

    assert table.do(complication()) == [TOLD]


@pytest.mark.rule("B-situation")
def test_a_complication_moves_a_clock_with_its_consequences():
    table = races.racing()

    assert table.do(complication(clock={"clock_id": "bomb-threat", "by": 2})) == [
        TOLD,
        races.threat_at(13, e.Cause.COMPLICATION),
    ]
    assert table.do(complication(clock={"clock_id": "bomb-threat", "by": 13})) == [
        TOLD,
        races.threat_at(0, e.Cause.COMPLICATION),
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.THREAT),
        races.race_ended(RaceOutcome.FAILURE, situation=3, threat=0),
    ]


@pytest.mark.rule("B14", "B15")
def test_b15_a_complication_makes_an_objective_harder():
    table = races.racing(scene=14)
    table.do({"type": "travel", "scene_id": "bomb"})
    effect = {"clock_id": "bomb-clock", "enlarge": 2, "by": -1}

    assert table.do(complication(clock=effect)) == [
        TOLD,
        e.ClockResized(
            clock_id="bomb-clock", kind=ClockKind.SCENE, cause=e.Cause.COMPLICATION, size=16, value=15, typical=False
        ),
        e.ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=e.Cause.COMPLICATION, value=16, back=True),
    ]
    assert not table.view.scenes["bomb"].typical


@pytest.mark.rule("B16")
def test_b16_a_complication_comes_to_a_scene_and_needs_no_situation():
    table = races.opened()
    told = {"type": "introduce_complication", "text": "Fog."}

    assert table.do({**told, "scene_id": "bomb"}) == [e.ComplicationIntroduced(scene_id="bomb", text="Fog.")]
    table.do(races.STANDARD)
    for places in ({}, {"scene_id": "bomb", "situation_id": "run"}):
        assert table.refused({**told, **places}).code is Code.PLACE_NEEDED
    table.do({"type": "end_scene", "scene_id": "bomb"})
    assert table.refused({**told, "scene_id": "bomb"}).code is Code.ENDED


@pytest.mark.rule("B-situation")
def test_a_complication_starts_a_countdown():
    events = races.racing().do(complication(countdown={"id": "gas", "name": "Gas", "pool": 4}))

    assert events[0] == TOLD
    assert isinstance(events[1], e.CountdownStarted)
    assert (events[1].countdown.id, events[1].countdown.pool) == ("gas", 4)


def test_a_complication_of_which_a_part_is_refused_is_refused_whole():
    table = races.racing()

    assert table.refused(complication(clock={"clock_id": "nothing", "by": 1})).code is Code.UNKNOWN
    refused = table.refused(
        complication(clock={"clock_id": "bomb-threat", "by": 1}, countdown={"id": "bomb", "name": "Gas", "pool": 4})
    )
    assert refused.code is Code.ID_TAKEN
    assert table.view.clocks["bomb-threat"].value == 15


def test_a_complication_does_not_move_a_clock_that_is_over():
    table = races.racing()
    table.do(races.overcome("door"))

    refused = table.refused(complication(clock={"clock_id": "door-clock", "by": -1}))

    assert refused.code is Code.ENDED
