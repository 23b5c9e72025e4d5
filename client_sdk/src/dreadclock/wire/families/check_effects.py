"""What checks give to characters. Source: rules.md C.

A triumph gives momentum, or a stunt (an effect that the gm offers). A fumble gives interference, or a fumble effect.
Momentum and interference are also called tokens. A venture means that a character gives up dice in a check: if the
check is won, the character gets dice for a later roll.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dreadclock.rules.limits import MAX_EFFECTS
from dreadclock.wire.base import Id, Kind, Later, Model, Text
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo
from dreadclock.wire.families.consequences import Effect, EffectKind, NewEffect
from dreadclock.wire.families.folds import NOTHING, Changes, Fold, ViewPart, sets, updated


class Benefit(StrEnum):
    """The kind of roll that a venture improves."""

    CHECK = "check"
    DAMAGE = "damage"


class Bonus(Model):
    """Dice from a successful venture.

    The dice wait until a roll of the kind `benefits` uses them. Source: rules.md C8 and C19.
    """

    check_id: Id  # the check in which the venture was declared
    dice: Annotated[int, Field(ge=1, le=3)]
    benefits: Benefit
    what: Text
    id: Id | None = None  # commands name it in `claims`; None in rooms of the first edition
    declarer: Id | None = None  # the character who declared the venture; None: the character who has this bonus

    @property
    def key(self) -> Id:
        """The id by which `claims` of a command names this bonus.

        In rooms of the first edition: the id of the check.
        """
        return self.id or self.check_id


class FumbleDoes(Model):
    """What a fumble effect does when it happens, besides showing its text. Source: rules.md C26.

    An effect in `do` without `thing_id` applies to the character who fumbled.
    """

    effect: Text
    do: tuple[Effect, ...] = Field(min_length=1, max_length=MAX_EFFECTS)


class NewFumbleDoes(FumbleDoes):
    """What a fumble effect does, in a command. Here countdowns are bound to the turn by default."""

    do: tuple[NewEffect, ...] = Field(min_length=1, max_length=MAX_EFFECTS)

    def stored(self) -> FumbleDoes:
        """Return the same fumble effect as events store it."""
        return FumbleDoes(effect=self.effect, do=tuple(effect.stored() for effect in self.do))


NewFumbleDeeds = Annotated[tuple[NewFumbleDoes, ...], Field(max_length=MAX_EFFECTS)]


class Choice(Model):
    """A choice of a character: one of the `offered` effects, or (with `or_token`) the token `instead_of`.

    If nothing is chosen before the next roll, the default applies: momentum for a triumph, the first effect for a
    fumble. Source: rules.md C18 and C22.
    """

    check_id: Id
    instead_of: EffectKind
    offered: tuple[Text, ...]
    or_token: Later[bool] = True
    does: Later[tuple[FumbleDoes, ...]] = ()  # for the effects in `offered` that are more than a text

    @property
    def open(self) -> tuple[Text, ...]:
        """All effects and tokens that may be chosen."""
        return (self.instead_of, *self.offered) if self.or_token else self.offered

    @property
    def unless_chosen(self) -> Text:
        """The default, which applies if nothing is chosen before the next roll."""
        return self.instead_of if self.instead_of is EffectKind.MOMENTUM else self.offered[0]


EffectTexts = Annotated[tuple[Text, ...], Field(max_length=MAX_EFFECTS)]


class StandingEffects(Model):
    """Stunts and fumble effects of a character, scene or situation. Source: rules.md C21 and C22."""

    stunts: EffectTexts = ()
    fumble_effects: EffectTexts = ()
    or_interference: EffectTexts = ()  # of the `fumble_effects`: a player may choose interference instead of these
    fumble_does: Later[tuple[FumbleDoes, ...]] = ()  # for the `fumble_effects` that are more than a text


# Commands


class ChooseEffect(CommandBase):
    """Choose the result of a triumph or a fumble: `momentum`, `interference`, or an offered stunt or fumble effect."""

    type: Literal["choose_effect"] = "choose_effect"
    check_id: Id
    character_id: Id
    effect: Text


class SetEffects(CommandBase):
    """Attach stunts and fumble effects to a character, a scene or a situation. Absent fields change nothing.

    `or_interference`: the fumble effects in place of which the player may choose interference. `fumble_does`: what
    fumble effects do when they happen; they must not name hidden things. `sixes_add`: only for a scene: whether
    each 6 of a damage roll in it adds a die.
    """

    type: Literal["set_effects"] = "set_effects"
    thing_id: Id
    stunts: EffectTexts | None = None
    fumble_effects: EffectTexts | None = None
    or_interference: EffectTexts | None = None
    fumble_does: NewFumbleDeeds | None = None
    sixes_add: bool | None = None


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class EffectsOffered(EventBase):
    """After a triumph or a fumble, a character may choose one of the effects in `choice`.

    `choices`: all open choices of the character.
    """

    type: Literal["effects_offered"] = "effects_offered"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    choice: Choice
    choices: tuple[Choice, ...]


class EffectChosen(EventBase):
    """The result of a triumph or a fumble was chosen.

    If nobody chooses before the character's next public roll, the default happens then: momentum after a triumph, or
    the first of the offered fumble effects after a fumble. `effect`: `momentum`, `interference`, or the text of the
    stunt or fumble effect. `choices`: the choices of the character that are still open.
    """

    type: Literal["effect_chosen"] = "effect_chosen"
    character_id: Id
    check_id: Id
    effect: Text
    choices: tuple[Choice, ...]


class EffectHappened(EventBase):
    """A fumble had only one possible effect. The effect happened instead of interference."""

    type: Literal["effect_happened"] = "effect_happened"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    check_id: Id
    effect: Text


EffectsOn = Literal[Kind.CHARACTER, Kind.SCENE, Kind.SITUATION]


class EffectsSet(EventBase):
    """The stunts and fumble effects of a character, scene or situation changed.

    `effects`: all stunts and fumble effects after the change. `sixes_add`: whether each 6 of a damage roll in this
    scene adds a die from now on; absent: unchanged.
    """

    type: Literal["effects_set"] = "effects_set"
    kind: EffectsOn
    id: Id
    effects: StandingEffects
    sixes_add: bool | None = None


class TokenEvent(EventBase):
    """A character gained or spent a token. `momentum`, `interference`: whether it has these tokens now.

    Momentum and interference cancel each other.
    """

    character_id: Id
    check_id: Id | None = None  # the check that gave or used the token; absent if a consequence gave the token
    momentum: bool
    interference: bool


class MomentumGained(TokenEvent):
    """A character gained momentum.

    If the character had interference, the two cancel out: the character now has neither.
    `momentum`, `interference`: whether the character has them now. `check_id`: absent if a consequence gave the
    momentum.
    """

    type: Literal["momentum_gained"] = "momentum_gained"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE


class MomentumSpent(TokenEvent):
    """A character rolled with momentum, which is spent now.

    `momentum`, `interference`: whether the character has them now.
    """

    type: Literal["momentum_spent"] = "momentum_spent"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE


class InterferenceGained(TokenEvent):
    """A character gained interference.

    If the character had momentum, the two cancel out: the character now has neither.
    `momentum`, `interference`: whether the character has them now. `check_id`: absent if a consequence gave the
    interference.
    """

    type: Literal["interference_gained"] = "interference_gained"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE


class InterferenceSpent(TokenEvent):
    """A character rolled with interference, which is spent now.

    `momentum`, `interference`: whether the character has them now.
    """

    type: Literal["interference_spent"] = "interference_spent"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE


class VentureEarned(EventBase):
    """A venture succeeded, so that a character gets dice for a later roll. `bonus`: these dice.

    `bonuses`: all venture dice of the character now.
    """

    type: Literal["venture_earned"] = "venture_earned"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    bonus: Bonus
    bonuses: tuple[Bonus, ...]


class VenturePaid(EventBase):
    """Venture dice of a character were added to the check or roll `into`. `paid`: these dice.

    `bonuses`: the venture dice that the character still has.
    """

    type: Literal["venture_paid"] = "venture_paid"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    into: Id  # the id of a check or a roll
    paid: tuple[Bonus, ...]
    bonuses: tuple[Bonus, ...]


class VentureLapsed(EventBase):
    """A character lost venture dice. `lapsed`: these dice.

    The reason: the character who declared the venture finished another action, or a newer venture of that character
    for the same roll succeeded. `bonuses`: the venture dice that the character still has.
    """

    type: Literal["venture_lapsed"] = "venture_lapsed"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    lapsed: tuple[Bonus, ...]
    bonuses: tuple[Bonus, ...]


# How these events change a view


def _effects_set(part: ViewPart, event: EffectsSet) -> Changes:
    sixes = {} if event.sixes_add is None else {"sixes_add": event.sixes_add}
    return [updated(part, f"{event.kind}s", event.id, effects=event.effects, **sixes)]


_TOKENS = sets("characters", "momentum interference")
FOLDS: dict[type[EventBase], Fold] = {
    EffectsOffered: sets("characters", "choices"),
    EffectChosen: sets("characters", "choices"),
    EffectHappened: NOTHING,
    EffectsSet: _effects_set,
    MomentumGained: _TOKENS,
    MomentumSpent: _TOKENS,
    InterferenceGained: _TOKENS,
    InterferenceSpent: _TOKENS,
    VentureEarned: sets("characters", "bonuses"),
    VenturePaid: sets("characters", "bonuses"),
    VentureLapsed: sets("characters", "bonuses"),
}


# Questions about a view


def keys_of(bonuses: Iterable[Bonus]) -> tuple[Id, ...]:
    """Return the ids by which `claims` of a command names these bonuses, without duplicates."""
    return tuple(dict.fromkeys(bonus.key for bonus in bonuses))


def dice_of(bonuses: Iterable[Bonus]) -> int:
    """Add up the dice of ventures."""
    return sum(bonus.dice for bonus in bonuses)


def tokens_after(momentum: bool, interference: bool, gained: str) -> tuple[bool, bool]:
    """Return a character's tokens after gaining a token.

    If the character has the other token, both cancel out. C7 and C11.
    """
    return (not interference, False) if gained == EffectKind.MOMENTUM else (False, not momentum)
