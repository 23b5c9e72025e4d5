"""How situations end, and complications. Rulings B2, B3, B8, B9 and B10."""

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire.base import Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.events import (
    Cancelled,
    Cause,
    ChallengeOvercome,
    ClockAmended,
    ClockResized,
    ClockTicked,
    ComplicationIntroduced,
    CountdownStarted,
    SceneEnded,
    SituationFailed,
    SituationFailure,
    SituationResolved,
    SituationWon,
)
from dreadclock.wire.things import ChallengeStatus, ClockKind, SceneStatus, SituationStatus
from kit.families.races import (
    STANDARD,
    amend,
    challenge_at,
    effort,
    fail,
    opened,
    overcome,
    race_ended,
    racing,
    scene_at,
    situation_at,
    standing,
    threat_at,
)
from kit.tables import ANN

# Ends


@pytest.mark.rule("B-situation", "B-scene")
def test_a_standard_situation_is_won_at_0_and_takes_a_point_off_the_scene():
    table = standing()
    table.do(amend("run-clock", 1))

    assert table.do(overcome("turret")) == [
        challenge_at("turret", 0, Cause.RULING),
        ChallengeOvercome(challenge_id="turret"),
        situation_at(0),
        SituationWon(situation_id="run"),
        scene_at(4),
    ]
    assert table.view.challenges["door"].status is ChallengeStatus.CLOSED


@pytest.mark.rule("B8", "B-situation")
@pytest.mark.parametrize("reason", ["defeated", "retreated"])
def test_b8_a_failed_situation_takes_nothing_off_the_scene_which_goes_on(reason: str):
    table = standing()

    assert table.do(fail(reason)) == [SituationFailed(situation_id="run", reason=SituationFailure(reason))]
    assert table.view.scenes["bomb"].status is SceneStatus.OPEN
    assert table.view.clocks["bomb-clock"].value == 5


@pytest.mark.rule("B9")
def test_b9_a_race_whose_situation_fails_ends_as_a_failure():
    assert racing().do(fail()) == [
        SituationFailed(situation_id="run", reason=SituationFailure.DEFEATED),
        race_ended(RaceOutcome.FAILURE, situation=3, threat=15),
    ]


@pytest.mark.rule("B8")
def test_b8_a_situation_resolved_by_the_gms_word_counts_as_won():
    assert racing().do({"type": "resolve_situation", "situation_id": "run", "how": "They talk."}) == [
        situation_at(0, Cause.RULING),
        SituationResolved(situation_id="run", how="They talk."),
        scene_at(4),
        race_ended(RaceOutcome.SUCCESS, situation=0, threat=15, scene=4),
    ]


@pytest.mark.parametrize(
    "order",
    [
        fail(),
        {"type": "resolve_situation", "situation_id": "run", "how": "x"},
        {"type": "add_challenge", "situation_id": "run", "name": "Door", "kind": "barrier"},
        {"type": "cancel", "thing_id": "run", "reason": "x"},
        amend("run-clock", 1),
    ],
    ids=lambda order: order["type"],
)
def test_nothing_more_happens_in_a_situation_that_ended(order: dict[str, object]):
    table = racing()
    table.do(fail())

    refused = table.refused(order)

    assert (refused.code, refused.details) == (Code.ENDED, {"kind": "situation", "id": "run", "status": "failed"})


@pytest.mark.rule("B10")
def test_b10_amending_a_challenge_to_0_overcomes_it():
    assert racing(door=3).do(amend("door-clock", 0)) == [
        ClockAmended(clock_id="door-clock", kind=ClockKind.CHALLENGE, value=0, reason="a slip"),
        ChallengeOvercome(challenge_id="door"),
        situation_at(2),
    ]


@pytest.mark.rule("B10")
def test_b10_amending_the_threat_to_0_fails_every_open_race():
    assert racing().do(amend("bomb-threat", 0)) == [
        ClockAmended(clock_id="bomb-threat", kind=ClockKind.THREAT, value=0, reason="a slip"),
        SituationFailed(situation_id="run", reason=SituationFailure.THREAT),
        race_ended(RaceOutcome.FAILURE, situation=3, threat=0),
    ]


@pytest.mark.rule("B3")
def test_b3_an_emptied_scene_ends_with_the_gms_word_after_its_race_was_lost():
    table = racing(scene=1)
    table.do({"type": "travel", "scene_id": "bomb"})

    table.do(fail())

    assert table.view.scenes["bomb"].status is SceneStatus.OPEN
    assert table.do({"type": "end_scene", "scene_id": "bomb"}) == [
        SceneEnded(scene_id="bomb", outcome=SceneStatus.SUCCESS)
    ]


