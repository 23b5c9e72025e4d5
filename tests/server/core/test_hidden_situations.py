"""Situations that are sealed or known to the gm alone, in a scene that everyone sees. Rulings E4 and B8."""

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.events import Cancelled, Cause, ClockTicked, ComplicationIntroduced, Revealed
from dreadclock.wire.things import ChallengeStatus, ClockKind, SceneStatus, SituationStatus
from kit.families.plots import CHANGED, HIDDEN, PARLEY, PLOT, PUBLIC, STARTED, made_public, parley, plot, spy, told
from kit.families.races import RACE, amend, challenge_at, effort, opened, overcome, race_ended, scene_at
from kit.tables import ANN, CLERK, WATCHER, Table

END = {"type": "end_scene", "scene_id": "bomb"}

pytestmark = pytest.mark.rule("E4")


def ticked(situation_id: str, cause: e.Cause) -> e.ClockTicked:
    return e.ClockTicked(clock_id=f"{situation_id}-clock", kind=ClockKind.SITUATION, cause=cause, value=0)


def scene_loses_one(cause: e.Cause, value: int = 4) -> e.ClockTicked:
    return e.ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=cause, value=value)


# What others hear


def test_of_a_sealed_situation_everyone_hears_that_it_is_there_and_that_it_changed():
    table = opened()

    assert table.in_channel(PUBLIC, PARLEY) == [STARTED]
    assert table.in_channel(PUBLIC, spy("parley")) == [CHANGED]
    assert table.in_channel(PUBLIC, effort("gm-spy")) == [CHANGED]
    assert table.in_channel(PUBLIC, {"type": "end_round", "situation_id": "parley"}) == [CHANGED]
    assert table.in_channel(PUBLIC, amend("parley-clock", 0))[0] == CHANGED


def test_of_a_situation_that_only_the_gm_knows_nobody_else_hears_anything():
    table = opened()
    before = table.public()

    table.do(PLOT)
    table.do(spy("gm-plot"))
    table.do(effort("gm-spy"))
    table.do({"type": "rule_effort", "effort_id": "gm-effort-000000000001", "success": False})
    ended = table.do({"type": "end_round", "situation_id": "gm-plot"})
    table.do({"type": "fail_situation", "situation_id": "gm-plot", "reason": "defeated"})

    assert ended == [e.RoundEnded(situation_id="gm-plot", round=1)]
    assert table.public() == before
    assert "gm-plot" not in table.view_as(WATCHER).model_dump_json()


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_nobody_but_the_gm_reaches_into_a_hidden_situation(visibility: str):
    table = parley() if visibility == "sealed" else plot()

    assert table.refusal(effort("gm-spy"), by=ANN) == (Code.UNKNOWN, {"kind": "challenge", "id": "gm-spy"})


def test_everyone_may_name_a_sealed_situation_but_not_end_its_rounds():
    round_of = {"type": "end_round", "situation_id": "parley"}

    assert parley().refused(round_of, by=CLERK).code is Code.NOT_ALLOWED
    assert plot().refused({**round_of, "situation_id": "gm-plot"}, by=CLERK).code is Code.UNKNOWN


def test_a_situation_that_only_the_gm_knows_takes_no_number_and_no_id_from_the_public_ones():
    table = opened()

    table.do({**PLOT, "id": None})
    table.do({**PARLEY, "id": None})
    table.do({**PARLEY, "id": None, "visibility": "public"})

    assert list(table.view_as(ANN).sealed) == ["situation-1"]
    assert list(table.view.situations) == ["situation-2", "gm-situation-000000000001", "situation-1"]
    assert table.refused({**PLOT, "id": "plot"}).code is Code.ID_RESERVED
    assert table.refused({**PARLEY, "id": "gm-parley"}).code is Code.ID_RESERVED


@pytest.mark.rule("E2")
def test_what_only_the_gm_knows_counts_for_no_cap_of_what_everyone_knows():
    table = opened()
    for _ in range(32):
        table.do({**PLOT, "id": None})

    assert table.refused({**PLOT, "id": None}).code is Code.TOO_MANY
    for _ in range(16):
        table.do({**PARLEY, "id": None})
        table.do({**PARLEY, "id": None, "visibility": "public"})
    assert table.refused({**PARLEY, "id": None}).code is Code.TOO_MANY
    assert table.refused({**PARLEY, "id": None, "visibility": "public"}).code is Code.TOO_MANY


# Its end


