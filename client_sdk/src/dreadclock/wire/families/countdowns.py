"""Countdowns (dice pools that shrink as they are rolled) and their stages. Source: rules.md A."""

from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from dreadclock.rules import limits
from dreadclock.rules.countdown import Repeats, Speed
from dreadclock.rules.due import RollState, roll_state
from dreadclock.rules.limits import COUNTDOWNS_KEPT, MAX_EFFECTS, MAX_STAGES
from dreadclock.wire.base import (
    MOST_SEQ,
    ChosenId,
    ChosenName,
    Count,
    Faces,
    Id,
    Kind,
    Later,
    Model,
    Name,
    Pool,
    RollProof,
    Text,
    Visibility,
)
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo, RollingCommand
from dreadclock.wire.families.dice import closes
from dreadclock.wire.families.folds import NOTHING, AnyView, Changes, Fold, ViewPart, adds, forgets, joins, sets

if TYPE_CHECKING:
    from dreadclock.wire.families.consequences import NewEffect


class BoundTo(StrEnum):
    """The period at whose end a countdown is rolled. NOTHING: only commands and consequences roll it.

    Source: rules.md A8 and A12.
    """

    TURN = "turn"
    ROUNDS = "rounds"  # the rounds of the situation `bound_id`
    SCENE = "scene"  # the turns of the scene `bound_id`
    NOTHING = "nothing"


class CountdownStatus(StrEnum):
    """The status of a countdown."""

    RUNNING = "running"
    STABILIZED = "stabilized"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


ALIVE = (CountdownStatus.RUNNING, CountdownStatus.STABILIZED)


class Stage(Model):
    """An effect that happens when a countdown's pool falls to `at` dice or fewer."""

    at: Annotated[int, Field(ge=1, le=limits.MAX_POOL)]
    effect: Text


class CountdownFate(StrEnum):
    """What the end of a countdown does to its character. Source: rules.md A9."""

    DIES = "dies"
    LEAVES = "leaves"


class HiddenRoll(Model):
    """A roll of a hidden countdown, or another change of its pool. Hidden rolls become public with the countdown."""

    faces: Faces  # the rolled faces; one face if a die decided the new size; empty if amended
    removed: Count
    physical: bool = False
    proof: RollProof | None = None
    speed: Speed | None = None  # the speed of this roll, if the speed was changed later
    pool: Count | None = None  # the new size, if the countdown began again or was amended
    amended: Later[bool] = False


class Countdown(Model):
    """A dice pool that empties."""

    id: Id
    name: Name
    pool: Count  # dice that remain
    speed: Speed
    stages: tuple[Stage, ...] = ()
    ending: Text | None = None
    owner: Id | None = None  # the id of a seat
    stabilizable: bool = False
    replenishable: bool = False
    bound_to: BoundTo = BoundTo.NOTHING
    bound_id: Id | None = None  # the situation or scene to which it is bound
    about: Id | None = None  # the id of a character
    fate: CountdownFate | None = None  # what the end of the countdown does to that character
    from_attribute: Name | None = None  # the attribute of that character that gave the pool
    repeats: Repeats | None = None
    visibility: Visibility = Visibility.PUBLIC
    status: CountdownStatus = CountdownStatus.RUNNING
    started: Count  # the seq of the record of its start; if hidden, of the last public record before that
    started_with: Later[Count] = 0  # dice at its start, or when it last began again; 0 in records of earlier servers
    rolled_turn: Count = 0  # the turn of its last roll; 0 before the first roll
    rolled_period: Later[Count] = 0  # if bound to rounds or a scene: the round, or turn of the scene, of its last roll
    last_faces: Faces = ()
    hidden_rolls: tuple[HiddenRoll, ...] = ()
    start_stage: Literal[True] | None = None  # True: the stage at its starting size happened at the start
    made_by: Id | None = None  # the player's or integration's seat that made it; None: the gm's, or an older record

    @property
    def is_over(self) -> bool:
        """Whether the countdown has expired or was cancelled."""
        return self.status not in ALIVE


# Commands


class NewCountdown(Model):
    """The fields of a new countdown that a consequence (an automatic effect) will start.

    By default, it is bound to nothing.
    """

    id: ChosenId | None = None
    name: ChosenName
    pool: Pool | None = None
    from_attribute: ChosenName | None = None  # an attribute of the character `about`, which gives the pool
    about: Id | None = None
    fate: CountdownFate | None = None
    speed: Speed = Speed.SLOW
    stages: tuple[Stage, ...] = Field(default=(), max_length=MAX_STAGES)
    ending: Text | None = None
    owner: Id | None = None
    stabilizable: bool = False
    replenishable: bool = False
    bound_to: BoundTo = BoundTo.NOTHING
    bound_id: Id | None = None
    repeats: Repeats | None = None
    visibility: Visibility = Visibility.PUBLIC


