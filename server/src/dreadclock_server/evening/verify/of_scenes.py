"""Rebuild commands about countdowns, scenes, situations, challenges and clocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dreadclock.rules.clocks import Direction, enlarged
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Visibility
from dreadclock.wire.events import Cause
from dreadclock.wire.families.clocks import scene_of_clock
from dreadclock.wire.families.countdown_changes import AMENDED
from dreadclock.wire.ids import is_server_made
from dreadclock.wire.things import Clock, ClockKind, SituationKind, SituationStatus, When
from dreadclock_server.evening.verify.rebuilding import (
    Case,
    Command,
    Maker,
    Said,
    chosen,
    new_countdown,
    new_effects,
    same,
)

# Countdowns


def _start_countdown(case: Case, event: e.CountdownStarted) -> Iterator[Command]:
    countdown = event.countdown
    attached = case.ahead(e.ConsequenceAttached)
    if attached is not None:
        made = attached.consequence
        at_start = (made.of.id, made.when.when, made.when.at) == (countdown.id, When.STAGE, countdown.pool)
        if at_start and is_server_made(made.id):
            yield c.StartCountdown(**new_countdown(countdown), at_start=new_effects(made.do))
    yield c.StartCountdown(**new_countdown(countdown))


def _roll_countdown(case: Case, event: e.CountdownRolled) -> Iterator[Command]:
    yield from end_of_turns(case)
    yield c.RollCountdown(countdown_id=event.countdown_id, **case.dice())


def end_of_turns(case: Case) -> Iterator[Command]:
    """If the command's records may include the end of a turn or a round, yield the command that ends it."""
    ended = case.ahead(e.TurnEnded, e.SceneTurnEnded, e.RoundEnded)
    if ended is not None:
        yield from _end_turn(case, ended)


def _end_turn(case: Case, event: e.TurnEnded | e.SceneTurnEnded | e.RoundEnded) -> Iterator[Command]:
    if isinstance(event, e.RoundEnded):
        yield c.EndRound(situation_id=event.situation_id, **case.dice())
    else:
        yield c.EndTurn(scene_id=getattr(event, "scene_id", None), **case.dice())


def _amend_countdown(case: Case, event: e.CountdownAmended) -> Iterator[Command]:
    before = case.thing("countdowns", event.countdown_id)
    said: Said = {name: getattr(event, name) for name in AMENDED if getattr(event, name) is not None}
    gone = [name for name in ("owner", "ending", "about", "fate", "repeats") if name not in said]
    said["clear"] = tuple(name for name in gone if getattr(before, name) is not None)
    yield c.AmendCountdown(countdown_id=event.countdown_id, reason=event.reason, **said)


# Scenes, situations, challenges and clocks


def end_scene(case: Case, event: e.EventBase) -> Iterator[Command]:
    ended = case.ahead(e.SceneEnded)
    if ended is not None:
        yield c.EndScene(scene_id=ended.scene_id)


def _start_situation(case: Case, event: e.SituationStarted) -> Iterator[Command]:
    situation = event.situation
    scene = case.thing("scenes", situation.scene_id)
    prepared, public = situation.status is SituationStatus.PREPARED, Visibility.PUBLIC
    hidden = scene.visibility is not public
    asked = public if prepared or (hidden and not situation.kept_back) else situation.visibility
    names = ("scene_id", "name", "kind", "content", "level", "party", "within")
    said: Said = {name: getattr(situation, name) for name in names}
    said |= {"clock": event.clock.size, "difficulty": situation.difficulty, "visibility": asked, "prepared": prepared}
    yield c.StartSituation(id=chosen(situation.id), **said)


def _begin_situation(case: Case, event: e.SituationBegun) -> Iterator[Command]:
    situation = event.situation
    difficulty = situation.difficulty if situation.kind is SituationKind.RACE else None
    yield c.BeginSituation(situation_id=situation.id, difficulty=difficulty)


def _fail_situation(case: Case, event: e.SituationFailed) -> Iterator[Command]:
    if event.reason is not e.SituationFailure.THREAT:
        yield c.FailSituation(situation_id=event.situation_id, reason=c.RetreatReason(event.reason))


def _complicate(case: Case, event: e.ComplicationIntroduced) -> Iterator[Command]:
    said: Said = {name: getattr(event, name) for name in ("situation_id", "scene_id", "text")}
    started = case.ahead(e.CountdownStarted)
    countdown = None if started is None else c.CountdownToStart(**new_countdown(started.countdown))
    effect = _clock_effect(case)
    for clock, new in ((effect, countdown), (effect, None), (None, countdown), (None, None)):
        yield c.IntroduceComplication(clock=clock, countdown=new, **said)


