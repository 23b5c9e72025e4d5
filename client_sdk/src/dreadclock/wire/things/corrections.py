"""What it takes to take a command back: things as they were before it. Source: rules.md E3."""

from typing import Literal

from pydantic import Field

from dreadclock.wire.base import Count, Id, Model
from dreadclock.wire.things.characters import Character
from dreadclock.wire.things.checks import Check
from dreadclock.wire.things.countdowns import Countdown
from dreadclock.wire.things.room import Policy
from dreadclock.wire.things.scenes import Challenge, Clock, Effort, Scene, Situation
from dreadclock.wire.things.totals import SecretRequired, Total

Family = Literal[
    "characters",
    "countdowns",
    "clocks",
    "scenes",
    "situations",
    "challenges",
    "efforts",
    "checks",
    "totals",
    "secrets",
]


class Place(Model):
    """Where a thing goes that had left its place: right after another one of its family, or first."""

    id: Id
    after: Id | None = None


class Restored(Model):
    """What a channel's view holds again: things as they were, and the house rules and the turn where they changed.

    `removed`: what had been started, by family. `places`: of things that had gone, or had moved; the others stay
    where they are.
    """

    policy: Policy | None = None
    turn: Count | None = None
    characters: tuple[Character, ...] = ()
    countdowns: tuple[Countdown, ...] = ()
    clocks: tuple[Clock, ...] = ()
    scenes: tuple[Scene, ...] = ()
    situations: tuple[Situation, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    efforts: tuple[Effort, ...] = ()
    checks: tuple[Check, ...] = ()
    totals: tuple[Total, ...] = ()
    secrets: tuple[SecretRequired, ...] = ()  # by total
    removed: dict[Family, tuple[Id, ...]] = Field(default_factory=dict)
    places: dict[Family, tuple[Place, ...]] = Field(default_factory=dict)
