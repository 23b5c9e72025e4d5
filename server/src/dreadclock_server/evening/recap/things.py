"""Collect the things of an evening: clocks over time, countdowns roll by roll, races, crises, and people.

A step is a record, with the views before and after it. In a race, the clock of a situation runs against the clock of
its scene's threat.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from dreadclock.export import Step
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import things as t
from dreadclock.wire.base import Id, Role
from dreadclock.wire.events import CountdownRolled, CrisisDescribed, CrisisSuffered, Revealed

# Clocks over time: their values, and groups of clocks that are drawn together.


TAKEN_BACK: Final = frozenset({"cancelled", "command_voided"})
"""Events that remove or restore things because of a mistake."""

_TOGETHER: Final = 4  # how many free-standing clocks share a drawing
_OPEN: Final = "open"

_Thing = TypeVar("_Thing")


@dataclass(slots=True)
class Course:
    """A clock in its last state, and its values over time, in order."""

    clock: t.Clock
    moves: list[tuple[int, int]] = field(default_factory=list)  # pairs of a time in ms and the value from this time on
    until: int = 0  # the time when the clock or the evening ended

    @property
    def moved(self) -> bool:
        """Whether the clock ever moved."""
        return len(self.moves) > 1


class Panel(NamedTuple):
    """Clocks that are drawn together. `name`: the name of their scene or situation; None for free-standing clocks."""

    name: str | None
    courses: tuple[Course, ...]


@dataclass(slots=True)
class _Evening:
    courses: dict[Id, Course] = field(default_factory=dict)
    scenes: dict[Id, t.Scene] = field(default_factory=dict)
    situations: dict[Id, t.Situation] = field(default_factory=dict)
    challenges: dict[Id, t.Challenge] = field(default_factory=dict)
    ended: dict[Id, int] = field(default_factory=dict)  # when a scene, situation or challenge ended


def panels(steps: Sequence[Step]) -> tuple[Panel, ...]:
    """Return the panels in which at least one clock moved. Leaves out clocks whose start was undone."""
    evening = _Evening()
    for step in steps:
        _follow_clocks(evening, step)
    for course in evening.courses.values():
        end = steps[-1].record.at
        course.until = course.moves[-1][0] if course.clock.done else evening.ended.get(course.clock.of or "", end)
    drawn = (*_of_scenes(evening), *_of_situations(evening), *_free(evening))
    return tuple(panel for panel in drawn if any(course.moved for course in panel.courses))


def _follow_clocks(evening: _Evening, step: Step) -> None:
    before, after = (view.channels[step.record.channel] for view in (step.before, step.after))
    if step.record.event.type in TAKEN_BACK:
        for gone in before.clocks.keys() - after.clocks.keys():
            evening.courses.pop(gone, None)
    for clock in changed(before.clocks, after.clocks):
        course = evening.courses.setdefault(clock.id, Course(clock))
        course.clock = clock
        if not course.moves or course.moves[-1][1] != clock.value:
            course.moves.append((step.record.at, clock.value))
    for kind in ("scenes", "situations", "challenges"):
        for thing in changed(getattr(before, kind), getattr(after, kind)):
            getattr(evening, kind)[thing.id] = thing
            if thing.status == _OPEN:
                evening.ended.pop(thing.id, None)  # an undo may have opened the thing again
            else:
                evening.ended.setdefault(thing.id, step.record.at)


def changed(before: Mapping[Id, _Thing], after: Mapping[Id, _Thing]) -> Iterator[_Thing]:
    """Yield the things that a step added or changed. Compares by identity, because unchanged things are not copied."""
    if after is not before:
        yield from (thing for key, thing in after.items() if before.get(key) is not thing)


# Groups of clocks


def _of_scenes(evening: _Evening) -> Iterator[Panel]:
    for scene in evening.scenes.values():
        inside = [situation.clock_id for situation in evening.situations.values() if situation.scene_id == scene.id]
        clocks = [scene.clock_id, *([scene.threat_id] if scene.threat_id else []), *inside]
        yield Panel(scene.name, _courses(evening, clocks))


def _of_situations(evening: _Evening) -> Iterator[Panel]:
    """Yield a panel for each situation that has challenges with more than one point.

    The panel has the situation's clock and the clocks of these challenges.
    """
    for situation in evening.situations.values():
        challenges = evening.challenges.values()
        inside = [challenge.clock_id for challenge in challenges if challenge.situation_id == situation.id]
        long = [course.clock.id for course in _courses(evening, inside) if course.clock.size > 1]
        if long:
            yield Panel(situation.name, _courses(evening, [situation.clock_id, *long]))


def _free(evening: _Evening) -> Iterator[Panel]:
    free = [course for course in evening.courses.values() if course.clock.kind is t.ClockKind.FREE and course.moved]
    for first in range(0, len(free), _TOGETHER):
        yield Panel(None, tuple(free[first : first + _TOGETHER]))


def _courses(evening: _Evening, clocks: Iterable[Id]) -> tuple[Course, ...]:
    return tuple(evening.courses[key] for key in clocks if key in evening.courses)


# Countdowns roll by roll.


class Stretch(NamedTuple):
    """Rolls of a countdown in a row, without added dice. `pools`: the number of dice at first, and after each roll."""

    pools: tuple[int, ...]

    @property
    def rolls(self) -> int:
        """How often the countdown was rolled."""
        return len(self.pools) - 1


@dataclass(slots=True)
class Survival:
    """A countdown in its last state. `rolls`: for each roll, how many dice were rolled, and how many remained."""

    countdown: t.Countdown
    rolls: list[tuple[int, int]] = field(default_factory=list)

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """Return the stretches of the countdown in order, each with at least one roll."""
        pools: list[list[int]] = []
        for dice, remaining in self.rolls:
            if not pools or pools[-1][-1] != dice:
                pools.append([dice])
            pools[-1].append(remaining)
        return tuple(Stretch(tuple(pool)) for pool in pools)


def survivals(steps: Sequence[Step]) -> tuple[Survival, ...]:
    """Return the countdowns that were rolled, except countdowns whose start was undone."""
    survivals_by_id: dict[Id, Survival] = {}
    for step in steps:
        _follow_countdowns(survivals_by_id, step)
    return tuple(survival for survival in survivals_by_id.values() if survival.rolls)


def _follow_countdowns(survivals: dict[Id, Survival], step: Step) -> None:
    before, after = (view.channels[step.record.channel].countdowns for view in (step.before, step.after))
    event = step.record.event
    if event.type in TAKEN_BACK:
        for gone in before.keys() - after.keys():
            survivals.pop(gone, None)
    shown = event.things.countdowns if isinstance(event, Revealed) else ()
    # revealed countdowns whose earlier rolls the log did not show; a gm's export has none, because it shows all rolls
    hidden_before = [countdown for countdown in shown if countdown.id not in survivals]
    for countdown in changed(before, after):
        survival = survivals.setdefault(countdown.id, Survival(countdown))
        survival.countdown = countdown
    for countdown in hidden_before:
        rolls = [roll for roll in countdown.hidden_rolls if roll.pool is None]
        survivals[countdown.id].rolls += [(len(roll.faces), len(roll.faces) - roll.removed) for roll in rolls]
    if isinstance(event, CountdownRolled):
        survivals[event.countdown_id].rolls.append((len(event.faces), event.remaining))


# Races, and how close they were.


class Race(NamedTuple):
    """A race at its end: the points left on the clocks of situation, threat and scene, and the clocks' sizes."""

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
        """Return the points by which the race was decided: the points left on the threat clock if it was won,
        otherwise the points left on the race's own clock.
        """
        return self.threat if self.outcome is RaceOutcome.SUCCESS else self.situation

    @property
    def narrowness(self) -> float:
        """Return the margin divided by the size of its clock."""
        return self.margin / (self.threat_size if self.outcome is RaceOutcome.SUCCESS else self.situation_size)