def _clock_effect(case: Case) -> c.ClockEffect | None:
    """Return what a complication does to a clock: it enlarges the clock, then moves it. None if it does neither."""
    by, enlarge, clock_id = 0, 0, None
    for change in (case.ahead(e.ClockResized), case.ahead(e.ClockTicked)):
        if change is None or change.cause not in (Cause.COMPLICATION, Cause.HIDDEN):
            continue
        clock = case.thing("clocks", change.clock_id)
        if isinstance(change, e.ClockResized):
            clock_id, enlarge = clock.id, change.size - clock.size
        elif clock_id in (None, clock.id):
            value = enlarged(clock.value, enlarge, clock.direction)
            by, clock_id = _moved(clock, change.value, value), clock.id
    return None if clock_id is None else c.ClockEffect(clock_id=clock_id, by=by, enlarge=enlarge)


def _moved(clock: Clock, value: int, before: int | None = None) -> int:
    """Return how many points a clock moved towards its end; negative: away from it."""
    by = value - (clock.value if before is None else before)
    return by if clock.direction is Direction.UP else -by


def _attempt(case: Case, event: e.EffortMade) -> Iterator[Command]:
    effort, ruled = event.effort, case.ahead(e.EffortRuled)
    said: Said = {"challenge_id": effort.challenge_id, "character_id": effort.character_id, "id": chosen(effort.id)}
    if ruled is not None and ruled.effort_id == effort.id:
        yield c.AttemptEffort(success=ruled.success, amount=ruled.amount or 1, **said)
    yield c.AttemptEffort(**said)


def _tick(case: Case, event: e.ClockTicked) -> Iterator[Command]:
    clock = case.thing("clocks", event.clock_id)
    match event.cause:
        case Cause.TICK:
            by = _moved(clock, event.value)
            yield c.TickClock(clock_id=clock.id, by=abs(by), back=by < 0)
        case Cause.TRAVEL:
            yield c.Travel(scene_id=scene_of_clock(case.view, clock))
        case Cause.REST:
            yield c.Rest(scene_id=scene_of_clock(case.view, clock))
        case Cause.RULING if clock.kind is ClockKind.CHALLENGE:
            yield c.OvercomeChallenge(challenge_id=str(clock.of))
        case Cause.RULING:
            resolved = case.ahead(e.SituationResolved)
            yield c.ResolveSituation(situation_id=str(clock.of), how=resolved.how if resolved else "-")


def _enlarge(case: Case, event: e.ClockResized) -> Iterator[Command]:
    by = event.size - case.thing("clocks", event.clock_id).size
    yield c.EnlargeClock(clock_id=event.clock_id, by=by)


REBUILD: Mapping[type[e.EventBase], Maker] = {
    e.CountdownStarted: _start_countdown,
    e.CountdownRolled: _roll_countdown,
    e.CountdownStabilized: same(c.StabilizeCountdown),
    e.CountdownResumed: same(c.ResumeCountdown),
    e.CountdownReplenished: same(c.ReplenishCountdown, dice="added"),
    e.CountdownCancelled: same(c.CancelCountdown),
    e.CountdownAmended: _amend_countdown,
    e.TurnEnded: _end_turn,
    e.SceneTurnEnded: _end_turn,
    e.RoundEnded: _end_turn,
    e.SceneOpened: same(c.OpenScene, "scene", clock="clock.size"),
    e.SceneEnded: end_scene,
    e.RaceEnded: end_scene,
    e.SceneSetAside: same(c.SetSceneAside),
    e.SceneTakenUp: same(c.TakeUpScene),
    e.SituationStarted: _start_situation,
    e.SituationBegun: _begin_situation,
    e.SituationResolved: same(c.ResolveSituation),
    e.SituationFailed: _fail_situation,
    e.ComplicationIntroduced: _complicate,
    e.ChallengeAdded: same(c.AddChallenge, "challenge", clock="clock.size"),
    e.EffortMade: _attempt,
    e.EffortRuled: same(c.RuleEffort, amount=lambda event: event.amount or 1),
    e.ClockStarted: same(c.StartClock, "clock"),
    e.ClockTicked: _tick,
    e.ClockResized: _enlarge,
    e.ClockAmended: same(c.AmendClock),
}
