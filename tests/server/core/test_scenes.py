"""Scenes and their clocks; what follows when a scene is over."""

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.things import ChallengeStatus, Clock, ClockKind, Scene, SceneStatus, SituationStatus
from kit.families import races
from kit.tables import ANN, Table

TRAVEL = {"type": "travel", "scene_id": "bomb"}
REST = {"type": "rest", "scene_id": "bomb"}
END = {"type": "end_scene", "scene_id": "bomb"}
ROUND = {"type": "end_round", "situation_id": "run"}


def opened(clock: int = 8) -> Table:
    table = Table()
    table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": clock})
    return table


def start(table: Table, situation: str = "run", clock: int = 3, **fields: object) -> None:
    order = {"type": "start_situation", "id": situation, "scene_id": "bomb", "name": situation, "content": "combat"}
    table.do({**order, "clock": clock, "kind": "standard", **fields})


def race(table: Table, situation: str = "run", clock: int = 3, threat: int = 15) -> None:
    start(table, situation, clock, kind="race", level=3, difficulty={8: "hard", 15: "normal", 20: "easy"}[threat])


def amend(clock_id: str, value: int) -> dict[str, object]:
    return {"type": "amend_clock", "clock_id": clock_id, "value": value, "reason": "a slip"}


def scene_at(value: int, cause: e.Cause) -> e.ClockTicked:
    return e.ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=cause, value=value)


@pytest.mark.rule("B-scene")
def test_a_scene_opens_with_its_clock():
    table = Table()

    assert table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 8}) == [
        e.SceneOpened(
            scene=Scene(id="bomb", name="Bomb", clock_id="bomb-clock"),
            clock=Clock(id="bomb-clock", kind=ClockKind.SCENE, name="Bomb", of="bomb", size=8, value=8),
        )
    ]


@pytest.mark.rule("B-scene", "B14")
@pytest.mark.parametrize(
    ("clock", "typical"), [(1, False), (7, False), (8, True), (15, True), (16, False), (99, False)]
)
def test_other_sizes_than_8_to_15_are_allowed_and_noted_as_untypical(clock: int, typical: bool):
    table = opened(clock)

    assert table.view.scenes["bomb"].typical is typical
    assert table.view.clocks["bomb-clock"].value == clock


@pytest.mark.rule("B-scene")
def test_a_scene_loses_a_point_when_the_party_travels_and_when_it_rests():
    table = opened(8)

    assert table.do(TRAVEL) == [scene_at(7, e.Cause.TRAVEL)]
    assert table.do(REST) == [scene_at(6, e.Cause.REST)]


@pytest.mark.rule("B-scene")
def test_at_0_the_scene_is_a_success():
    table = opened(1)

    assert table.do(TRAVEL) == [scene_at(0, e.Cause.TRAVEL), e.SceneEnded(scene_id="bomb", outcome=SceneStatus.SUCCESS)]
    assert table.view.scenes["bomb"].status is SceneStatus.SUCCESS


def test_a_scene_that_the_gm_ends_early_is_unfinished():
    assert opened(8).do(END) == [e.SceneEnded(scene_id="bomb", outcome=SceneStatus.UNFINISHED)]


@pytest.mark.parametrize(
    "order",
    [
        TRAVEL,
        REST,
        END,
        ROUND,
        amend("bomb-clock", 3),
        amend("run-clock", 2),
        amend("bomb-threat", 3),
        {
            "type": "start_situation",
            "scene_id": "bomb",
            "name": "n",
            "kind": "standard",
            "content": "social",
            "clock": 1,
        },
        {"type": "introduce_complication", "situation_id": "run", "text": "fog"},
        {"type": "cancel", "thing_id": "bomb", "reason": "a slip"},
    ],
    ids=lambda order: f"{order['type']} {order.get('clock_id', '')}",
)
def test_nothing_moves_in_a_scene_that_ended(order: dict[str, object]):
    table = opened()
    race(table)
    table.do(END)

    assert table.refusal(order) == (Code.ENDED, {"kind": "scene", "id": "bomb", "status": "unfinished"})


def test_the_end_of_a_scene_closes_what_is_open_in_it():
    table = opened()
    start(table)
    table.do({"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier"})
    table.do({"type": "attempt_effort", "id": "kick", "challenge_id": "door"})

    table.do(END)

    assert table.view.situations["run"].status is SituationStatus.CLOSED
    assert table.view.challenges["door"].status is ChallengeStatus.CLOSED
    assert table.view.efforts == {}
    assert table.refused({"type": "rule_effort", "effort_id": "kick", "success": True}).code is Code.UNKNOWN


# The end of a scene with a race open


def ended_early(threat: int, scene: int) -> list[e.Event]:
    table = opened(scene)
    race(table)
    table.do(amend("bomb-threat", threat))
    return table.do(END)


@pytest.mark.rule("B4", "B-outcome")
def test_b4_partial_success_if_the_scene_ends_early_with_more_threat_than_scene():
    assert ended_early(threat=6, scene=5) == [
        e.RaceEnded(situation_id="run", outcome=RaceOutcome.PARTIAL_SUCCESS, situation=3, threat=6, scene=5),
        e.SceneEnded(scene_id="bomb", outcome=SceneStatus.UNFINISHED),
    ]


@pytest.mark.rule("B4", "B-outcome")
@pytest.mark.parametrize("threat", [5, 4, 1])
def test_b4_failure_if_the_scene_ends_early_with_as_little_threat_as_scene(threat: int):
    [race_ended, _] = ended_early(threat=threat, scene=5)

    assert race_ended == e.RaceEnded(
        situation_id="run", outcome=RaceOutcome.FAILURE, situation=3, threat=threat, scene=5
    )