class CountdownToStart(NewCountdown):
    """The fields of a new countdown in a command. By default, it is bound to the turn."""

    bound_to: BoundTo = BoundTo.TURN

    def stored(self) -> NewCountdown:
        """Return the fields as a consequence stores them. `bound_to` is set, as its default there differs."""
        return NewCountdown(**dict(self))


class StartCountdown(CountdownToStart, CommandBase):
    """Start a countdown.

    `at_start`: effects of the stage at the starting size. They happen at the start, and whenever the pool falls to
    that size again. Only the gm may use this. The countdown must have such a stage.
    """

    type: Literal["start_countdown"] = "start_countdown"
    at_start: Annotated[tuple["NewEffect", ...], Field(min_length=1, max_length=MAX_EFFECTS)] | None = None


class RollCountdown(RollingCommand):
    """Roll a countdown's pool. A die leaves at 6; with medium speed also at 5, with fast speed also at 4 and 5."""

    type: Literal["roll_countdown"] = "roll_countdown"
    countdown_id: Id


class StabilizeCountdown(CommandBase):
    """Stabilize a countdown that is `stabilizable`: it is not rolled until it is resumed."""

    type: Literal["stabilize_countdown"] = "stabilize_countdown"
    countdown_id: Id


class ResumeCountdown(CommandBase):
    """Resume a stabilized countdown: it is rolled again."""

    type: Literal["resume_countdown"] = "resume_countdown"
    countdown_id: Id


class ReplenishCountdown(CommandBase):
    """Add `dice` to a countdown that is `replenishable`, up to 60 dice in its pool."""

    type: Literal["replenish_countdown"] = "replenish_countdown"
    countdown_id: Id
    dice: Pool


class CancelCountdown(CommandBase):
    """End a countdown. Its `ending` does not happen."""

    type: Literal["cancel_countdown"] = "cancel_countdown"
    countdown_id: Id
    reason: Text | None = None


class EndTurn(RollingCommand):
    """End the turn. Running countdowns bound to the turn or a scene are rolled, unless rolled in this turn already.

    With `scene_id`, the turn of that scene ends, and only countdowns that are bound to the scene are rolled.
    `turn`: the number of the room's current turn. The command is refused in any other turn, so that two seats that
    send it at the same time end the turn only once.
    """

    type: Literal["end_turn"] = "end_turn"
    scene_id: Id | None = None
    turn: Annotated[int, Field(ge=1, le=MOST_SEQ)] | None = None


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CountdownStarted(EventBase):
    """A countdown was started."""

    type: Literal["countdown_started"] = "countdown_started"
    countdown: Countdown


class CountdownRolled(EventBase):
    """A countdown was rolled: `removed` dice left the pool, and `remaining` dice are left.

    `period`: if the countdown is bound to rounds, the number of the round. If it is bound to a scene, the number of the
    scene's turn.
    """

    type: Literal["countdown_rolled"] = "countdown_rolled"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    countdown_id: Id
    faces: Faces
    removed: Count  # dice that left the pool
    remaining: Count
    turn: Count  # the turn in which it was rolled
    period: Later[Count] = 0  # for a countdown bound to rounds or a scene: the current round, or turn of the scene
    physical: bool = False
    proof: RollProof | None = None  # absent for physical dice


class StageReached(EventBase):
    """A stage of a countdown happened: the pool fell to `at` dice or fewer, or started with `at` dice.

    `starts`: whether the countdown started with `at` dice. `effect`: what happens. Source: rules.md A2 and A3.
    """

    type: Literal["stage_reached"] = "stage_reached"
    countdown_id: Id
    at: Annotated[int, Field(ge=1)]
    effect: Text
    starts: Literal[True] | None = None


class StageLeft(EventBase):
    """A countdown has more than `at` dice again. Its stage at `at` dice can happen again. Source: rules.md A4."""

    type: Literal["stage_left"] = "stage_left"
    countdown_id: Id
    at: Annotated[int, Field(ge=1)]


class CountdownStabilized(EventBase):
    """A countdown was stabilized: it is not rolled until it is resumed."""

    type: Literal["countdown_stabilized"] = "countdown_stabilized"
    countdown_id: Id


class CountdownResumed(EventBase):
    """A stabilized countdown was resumed: it is rolled again."""

    type: Literal["countdown_resumed"] = "countdown_resumed"
    countdown_id: Id


class CountdownReplenished(EventBase):
    """`added` dice were added to a countdown, which has `remaining` dice now."""

    type: Literal["countdown_replenished"] = "countdown_replenished"
    countdown_id: Id
    added: Count
    remaining: Count


class CountdownExpired(EventBase):
    """A countdown's last die left its pool: the countdown is over. `ending`: what happens now."""

    type: Literal["countdown_expired"] = "countdown_expired"
    countdown_id: Id
    ending: Text | None = None


