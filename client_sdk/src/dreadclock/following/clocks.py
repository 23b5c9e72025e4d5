"""What follows when a clock moves, and when what it belongs to ends. Source: rules.md B1-B13."""

from collections.abc import Callable

from dreadclock.following import secrets
from dreadclock.following.races import end_race, race_around
from dreadclock.following.telling import Telling, note, root_of_clock, root_of_scene, root_of_situation
from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind, Visibility
from dreadclock.wire.events import Cause
from dreadclock.wire.families.clocks import owner_is_over, scene_of_clock, situation_of_clock
from dreadclock.wire.families.situations import NOT_OVER, ends_as, open_races
from dreadclock.wire.ids import clock_id_of
from dreadclock.wire.things import (
    ChallengeStatus,
    Clock,
    ClockKind,
    Scene,
    SceneStatus,
    Situation,
    SituationStatus,
    When,
)
from dreadclock.wire.views import View


def full_clock(kind: ClockKind, owner: Id, name: str, size: int, visibility: Visibility) -> Clock:
    """Return the clock that a scene, situation or challenge starts with."""
    return Clock(id=clock_id_of(owner), kind=kind, name=name, of=owner, size=size, value=size, visibility=visibility)


def tick(t: Telling, clock_id: Id, by: int, cause: Cause) -> None:
    """Move a clock `by` points towards its end; what follows there, follows. A clock that stood there stays (B11)."""
    if move(t, clock_id, by, cause):
        reach_end(t, t.view.clocks[clock_id])


def move(t: Telling, clock_id: Id, by: int, cause: Cause) -> bool:
    """Move a clock without what follows, and return whether it stands at its end now."""
    clock = t.view.clocks[clock_id]
    value = rules.tick(clock.value, by, clock.size, clock.direction)
    root = root_of_clock(t.view, clock)
    if value == clock.value:
        t.hint(root)
        return False
    t.tell(root, e.ClockTicked(clock_id=clock.id, kind=clock.kind, cause=cause, value=value, back=by < 0 or None))
    return rules.is_done(value, clock.size, clock.direction)


def is_open(view: View, clock: Clock) -> bool:
    """Tell whether what a clock belongs to is under way."""
    if owner_is_over(view, clock):
        return False
    scene = None if clock.kind is ClockKind.FREE else view.scenes[scene_of_clock(view, clock)]
    if scene is not None and scene.aside:
        return False
    situation_id = situation_of_clock(view, clock)
    return situation_id is None or view.situations[situation_id].status is not SituationStatus.PREPARED


def enlarge(t: Telling, clock_id: Id, by: int, cause: Cause) -> None:
    """Enlarge a clock by some points; one that runs down has them yet to go. Source: rules.md B15."""
    clock = t.view.clocks[clock_id]
    _resize(t, clock, clock.size + by, rules.enlarged(clock.value, by, clock.direction), cause)


def make_room_for_challenges(t: Telling, situation_id: Id) -> None:
    """Raise a situation's clock to the number of challenges that are open in it, if need be. Source: rules.md B16."""
    clock = t.view.clocks[t.view.situations[situation_id].clock_id]
    inside = [each for each in t.view.challenges.values() if each.situation_id == situation_id]
    still_open = sum(each.status is ChallengeStatus.OPEN for each in inside)
    if clock.value < still_open:
        _resize(t, clock, max(clock.size, still_open), still_open, Cause.CHALLENGE)


def _resize(t: Telling, clock: Clock, size: int, value: int, cause: Cause) -> None:
    typical = rules.is_typical_scene(size) if clock.kind is ClockKind.SCENE else None
    resized = e.ClockResized(clock_id=clock.id, kind=clock.kind, cause=cause, size=size, value=value, typical=typical)
    t.tell(root_of_clock(t.view, clock), resized)


def end_if_done(t: Telling, clock_id: Id) -> None:
    """Bring about what follows from a clock that stands at its end; if it does not, nothing."""
    after = t.view.clocks[clock_id]
    if after.done:
        reach_end(t, after)


def reach_end(t: Telling, clock: Clock) -> None:
    """Bring about what follows from a clock at its end, however it got there. Source: rules.md B10."""
    if clock.kind is not ClockKind.SITUATION:  # won by the gm's word, too
        note(t, Kind.CLOCK, clock.id, When.END)
    _ENDS[clock.kind](t, clock)


def _challenge_done(t: Telling, clock: Clock) -> None:
    challenge = t.view.challenges[str(clock.of)]
    t.tell(root_of_situation(t.view, challenge.situation_id), e.ChallengeOvercome(challenge_id=challenge.id))
    tick(t, t.view.situations[challenge.situation_id].clock_id, 1, Cause.CHALLENGE)


