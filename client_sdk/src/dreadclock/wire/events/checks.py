"""Events of checks. This is the storage format. Source: rules.md C."""

from typing import Literal

from dreadclock.wire.base import Id, Text
from dreadclock.wire.events.base import EventBase
from dreadclock.wire.things import Bonus, Check, CheckOdds, CheckResult, CheckStatus, Choice, Cost, Part


class CheckProposed(EventBase):
    """A check was proposed, with its odds."""

    type: Literal["check_proposed"] = "check_proposed"
    check: Check


class CheckAdjusted(EventBase):
    """The gm changed or approved a check; `check` is as it stands now."""

    type: Literal["check_adjusted"] = "check_adjusted"
    check: Check


class HelpJoined(EventBase):
    """A helper joined a side of a check; `status` and `odds` are the check's, with the new part."""

    type: Literal["help_joined"] = "help_joined"
    check_id: Id
    part: Part
    status: CheckStatus
    odds: CheckOdds | None = None


class OppositionJoined(EventBase):
    """A check became a contest; `part` leads its other side."""

    type: Literal["opposition_joined"] = "opposition_joined"
    check_id: Id
    part: Part
    status: CheckStatus
    odds: CheckOdds | None = None


class CheckRolled(EventBase):
    """A part of a check was rolled; `part` is as it stands now."""

    type: Literal["check_rolled"] = "check_rolled"
    check_id: Id
    part: Part


class CheckResolved(EventBase):
    """All parts of a check are in: this is what it came to."""

    type: Literal["check_resolved"] = "check_resolved"
    check_id: Id
    result: CheckResult


class CheckWithdrawn(EventBase):
    """A check was taken back."""

    type: Literal["check_withdrawn"] = "check_withdrawn"
    check_id: Id


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
    check_id: Id  # that brought it, or that it was spent on
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


class CostProposed(EventBase):
    """A cost was proposed for a check that failed."""

    type: Literal["cost_proposed"] = "cost_proposed"
    check_id: Id
    cost: Cost


class CostAnswered(EventBase):
    """The gm answered a cost."""

    type: Literal["cost_answered"] = "cost_answered"
    check_id: Id
    cost: Cost


class FailureSettled(EventBase):
    """The player applied the terms agreed, or took the failure."""

    type: Literal["failure_settled"] = "failure_settled"
    check_id: Id
    cost: Cost