class CountdownCancelled(EventBase):
    """The gm cancelled a countdown: it is over, and its ending does not happen."""

    type: Literal["countdown_cancelled"] = "countdown_cancelled"
    countdown_id: Id
    reason: Text | None = None


class TurnEnded(EventBase):
    """A turn ended; `turn` is its number, from 1."""

    type: Literal["turn_ended"] = "turn_ended"
    turn: Annotated[int, Field(ge=1)]


# How these events change a view


forgotten_countdowns = forgets(attrgetter("is_over"), COUNTDOWNS_KEPT)


def _rolled(part: ViewPart, event: CountdownRolled) -> Changes:
    before: Countdown = part.countdowns[event.countdown_id]
    hidden = before.hidden_rolls
    if before.visibility is not Visibility.PUBLIC:
        roll = HiddenRoll(faces=event.faces, removed=event.removed, physical=event.physical, proof=event.proof)
        hidden = with_hidden_roll(before, roll)
    copied = {"rolled_turn": event.turn, "rolled_period": event.period, "last_faces": event.faces}
    rolled = before.model_copy(update={"pool": event.remaining, **copied, "hidden_rolls": hidden})
    return [("countdowns", event.countdown_id, rolled)]


def with_hidden_roll(before: Countdown, roll: HiddenRoll) -> tuple[HiddenRoll, ...]:
    """Return a hidden countdown's `hidden_rolls` with one more roll. Those of a public countdown do not change."""
    return (*before.hidden_rolls, roll) if before.visibility is not Visibility.PUBLIC else before.hidden_rolls


FOLDS: dict[type[EventBase], Fold] = {
    CountdownStarted: adds("countdowns", forgotten=forgotten_countdowns),
    CountdownRolled: _rolled,
    StageReached: NOTHING,
    StageLeft: NOTHING,
    CountdownStabilized: sets("countdowns", status=CountdownStatus.STABILIZED),
    CountdownResumed: sets("countdowns", status=CountdownStatus.RUNNING),
    CountdownReplenished: sets("countdowns", "pool:remaining"),
    CountdownExpired: joins(sets("countdowns", status=CountdownStatus.EXPIRED), closes(Kind.COUNTDOWN)),
    CountdownCancelled: joins(sets("countdowns", status=CountdownStatus.CANCELLED), closes(Kind.COUNTDOWN)),
    TurnEnded: lambda part, event: [("turn", None, event.turn + 1)],
}


# Questions about a view


def period_of(view: AnyView, countdown: Countdown) -> int:
    """Return the current round of the situation, or turn of the scene, to which a countdown is bound; 0 if to none."""
    if countdown.bound_to is BoundTo.ROUNDS:
        situation = view.situations.get(countdown.bound_id or "")
        return situation.round + 1 if situation is not None else 0
    if countdown.bound_to is BoundTo.SCENE:
        scene = view.scenes.get(countdown.bound_id or "")
        return scene.turn if scene is not None else 0
    return 0


def state_of(view: AnyView, countdown: Countdown, *, at_turn_end: bool = False) -> RollState:
    """Return whether a countdown is due in its turn or round, was rolled in it, or takes part in none (FREE).

    Source: rules.md A8 and A12.

    `at_turn_end`: the whole turn ends, which also rolls countdowns that are bound to a scene.
    """
    return roll_state(
        countdown.bound_to,
        goes_on=_goes_on(view, countdown),
        turn=view.turn,
        period=period_of(view, countdown),
        rolled_turn=countdown.rolled_turn,
        rolled_period=countdown.rolled_period,
        at_turn_end=at_turn_end,
    )


def _goes_on(view: AnyView, countdown: Countdown) -> bool:
    """Tell whether the situation or scene that a countdown is bound to is open, in a scene that is not set aside."""
    bound_id = countdown.bound_id or ""
    if countdown.bound_to is BoundTo.ROUNDS:
        situation = view.situations.get(bound_id)
        return situation is not None and situation.is_open and _is_played(view.scenes.get(situation.scene_id))
    return countdown.bound_to is BoundTo.SCENE and _is_played(view.scenes.get(bound_id))


def _is_played(scene: Any) -> bool:
    return scene is not None and scene.is_open and not scene.aside


def is_waited_for(view: AnyView, countdown: Countdown) -> bool:
    """Tell whether a countdown now takes part in turns or rounds: it is rolled once in each. Source: rules.md A12.

    False if it is bound to nothing, or if its situation or scene is over or set aside.
    """
    return state_of(view, countdown) is not RollState.FREE


def was_rolled(view: AnyView, countdown: Countdown) -> bool:
    """Tell whether a bound countdown was already rolled in its current turn or round. Source: rules.md A8."""
    return state_of(view, countdown) is RollState.ROLLED
