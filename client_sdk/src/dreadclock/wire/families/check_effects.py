"""What checks bring to characters: momentum, interference, dice of ventures, and effects. Source: rules.md C."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dreadclock.rules.limits import MAX_EFFECTS
from dreadclock.wire.base import Id, Kind, Model, Text
from dreadclock.wire.families.base import (
    NOTHING,
    Changes,
    CommandBase,
    EventBase,
    Fold,
    NoUndo,
    ViewPart,
    sets,
    updated,
)
from dreadclock.wire.families.consequences import Effect, EffectKind, NewEffect


class Benefit(StrEnum):
    """Which roll a venture is meant to better."""

    CHECK = "check"
    DAMAGE = "damage"


class Bonus(Model):
    """Dice from a venture that came off: they lie ready for the roll that was named. Source: rules.md C8 and C19."""

    check_id: Id  # that the venture was declared on
    dice: Annotated[int, Field(ge=1, le=3)]
    benefits: Benefit
    what: Text
    id: Id | None = None  # by which it is claimed; None in rooms of the first edition
    declarer: Id | None = None  # the character whose venture it was; None: whoever holds it

    @property
    def key(self) -> Id:
        """The id by which it is claimed: in rooms of the first edition that of its check."""
        return self.id or self.check_id


class FumbleDoes(Model):
    """What a fumble effect does beside its text. Source: rules.md C26.

    Of `do`, an effect without `thing_id` is on the character who fumbled.
    """

    effect: Text
    do: tuple[Effect, ...] = Field(min_length=1, max_length=MAX_EFFECTS)


class NewFumbleDoes(FumbleDoes):
    """What a fumble effect does, as a command gives it."""

    do: tuple[NewEffect, ...] = Field(min_length=1, max_length=MAX_EFFECTS)

    def stored(self) -> FumbleDoes:
        """Return the same as it is stored."""
        return FumbleDoes(effect=self.effect, do=tuple(effect.stored() for effect in self.do))


NewFumbleDeeds = Annotated[tuple[NewFumbleDoes, ...], Field(max_length=MAX_EFFECTS)]


class Choice(Model):
    """Effects to choose from, and whether the token that they are instead of is one of them too.

    Unless one is chosen before the next roll, it is momentum, or the first effect of a fumble. Source: rules.md C18
    and C22.
    """

    check_id: Id
    instead_of: EffectKind
    offered: tuple[Text, ...]
    or_token: bool = True
    does: tuple[FumbleDoes, ...] = ()  # what those of `offered` do that do something

    @property
    def open(self) -> tuple[Text, ...]:
        """All that may be chosen."""
        return (self.instead_of, *self.offered) if self.or_token else self.offered

    @property
    def unless_chosen(self) -> Text:
        """What it comes to if nothing is chosen in time."""
        return self.instead_of if self.instead_of is EffectKind.MOMENTUM else self.offered[0]


EffectTexts = Annotated[tuple[Text, ...], Field(max_length=MAX_EFFECTS)]


class StandingEffects(Model):
    """What triumphs and fumbles may bring to characters, or in scenes and situations. Source: rules.md C21 and C22."""

    stunts: EffectTexts = ()
    fumble_effects: EffectTexts = ()
    or_interference: EffectTexts = ()  # those of `fumble_effects` that leave interference to choose, too
    fumble_does: tuple[FumbleDoes, ...] = ()  # what those of `fumble_effects` do that do something


# Commands


class ChooseEffect(CommandBase):
    """Choose what a triumph or a fumble brings: `momentum`, `interference`, or an effect that was offered."""

    type: Literal["choose_effect"] = "choose_effect"
    check_id: Id
    character_id: Id
    effect: Text


class SetEffects(CommandBase):
    """Attach stunts and fumble effects to a character, a scene or a situation. Absent fields change nothing.

    `or_interference`: those of the fumble effects that leave interference to choose, too. `fumble_does`: what some
    of them do by themselves when they happen; it names nothing hidden. `sixes_add`: whether each 6 of a damage roll
    in this scene adds a die.
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
    """A character may choose an effect instead of momentum or interference; `choices` are all that wait."""

    type: Literal["effects_offered"] = "effects_offered"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    choice: Choice
    choices: tuple[Choice, ...]


