"""Scenes and their clocks; what follows when a scene is over."""

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.things import ChallengeStatus, Clock, ClockKind, Scene, SceneStatus, SituationStatus
from kit.tables import Table

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

    events = table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 8})

    assert events == [
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