def _situation_done(t: Telling, clock: Clock) -> None:
    situation = t.view.situations[str(clock.of)]
    t.tell(root_of_situation(t.view, situation.id), e.SituationWon(situation_id=situation.id))
    succeed(t, situation)


def succeed(t: Telling, situation: Situation) -> None:
    """Move the clock of the scene in which a situation was won, and end its race. Source: rules.md B2 and B8."""
    note(t, Kind.CLOCK, situation.clock_id, When.END)
    _show_sealed(t, situation)
    scene_won(t, situation, hidden=root_of_situation(t.view, situation.id).kind is Kind.SITUATION)


def scene_won(t: Telling, situation: Situation, *, hidden: bool) -> None:
    """Move the clock of the scene in which a situation was won; the race ends before the scene does."""
    scene = t.view.scenes[situation.scene_id]
    done = move(t, scene.clock_id, 1, Cause.HIDDEN if hidden else Cause.SITUATION)
    end_race(t, situation, RaceOutcome.SUCCESS)
    if done:
        reach_end(t, t.view.clocks[scene.clock_id])


def _threat_done(t: Telling, clock: Clock) -> None:
    for race in open_races(t.view, str(clock.of)):
        fail(t, race, e.SituationFailure.THREAT)


def fail(t: Telling, situation: Situation, reason: e.SituationFailure) -> None:
    """Lose a situation; a race ends as a failure with it, the scene goes on. Source: rules.md B8 and B9."""
    t.tell(root_of_situation(t.view, situation.id), e.SituationFailed(situation_id=situation.id, reason=reason))
    after_failure(t, situation)


def after_failure(t: Telling, situation: Situation) -> None:
    """End the race of a situation that was lost, and show what was sealed."""
    end_race(t, situation, RaceOutcome.FAILURE)
    _show_sealed(t, situation)


def _show_sealed(t: Telling, situation: Situation) -> None:
    """Show everyone a situation that is sealed for itself; one in a sealed scene waits for the scene."""
    root = root_of_situation(t.view, situation.id)
    if root.kind is Kind.SITUATION:
        secrets.end(t, root)


def _scene_done(t: Telling, clock: Clock) -> None:
    """B3: an open race holds an emptied scene open; the gm ends it."""
    if not open_races(t.view, str(clock.of)):
        end_scene(t, t.view.scenes[str(clock.of)])


def end_scene(t: Telling, scene: Scene) -> None:
    """End a scene; its open races end early. Source: rules.md B4."""
    for race in open_races(t.view, scene.id):
        end_race(t, race, ends_as(t.view, race))
    show_sealed_in(t, scene)
    emptied = t.view.clocks[scene.clock_id].done
    outcome = SceneStatus.SUCCESS if emptied else SceneStatus.UNFINISHED
    t.tell(root_of_scene(t.view, scene.id), e.SceneEnded(scene_id=scene.id, outcome=outcome))
    for situation in hidden_situations(t, scene.id):  # the scene's own end is told in public
        if situation.status in NOT_OVER:
            t.emit(Channel.GM, e.SituationClosed(situation_id=situation.id))
    secrets.end(t, root_of_scene(t.view, scene.id))


def round_ends(t: Telling, situation: Situation) -> None:
    """Tick the threat at the end of a round: of a race, or of a situation within one. Source: rules.md B6 and B19."""
    race = race_around(t.view, situation)
    if race is not None:
        root = root_of_situation(t.view, situation.id)
        seen_by_more = root.channel is not root_of_situation(t.view, race.id).channel
        threat_id = str(t.view.scenes[race.scene_id].threat_id)
        tick(t, threat_id, 1, Cause.HIDDEN if seen_by_more else Cause.ROUND)


def show_sealed_in(t: Telling, scene: Scene) -> None:
    """Show everyone what is sealed in a scene that is about to go: it ends with the scene."""
    for situation in hidden_situations(t, scene.id):
        _show_sealed(t, situation)


def hidden_situations(t: Telling, scene_id: Id) -> list[Situation]:
    """Return the situations, over or not, that are hidden in a scene that everyone sees."""
    if scene_id not in t.view.public.scenes:
        return []
    return [each for each in t.view.hidden.situations.values() if each.scene_id == scene_id]


def _free_done(t: Telling, clock: Clock) -> None:
    secrets.end(t, root_of_clock(t.view, clock))


_ENDS: dict[ClockKind, Callable[[Telling, Clock], None]] = {
    ClockKind.CHALLENGE: _challenge_done,
    ClockKind.SITUATION: _situation_done,
    ClockKind.THREAT: _threat_done,
    ClockKind.SCENE: _scene_done,
    ClockKind.FREE: _free_done,
}
