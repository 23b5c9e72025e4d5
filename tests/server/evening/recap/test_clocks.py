"""Clocks over time."""

from __future__ import annotations

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Visibility
from dreadclock.wire.events import Cause
from dreadclock.wire.things import Clock, ClockKind, SceneStatus, Things
from dreadclock_server.evening.recap.things import Panel, panels
from kit.evenings.played import EIGHT_PM_MS, spread, steps_of
from kit.scenery import DOOR, DOOR_CLOCK, GM, RACE, RACE_CLOCK, SCENE, SCENE_CLOCK, THREAT, WATER
from kit.table import BOTH, Log

LONG_DOOR = DOOR_CLOCK.model_copy(update={"size": 3, "value": 3})
TIDE = Clock(id="tide", kind=ClockKind.FREE, name="Tide", size=4, value=4, visibility=Visibility.SEALED)


def ticked(clock: Clock, value: int) -> e.ClockTicked:
    return e.ClockTicked(clock_id=clock.id, kind=clock.kind, cause=Cause.RULING, value=value)


def scene() -> list[e.Event]:
    return [
        e.SeatJoined(seat=GM),
        e.SceneOpened(scene=SCENE, clock=SCENE_CLOCK),
        e.SituationStarted(situation=RACE, clock=RACE_CLOCK, threat=THREAT),
        e.ChallengeAdded(challenge=DOOR, clock=LONG_DOOR),
    ]


def drawn(*events: e.Event) -> tuple[Panel, ...]:
    """Return the panels of an evening with an event a minute."""
    log = Log(Channel.PUBLIC)
    for event in events:
        log.write(event)
    return panels(steps_of(spread(log.records, *range(len(events))), Channel.PUBLIC))


def names(shown: tuple[Panel, ...]) -> list[tuple[str | None, list[str]]]:
    return [(panel.name, [course.clock.id for course in panel.courses]) for panel in shown]


def minutes(*moves: tuple[int, int]) -> list[tuple[int, int]]:
    return [(EIGHT_PM_MS + 60_000 * minute, value) for minute, value in moves]


def test_a_scene_is_drawn_with_its_threat_and_situations_and_a_situation_with_its_long_challenges() -> None:
    shown = drawn(*scene(), ticked(THREAT, 14), ticked(LONG_DOOR, 2))

    assert names(shown) == [
        ("Out of the vault", ["vault-clock", "vault-threat", "run-clock"]),
        ("The way out", ["run-clock", "door-clock"]),
    ]


def test_a_challenge_of_one_effort_needs_no_drawing() -> None:
    short = [
        event if not isinstance(event, e.ChallengeAdded) else e.ChallengeAdded(challenge=DOOR, clock=DOOR_CLOCK)
        for event in scene()
    ]

    assert names(drawn(*short, ticked(DOOR_CLOCK, 0), ticked(THREAT, 14)))[1:] == []


def test_a_course_tells_when_its_clock_stood_where_and_ends_with_the_scene() -> None:
    ended = e.SceneEnded(scene_id="vault", outcome=SceneStatus.UNFINISHED)
    (panel, *_) = drawn(*scene(), ticked(THREAT, 14), ticked(THREAT, 12), ended, e.TurnEnded(turn=1))

    threat = panel.courses[1]
    assert threat.moves == minutes((2, 15), (4, 14), (5, 12))
    assert threat.until == EIGHT_PM_MS + 60_000 * 6


def test_a_clock_that_is_done_ends_there() -> None:
    (panel,) = drawn(e.SeatJoined(seat=GM), e.ClockStarted(clock=WATER), ticked(WATER, 8), e.TurnEnded(turn=1))

    assert panel.name is None
    assert panel.courses[0].until == EIGHT_PM_MS + 60_000 * 2


def test_free_standing_clocks_share_a_drawing_by_fours_and_those_that_never_moved_have_none() -> None:
    clocks = [WATER.model_copy(update={"id": f"water-{number}"}) for number in range(6)]
    started = [e.ClockStarted(clock=clock) for clock in clocks]

    shown = drawn(e.SeatJoined(seat=GM), *started, *(ticked(clock, 4) for clock in clocks[:5]))

    assert [len(panel.courses) for panel in shown] == [4, 1]


def test_a_scene_in_which_no_clock_moved_is_not_drawn() -> None:
    assert drawn(*scene()) == ()


def test_what_was_taken_back_is_not_drawn() -> None:
    taken_back = e.Cancelled(kind=Kind.CLOCK, id="water", reason="a slip")

    assert drawn(e.SeatJoined(seat=GM), e.ClockStarted(clock=WATER), ticked(WATER, 4), taken_back) == ()


def test_a_clock_that_comes_to_light_is_drawn_from_there_for_those_who_did_not_see_it() -> None:
    log = Log(*BOTH)
    log.write(e.SeatJoined(seat=GM))
    log.write(e.ClockStarted(clock=TIDE), Channel.GM)
    log.write(ticked(TIDE, 3), Channel.GM)
    now = TIDE.model_copy(update={"value": 3})
    log.write(e.Revealed(kind=Kind.CLOCK, id="tide", things=Things(clocks=(now,))))
    log.write(e.MadePublic(kind=Kind.CLOCK, id="tide"), Channel.GM)
    log.write(ticked(TIDE, 1))
    records = spread(log.records, *range(6))

    (of_gm,), (of_others,) = panels(steps_of(records)), panels(steps_of(records, Channel.PUBLIC))

    assert of_gm.courses[0].moves == minutes((1, 4), (2, 3), (5, 1))
    assert of_others.courses[0].moves == minutes((3, 3), (5, 1))
