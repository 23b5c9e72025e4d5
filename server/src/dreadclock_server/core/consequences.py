"""What follows when a clock moves. Source: rules.md B1-B13."""

from collections.abc import Callable

from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind
from dreadclock.wire.events import Cause
from dreadclock.wire.things import (
    ChallengeStatus,
    Clock,
    ClockKind,
    Scene,
    SceneStatus,
    Situation,
    SituationStatus,
)
from dreadclock_server.core import find, races, roots, secrets
from dreadclock_server.core.draft import Draft


def tick(draft: Draft, clock_id: Id, by: int, cause: Cause) -> None:
    """Move a clock `by` points towards its end; there, its consequences follow. B11: at its end, nothing."""
    if lose(draft, clock_id, by, cause):
        reach_end(draft, draft.view.clocks[clock_id])


def lose(draft: Draft, clock_id: Id, by: int, cause: Cause) -> bool:
    """Move a clock without its consequences, and tell whether that took it to its end."""
    clock = draft.view.clocks[clock_id]
    value = rules.tick(clock.value, by, clock.size, clock.direction)
    root = roots.root_of_clock(draft, clock)
    if value == clock.value:
        draft.hint(root)
        return False
    draft.tell(root, e.ClockTicked(clock_id=clock.id, kind=clock.kind, cause=cause, value=value))
    return draft.view.clocks[clock_id].done


def reach_end(draft: Draft, clock: Clock) -> None:
    """Let happen what a clock at its end brings about, however it got there. Source: rules.md B10."""
    _ENDS[clock.kind](draft, clock)


def _challenge_done(draft: Draft, clock: Clock) -> None:
    challenge = draft.view.challenges[str(clock.of)]
    if challenge.status is not ChallengeStatus.OPEN:
        return
    root = roots.root_of_situation(draft, challenge.situation_id)
    draft.tell(root, e.ChallengeOvercome(challenge_id=challenge.id))
    tick(draft, draft.view.situations[challenge.situation_id].clock_id, 1, Cause.CHALLENGE)


def _situation_done(draft: Draft, clock: Clock) -> None:
    situation = draft.view.situations[str(clock.of)]
    root = roots.root_of_situation(draft, situation.id)
    draft.tell(root, e.SituationWon(situation_id=situation.id))
    succeed(draft, situation)


def succeed(draft: Draft, situation: Situation) -> None:
    """Take a situation's point off the scene, and end a race as a success. Source: rules.md B2 and B8."""
    _show_sealed(draft, situation)
    scene = draft.view.scenes[situation.scene_id]
    hidden = roots.root_of_situation(draft, situation.id).kind is Kind.SITUATION
    scene_done = lose(draft, scene.clock_id, 1, Cause.HIDDEN if hidden else Cause.SITUATION)
    races.end_race(draft, situation, RaceOutcome.SUCCESS)
    if scene_done:
        reach_end(draft, draft.view.clocks[scene.clock_id])


def _threat_done(draft: Draft, clock: Clock) -> None:
    for race in races.open_races(draft, str(clock.of)):
        fail(draft, race, e.SituationFailure.THREAT)


def fail(draft: Draft, situation: Situation, reason: e.SituationFailure) -> None:
    """Lose a situation; a race ends as a failure with it, the scene goes on. Source: rules.md B8 and B9."""
    root = roots.root_of_situation(draft, situation.id)
    draft.tell(root, e.SituationFailed(situation_id=situation.id, reason=reason))
    races.end_race(draft, situation, RaceOutcome.FAILURE)
    _show_sealed(draft, situation)


def _show_sealed(draft: Draft, situation: Situation) -> None:
    """Show everyone a situation that is sealed for itself; one in a sealed scene waits for the scene."""
    root = roots.root_of_situation(draft, situation.id)
    if root.kind is Kind.SITUATION:
        secrets.end(draft, root)


def _scene_done(draft: Draft, clock: Clock) -> None:
    """B3: an open race holds an emptied scene open; the gm ends it."""
    if not races.open_races(draft, str(clock.of)):
        end_scene(draft, draft.view.scenes[str(clock.of)])


def end_scene(draft: Draft, scene: Scene) -> None:
    """End a scene; its open races end early. Source: rules.md B4."""
    root = roots.root_of_scene(draft, scene.id)
    for race in races.open_races(draft, scene.id):
        races.end_race(draft, race, races.early_outcome(draft, race))
    show_sealed_in(draft, scene)
    emptied = draft.view.clocks[scene.clock_id].done
    outcome = SceneStatus.SUCCESS if emptied else SceneStatus.UNFINISHED
    draft.tell(root, e.SceneEnded(scene_id=scene.id, outcome=outcome))
    _close_hidden_in(draft, scene)
    secrets.end(draft, root)


def show_sealed_in(draft: Draft, scene: Scene) -> None:
    """Show everyone what is sealed in a scene that is about to go: it ends with the scene."""
    for situation in find.hidden_situations(draft, scene.id):
        _show_sealed(draft, situation)


def _close_hidden_in(draft: Draft, scene: Scene) -> None:
    """Close what only the gm knows of in a scene that ended; the scene's own end is told in public."""
    for situation in find.hidden_situations(draft, scene.id):
        if situation.status is SituationStatus.OPEN:
            draft.emit(Channel.GM, e.SituationClosed(situation_id=situation.id))


def _free_done(draft: Draft, clock: Clock) -> None:
    secrets.end(draft, roots.root_of_clock(draft, clock))


_ENDS: dict[ClockKind, Callable[[Draft, Clock], None]] = {
    ClockKind.CHALLENGE: _challenge_done,
    ClockKind.SITUATION: _situation_done,
    ClockKind.THREAT: _threat_done,
    ClockKind.SCENE: _scene_done,
    ClockKind.FREE: _free_done,
}
