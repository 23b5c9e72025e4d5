"""Consequences: effects that happen by themselves at a trigger. Source: rules.md E5."""

from enum import StrEnum
from typing import Annotated, Final, Literal, Self, get_args

from pydantic import Field, model_validator

from dreadclock.rules.limits import MAX_CLOCK, MAX_EFFECTS, MAX_FUMBLE_DEPTH, MAX_POOL
from dreadclock.rules.total import Fate
from dreadclock.wire.base import Channel, ChosenId, Count, HiddenKind, Id, Kind, Model, Name, Text, Visibility
from dreadclock.wire.families import countdowns
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.clocks import owner_is_over
from dreadclock.wire.families.countdowns import CountdownToStart, NewCountdown
from dreadclock.wire.families.folds import NOTHING, AnyView, Changes, Fold, ViewPart, counted, dropped, drops, put

SubjectKind = Literal[Kind.COUNTDOWN, Kind.CLOCK, Kind.CHECK, Kind.TOTAL, Kind.CHARACTER]
OwnVisibility = Literal[Visibility.PUBLIC, Visibility.GM]


class Subject(Model):
    """The thing that triggers a consequence."""

    kind: SubjectKind
    id: Id


class EffectKind(StrEnum):
    """What a character may gain by a check: momentum by a triumph, interference by a fumble."""

    MOMENTUM = "momentum"
    INTERFERENCE = "interference"


class When(StrEnum):
    """What must happen to a thing to trigger a consequence."""

    STAGE = "stage"  # a countdown falls to a stage
    END = "end"  # a countdown's last die leaves its pool; a clock reaches its end
    FUMBLE = "fumble"
    FAIL = "fail"  # a check fails or fumbles
    SUCCESS = "success"  # a check succeeds or triumphs, or its cost is paid
    TRIUMPH = "triumph"
    WON = "won"  # the acting side of a check succeeds, and in a contest also wins; `lost` is the opposite
    LOST = "lost"
    SUCCEEDED = "succeeded"  # a total succeeds
    FAILED = "failed"
    CRISIS = "crisis"  # a total ends in a crisis, or a character suffers a crisis


class Moment(Model):
    """The trigger of a consequence. `at`: for `stage`, the number of dice of the stage."""

    when: When
    at: Annotated[int, Field(ge=1, le=MAX_POOL)] | None = None


class Does(StrEnum):
    """What an effect does."""

    TICK = "tick"
    STABILIZE = "stabilize"
    RESUME = "resume"
    REPLENISH = "replenish"
    ROLL = "roll"
    START = "start"
    TAKE_OFF = "take_off"
    LEAVE = "leave"
    GIVE_STATE = "give_state"
    DROP_STATE = "drop_state"
    MOVE_TRACK = "move_track"
    GIVE_TOKEN = "give_token"
    SET_FUMBLE = "set_fumble"  # attach a fumble effect to a character, scene or situation
    DROP_FUMBLE = "drop_fumble"
    REVEAL = "reveal"
    TELL = "tell"


NEEDS: Final[dict[Does, frozenset[str]]] = {
    Does.TICK: frozenset(("thing_id", "by")),
    Does.STABILIZE: frozenset(("thing_id",)),
    Does.RESUME: frozenset(("thing_id",)),
    Does.REPLENISH: frozenset(("thing_id", "by")),
    Does.ROLL: frozenset(("thing_id",)),
    Does.START: frozenset(("countdown",)),
    Does.TAKE_OFF: frozenset(("thing_id", "by")),
    Does.LEAVE: frozenset(("thing_id", "fate")),
    Does.GIVE_STATE: frozenset(("thing_id", "name")),
    Does.DROP_STATE: frozenset(("thing_id", "name")),
    Does.MOVE_TRACK: frozenset(("thing_id", "name", "by")),
    Does.GIVE_TOKEN: frozenset(("thing_id", "token")),
    **dict.fromkeys((Does.SET_FUMBLE, Does.DROP_FUMBLE), frozenset(("thing_id", "text"))),
    Does.REVEAL: frozenset(("thing_id",)),
    Does.TELL: frozenset(("text",)),
}
"""The fields that an effect must have, by what it does. Other fields are not allowed."""

_BACK = (Does.TICK, Does.MOVE_TRACK)  # `by` may be negative only for these kinds


