"""What follows when a clock moves. Source: seed 002, rulings B1-B13."""

from collections.abc import Callable

from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Id
from dreadclock.wire.events import Cause
from dreadclock.wire.things import (
    ChallengeStatus,
    Clock,
    ClockKind,
    Scene,
    SceneStatus,
    Situation,
    SituationKind,
    SituationStatus,
)
from dreadclock_server.core import find, secrets
from dreadclock_server.core.draft import Draft


def tick(draft: Draft, clock_id: Id, by: int, cause: Cause) -> None:
    """Move a clock `by` points towards its end; there, its consequences follow. B11: at its end, nothing."""
    if lose(draft, clock_id, by, cause):
        reach_end(draft, draft.view.clocks[clock_id])


def lose(draft: Draft, clock_id: Id, by: int, cause: Cause) -> bool:
    """Move a clock without its consequences, and tell whether that took it to its end."""
    clock = draft.view.clocks[clock_id]
    value = rules.tick(clock.value, by, clock.size, clock.direction)
    if value == clock.value:
        return False
    event = e.ClockTicked(clock_id=clock.id, kind=clock.kind, cause=cause, value=value)
    draft.tell(find.root_of_clock(draft, clock), event)
    return draft.view.clocks[clock_id].done


def reach_end(draft: Draft, clock: Clock) -> None:
    """Let happen what a clock at its end brings about, however it got there. Source: ruling B10."""
    _ENDS[clock.kind](draft, clock)


def _challenge_done(draft: Draft, clock: Clock) -> None:
    challenge = draft.view.challenges[str(clock.of)]
    if challenge.status is not ChallengeStatus.OPEN:
        return
    root = find.root_of_situation(draft, challenge.situation_id)
    draft.tell(root, e.ChallengeOvercome(challenge_id=challenge.id))
    tick(draft, draft.view.situations[challenge.situation_id].clock_id, 1, Cause.CHALLENGE)


def _situation_done(draft: Draft, clock: Clock) -> None:
    situation = draft.view.situations[str(clock.of)]
    root = find.root_of_situation(draft, situation.id)
    draft.tell(root, e.SituationWon(situation_id=situation.id))
    succeed(draft, situation)


def succeed(draft: Draft, situation: Situation) -> None:
    """Take a situation's point off the scene, and end a race as a success. Source: rulings B2 and B8."""
    scene = draft.view.scenes[situation.scene_id]
    scene_done = lose(draft, scene.clock_id, 1, Cause.SITUATION)
    end_race(draft, situation, RaceOutcome.SUCCESS)
    if scene_done:
        reach_end(draft, draft.view.clocks[scene.clock_id])


def _threat_done(draft: Draft, clock: Clock) -> None:
    for race in open_races(draft, str(clock.of)):
        fail(draft, race, e.SituationFailure.THREAT)


def fail(draft: Draft, situation: Situation, reason: e.SituationFailure) -> None:
    """Lose a situation; a race ends as a failure with it, the scene goes on. Source: rulings B8 and B9."""
    root = find.root_of_situation(draft, situation.id)
    draft.tell(root, e.SituationFailed(situation_id=situation.id, reason=reason))
    end_race(draft, situation, RaceOutcome.FAILURE)


def _scene_done(draft: Draft, clock: Clock) -> None:
    """B3: an open race holds an emptied scene open; the gm ends it."""
    if not open_races(draft, str(clock.of)):
        end_scene(draft, draft.view.scenes[str(clock.of)])


def end_scene(draft: Draft, scene: Scene) -> None:
    """End a scene; its open races end early. Source: ruling B4."""
    root = find.root_of_scene(draft, scene.id)
    for race in open_races(draft, scene.id):
        end_race(draft, race, rules.race_outcome(*_clock_values(draft, race)))
    emptied = draft.view.clocks[scene.clock_id].done
    outcome = SceneStatus.SUCCESS if emptied else SceneStatus.UNFINISHED
    draft.tell(root, e.SceneEnded(scene_id=scene.id, outcome=outcome))
    secrets.end(draft, root)


def _free_done(draft: Draft, clock: Clock) -> None:
    secrets.end(draft, find.root_of_clock(draft, clock))


def open_races(draft: Draft, scene_id: Id) -> list[Situation]:
    """Return the races of a scene that are still open, in the order they were started."""
    return [
        each
        for each in draft.view.situations.values()
        if each.scene_id == scene_id
        and each.kind is SituationKind.RACE
        and each.status is SituationStatus.OPEN
        and each.outcome is None
    ]


def end_race(draft: Draft, situation: Situation, outcome: RaceOutcome) -> None:
    """End a race with the clocks as they stand; of a standard situation there is nothing to end."""
    if situation.kind is not SituationKind.RACE:
        return
    left, threat, scene = _clock_values(draft, situation)
    event = e.RaceEnded(situation_id=situation.id, outcome=outcome, situation=left, threat=threat, scene=scene)
    draft.tell(find.root_of_situation(draft, situation.id), event)


def _clock_values(draft: Draft, race: Situation) -> tuple[int, int, int]:
    clocks, scene = draft.view.clocks, draft.view.scenes[race.scene_id]
    return clocks[race.clock_id].value, clocks[str(scene.threat_id)].value, clocks[scene.clock_id].value


_ENDS: dict[ClockKind, Callable[[Draft, Clock], None]] = {
    ClockKind.CHALLENGE: _challenge_done,
    ClockKind.SITUATION: _situation_done,
    ClockKind.THREAT: _threat_done,
    ClockKind.SCENE: _scene_done,
    ClockKind.FREE: _free_done,
}
