"""What the public knows of sealed things, and what comes to light together. Source: rules.md E4."""

from dreadclock.wire.base import HiddenKind, Id, Model, Name, Value32
from dreadclock.wire.things.checks import Check
from dreadclock.wire.things.countdowns import Countdown
from dreadclock.wire.things.dice import Roll
from dreadclock.wire.things.scenes import Challenge, Clock, Effort, Scene, Situation


class Sealed(Model):
    """What the public knows of a sealed thing."""

    kind: HiddenKind
    id: Id
    name: Name
    seat_id: Id | None = None  # that started it; absent where its lane has no witnesses
    lane: str | None = None  # that it is rolled with
    key: Value32 | None = None  # k_0 of that lane


class Things(Model):
    """Things that become visible together."""

    countdowns: tuple[Countdown, ...] = ()
    clocks: tuple[Clock, ...] = ()
    scenes: tuple[Scene, ...] = ()
    situations: tuple[Situation, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    efforts: tuple[Effort, ...] = ()
    rolls: tuple[Roll, ...] = ()
    checks: tuple[Check, ...] = ()
