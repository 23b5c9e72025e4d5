"""Countdowns and their stages. Source: rules.md A."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from dreadclock.rules import limits
from dreadclock.rules.countdown import Speed
from dreadclock.wire.base import Count, Faces, Id, Model, Name, RollProof, Text, Visibility


class BoundTo(StrEnum):
    """What makes a countdown roll. Source: rules.md A8."""

    TURN = "turn"
    NOTHING = "nothing"


class CountdownStatus(StrEnum):
    """Where a countdown stands."""

    RUNNING = "running"
    STABILIZED = "stabilized"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class Stage(Model):
    """An effect that happens when a countdown's pool falls to `at` dice or past it."""

    at: Annotated[int, Field(ge=1, le=limits.MAX_POOL)]
    effect: Text


class HiddenRoll(Model):
    """One roll of a hidden countdown, kept until it is revealed."""

    faces: Faces
    removed: Count
    physical: bool = False
    proof: RollProof | None = None


class Countdown(Model):
    """A dice pool that empties."""

    id: Id
    name: Name
    pool: Count  # dice that remain
    speed: Speed
    stages: tuple[Stage, ...] = ()
    ending: Text | None = None
    owner: Id | None = None  # a seat
    stabilizable: bool = False
    replenishable: bool = False
    bound_to: BoundTo = BoundTo.NOTHING
    visibility: Visibility = Visibility.PUBLIC
    status: CountdownStatus = CountdownStatus.RUNNING
    started: Count  # the public seq of its start, or that it followed
    rolled_turn: Count = 0  # the turn of its last roll; 0 before the first
    last_faces: Faces = ()
    hidden_rolls: tuple[HiddenRoll, ...] = ()
