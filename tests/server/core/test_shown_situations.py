"""How hidden situations come to light, what takes them back, and what they move. Rulings E4 and B8."""

import pytest

from dreadclock.wire.base import Kind, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.events import Cancelled, Cause, ClockTicked, ComplicationIntroduced, Revealed
from dreadclock.wire.things import ClockKind, SituationStatus
from kit.families.plots import CHANGED, HIDDEN, PARLEY, PLOT, PUBLIC, made_public, parley, plot, spy, told
from kit.families.races import RACE, amend, effort, opened, overcome, scene_at
from kit.tables import ANN, WATCHER, Table

pytestmark = pytest.mark.rule("E4")


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

    public = table.in_channel(PUBLIC, {**order, "clock": {"clock_id": "gm-plot-clock", "by": 1}})

    assert public == [
        ComplicationIntroduced(situation_id="talk", text="Fog."),
        ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=Cause.HIDDEN, value=4),
    ]
