"""What follows when a clock moves. Source: rules.md B1-B13."""

from __future__ import annotations

from dreadclock.referee import secrets
from dreadclock.referee.reader import Reader
from dreadclock.referee.roots import root_of_clock, root_of_scene, root_of_situation
from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind
from dreadclock.wire.events import Cause
from dreadclock.wire.things import (
    Challenge,
    ChallengeKind,
    ChallengeStatus,
    Clock,
    ClockKind,
    Scene,
    SceneStatus,
    Situation,
    SituationKind,
    SituationStatus,
)


def tick(r: Reader, clock_id: Id, by: int, cause: Cause) -> None:
    """A clock moves `by` points towards its end; there, its consequences follow. B11: at its end, nothing."""
    if lose(r, clock_id, by, cause):
        reach_end(r, r.view.clocks[clock_id])


def lose(r: Reader, clock_id: Id, by: int, cause: Cause) -> bool:
    """A clock moves without its consequences; tell whether that took it to its end."""
    clock = r.view.clocks[clock_id]
    value = rules.tick(clock.value, by, clock.size, clock.direction)
    root = root_of_clock(r.view, clock)
    if value == clock.value:
        r.hint(root)
        return False
    r.tell(root, e.ClockTicked(clock_id=clock.id, kind=clock.kind, cause=cause, value=value))
    return rules.is_done(value, clock.size, clock.direction)


def reach_end(r: Reader, clock: Clock) -> None:
    """What a clock at its end brings about follows, however it got there. Source: rules.md B10."""
    match clock.kind:
        case ClockKind.CHALLENGE:
            _challenge_done(r, r.view.challenges[str(clock.of)])
        case ClockKind.SITUATION:
            situation = r.view.situations[str(clock.of)]
            r.tell(root_of_situation(r.view, situation.id), e.SituationWon(situation_id=situation.id))
            succeed(r, situation)
        case ClockKind.THREAT:
            for race in open_races(r, str(clock.of)):
                fail(r, race, e.SituationFailure.THREAT)
        case ClockKind.SCENE:
            if not open_races(r, str(clock.of)):  # B3: an open race holds an emptied scene open
                end_scene(r, r.view.scenes[str(clock.of)])
        case ClockKind.FREE:
            secrets.end(r, root_of_clock(r.view, clock))


def _challenge_done(r: Reader, challenge: Challenge) -> None:
    if challenge.status is ChallengeStatus.OPEN:
        r.tell(root_of_situation(r.view, challenge.situation_id), e.ChallengeOvercome(challenge_id=challenge.id))
        tick(r, r.view.situations[challenge.situation_id].clock_id, 1, Cause.CHALLENGE)


def succeed(r: Reader, situation: Situation) -> None:
    """A situation that is won takes a point off its scene, and ends as a race. Source: rules.md B2 and B8."""
    show_sealed(r, situation)
    scene_won(r, situation, hidden=root_of_situation(r.view, situation.id).kind is Kind.SITUATION)


def scene_won(r: Reader, situation: Situation, *, hidden: bool) -> None:
    """The scene of a situation that is won loses its point."""
    scene = r.view.scenes[situation.scene_id]
    done = lose(r, scene.clock_id, 1, Cause.HIDDEN if hidden else Cause.SITUATION)
    _end_race(r, situation, RaceOutcome.SUCCESS)
    if done:
        reach_end(r, r.view.clocks[scene.clock_id])


def fail(r: Reader, situation: Situation, reason: e.SituationFailure) -> None:
    """A situation is lost; its scene goes on. Source: rules.md B8 and B9."""
    r.tell(root_of_situation(r.view, situation.id), e.SituationFailed(situation_id=situation.id, reason=reason))
    failed(r, situation)


def failed(r: Reader, situation: Situation) -> None:
    """What follows a situation that was lost: its race is a failure, and what was sealed is shown."""
    _end_race(r, situation, RaceOutcome.FAILURE)
    show_sealed(r, situation)


