"""Events of countdowns. Source: rules.md A."""

from typing import Annotated, Literal

from pydantic import Field

from dreadclock.wire.base import Count, Faces, Id, RollProof, Text
from dreadclock.wire.events.base import EventBase
from dreadclock.wire.things import Countdown


class CountdownStarted(EventBase):
    """A countdown was started."""

    type: Literal["countdown_started"] = "countdown_started"
    countdown: Countdown


class CountdownRolled(EventBase):
    """A countdown's pool was rolled."""

    type: Literal["countdown_rolled"] = "countdown_rolled"
    countdown_id: Id
    faces: Faces
    removed: Count  # dice that left the pool
    remaining: Count
    turn: Count  # in which it was rolled
    physical: bool = False
    proof: RollProof | None = None  # absent for physical dice


class StageReached(EventBase):
    """A countdown's pool fell to a stage or past it. Source: rules.md A2."""

    type: Literal["stage_reached"] = "stage_reached"
    countdown_id: Id
    at: Annotated[int, Field(ge=1)]
    effect: Text


class StageLeft(EventBase):
    """A countdown was replenished above a stage. Source: rules.md A4."""

    type: Literal["stage_left"] = "stage_left"
    countdown_id: Id
    at: Annotated[int, Field(ge=1)]


class CountdownStabilized(EventBase):
    """A countdown stopped."""

    type: Literal["countdown_stabilized"] = "countdown_stabilized"
    countdown_id: Id


class CountdownResumed(EventBase):
    """A stabilized countdown runs again."""

    type: Literal["countdown_resumed"] = "countdown_resumed"
    countdown_id: Id


class CountdownReplenished(EventBase):
    """Dice were added to a countdown."""

    type: Literal["countdown_replenished"] = "countdown_replenished"
    countdown_id: Id
    added: Count
    remaining: Count


class CountdownExpired(EventBase):
    """A countdown's last die left its pool."""

    type: Literal["countdown_expired"] = "countdown_expired"
    countdown_id: Id
    ending: Text | None = None


class CountdownCancelled(EventBase):
    """A countdown ended without its ending."""

    type: Literal["countdown_cancelled"] = "countdown_cancelled"
    countdown_id: Id
    reason: Text | None = None


class TurnEnded(EventBase):
    """A turn ended; turns count 1, 2, 3 ..."""

    type: Literal["turn_ended"] = "turn_ended"
    turn: Annotated[int, Field(ge=1)]
