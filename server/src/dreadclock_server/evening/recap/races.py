"""Races, by how close they were."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dreadclock.export import Step
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire.base import Id
from dreadclock.wire.things import Situation
from dreadclock_server.evening.recap.clocks import changed


@dataclass(frozen=True, slots=True)
class Race:
    """A race as it ended: the points left on its clocks, and how large they are."""

    name: str
    scene_name: str
    outcome: RaceOutcome
    situation: int
    situation_size: int
    threat: int
    threat_size: int
    scene: int

    @property
    def margin(self) -> int:
        """Return how many points decided it: of the threat if it was won, and else of what was still to do."""
        return self.threat if self.outcome is RaceOutcome.SUCCESS else self.situation

    @property
    def narrowness(self) -> float:
        """Return the margin as a part of its clock."""
        return self.margin / (self.threat_size if self.outcome is RaceOutcome.SUCCESS else self.situation_size)


def races(steps: Sequence[Step]) -> tuple[Race, ...]:
    """List the races that ended, the closest first."""
    ended: dict[Id, Race] = {}
    for step in steps:
        for gone in _undone(step):
            ended.pop(gone, None)
        ended.update(_ended(step))
    return tuple(sorted(ended.values(), key=lambda race: race.narrowness))


def _undone(step: Step) -> Iterator[Id]:
    """Name the situations that are open again, because the command that ended them was taken back."""
    before, after = (view.channels[step.record.channel].situations for view in (step.before, step.after))
    return (situation.id for situation in changed(before, after) if situation.outcome is None)


def _ended(step: Step) -> Iterator[tuple[Id, Race]]:
    before, after = (view.channels[step.record.channel].situations for view in (step.before, step.after))
    for situation in changed(before, after):
        was = before.get(situation.id)
        if situation.outcome is not None and (was is None or was.outcome is None):
            yield from _race(step, situation, situation.outcome)


def _race(step: Step, situation: Situation, outcome: RaceOutcome) -> Iterator[tuple[Id, Race]]:
    """Read a race off its clocks; of one whose scene is not in view nothing is said."""
    scene, clocks = step.after.scenes.get(situation.scene_id), step.after.clocks
    if scene is not None and scene.threat_id is not None:
        own, threat, rest = clocks[situation.clock_id], clocks[scene.threat_id], clocks[scene.clock_id]
        yield (
            situation.id,
            Race(situation.name, scene.name, outcome, own.value, own.size, threat.value, threat.size, rest.value),
        )