def show_sealed(r: Reader, situation: Situation) -> None:
    """A situation that is sealed for itself is shown; one in a sealed scene waits for the scene."""
    root = root_of_situation(r.view, situation.id)
    if root.kind is Kind.SITUATION:
        secrets.end(r, root)


def open_races(r: Reader, scene_id: Id) -> list[Situation]:
    """Return the races of a scene that are under way, in the order in which they were started."""
    return [
        each
        for each in r.view.situations.values()
        if each.scene_id == scene_id
        and each.kind is SituationKind.RACE
        and each.status is SituationStatus.OPEN
        and each.outcome is None
    ]


def _end_race(r: Reader, situation: Situation, outcome: RaceOutcome) -> None:
    if situation.kind is SituationKind.RACE:
        left, threat, scene = clock_values(r, situation)
        ended = e.RaceEnded(situation_id=situation.id, outcome=outcome, situation=left, threat=threat, scene=scene)
        r.tell(root_of_situation(r.view, situation.id), ended)


def clock_values(r: Reader, race: Situation) -> tuple[int, int, int]:
    """Return what is left on the clocks of a race: its own, the threat's and the scene's."""
    clocks, scene = r.view.clocks, r.view.scenes[race.scene_id]
    return clocks[race.clock_id].value, clocks[str(scene.threat_id)].value, clocks[scene.clock_id].value


def end_scene(r: Reader, scene: Scene) -> None:
    """A scene ends, its open races early. Source: rules.md B4."""
    for race in open_races(r, scene.id):
        _end_race(r, race, rules.race_outcome(*clock_values(r, race)))
    for situation in hidden_situations(r, scene.id):
        show_sealed(r, situation)
    emptied = r.view.clocks[scene.clock_id].done
    outcome = SceneStatus.SUCCESS if emptied else SceneStatus.UNFINISHED
    r.tell(root_of_scene(r.view, scene.id), e.SceneEnded(scene_id=scene.id, outcome=outcome))
    scene_over(r, scene)


def scene_over(r: Reader, scene: Scene) -> None:
    """What follows a scene's end: what is hidden in it closes, and what was sealed is shown."""
    for situation in hidden_situations(r, scene.id):
        if situation.status is SituationStatus.OPEN:
            r.must(Channel.GM, e.SituationClosed(situation_id=situation.id))
    secrets.end(r, root_of_scene(r.view, scene.id))


def hidden_situations(r: Reader, scene_id: Id) -> list[Situation]:
    """Return the situations, over or not, that are hidden in a scene that everyone sees."""
    if scene_id not in r.public.scenes:
        return []
    return [each for each in r.hidden.situations.values() if each.scene_id == scene_id]


def tick_threat(r: Reader, challenge: Challenge, cause: Cause) -> None:
    """The threat ticks for an effort in a race; attacks on foes do not tick it. Source: rules.md B7 and B13."""
    situation = r.view.situations[challenge.situation_id]
    if situation.kind is SituationKind.RACE and challenge.kind is not ChallengeKind.FOE:
        tick(r, str(r.view.scenes[situation.scene_id].threat_id), 1, cause)


def roll_begins(r: Reader, challenge_id: Id | None, *, hidden: bool) -> None:
    """The threat ticks for a roll that is about to be made, whatever it will show. Source: rules.md B1 and B13."""
    challenge = _still_open(r, challenge_id)
    if challenge is not None:
        tick_threat(r, challenge, Cause.HIDDEN if hidden else Cause.EFFORT)


def roll_succeeds(r: Reader, challenge_id: Id | None, *, hidden: bool) -> None:
    """The challenge that a roll overcame loses a point, unless the attempt lost the race. Source: rules.md B1."""
    challenge = _still_open(r, challenge_id)
    if challenge is not None:
        tick(r, challenge.clock_id, 1, Cause.HIDDEN if hidden else Cause.EFFORT)


def _still_open(r: Reader, challenge_id: Id | None) -> Challenge | None:
    challenge = r.view.challenges.get(challenge_id or "")
    return challenge if challenge is not None and challenge.status is ChallengeStatus.OPEN else None