def test_a_sealed_situation_is_shown_once_it_is_won_and_then_takes_its_point():
    table = parley()

    assert told(table, overcome("gm-spy")) == [
        (HIDDEN, challenge_at("gm-spy", 0, e.Cause.RULING)),
        (PUBLIC, CHANGED),
        (HIDDEN, e.ChallengeOvercome(challenge_id="gm-spy")),
        (HIDDEN, ticked("parley", e.Cause.CHALLENGE)),
        (HIDDEN, e.SituationWon(situation_id="parley")),
        (HIDDEN, made_public("parley")),
        (PUBLIC, e.Revealed),
        (PUBLIC, scene_at(4)),
    ]
    seen = table.view_as(WATCHER).public
    assert (seen.situations["parley"].status, seen.situations["parley"].visibility, seen.sealed) == (
        SituationStatus.WON,
        Visibility.PUBLIC,
        {},
    )


@pytest.mark.rule("B8")
def test_of_a_won_situation_that_only_the_gm_knows_everyone_sees_the_scenes_lost_point_alone():
    assert told(plot(), overcome("gm-spy")) == [
        (HIDDEN, challenge_at("gm-spy", 0, e.Cause.RULING)),
        (HIDDEN, e.ChallengeOvercome(challenge_id="gm-spy")),
        (HIDDEN, ticked("gm-plot", e.Cause.CHALLENGE)),
        (HIDDEN, e.SituationWon(situation_id="gm-plot")),
        (PUBLIC, scene_loses_one(e.Cause.HIDDEN)),
    ]


@pytest.mark.rule("B8", "B10")
def test_one_that_is_resolved_or_emptied_by_hand_takes_its_point_too():
    resolve = {"type": "resolve_situation", "situation_id": "gm-plot", "how": "They talk."}

    assert told(plot(), resolve) == [
        (HIDDEN, ticked("gm-plot", e.Cause.RULING)),
        (HIDDEN, e.SituationResolved(situation_id="gm-plot", how="They talk.")),
        (PUBLIC, scene_loses_one(e.Cause.HIDDEN)),
    ]
    assert told(plot(), amend("gm-plot-clock", 0)) == [
        (HIDDEN, e.ClockAmended(clock_id="gm-plot-clock", kind=ClockKind.SITUATION, value=0, reason="a slip")),
        (HIDDEN, e.SituationWon(situation_id="gm-plot")),
        (PUBLIC, scene_loses_one(e.Cause.HIDDEN)),
    ]


@pytest.mark.rule("B8")
def test_a_failed_one_takes_nothing_off_the_scene_and_is_shown_if_it_was_sealed():
    fail = {"type": "fail_situation", "situation_id": "parley", "reason": "retreated"}
    failed = e.SituationFailed(situation_id="parley", reason=e.SituationFailure.RETREATED)
    hidden = e.SituationFailed(situation_id="gm-plot", reason=e.SituationFailure.RETREATED)

    assert told(parley(), fail) == [
        (HIDDEN, failed),
        (PUBLIC, CHANGED),
        (HIDDEN, made_public("parley")),
        (PUBLIC, e.Revealed),
    ]
    assert told(plot(), {**fail, "situation_id": "gm-plot"}) == [(HIDDEN, hidden)]


def test_the_end_of_a_scene_shows_what_is_sealed_in_it_and_closes_what_only_the_gm_knows():
    table = parley()
    table.do(PLOT)

    assert told(table, END) == [
        (HIDDEN, made_public("parley")),
        (PUBLIC, e.Revealed),
        (PUBLIC, e.SceneEnded(scene_id="bomb", outcome=SceneStatus.UNFINISHED)),
        (HIDDEN, e.SituationClosed(situation_id="gm-plot")),
    ]
    assert table.view_as(ANN).situations["parley"].status is SituationStatus.CLOSED
    assert table.view_as(ANN).challenges["gm-spy"].status is ChallengeStatus.CLOSED
    assert table.view.situations["gm-plot"].status is SituationStatus.CLOSED


@pytest.mark.parametrize("way", ["travel", "rest"])
def test_a_scene_that_ends_on_its_way_says_nothing_of_what_only_the_gm_knows(way: str):
    order = {"type": way, "scene_id": "bomb"}
    table = plot(scene=1)
    table.do(effort("gm-spy"))

    records = table.write(order)

    assert [record.event for record in records if record.channel is PUBLIC] == opened(scene=1).do(order)
    assert records[-1].event == e.SituationClosed(situation_id="gm-plot")
    assert (table.view.efforts, table.view.challenges["gm-spy"].status) == ({}, ChallengeStatus.CLOSED)


