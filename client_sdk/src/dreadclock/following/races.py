"""Races: their threat, and how they end. Source: rules.md B2-B8, B19 and B21."""

from dreadclock.following.telling import Telling, root_of_situation
from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Difficulty, RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.families.situations import race_clocks
from dreadclock.wire.ids import threat_id_of
from dreadclock.wire.things import Clock, ClockKind, Scene, Situation, SituationKind, SituationStatus
from dreadclock.wire.views import View


def new_threat(scene: Scene, level: int, difficulty: Difficulty) -> Clock:
    """Return the threat clock that a scene's first race brings. Source: rules.md B5 and B8."""
    start = rules.threat_budget(level, difficulty)
    return Clock(
        id=threat_id_of(scene.id),
        kind=ClockKind.THREAT,
        name=f"Threat: {scene.name}"[:64],
        of=scene.id,
        size=start,
        value=start,
        visibility=scene.visibility,
    )


def race_around(view: View, situation: Situation) -> Situation | None:
    """Return the race whose threat the rounds of a situation tick: itself, or the one that it lies within."""
    if situation.kind is SituationKind.RACE:
        return situation
    race = view.situations.get(situation.within or "")
    return race if race is not None and race.status is SituationStatus.OPEN else None


def end_race(t: Telling, situation: Situation, outcome: RaceOutcome) -> None:
    """End a race with the clocks as they stand; of a standard situation there is nothing to end."""
    if situation.kind is SituationKind.RACE:
        left, threat, scene = race_clocks(t.view, situation)
        ended = e.RaceEnded(situation_id=situation.id, outcome=outcome, situation=left, threat=threat, scene=scene)
        t.tell(root_of_situation(t.view, situation.id), ended)