def test_a_situation_or_a_challenge_opened_by_mistake_is_taken_back_with_all_in_it():
    table = racing()
    table.do(effort("door"), by=ANN)

    assert table.do({"type": "cancel", "thing_id": "door", "reason": "x"}) == [
        Cancelled(kind=Kind.CHALLENGE, id="door", reason="x")
    ]
    assert table.view.efforts == {}
    assert "door-clock" not in table.view.clocks
    assert table.do({"type": "cancel", "thing_id": "run", "reason": "x"}) == [
        Cancelled(kind=Kind.SITUATION, id="run", reason="x")
    ]
    assert (table.view.situations, table.view.challenges) == ({}, {})
    assert list(table.view.clocks) == ["bomb-clock", "bomb-threat"]


def test_of_situations_that_ended_the_latest_32_are_remembered():
    table = opened(scene=99)
    for number in range(34):
        table.do({**STANDARD, "id": f"s{number}"})
        table.do({"type": "fail_situation", "situation_id": f"s{number}", "reason": "retreated"})

    table.do({**STANDARD, "id": "last"})

    assert list(table.view.situations) == [*(f"s{number}" for number in range(2, 34)), "last"]
    assert table.view.situations["s33"].status is SituationStatus.FAILED


# Complications


def complication(**more: object) -> dict[str, object]:
    return {"type": "introduce_complication", "situation_id": "run", "text": "Fog.", **more}


TOLD = ComplicationIntroduced(situation_id="run", text="Fog.")


@pytest.mark.rule("B-situation")
def test_a_complication_may_be_told_after_the_situation_failed():
    table = racing()
    table.do(fail())

    assert table.do(complication()) == [TOLD]


@pytest.mark.rule("B-situation")
def test_a_complication_moves_a_clock_with_its_consequences():
    table = racing()

    assert table.do(complication(clock={"clock_id": "bomb-threat", "by": 2})) == [
        TOLD,
        threat_at(13, Cause.COMPLICATION),
    ]
    assert table.do(complication(clock={"clock_id": "bomb-threat", "by": 13})) == [
        TOLD,
        threat_at(0, Cause.COMPLICATION),
        SituationFailed(situation_id="run", reason=SituationFailure.THREAT),
        race_ended(RaceOutcome.FAILURE, situation=3, threat=0),
    ]


@pytest.mark.rule("B14", "B15")
def test_b15_a_complication_makes_an_objective_harder():
    table = racing(scene=14)
    table.do({"type": "travel", "scene_id": "bomb"})
    effect = {"clock_id": "bomb-clock", "enlarge": 2, "by": -1}

    assert table.do(complication(clock=effect)) == [
        TOLD,
        ClockResized(
            clock_id="bomb-clock",
            kind=ClockKind.SCENE,
            cause=Cause.COMPLICATION,
            size=16,
            value=15,
            typical=False,
        ),
        ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=Cause.COMPLICATION, value=16, back=True),
    ]
    assert not table.view.scenes["bomb"].typical


@pytest.mark.rule("B16")
def test_b16_a_complication_comes_to_a_scene_and_needs_no_situation():
    table = opened()
    told = {"type": "introduce_complication", "text": "Fog."}

    assert table.do({**told, "scene_id": "bomb"}) == [ComplicationIntroduced(scene_id="bomb", text="Fog.")]
    table.do(STANDARD)
    for places in ({}, {"scene_id": "bomb", "situation_id": "run"}):
        assert table.refused({**told, **places}).code is Code.PLACE_NEEDED
    table.do({"type": "end_scene", "scene_id": "bomb"})
    assert table.refused({**told, "scene_id": "bomb"}).code is Code.ENDED


@pytest.mark.rule("B-situation")
def test_a_complication_starts_a_countdown():
    events = racing().do(complication(countdown={"id": "gas", "name": "Gas", "pool": 4}))

    assert events[0] == TOLD
    assert isinstance(events[1], CountdownStarted)
    assert (events[1].countdown.id, events[1].countdown.pool) == ("gas", 4)


def test_a_complication_of_which_a_part_is_refused_is_refused_whole():
    table = racing()

    assert table.refused(complication(clock={"clock_id": "nothing", "by": 1})).code is Code.UNKNOWN
    refused = table.refused(
        complication(clock={"clock_id": "bomb-threat", "by": 1}, countdown={"id": "bomb", "name": "Gas", "pool": 4})
    )
    assert refused.code is Code.ID_TAKEN
    assert table.view.clocks["bomb-threat"].value == 15


def test_a_complication_does_not_move_a_clock_that_is_over():
    table = racing()
    table.do(overcome("door"))

    refused = table.refused(complication(clock={"clock_id": "door-clock", "by": -1}))

    assert refused.code is Code.ENDED