_ON_CHARACTERS = (Does.LEAVE, Does.GIVE_STATE, Does.DROP_STATE, Does.MOVE_TRACK, Does.GIVE_TOKEN)
_ON_BEARERS = (Does.SET_FUMBLE, Does.DROP_FUMBLE)  # on characters, scenes and situations
TARGETS: Final[dict[str, tuple[Kind, ...]]] = {
    Does.TICK: (Kind.CLOCK,),
    **dict.fromkeys((Does.STABILIZE, Does.RESUME, Does.REPLENISH, Does.ROLL), (Kind.COUNTDOWN,)),
    Does.TAKE_OFF: (Kind.CHALLENGE,),
    **dict.fromkeys(_ON_CHARACTERS, (Kind.CHARACTER,)),
    **dict.fromkeys(_ON_BEARERS, (Kind.CHARACTER, Kind.SCENE, Kind.SITUATION)),
}
"""The kinds of things that an effect can have as its target. `start` and `tell` have no target. The target of
`reveal` is a hidden thing.
"""

KINDS_OF_HIDDEN: Final[tuple[Kind, ...]] = get_args(HiddenKind)


class Effect(Model):
    """An effect of a consequence. `does` decides which other fields it has.

    `thing_id`: the target: a countdown, clock, challenge, character, scene, situation or hidden thing. `by`: points
    that a clock moves towards its end (negative: back); points that a track moves; dice to add to a countdown; points
    to take off a challenge. `name`: the name of a state or a track. `text`: the text to show, or the fumble effect to
    set or drop. (Fumble effects are offered when the character's check fumbles.) `do`: what that fumble effect does
    when it happens. Within a fumble effect, an absent `thing_id` means the character who fumbled.
    """

    does: Does
    thing_id: Id | None = None
    by: Annotated[int, Field(ge=-MAX_CLOCK, le=MAX_CLOCK)] | None = None
    fate: Fate | None = None
    name: Name | None = None
    token: EffectKind | None = None
    text: Text | None = None
    countdown: NewCountdown | None = None  # the server chooses its id
    do: Annotated[tuple["Effect", ...], Field(min_length=1, max_length=MAX_EFFECTS)] | None = None

    @property
    def is_on_nobody(self) -> bool:
        """Whether the effect needs a character, scene or situation but names none.

        In a fumble effect, this means the character who fumbled.
        """
        return self.thing_id is None and self.does in (*_ON_CHARACTERS, *_ON_BEARERS)

    @property
    def depth(self) -> int:
        """How deeply fumble effects are nested: 0 if this effect does not set any."""
        return 1 + max((effect.depth for effect in self.do or ()), default=0) if self.does is Does.SET_FUMBLE else 0

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        given = {name for name, value in self if name != "does" and value is not None}
        given |= {"thing_id"} if self.is_on_nobody else set()
        if given - ({"do"} if self.does is Does.SET_FUMBLE else set()) != NEEDS[self.does]:
            raise ValueError(f"{self.does} takes these and nothing else: {', '.join(sorted(NEEDS[self.does]))}")
        if self.by == 0 or (self.by is not None and self.by < 0 and self.does not in _BACK):
            least = "any number but 0" if self.does in _BACK else "a positive number"
            raise ValueError(f"{self.does} takes {least}")
        if self.countdown is not None and self.countdown.id is not None:
            raise ValueError("a countdown that starts as a consequence gets its id then")
        if self.depth > MAX_FUMBLE_DEPTH:
            raise ValueError(f"at most {MAX_FUMBLE_DEPTH} fumble effects are set one within the other")
        return self


class Consequence(Model):
    """Effects that happen at a trigger. With the visibility `gm`, only the gm sees the consequence."""

    id: Id
    of: Subject
    when: Moment
    do: tuple[Effect, ...]
    visibility: OwnVisibility = Visibility.PUBLIC

    @property
    def channel(self) -> Channel:
        """The channel of the consequence and its events."""
        return Channel.PUBLIC if self.visibility is Visibility.PUBLIC else Channel.GM


# Commands


class NewEffect(Effect):
    """An effect in a command. Unlike in a stored effect, its countdown is bound to the turn by default."""

    countdown: CountdownToStart | None = None
    do: Annotated[tuple["NewEffect", ...], Field(min_length=1, max_length=MAX_EFFECTS)] | None = None

    def stored(self) -> Effect:
        """Return the effect as a consequence stores it, with `bound_to` of its countdown set."""
        countdown = None if self.countdown is None else self.countdown.stored()
        do = None if self.do is None else tuple(effect.stored() for effect in self.do)
        return Effect(**{**dict(self), "countdown": countdown, "do": do})


# StartCountdown was defined before NewEffect. pydantic resolves the name when it builds the model, at its first use.
vars(countdowns)["NewEffect"] = NewEffect


