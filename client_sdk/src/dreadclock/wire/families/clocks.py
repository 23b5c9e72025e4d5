"""The clocks of scenes, situations, threats and challenges, and free-standing clocks. Source: rules.md B."""

from enum import StrEnum
from typing import Literal

from dreadclock.rules.clocks import Direction
from dreadclock.rules.limits import CLOCKS_KEPT
from dreadclock.wire.base import ChosenId, ChosenName, ClockSize, Id, Model, Name, Points, Text, Visibility
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.folds import AnyView, Changes, Fold, ViewPart, adds, forgets, sets, updated


class ClockKind(StrEnum):
    """What a clock measures."""

    SCENE = "scene"
    SITUATION = "situation"
    THREAT = "threat"
    CHALLENGE = "challenge"
    FREE = "free"


class Clock(Model):
    """A numeric clock in the story."""

    id: Id
    kind: ClockKind
    name: Name
    of: Id | None = None  # the scene, situation or challenge that the clock belongs to
    size: ClockSize
    value: Points
    direction: Direction = Direction.DOWN
    owner: Id | None = None  # the id of a seat, only for a free-standing clock
    visibility: Visibility = Visibility.PUBLIC
    made_by: Id | None = None  # the seat that made it; None if the gm did, or in records of earlier versions

    @property
    def done(self) -> bool:
        """Whether the clock has reached its end."""
        return self.value == (0 if self.direction is Direction.DOWN else self.size)


# Commands


class StartClock(CommandBase):
    """Start a free-standing clock."""

    type: Literal["start_clock"] = "start_clock"
    id: ChosenId | None = None
    name: ChosenName
    size: ClockSize
    direction: Direction = Direction.DOWN
    owner: Id | None = None
    visibility: Visibility = Visibility.PUBLIC


class TickClock(CommandBase):
    """Move a free-standing clock towards its end. The gm may move any clock `back`, except a threat clock."""

    type: Literal["tick_clock"] = "tick_clock"
    clock_id: Id
    by: ClockSize = 1
    back: bool = False


class EnlargeClock(CommandBase):
    """Enlarge a clock, except a threat clock.

    A clock that counts down gets `by` more points. Source: rules.md B15.
    """

    type: Literal["enlarge_clock"] = "enlarge_clock"
    clock_id: Id
    by: ClockSize = 1


class AmendClock(CommandBase):
    """Correct a clock's value."""

    type: Literal["amend_clock"] = "amend_clock"
    clock_id: Id
    value: Points
    reason: Text


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class Cause(StrEnum):
    """Why a clock moved or was resized."""

    EFFORT = "effort"
    ROUND = "round"
    CHALLENGE = "challenge"
    SITUATION = "situation"
    TRAVEL = "travel"
    REST = "rest"
    RULING = "ruling"  # the gm ruled
    TICK = "tick"  # a `tick_clock` command
    COMPLICATION = "complication"
    CONSEQUENCE = "consequence"
    HIDDEN = "hidden"  # a cause that some viewers of the clock may not see


class ClockStarted(EventBase):
    """A free-standing clock was started."""

    type: Literal["clock_started"] = "clock_started"
    clock: Clock


class ClockTicked(EventBase):
    """A clock moved to `value`. `back`: whether the clock moved away from its end.

    `cause` is `hidden` if some people who see the clock may not see the cause.
    """

    type: Literal["clock_ticked"] = "clock_ticked"
    clock_id: Id
    kind: ClockKind
    cause: Cause
    value: Points
    back: Literal[True] | None = None  # True: the clock moved away from its end


class ClockResized(EventBase):
    """A clock got another size. `size`, `value`: its size and value now.

    `typical`: for a scene's clock, whether the new size is one of the usual sizes, 8 to 15. `cause`: as in
    `clock_ticked`.
    """

    type: Literal["clock_resized"] = "clock_resized"
    clock_id: Id
    kind: ClockKind
    cause: Cause
    size: ClockSize
    value: Points
    typical: bool | None = None  # for a scene's clock: whether the new size is a usual size


class ClockAmended(EventBase):
    """A clock was corrected: it was set to `value`."""

    type: Literal["clock_amended"] = "clock_amended"
    clock_id: Id
    kind: ClockKind
    value: Points
    reason: Text


# How these events change a view


def _free_and_done(clock: Clock) -> bool:
    return clock.kind is ClockKind.FREE and clock.done


forgotten_clocks = forgets(_free_and_done, CLOCKS_KEPT)


def _resized(part: ViewPart, event: ClockResized) -> Changes:
    resized = updated(part, "clocks", event.clock_id, size=event.size, value=event.value)
    if event.typical is None:
        return [resized]
    return [resized, updated(part, "scenes", str(part.clocks[event.clock_id].of), typical=event.typical)]


FOLDS: dict[type[EventBase], Fold] = {
    ClockStarted: adds("clocks", forgotten=forgotten_clocks),
    ClockTicked: sets("clocks", "value"),
    ClockResized: _resized,
    ClockAmended: sets("clocks", "value"),
}


# Questions about a view


def scene_of_clock(view: AnyView, clock: Clock) -> Id:
    """Return the id of the scene to which a clock, or its situation or challenge, belongs.

    Not for free-standing clocks.
    """
    situation_id = situation_of_clock(view, clock)
    return str(clock.of if situation_id is None else view.situations[situation_id].scene_id)


def situation_of_clock(view: AnyView, clock: Clock) -> Id | None:
    """Return the id of the situation to which a clock, or its challenge, belongs. None for any other clock."""
    if clock.kind is ClockKind.CHALLENGE:
        return str(view.challenges[str(clock.of)].situation_id)
    return clock.of if clock.kind is ClockKind.SITUATION else None


def owner_is_over(view: AnyView, clock: Clock) -> bool:
    """Tell whether the scene, situation or challenge of a clock has ended. False for a free-standing clock.

    A prepared situation or a scene that is set aside has not ended.
    """
    owner = str(clock.of)
    if clock.kind is ClockKind.FREE:
        return False
    if not view.scenes[scene_of_clock(view, clock)].is_open:
        return True
    if clock.kind is ClockKind.CHALLENGE:
        return not view.challenges[owner].is_open
    return clock.kind is ClockKind.SITUATION and bool(view.situations[owner].is_over)