class EffectChosen(EventBase):
    """An effect was chosen, or happened because nobody chose; `choices` are those that still wait."""

    type: Literal["effect_chosen"] = "effect_chosen"
    character_id: Id
    check_id: Id
    effect: Text
    choices: tuple[Choice, ...]


class EffectHappened(EventBase):
    """The only fitting fumble effect happened, in place of interference."""

    type: Literal["effect_happened"] = "effect_happened"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    check_id: Id
    effect: Text


EffectsOn = Literal[Kind.CHARACTER, Kind.SCENE, Kind.SITUATION]


class EffectsSet(EventBase):
    """The stunts and fumble effects of a character, scene or situation changed; these are the new ones.

    `sixes_add`: whether sixes add dice to damage in this scene from now on; absent: unchanged.
    """

    type: Literal["effects_set"] = "effects_set"
    kind: EffectsOn
    id: Id
    effects: StandingEffects
    sixes_add: bool | None = None


class TokenEvent(EventBase):
    """What a character holds after a token came or went; gaining one while holding the other cancels both."""

    character_id: Id
    check_id: Id | None = None  # that brought it, or that it was spent on; absent where a consequence brought it
    momentum: bool
    interference: bool


class MomentumGained(TokenEvent):
    """A character gained momentum."""

    type: Literal["momentum_gained"] = "momentum_gained"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE


class MomentumSpent(TokenEvent):
    """A character rolled with momentum, which is now spent."""

    type: Literal["momentum_spent"] = "momentum_spent"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE


class InterferenceGained(TokenEvent):
    """A character gained interference."""

    type: Literal["interference_gained"] = "interference_gained"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE


class InterferenceSpent(TokenEvent):
    """A character rolled with interference, which is now spent."""

    type: Literal["interference_spent"] = "interference_spent"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE


class VentureEarned(EventBase):
    """A venture succeeded; `bonuses` are all dice that wait for the beneficiary."""

    type: Literal["venture_earned"] = "venture_earned"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    bonus: Bonus
    bonuses: tuple[Bonus, ...]


class VenturePaid(EventBase):
    """Dice of ventures were added to a roll; `bonuses` are those that still wait."""

    type: Literal["venture_paid"] = "venture_paid"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    into: Id  # a check or a roll
    paid: tuple[Bonus, ...]
    bonuses: tuple[Bonus, ...]


class VentureLapsed(EventBase):
    """Dice of ventures were lost: an action was over before they were claimed, or others replaced them."""

    type: Literal["venture_lapsed"] = "venture_lapsed"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    character_id: Id
    lapsed: tuple[Bonus, ...]
    bonuses: tuple[Bonus, ...]


# How these events change a view


_FIELDS = {Kind.CHARACTER: "characters", Kind.SCENE: "scenes", Kind.SITUATION: "situations"}


def _effects_set(part: ViewPart, event: EffectsSet) -> Changes:
    sixes = {} if event.sixes_add is None else {"sixes_add": event.sixes_add}
    return [updated(part, _FIELDS[event.kind], event.id, effects=event.effects, **sixes)]


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
    """Return the ids by which ventures are claimed."""
    return tuple(dict.fromkeys(bonus.key for bonus in bonuses))


def dice_of(bonuses: Iterable[Bonus]) -> int:
    """Add up the dice of ventures."""
    return sum(bonus.dice for bonus in bonuses)


def tokens_after(momentum: bool, interference: bool, gained: str) -> tuple[bool, bool]:
    """Return what a character holds after it gained a token; one who holds the other loses both. C7 and C11."""
    return (not interference, False) if gained == EffectKind.MOMENTUM else (False, not momentum)
