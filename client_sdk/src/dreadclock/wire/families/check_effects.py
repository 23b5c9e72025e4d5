"""What checks bring to characters: momentum, interference, dice of ventures, and effects. Source: rules.md C."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from dreadclock.wire.base import Id, Model, Text
from dreadclock.wire.families.base import Changes, CommandBase, EventBase, Fold, updated

if TYPE_CHECKING:
    from dreadclock.wire.views import ChannelView


class Benefit(StrEnum):
    """Which roll a venture is meant to better."""

    CHECK = "check"
    DAMAGE = "damage"


class EffectKind(StrEnum):
    """What a choice of effects is about: a triumph's momentum, or a fumble's interference."""

    MOMENTUM = "momentum"
    INTERFERENCE = "interference"


class Bonus(Model):
    """Dice from a venture that came off, until the beneficiary's next check. Source: rules.md C8."""

    check_id: Id  # that the venture was declared on
    dice: Annotated[int, Field(ge=1, le=3)]
    benefits: Benefit
    what: Text


class Choice(Model):
    """Effects to choose from; unless one is chosen before the next roll, it is `instead_of`. Source: rules.md C18."""

    check_id: Id
    instead_of: EffectKind
    offered: tuple[Text, ...]


# Commands


class ChooseEffect(CommandBase):
    """Choose what a triumph or a fumble brings: `momentum`, `interference`, or an effect that was offered."""

    type: Literal["choose_effect"] = "choose_effect"
    check_id: Id
    character_id: Id
    effect: Text


CheckEffectCommand = ChooseEffect


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class EffectsOffered(EventBase):
    """A character may choose an effect instead of momentum or interference; `choices` are all that wait."""

    type: Literal["effects_offered"] = "effects_offered"
    character_id: Id
    choice: Choice
    choices: tuple[Choice, ...]


class EffectChosen(EventBase):
    """An effect was chosen, or came by itself because none was; `choices` are those that still wait."""

    type: Literal["effect_chosen"] = "effect_chosen"
    character_id: Id
    check_id: Id
    effect: Text
    choices: tuple[Choice, ...]


class TokenEvent(EventBase):
    """What a character holds after a token came or went; gaining one while holding the other cancels both."""

    character_id: Id
    check_id: Id | None = None  # that brought it, or that it was spent on; absent where a consequence brought it
    momentum: bool
    interference: bool


class MomentumGained(TokenEvent):
    """A character gained momentum."""

    type: Literal["momentum_gained"] = "momentum_gained"


class MomentumSpent(TokenEvent):
    """A character rolled with momentum, and has none any more."""

    type: Literal["momentum_spent"] = "momentum_spent"


class InterferenceGained(TokenEvent):
    """A character gained interference."""

    type: Literal["interference_gained"] = "interference_gained"


class InterferenceSpent(TokenEvent):
    """A character rolled under interference, and is rid of it."""

    type: Literal["interference_spent"] = "interference_spent"


class VentureEarned(EventBase):
    """A venture came off; `bonuses` are all dice that wait for the beneficiary."""

    type: Literal["venture_earned"] = "venture_earned"
    character_id: Id
    bonus: Bonus
    bonuses: tuple[Bonus, ...]


class VenturePaid(EventBase):
    """Dice of ventures went into a roll; `bonuses` are those that still wait."""

    type: Literal["venture_paid"] = "venture_paid"
    character_id: Id
    into: Id  # a check or a roll
    paid: tuple[Bonus, ...]
    bonuses: tuple[Bonus, ...]


class VentureLapsed(EventBase):
    """Dice of ventures were lost: the character's next check came before their roll did."""

    type: Literal["venture_lapsed"] = "venture_lapsed"
    character_id: Id
    lapsed: tuple[Bonus, ...]
    bonuses: tuple[Bonus, ...]


CheckEffectEvent = (
    EffectsOffered
    | EffectChosen
    | MomentumGained
    | MomentumSpent
    | InterferenceGained
    | InterferenceSpent
    | VentureEarned
    | VenturePaid
    | VentureLapsed
)


# How these events change a view


def _tokens(part: "ChannelView", event: TokenEvent) -> Changes:
    return updated(part, "characters", event.character_id, momentum=event.momentum, interference=event.interference)


def _bonuses(part: "ChannelView", event: VentureEarned | VenturePaid | VentureLapsed) -> Changes:
    return updated(part, "characters", event.character_id, bonuses=event.bonuses)


def _choices(part: "ChannelView", event: EffectsOffered | EffectChosen) -> Changes:
    return updated(part, "characters", event.character_id, choices=event.choices)


FOLDS: dict[type[EventBase], Fold] = {
    EffectsOffered: _choices,
    EffectChosen: _choices,
    MomentumGained: _tokens,
    MomentumSpent: _tokens,
    InterferenceGained: _tokens,
    InterferenceSpent: _tokens,
    VentureEarned: _bonuses,
    VenturePaid: _bonuses,
    VentureLapsed: _bonuses,
}