def test_one_that_takes_the_scenes_last_point_is_won_and_the_others_are_closed():
    table = plot(scene=1)
    table.do({**PLOT, "id": "gm-feint"})

    assert told(table, overcome("gm-spy"))[-3:] == [
        (PUBLIC, scene_loses_one(e.Cause.HIDDEN, value=0)),
        (PUBLIC, e.SceneEnded(scene_id="bomb", outcome=SceneStatus.SUCCESS)),
        (HIDDEN, e.SituationClosed(situation_id="gm-feint")),
    ]
    assert table.view.situations["gm-plot"].status is SituationStatus.WON


@pytest.mark.rule("B3", "B4")
def test_a_race_that_everyone_sees_goes_on_beside_a_hidden_situation():
    table = plot(scene=1)
    table.do({**RACE, "difficulty": "normal"})

    assert table.do(overcome("gm-spy"))[-1] == scene_loses_one(e.Cause.HIDDEN, value=0)
    assert table.do(END) == [
        race_ended(RaceOutcome.PARTIAL_SUCCESS, situation=3, threat=15, scene=0),
        e.SceneEnded(scene_id="bomb", outcome=SceneStatus.SUCCESS),
    ]
    assert not any(isinstance(record.event, e.RaceEnded) for record in table.records if record.channel is HIDDEN)


# How hidden situations come to light, what takes them back, and what they move. Rulings E4 and B8


def reveal(thing_id: str) -> dict[str, str]:
    return {"type": "reveal", "thing_id": thing_id}


def cancel(thing_id: str) -> dict[str, str]:
    return {"type": "cancel", "thing_id": thing_id, "reason": "a slip"}


def cancelled(kind: Kind, thing_id: str) -> Cancelled:
    return Cancelled.model_validate({"kind": kind, "id": thing_id, "reason": "a slip"})


# Its own visibility and its scene's


def test_what_is_in_a_hidden_scene_is_as_hidden_as_the_scene():
    table = Table()
    table.do({"type": "open_scene", "id": "heist", "name": "Heist", "clock": 3, "visibility": "sealed"})
    inside = {**PARLEY, "scene_id": "heist"}

    table.do({**inside, "id": "gm-talk", "visibility": "public"})
    table.do({**inside, "id": "gm-chat", "visibility": "sealed"})
    table.do({"type": "open_scene", "id": "gm-lair", "name": "Lair", "clock": 3, "visibility": "gm"})
    refused = table.refused({**inside, "scene_id": "gm-lair", "id": "gm-hush", "visibility": "sealed"})

    assert [each.visibility for each in table.view.situations.values()] == [Visibility.SEALED] * 2
    assert (refused.code, refused.details) == (Code.HIDDEN_WITH_SCENE, {"id": "gm-lair", "visibility": "gm"})
    assert table.refused({"type": "reveal", "thing_id": "gm-chat"}).code is Code.UNKNOWN
    table.do({"type": "reveal", "thing_id": "heist"})
    assert {each.visibility for each in table.view_as(ANN).situations.values()} == {Visibility.PUBLIC}


@pytest.mark.rule("B8")
@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_no_race_is_hidden_in_a_scene_that_everyone_sees_as_its_threat_clock_belongs_to_the_scene(visibility: str):
    table = opened()

    refused = table.refused({**RACE, "id": None, "difficulty": "hard", "visibility": visibility})

    assert (refused.code, refused.details) == (Code.RACE_IN_THE_OPEN, {"id": "bomb"})


# Its reveal


@pytest.mark.parametrize("situation_id", ["parley", "gm-plot"])
def test_a_revealed_situation_comes_with_all_that_is_in_it(situation_id: str):
    table = parley() if situation_id == "parley" else plot()
    table.do(effort("gm-spy"))

    hidden, shown = table.write(reveal(situation_id))

    assert (hidden.channel, hidden.event) == (HIDDEN, made_public(situation_id))
    assert isinstance(shown.event, Revealed)
    things = shown.event.things
    assert (shown.channel, shown.event.kind, shown.event.id) == (PUBLIC, Kind.SITUATION, situation_id)
    assert [(each.id, each.visibility) for each in things.situations] == [(situation_id, Visibility.PUBLIC)]
    assert [each.id for each in things.challenges] == ["gm-spy"]
    assert [each.id for each in things.efforts] == ["gm-effort-000000000001"]
    assert [(each.id, each.visibility) for each in things.clocks] == [
        (f"{situation_id}-clock", Visibility.PUBLIC),
        ("gm-spy-clock", Visibility.PUBLIC),
    ]
    left = table.view.channels[HIDDEN]
    assert (left.situations, left.challenges, left.efforts, left.clocks) == ({}, {}, {}, {})
    assert table.view_as(WATCHER).sealed == {}


