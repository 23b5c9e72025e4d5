"""Sealed and hidden scenes, ruling E4."""

from typing import Any

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.things import ClockKind, SceneStatus, Sealed, SituationStatus
from kit.tables import ANN, GM, WATCHER, Table

pytestmark = pytest.mark.rule("E4")

PUBLIC = Channel.PUBLIC


def made_public(thing_id: str, kind: Any = Kind.COUNTDOWN) -> e.MadePublic:
    return e.MadePublic(kind=kind, id=thing_id)


# Hidden scenes


def scene(visibility: str, scene_id: str = "heist") -> Table:
    """Open a scene with a race for a door in it, all of it hidden."""
    table = Table()
    table.do({"type": "open_scene", "id": scene_id, "name": "Heist", "clock": 3, "visibility": visibility})
    race = {"kind": "race", "content": "exploration", "clock": 1, "level": 1, "difficulty": "hard"}
    table.do({"type": "start_situation", "id": "gm-run", "scene_id": scene_id, "name": "Run", **race})
    table.do({"type": "add_challenge", "id": "gm-door", "situation_id": "gm-run", "name": "Door", "kind": "barrier"})
    return table


HEIST_CHANGED = e.SealedChanged(kind=Kind.SCENE, id="heist", name="Heist")
END = {"type": "end_scene", "scene_id": "heist"}


def test_of_what_is_in_a_sealed_scene_everyone_hears_only_that_it_changed():
    table = scene("sealed")

    assert [record.event for record in table.records if record.channel is PUBLIC][-3:] == [
        e.SealedStarted(thing=Sealed(kind=Kind.SCENE, id="heist", name="Heist")),
        HEIST_CHANGED,
        HEIST_CHANGED,
    ]
    public = table.view_as(ANN).public
    assert (public.scenes, public.situations, public.challenges, public.clocks) == ({}, {}, {}, {})
    assert table.in_channel(PUBLIC, {"type": "attempt_effort", "challenge_id": "gm-door"}) == [HEIST_CHANGED]
    assert table.in_channel(PUBLIC, {"type": "end_round", "situation_id": "gm-run"}) == [HEIST_CHANGED]
    assert table.in_channel(PUBLIC, {"type": "travel", "scene_id": "heist"}) == [HEIST_CHANGED]


def test_what_is_in_a_hidden_scene_has_ids_that_only_the_gm_knows():
    table = scene("sealed")
    table.do({"type": "attempt_effort", "challenge_id": "gm-door"})
    order = {"type": "add_challenge", "situation_id": "gm-run", "name": "Lock", "kind": "puzzle"}

    assert table.refused({**order, "id": "lock"}).code is Code.ID_RESERVED
    assert list(table.view.efforts) == ["gm-effort-000000000001"]


def test_a_sealed_scene_is_shown_at_its_end_with_all_in_it():
    table = scene("sealed")
    table.do({"type": "attempt_effort", "challenge_id": "gm-door"})

    events = table.do(END)

    assert events[:-1] == [
        e.RaceEnded(situation_id="gm-run", outcome=RaceOutcome.PARTIAL_SUCCESS, situation=1, threat=7, scene=3),
        HEIST_CHANGED,
        e.SceneEnded(scene_id="heist", outcome=SceneStatus.UNFINISHED),
        made_public("heist", Kind.SCENE),
    ]
    seen = table.view_as(WATCHER)
    assert seen.scenes["heist"].visibility is Visibility.PUBLIC
    assert seen.situations["gm-run"].status is SituationStatus.CLOSED
    assert sorted(seen.clocks) == ["gm-door-clock", "gm-run-clock", "heist-clock", "heist-threat"]
    assert {clock.visibility for clock in seen.clocks.values()} == {Visibility.PUBLIC}
    assert table.view.channels[Channel.GM].clocks == {}


def test_a_revealed_scene_goes_on_in_public():
    table = scene("gm", "gm-heist")
    table.do({"type": "attempt_effort", "challenge_id": "gm-door"})
    table.do({"type": "reveal", "thing_id": "gm-heist"})

    records = table.write({"type": "attempt_effort", "challenge_id": "gm-door", "success": True}, by=GM)

    assert {record.channel for record in records} == {PUBLIC}
    assert table.view.public.situations["gm-run"].outcome is RaceOutcome.SUCCESS


def test_what_is_taken_back_in_a_sealed_scene_is_a_change_and_the_scene_itself_is_shown_first():
    table = scene("sealed")
    cancel = {"type": "cancel", "thing_id": "gm-door", "reason": "x"}

    assert table.do(cancel) == [e.Cancelled(kind=Kind.CHALLENGE, id="gm-door", reason="x"), HEIST_CHANGED]
    records = table.write({**cancel, "thing_id": "heist"})

    assert [(record.channel, type(record.event)) for record in records] == [
        (Channel.GM, e.MadePublic),
        (PUBLIC, e.Revealed),
        (PUBLIC, e.Cancelled),
    ]
    assert table.view.scenes == {}
    assert table.view.clocks == {}
    assert table.view_as(ANN).sealed == {}


def test_a_gm_scene_is_taken_back_without_a_word():
    table = scene("gm", "gm-heist")

    assert table.in_channel(PUBLIC, {"type": "cancel", "thing_id": "gm-heist", "reason": "x"}) == []
    assert table.view.scenes == {}


def test_a_clock_that_everyone_sees_does_not_say_what_hidden_thing_moved_it():
    table = scene("gm", "gm-heist")
    table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 3})
    order = {"type": "introduce_complication", "situation_id": "gm-run", "text": "The mole talks.", "note": "secret"}

    moved = table.write({**order, "clock": {"clock_id": "bomb-clock", "by": 1}})

    assert [(record.channel, type(record.event).__name__) for record in moved] == [
        (Channel.GM, "ComplicationIntroduced"),
        (PUBLIC, "ClockTicked"),
    ]
    assert moved[1].event == e.ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=e.Cause.HIDDEN, value=2)


def test_a_hidden_complication_may_fail_a_race_that_everyone_sees_without_being_named():
    table = scene("gm", "gm-heist")
    table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 3})
    race = {"kind": "race", "content": "exploration", "clock": 1, "level": 1, "difficulty": "hard"}
    table.do({"type": "start_situation", "id": "chase", "scene_id": "bomb", "name": "Chase", **race})
    order = {"type": "introduce_complication", "situation_id": "gm-run", "text": "The mole talks."}

    public = table.in_channel(PUBLIC, {**order, "clock": {"clock_id": "bomb-threat", "by": 9}})

    assert [type(event) for event in public] == [e.ClockTicked, e.SituationFailed, e.RaceEnded]
    assert public[0] == e.ClockTicked(clock_id="bomb-threat", kind=ClockKind.THREAT, cause=e.Cause.HIDDEN, value=0)


def test_a_clock_of_the_hidden_scene_itself_says_that_a_complication_moved_it():
    table = scene("sealed")
    order = {"type": "introduce_complication", "situation_id": "gm-run", "text": "Fog."}

    events = table.do({**order, "clock": {"clock_id": "heist-threat", "by": 1}})

    assert events[-1] == e.ClockTicked(
        clock_id="heist-threat", kind=ClockKind.THREAT, cause=e.Cause.COMPLICATION, value=7
    )
