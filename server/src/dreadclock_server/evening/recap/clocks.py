"""Clocks over time: where each stood, and which belong together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from dreadclock.export import Step
from dreadclock.wire.base import Id
from dreadclock.wire.things import Challenge, Clock, ClockKind, Scene, Situation
from dreadclock.wire.views import ChannelView

TAKEN_BACK: Final = frozenset({"cancelled", "command_voided"})
"""Events after which what they took away was never meant to be."""

_TOGETHER: Final = 4  # free-standing clocks in one drawing
_OPEN: Final = "open"

_Thing = TypeVar("_Thing")


@dataclass(slots=True)
class Course:
    """A clock, as it was seen last, and from when on it stood where, in the order in which it moved."""

    clock: Clock
    moves: list[tuple[int, int]] = field(default_factory=list)  # time in ms, value
    until: int = 0  # the time when it ended, or the evening did

    @property
    def moved(self) -> bool:
        """Tell whether it ever moved."""
        return len(self.moves) > 1


@dataclass(frozen=True, slots=True)
class Panel:
    """Clocks that are drawn together, under the name of their scene or situation; free-standing ones have none."""

    name: str | None
    courses: tuple[Course, ...]


@dataclass(slots=True)
class _Evening:
    courses: dict[Id, Course] = field(default_factory=dict)
    scenes: dict[Id, Scene] = field(default_factory=dict)
    situations: dict[Id, Situation] = field(default_factory=dict)
    challenges: dict[Id, Challenge] = field(default_factory=dict)
    ended: dict[Id, int] = field(default_factory=dict)  # when a scene, situation or challenge did


def panels(steps: Sequence[Step]) -> tuple[Panel, ...]:
    """Follow all clocks that anybody moved, but for those that were taken back, with those beside them."""
    evening = _Evening()
    for step in steps:
        _follow(evening, step)
    for course in evening.courses.values():
        end = steps[-1].record.at
        course.until = course.moves[-1][0] if course.clock.done else evening.ended.get(course.clock.of or "", end)
    drawn = (*_of_scenes(evening), *_of_situations(evening), *_free(evening))
    return tuple(panel for panel in drawn if any(course.moved for course in panel.courses))


def _follow(evening: _Evening, step: Step) -> None:
    before, after = (view.channels[step.record.channel] for view in (step.before, step.after))
    if step.record.event.type in TAKEN_BACK:
        _forget(evening, before, after)
    for clock in changed(before.clocks, after.clocks):
        course = evening.courses.setdefault(clock.id, Course(clock))
        course.clock = clock
        if not course.moves or course.moves[-1][1] != clock.value:
            course.moves.append((step.record.at, clock.value))
    evening.scenes.update((scene.id, scene) for scene in changed(before.scenes, after.scenes))
    evening.situations.update((situation.id, situation) for situation in changed(before.situations, after.situations))
    evening.challenges.update((challenge.id, challenge) for challenge in changed(before.challenges, after.challenges))
    for kind in ("scenes", "situations", "challenges"):
        for thing in changed(getattr(before, kind), getattr(after, kind)):
            if thing.status == _OPEN:
                evening.ended.pop(thing.id, None)  # what ended it may have been taken back
            else:
                evening.ended.setdefault(thing.id, step.record.at)


def _forget(evening: _Evening, before: ChannelView, after: ChannelView) -> None:
    for gone in before.clocks.keys() - after.clocks.keys():
        evening.courses.pop(gone, None)


def changed(before: Mapping[Id, _Thing], after: Mapping[Id, _Thing]) -> Iterator[_Thing]:
    """Go through what one step added or changed; folds keep what they do not change."""
    if after is not before:
        yield from (thing for key, thing in after.items() if before.get(key) is not thing)


# Which belong together


def _of_scenes(evening: _Evening) -> Iterator[Panel]:
    for scene in evening.scenes.values():
        inside = [situation.clock_id for situation in evening.situations.values() if situation.scene_id == scene.id]
        clocks = [scene.clock_id, *([scene.threat_id] if scene.threat_id else []), *inside]
        yield Panel(scene.name, _found(evening, clocks))


def _of_situations(evening: _Evening) -> Iterator[Panel]:
    """Show a situation beside its challenges, if these take more than one effort."""
    for situation in evening.situations.values():
        inside = [
            challenge.clock_id for challenge in evening.challenges.values() if challenge.situation_id == situation.id
        ]
        long = [course.clock.id for course in _found(evening, inside) if course.clock.size > 1]
        if long:
            yield Panel(situation.name, _found(evening, [situation.clock_id, *long]))


def _free(evening: _Evening) -> Iterator[Panel]:
    free = [course for course in evening.courses.values() if course.clock.kind is ClockKind.FREE and course.moved]
    for first in range(0, len(free), _TOGETHER):
        yield Panel(None, tuple(free[first : first + _TOGETHER]))


def _found(evening: _Evening, clocks: Iterable[Id]) -> tuple[Course, ...]:
    return tuple(evening.courses[key] for key in clocks if key in evening.courses)
