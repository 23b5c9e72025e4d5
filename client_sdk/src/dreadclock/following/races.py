"""Races: their threat, and how they end. Source: rules.md B2-B8, B19 and B21."""

from dreadclock.following.telling import Telling, root_of_situation
from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Difficulty, RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Id
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


def open_races(view: View, scene_id: Id) -> list[Situation]:
    """Return the races of a scene that are under way, in the order in which they were started."""
    races = [each for each in view.situations.values() if each.kind is SituationKind.RACE]
    return [each for each in races if each.scene_id == scene_id and each.status is SituationStatus.OPEN]


def race_around(view: View, situation: Situation) -> Situation | None:
    """Return the race whose threat the rounds of a situation tick: itself, or the one that it lies within."""
    if situation.kind is SituationKind.RACE:
        return situation
    race = view.situations.get(situation.within or "")
    return race if race is not None and race.status is SituationStatus.OPEN else None


def ends_as(view: View, race: Situation) -> RaceOutcome:
    """Say how a race that is under way would end if its scene ended now. Source: rules.md B21."""
    return rules.race_outcome(*clock_values(view, race))


def end_race(t: Telling, situation: Situation, outcome: RaceOutcome) -> None:
    """End a race with the clocks as they stand; of a standard situation there is nothing to end."""
    if situation.kind is SituationKind.RACE:
        left, threat, scene = clock_values(t.view, situation)
        ended = e.RaceEnded(situation_id=situation.id, outcome=outcome, situation=left, threat=threat, scene=scene)
        t.tell(root_of_situation(t.view, situation.id), ended)


def clock_values(view: View, race: Situation) -> tuple[int, int, int]:
    """Return what is left on the clocks of a race: its own, the threat's and the scene's."""
    clocks, scene = view.clocks, view.scenes[race.scene_id]
    return clocks[race.clock_id].value, clocks[str(scene.threat_id)].value, clocks[scene.clock_id].value