class AttachConsequence(CommandBase):
    """Make effects happen by themselves at a trigger. A public consequence must not name hidden things."""

    type: Literal["attach_consequence"] = "attach_consequence"
    id: ChosenId | None = None
    of: Subject
    when: Moment
    do: tuple[NewEffect, ...] = Field(min_length=1, max_length=MAX_EFFECTS)
    visibility: OwnVisibility = Visibility.PUBLIC

    @model_validator(mode="after")
    def _is_on_somebody(self) -> Self:
        if any(effect.is_on_nobody for effect in self.do):
            raise ValueError("only what a fumble effect does may leave out `thing_id`")
        return self


class DetachConsequence(CommandBase):
    """Remove a consequence, even if it has happened before."""

    type: Literal["detach_consequence"] = "detach_consequence"
    consequence_id: Id


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class ConsequenceAttached(EventBase):
    """A consequence was attached.

    `dropped`: the ids of earlier consequences that were removed, because the things that would trigger them are over.
    """

    type: Literal["consequence_attached"] = "consequence_attached"
    consequence: Consequence
    dropped: tuple[Id, ...] = ()


class ConsequenceDetached(EventBase):
    """A consequence was removed: it cannot happen any more."""

    type: Literal["consequence_detached"] = "consequence_detached"
    consequence_id: Id


class ConsequenceHappened(EventBase):
    """A consequence was triggered. The events of its effects follow.

    If a hidden consequence has a public effect, everyone gets this event, too, but without any fields. If a fumble
    effect was triggered, `effect` is its text, `of` is the character who fumbled, and `consequence_id` is absent.
    """

    type: Literal["consequence_happened"] = "consequence_happened"
    consequence_id: Id | None = None  # absent if the consequence is hidden
    of: Subject | None = None
    when: Moment | None = None
    effect: Text | None = None


class ConsequenceTold(EventBase):
    """A consequence shows `text`. `effect`: the fumble effect, if the text belongs to one."""

    type: Literal["consequence_told"] = "consequence_told"
    consequence_id: Id | None = None
    text: Text
    effect: Text | None = None


class SkipReason(StrEnum):
    """Why an effect could not happen."""

    GONE = "gone"  # its thing no longer exists
    OVER = "over"  # its thing has ended, is out of play, or is in the wrong state
    UNCHANGED = "unchanged"  # it would change nothing
    CAP = "cap"  # there would be too many or too much
    DICE = "dice"  # there is no die to roll


class ConsequenceSkipped(EventBase):
    """An effect of a consequence could not happen.

    `place`: the index of the effect in the list of effects, from 0. `effect`: if the effect belongs to a fumble effect,
    the text of the fumble effect. `reason`: the thing no longer exists (`gone`), or is over or in the wrong state
    (`over`); the effect would change nothing (`unchanged`); the effect would exceed a limit of the server, such as the
    largest pool or the number of countdowns (`cap`); there are no dice for the roll (`dice`).
    """

    type: Literal["consequence_skipped"] = "consequence_skipped"
    consequence_id: Id | None = None
    place: Count
    reason: SkipReason
    effect: Text | None = None


class StopReason(StrEnum):
    """Why consequences stopped."""

    DEPTH = "depth"
    EVENTS = "events"


class ConsequencesStopped(EventBase):
    """A command triggered too many consequences: the rest do not happen in this channel.

    `reason`: `depth` if too many consequences triggered each other in a row, `events` if there were too many events.
    """

    type: Literal["consequences_stopped"] = "consequences_stopped"
    reason: StopReason


# How these events change a view


def _attached(part: ViewPart, event: ConsequenceAttached) -> Changes:
    fresh = event.consequence
    return [
        *dropped("consequences", event.dropped),
        put("consequences", fresh),
        *counted(part, Kind.CONSEQUENCE, fresh.id),
    ]


FOLDS: dict[type[EventBase], Fold] = {
    ConsequenceAttached: _attached,
    ConsequenceDetached: drops("consequences"),
    ConsequenceHappened: NOTHING,
    ConsequenceTold: NOTHING,
    ConsequenceSkipped: NOTHING,
    ConsequencesStopped: NOTHING,
}


# Questions about a view


def is_over(view: AnyView, of: Subject) -> bool:
    """Tell whether a thing is over or missing, so that it can trigger no consequence any more."""
    thing = getattr(view, f"{of.kind}s").get(of.id)
    return thing is None or (owner_is_over(view, thing) if of.kind is Kind.CLOCK else bool(thing.is_over))