def races(steps: Sequence[Step]) -> tuple[Race, ...]:
    """Return the races that have ended, sorted by `narrowness`: the closest race is first."""
    ended: dict[Id, Race] = {}
    for step in steps:
        before, after = (view.channels[step.record.channel].situations for view in (step.before, step.after))
        for situation in changed(before, after):
            was = before.get(situation.id)
            if situation.outcome is None:
                ended.pop(situation.id, None)  # an undo may have opened the race again
            elif was is None or was.outcome is None:
                ended.update(_race(step, situation, situation.outcome))
    return tuple(sorted(ended.values(), key=lambda race: race.narrowness))


def _race(step: Step, situation: t.Situation, outcome: RaceOutcome) -> Iterator[tuple[Id, Race]]:
    """Yield the race of a situation with its id. Yields nothing if the scene is missing or has no threat clock."""
    scene, clocks = step.after.scenes.get(situation.scene_id), step.after.clocks
    if scene is not None and scene.threat_id is not None:
        own, threat, rest = clocks[situation.clock_id], clocks[scene.threat_id], clocks[scene.clock_id]
        yield (
            situation.id,
            Race(situation.name, scene.name, outcome, own.value, own.size, threat.value, threat.size, rest.value),
        )


# Crises: the injuries and derangements of an evening.