def test_a_revealed_situation_goes_on_as_any_other():
    table = plot()
    table.do(reveal("gm-plot"))

    table.do({**spy("gm-plot"), "id": "guard"})
    records = table.write(effort("gm-spy"))
    for challenge in ("gm-spy", "guard"):
        records += table.write(overcome(challenge))

    assert {record.channel for record in records} == {PUBLIC}
    assert records[-1].event == scene_at(4)
    assert table.refused(reveal("gm-plot")).code is Code.NOT_HIDDEN
    assert table.refused({**PLOT, "id": "gm-plot"}).code is Code.ID_TAKEN


def test_one_that_ended_may_be_revealed_even_after_its_scene_is_forgotten():
    table = plot()
    table.do(overcome("gm-spy"))
    for _ in range(10):
        table.do({"type": "end_scene", "scene_id": next(reversed(table.view.scenes))})
        table.do({"type": "open_scene", "name": "Next", "clock": 1})

    refused = [table.refused(order).code for order in (amend("gm-plot-clock", 1), cancel("gm-plot"), spy("gm-plot"))]
    table.do(reveal("gm-plot"))

    assert "bomb" not in table.view.scenes
    assert refused == [Code.UNKNOWN, Code.ENDED, Code.ENDED]
    assert table.view_as(ANN).situations["gm-plot"].status is SituationStatus.WON


# Taken back


def test_a_sealed_situation_is_shown_before_it_is_taken_back_and_the_gms_own_goes_without_a_word():
    table = plot()
    table.do(PARLEY)

    assert told(table, cancel("gm-spy")) == [(HIDDEN, cancelled(Kind.CHALLENGE, "gm-spy"))]
    assert told(table, cancel("gm-plot")) == [(HIDDEN, cancelled(Kind.SITUATION, "gm-plot"))]
    assert told(table, cancel("parley")) == [
        (HIDDEN, made_public("parley")),
        (PUBLIC, Revealed),
        (PUBLIC, cancelled(Kind.SITUATION, "parley")),
    ]
    assert (table.view.situations, list(table.view.clocks), table.view.public.sealed) == ({}, ["bomb-clock"], {})


def test_a_challenge_taken_back_in_a_sealed_situation_is_a_change():
    assert told(parley(), cancel("gm-spy")) == [(HIDDEN, cancelled(Kind.CHALLENGE, "gm-spy")), (PUBLIC, CHANGED)]


def test_with_its_scene_all_that_lies_hidden_in_it_is_taken_back():
    table = parley()
    table.do(PLOT)
    table.do({**PLOT, "id": "gm-won"})
    table.do({"type": "resolve_situation", "situation_id": "gm-won", "how": "They talk."})

    assert told(table, cancel("bomb")) == [
        (HIDDEN, made_public("parley")),
        (PUBLIC, Revealed),
        (HIDDEN, cancelled(Kind.SITUATION, "gm-plot")),
        (HIDDEN, cancelled(Kind.SITUATION, "gm-won")),
        (PUBLIC, cancelled(Kind.SCENE, "bomb")),
    ]
    assert (table.view.scenes, table.view.situations, table.view.challenges, table.view.clocks) == ({}, {}, {}, {})


# Complications


def test_a_complication_in_it_is_the_gms_own_and_a_clock_that_more_people_see_does_not_name_it():
    order = {"type": "introduce_complication", "situation_id": "gm-plot", "text": "Fog."}
    fog = ComplicationIntroduced(situation_id="gm-plot", text="Fog.")
    foe = ClockTicked(clock_id="gm-spy-clock", kind=ClockKind.CHALLENGE, cause=Cause.COMPLICATION, value=1)
    scene = ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=Cause.HIDDEN, value=4)
    table = opened()
    table.do(PLOT)
    table.do({**spy("gm-plot"), "clock": 2})

    assert told(table, order) == [(HIDDEN, fog)]
    assert told(table, {**order, "clock": {"clock_id": "gm-spy-clock", "by": 1}}) == [(HIDDEN, fog), (HIDDEN, foe)]
    assert told(table, {**order, "clock": {"clock_id": "bomb-clock", "by": 1}}) == [(HIDDEN, fog), (PUBLIC, scene)]


def test_a_complication_that_everyone_hears_of_may_win_it_unseen():
    table = plot()
    table.do({**PLOT, "id": "talk", "visibility": "public"})
    order = {"type": "introduce_complication", "situation_id": "talk", "text": "Fog."}

    assert table.in_channel(PUBLIC, {**order, "clock": {"clock_id": "gm-plot-clock", "by": 1}}) == [
        ComplicationIntroduced(situation_id="talk", text="Fog."),
        ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=Cause.HIDDEN, value=4),
    ]
