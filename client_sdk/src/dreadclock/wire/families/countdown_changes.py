"""Countdowns that begin again by themselves, and changes of countdowns by the gm. Source: rules.md A14 and A15.

A countdown is a dice pool that shrinks as it is rolled. A stage is an effect at a certain number of dice.
"""

from typing import ClassVar, Final, Literal

from pydantic import Field

from dreadclock.rules.countdown import Repeats, Speed
from dreadclock.rules.limits import MAX_STAGES
from dreadclock.wire.base import Count, Faces, Id, RollProof, Score, Text
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo
from dreadclock.wire.families.countdowns import BoundTo, Countdown, CountdownFate, HiddenRoll, Stage, with_hidden_roll
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, updated

Clearable = Literal["owner", "ending", "about", "fate", "repeats"]


# Commands


class AmendCountdown(CommandBase):
    """Change a running or stabilized countdown. Absent fields change nothing.

    Everyone who sees the countdown sees the change.

    If the new pool reaches or passes a stage, or is empty, the same happens as after a roll. `clear`: the fields to
    remove.
    """

    type: Literal["amend_countdown"] = "amend_countdown"
    countdown_id: Id
    reason: Text
    pool: Score | None = None
    speed: Speed | None = None
    stages: tuple[Stage, ...] | None = Field(default=None, max_length=MAX_STAGES)
    ending: Text | None = None
    owner: Id | None = None
    stabilizable: bool | None = None
    replenishable: bool | None = None
    bound_to: BoundTo | None = None
    bound_id: Id | None = None
    about: Id | None = None
    fate: CountdownFate | None = None
    repeats: Repeats | None = None
    clear: tuple[Clearable, ...] = ()


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CountdownAmended(EventBase):
    """The gm changed a countdown. `pool` and all following fields are the countdown's values now."""

    type: Literal["countdown_amended"] = "countdown_amended"
    countdown_id: Id
    reason: Text
    pool: Count
    speed: Speed
    stages: tuple[Stage, ...] = ()
    ending: Text | None = None
    owner: Id | None = None
    stabilizable: bool = False
    replenishable: bool = False
    bound_to: BoundTo = BoundTo.NOTHING
    bound_id: Id | None = None
    about: Id | None = None
    fate: CountdownFate | None = None
    repeats: Repeats | None = None


class CountdownRepeated(EventBase):
    """A countdown's last die left its pool. The `ending` happened, and the countdown began again.

    `pool`: the new number of dice. `faces`: the die that decided this number; empty if the number was fixed.
    """

    type: Literal["countdown_repeated"] = "countdown_repeated"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    countdown_id: Id
    ending: Text | None = None
    pool: Count
    faces: Faces = ()  # the die that decided the new size; empty if the size was fixed
    proof: RollProof | None = None


# How these events change a view

AMENDED: Final = tuple(
    name for name in CountdownAmended.model_fields if name not in ("type", "note", "countdown_id", "reason")
)


def _amended(part: ViewPart, event: CountdownAmended) -> Changes:
    before: Countdown = part.countdowns[event.countdown_id]
    hidden = with_hidden_roll(before, HiddenRoll(faces=(), removed=0, pool=event.pool, amended=True))
    if event.speed is not before.speed:
        hidden = tuple(roll.model_copy(update={"speed": roll.speed or before.speed}) for roll in hidden)
    said = {name: getattr(event, name) for name in AMENDED}
    if (event.bound_to, event.bound_id) != (before.bound_to, before.bound_id):
        said["rolled_period"] = 0  # the countdown was not rolled yet in a round or turn of what it is bound to now
    return [updated(part, "countdowns", event.countdown_id, **said, hidden_rolls=hidden)]


def _repeated(part: ViewPart, event: CountdownRepeated) -> Changes:
    roll = HiddenRoll(faces=event.faces, removed=0, proof=event.proof, pool=event.pool)
    hidden = with_hidden_roll(part.countdowns[event.countdown_id], roll)
    pool = event.pool
    return [updated(part, "countdowns", event.countdown_id, pool=pool, started_with=pool, hidden_rolls=hidden)]


FOLDS: dict[type[EventBase], Fold] = {
    CountdownAmended: _amended,
    CountdownRepeated: _repeated,
}
