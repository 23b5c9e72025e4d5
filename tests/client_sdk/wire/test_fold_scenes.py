"""The one fold, for scenes, situations and clocks."""

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.rules.limits import CLOCKS_KEPT, SCENES_KEPT, SITUATIONS_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.things import (
    ChallengeStatus,
    ClockKind,
    SceneStatus,
    SituationStatus,
)
from kit.folds import (
    RACE,
    challenge_added,
    clock,
    effort_made,
    public_after,
    scene_opened,
    situation_started,
    view_after,
)

PUBLIC, GM = Channel.PUBLIC, Channel.GM


# Scenes and clocks


def test_a_race_brings_its_scene_the_threat_clock() -> None:
    part = public_after(*RACE)

    assert part.scenes["bomb"].threat_id == "bomb-threat"
    assert sorted(part.clocks) == ["bomb-clock", "bomb-threat", "door-clock", "run-clock"]
    assert list(part.efforts) == ["kick"]


def test_a_clock_stands_where_its_event_says() -> None:
    ticked = e.ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=e.Cause.REST, value=1)
    amended = e.ClockAmended(clock_id="bomb-clock", kind=ClockKind.SCENE, value=9, reason="x")

    assert public_after(scene_opened(), ticked).clocks["bomb-clock"].value == 1
    assert public_after(scene_opened(), ticked, amended).clocks["bomb-clock"].value == 9


def test_a_ruled_effort_waits_no_more_and_an_overcome_challenge_has_none() -> None:
    ruled = e.EffortRuled(effort_id="kick", challenge_id="door", success=False, amount=0)
    overcome = e.ChallengeOvercome(challenge_id="door")

    assert public_after(*RACE, ruled).efforts == {}
    part = public_after(*RACE, overcome)
    assert (part.efforts, part.challenges["door"].status) == ({}, ChallengeStatus.OVERCOME)


def test_the_end_of_a_situation_closes_what_is_open_in_it() -> None:
    ends: dict[e.Event, SituationStatus] = {
        e.SituationWon(situation_id="run"): SituationStatus.WON,
        e.SituationResolved(situation_id="run", how="x"): SituationStatus.RESOLVED,
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.THREAT): SituationStatus.FAILED,
        e.SituationClosed(situation_id="run"): SituationStatus.CLOSED,
    }
    for event, status in ends.items():
        part = public_after(*RACE, event)
        assert (part.situations["run"].status, part.challenges["door"].status, part.efforts) == (
            status,
            ChallengeStatus.CLOSED,
            {},
        )


def test_a_situation_that_only_the_gm_knows_stands_without_its_scene_which_lies_in_public() -> None:
    inside = (situation_started(race=False), challenge_added(), effort_made())
    ended = (*inside, e.SituationClosed(situation_id="run"))

    part, after = (view_after(*events, channel=GM).channels[GM] for events in (inside, ended))

    assert (part.scenes, list(part.situations), sorted(part.clocks)) == ({}, ["run"], ["door-clock", "run-clock"])
    assert (after.scenes, after.situations["run"].status, after.efforts) == ({}, SituationStatus.CLOSED, {})


def test_the_end_of_a_scene_closes_what_is_open_in_it_and_leaves_other_scenes_alone() -> None:
    other = (scene_opened("cave"), situation_started("dig", "cave"), challenge_added("rock", "dig"))
    ended = e.SceneEnded(scene_id="bomb", outcome=SceneStatus.UNFINISHED)

    part = public_after(*RACE, *other, ended)

    assert part.scenes["bomb"].status is SceneStatus.UNFINISHED
    assert part.situations["run"].status is SituationStatus.CLOSED
    assert part.challenges["door"].status is ChallengeStatus.CLOSED
    assert part.efforts == {}
    assert part.situations["dig"].status is SituationStatus.OPEN
    assert part.challenges["rock"].status is ChallengeStatus.OPEN


def test_rounds_and_the_outcome_of_a_race() -> None:
    ended = e.RaceEnded(situation_id="run", outcome=RaceOutcome.FAILURE, situation=1, threat=0, scene=3)
    part = public_after(*RACE, e.RoundEnded(situation_id="run", round=4), ended)

    assert (part.situations["run"].round, part.situations["run"].outcome) == (4, RaceOutcome.FAILURE)
    told = e.ComplicationIntroduced(situation_id="run", text="Fog.")
    assert public_after(*RACE, told).model_copy(update={"recent": ()}) == public_after(*RACE).model_copy(
        update={"recent": ()}
    )


def test_what_is_taken_back_goes_with_all_that_is_in_it() -> None:
    part = public_after(*RACE, e.Cancelled(kind=Kind.SCENE, id="bomb", reason="x"))
    inside = public_after(*RACE, e.Cancelled(kind=Kind.CHALLENGE, id="door", reason="x"))

    assert (part.scenes, part.situations, part.challenges, part.efforts, part.clocks) == ({}, {}, {}, {}, {})
    assert part.taken == ("bomb", "run", "door", "kick")
    assert (list(inside.challenges), list(inside.efforts), sorted(inside.clocks)) == (
        [],
        [],
        ["bomb-clock", "bomb-threat", "run-clock"],
    )


def test_of_scenes_situations_and_clocks_that_ended_the_latest_are_remembered() -> None:
    scenes: list[e.Event] = []
    for number in range(SCENES_KEPT + 2):
        scenes += [scene_opened(f"s{number}"), e.SceneEnded(scene_id=f"s{number}", outcome=SceneStatus.SUCCESS)]
    situations: list[e.Event] = [scene_opened()]
    for number in range(SITUATIONS_KEPT + 2):
        situations += [situation_started(f"r{number}"), e.SituationWon(situation_id=f"r{number}")]
    free = [e.ClockStarted(clock=clock(f"f{number}", ClockKind.FREE, value=0)) for number in range(CLOCKS_KEPT + 2)]

    assert len(public_after(*scenes).scenes) == SCENES_KEPT + 1  # the one that ended last makes room with the next
    assert next(iter(public_after(*scenes, scene_opened("last")).scenes)) == "s2"
    assert next(iter(public_after(*situations, situation_started("last")).situations)) == "r2"
    assert "r1-clock" not in public_after(*situations, situation_started("last")).clocks
    assert "bomb-threat" in public_after(*situations, situation_started("last")).clocks
    assert list(public_after(*free).clocks) == [f"f{number}" for number in range(2, CLOCKS_KEPT + 2)]
