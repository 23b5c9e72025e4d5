"""Commands for countdowns. Source: rules.md A."""

from typing import Literal

from pydantic import Field

from dreadclock.rules.countdown import Speed
from dreadclock.rules.limits import MAX_STAGES
from dreadclock.wire.base import ChosenId, ChosenName, Id, Model, Pool, Text, Visibility
from dreadclock.wire.commands.base import CommandBase, RollingCommand
from dreadclock.wire.things import BoundTo, Stage


class NewCountdown(Model):
    """What a countdown is made of."""

    id: ChosenId | None = None
    name: ChosenName
    pool: Pool
    speed: Speed = Speed.SLOW
    stages: tuple[Stage, ...] = Field(default=(), max_length=MAX_STAGES)
    ending: Text | None = None
    owner: Id | None = None
    stabilizable: bool = False
    replenishable: bool = False
    bound_to: BoundTo = BoundTo.NOTHING
    visibility: Visibility = Visibility.PUBLIC


class StartCountdown(NewCountdown, CommandBase):
    """Start a countdown."""

    type: Literal["start_countdown"] = "start_countdown"


class RollCountdown(RollingCommand):
    """Roll a countdown's pool; its expiring faces leave it."""

    type: Literal["roll_countdown"] = "roll_countdown"
    countdown_id: Id


class StabilizeCountdown(CommandBase):
    """Stop a countdown that allows it, until it is resumed."""

    type: Literal["stabilize_countdown"] = "stabilize_countdown"
    countdown_id: Id


class ResumeCountdown(CommandBase):
    """Let a stabilized countdown run again."""

    type: Literal["resume_countdown"] = "resume_countdown"
    countdown_id: Id


class ReplenishCountdown(CommandBase):
    """Add `dice` to a countdown that allows it."""

    type: Literal["replenish_countdown"] = "replenish_countdown"
    countdown_id: Id
    dice: Pool


class CancelCountdown(CommandBase):
    """End a countdown without its ending."""

    type: Literal["cancel_countdown"] = "cancel_countdown"
    countdown_id: Id
    reason: Text | None = None


class EndTurn(RollingCommand):
    """End the turn: roll every running countdown that is bound to it and was not rolled in it."""

    type: Literal["end_turn"] = "end_turn"