class Suffered(NamedTuple):
    """A crisis, with its time in ms and the name of the character."""

    at: int
    character: str
    crisis: t.Crisis


def crises(steps: Sequence[Step]) -> tuple[Suffered, ...]:
    """Return the crises of an evening in their order, with their last descriptions."""
    crises: dict[tuple[Id, str, int], Suffered] = {}
    for step in steps:
        event = step.record.event
        if isinstance(event, CrisisSuffered | CrisisDescribed):
            key = (event.character_id, event.crisis.kind, event.crisis.box)
            name = step.after.characters[event.character_id].name
            if isinstance(event, CrisisSuffered):
                crises[key] = Suffered(step.record.at, name, event.crisis)
            elif key in crises:  # the crisis may be from an earlier evening
                crises[key] = crises[key]._replace(crisis=event.crisis)
    return tuple(crises.values())


# People: the seats of an evening, and the characters that they played.


NAMELESS: Final = frozenset({"The other side", "Die Gegenseite"})
"""The names that the gm's page gives to opponents without a name."""


class Played(NamedTuple):
    """A character at the end of the evening."""

    name: str
    status: t.CharacterStatus


class Person(NamedTuple):
    """A seat. `left`: whether it was removed before the end."""

    name: str
    role: Role
    left: bool
    characters: tuple[Played, ...]


def people(steps: Sequence[Step]) -> tuple[Person, ...]:
    """Return all people who ever had a seat, in the order of joining, with the latest names of their seats."""
    remain = steps[-1].after.seats if steps else {}
    return tuple(
        Person(seat.name, seat.role, seat.id not in remain, characters_of(steps, seat.id))
        for seat in seats(steps).values()
    )


def characters_of(steps: Sequence[Step], owner: Id | None) -> tuple[Played, ...]:
    """Return the characters of a seat. `owner`: None for the characters without a seat."""
    characters = steps[-1].after.characters.values() if steps else ()
    return tuple(Played(character.name, character.status) for character in characters if character.owner == owner)


def foes(steps: Sequence[Step]) -> tuple[Played, ...]:
    """Return the opponents that have a name but no sheet."""
    checks = (check for step in steps for check in changed(step.before.checks, step.after.checks))
    named = dict.fromkeys(part.name for check in checks for part in check.parts if part.name is not None)
    return tuple(Played(name, t.CharacterStatus.IN_PLAY) for name in named if name not in NAMELESS)


def seats(steps: Sequence[Step]) -> dict[Id, t.Seat]:
    """Return all seats by id, including removed seats, with their latest names."""
    by_id: dict[Id, t.Seat] = {}
    for step in steps:
        if step.after.seats is not step.before.seats:
            by_id.update(step.after.seats)
    return by_id