@pytest.mark.rule("B3", "B4")
def test_b3_an_emptied_scene_waits_for_its_open_race_and_for_the_gm():
    table = opened(1)
    race(table)

    assert table.do(TRAVEL) == [scene_at(0, e.Cause.TRAVEL)]
    assert table.view.scenes["bomb"].status is SceneStatus.OPEN
    assert table.do(END) == [
        e.RaceEnded(situation_id="run", outcome=RaceOutcome.PARTIAL_SUCCESS, situation=3, threat=15, scene=0),
        e.SceneEnded(scene_id="bomb", outcome=SceneStatus.SUCCESS),
    ]


@pytest.mark.rule("B2", "B10")
def test_b2_a_won_situation_is_a_success_even_with_no_more_threat_than_scene():
    table = opened(5)
    race(table)
    table.do(amend("bomb-threat", 1))

    assert table.do(amend("run-clock", 0)) == [
        e.ClockAmended(clock_id="run-clock", kind=ClockKind.SITUATION, value=0, reason="a slip"),
        e.SituationWon(situation_id="run"),
        scene_at(4, e.Cause.SITUATION),
        e.RaceEnded(situation_id="run", outcome=RaceOutcome.SUCCESS, situation=0, threat=1, scene=4),
    ]
    assert table.do(END) == [e.SceneEnded(scene_id="bomb", outcome=SceneStatus.UNFINISHED)]


@pytest.mark.rule("B11")
def test_b11_a_tick_at_0_is_an_ack_without_events():
    table = opened(1)
    race(table)
    table.do(TRAVEL)

    assert table.do(TRAVEL) == []
    assert table.do(REST) == []
    assert table.do(amend("bomb-clock", 0)) == []


@pytest.mark.rule("B8", "B-scene")
def test_the_last_point_of_a_scene_may_be_that_of_its_race():
    table = opened(1)
    race(table, clock=1)

    assert table.do({"type": "resolve_situation", "situation_id": "run", "how": "They talk."})[-3:] == [
        scene_at(0, e.Cause.SITUATION),
        e.RaceEnded(situation_id="run", outcome=RaceOutcome.SUCCESS, situation=0, threat=15, scene=0),
        e.SceneEnded(scene_id="bomb", outcome=SceneStatus.SUCCESS),
    ]


# B10: amending


@pytest.mark.rule("B10")
def test_b10_amending_a_scene_to_0_ends_it():
    assert opened(8).do(amend("bomb-clock", 0)) == [
        e.ClockAmended(clock_id="bomb-clock", kind=ClockKind.SCENE, value=0, reason="a slip"),
        e.SceneEnded(scene_id="bomb", outcome=SceneStatus.SUCCESS),
    ]


@pytest.mark.rule("B3", "B10")
def test_b3_and_b10_amending_a_scene_to_0_waits_for_its_open_race():
    table = opened(8)
    race(table)

    assert table.do(amend("bomb-clock", 0)) == [
        e.ClockAmended(clock_id="bomb-clock", kind=ClockKind.SCENE, value=0, reason="a slip")
    ]


def test_a_clock_is_not_amended_beyond_its_size_and_to_its_own_value_without_events():
    table = opened(8)
    table.do(TRAVEL)

    assert table.refusal(amend("bomb-clock", 9)) == (Code.BEYOND_SIZE, {"id": "bomb-clock", "size": 8, "value": 9})
    assert table.do(amend("bomb-clock", 7)) == []
    assert table.do(amend("bomb-clock", 8)) == [
        e.ClockAmended(clock_id="bomb-clock", kind=ClockKind.SCENE, value=8, reason="a slip")
    ]


# Slips


def test_a_scene_opened_by_mistake_is_taken_back_with_all_in_it_and_its_ids_stay_taken():
    table = opened()
    race(table)
    table.do({"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier"})
    table.do({"type": "attempt_effort", "challenge_id": "door"})

    assert table.do({"type": "cancel", "thing_id": "bomb", "reason": "a slip"}) == [
        e.Cancelled(kind=Kind.SCENE, id="bomb", reason="a slip")
    ]

    view = table.view
    assert (view.scenes, view.situations, view.challenges, view.clocks, view.efforts) == ({}, {}, {}, {}, {})
    for thing_id in ("bomb", "run", "door"):
        assert table.refused({"type": "start_clock", "id": thing_id, "name": "C", "size": 1}).code is Code.ID_TAKEN


def test_of_scenes_that_ended_the_latest_8_are_remembered_with_all_in_them():
    table = Table()
    for number in range(10):
        scene_id = f"s{number}"
        table.do({"type": "open_scene", "id": scene_id, "name": "S", "clock": 8})
        order = {"scene_id": scene_id, "name": "R", "kind": "standard", "content": "social", "clock": 1}
        table.do({"type": "start_situation", "id": f"r{number}", **order})
        table.do({"type": "end_scene", "scene_id": scene_id})

    table.do({"type": "open_scene", "id": "last", "name": "S", "clock": 8})

    assert list(table.view.scenes) == [*(f"s{number}" for number in range(2, 10)), "last"]
    assert list(table.view.situations) == [f"r{number}" for number in range(2, 10)]
    assert "s1-clock" not in table.view.clocks
    assert "r1-clock" not in table.view.clocks


# How situations end, and complications. Rulings B2, B3, B8, B9 and B10


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

    assert table.refused(complication(clock={"clock_id": "door-clock", "by": -1})).code is Code.ENDED
