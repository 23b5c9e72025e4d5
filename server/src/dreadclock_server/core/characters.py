"""What waits for a character's next roll: tokens, dice of ventures, and choices. Source: rules.md C.

Characters are public, so nothing here may happen because of a roll that is hidden.
"""

from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.things import Benefit, Bonus, Character, CharacterStatus, Choice, EffectKind
from dreadclock_server.core.draft import Draft


def gain(draft: Draft, character_id: Id, token: EffectKind, check_id: Id) -> None:
    """Give a character a token; one who holds the other loses both. Source: rules.md C7 and C11."""
    one = draft.view.characters[character_id]
    event: e.Event
    if token is EffectKind.MOMENTUM:
        kept = not one.interference
        event = e.MomentumGained(character_id=one.id, check_id=check_id, momentum=kept, interference=False)
    else:
        kept = not one.momentum
        event = e.InterferenceGained(character_id=one.id, check_id=check_id, momentum=False, interference=kept)
    draft.emit(Channel.PUBLIC, event)


def spend_tokens(draft: Draft, character_id: Id, check_id: Id) -> Character:
    """Take a character's tokens for a check, and return the character as it was before."""
    before = draft.view.characters[character_id]
    if before.momentum:
        spent = e.MomentumSpent(
            character_id=before.id, check_id=check_id, momentum=False, interference=before.interference
        )
        draft.emit(Channel.PUBLIC, spent)
    if before.interference:
        rid = e.InterferenceSpent(character_id=before.id, check_id=check_id, momentum=False, interference=False)
        draft.emit(Channel.PUBLIC, rid)
    return before


def offer(draft: Draft, character_id: Id, choice: Choice) -> None:
    """Let a character choose an effect instead of a token."""
    choices = (*draft.view.characters[character_id].choices, choice)
    draft.emit(Channel.PUBLIC, e.EffectsOffered(character_id=character_id, choice=choice, choices=choices))


def choose(draft: Draft, character_id: Id, choice: Choice, effect: str) -> None:
    """Take an effect, be it the token that the choice is instead of."""
    left = tuple(one for one in draft.view.characters[character_id].choices if one != choice)
    draft.emit(
        Channel.PUBLIC,
        e.EffectChosen(character_id=character_id, check_id=choice.check_id, effect=effect, choices=left),
    )
    if effect == choice.instead_of:
        gain(draft, character_id, choice.instead_of, choice.check_id)


def settle_choices(draft: Draft, character_id: Id) -> None:
    """Turn choices that were not made before the next roll into their tokens. Source: rules.md C18."""
    for choice in draft.view.characters[character_id].choices:
        choose(draft, character_id, choice, choice.instead_of)


def earn(draft: Draft, character_id: Id, bonus: Bonus) -> None:
    """Keep the dice of a venture for its beneficiary, who must still be in play. Source: rules.md C8.

    Dice beyond those that a roll may start with could never be rolled, and are not kept.
    """
    one = draft.view.characters[character_id]
    if one.status is CharacterStatus.IN_PLAY and waiting(one, bonus.benefits) < MAX_POOL:
        bonuses = (*one.bonuses, bonus)
        draft.emit(Channel.PUBLIC, e.VentureEarned(character_id=one.id, bonus=bonus, bonuses=bonuses))


def waiting(character: Character, benefits: Benefit) -> int:
    """Count the dice that wait for a character's next roll of a sort."""
    return sum(bonus.dice for bonus in character.bonuses if bonus.benefits is benefits)


def pay(draft: Draft, character_id: Id, benefits: Benefit, *, into: Id) -> int:
    """Put the dice that wait for this sort of roll into it, and return how many they are."""
    one = draft.view.characters[character_id]
    paid = tuple(bonus for bonus in one.bonuses if bonus.benefits is benefits)
    if paid:
        left = tuple(bonus for bonus in one.bonuses if bonus.benefits is not benefits)
        draft.emit(Channel.PUBLIC, e.VenturePaid(character_id=one.id, into=into, paid=paid, bonuses=left))
    return sum(bonus.dice for bonus in paid)


def lapse(draft: Draft, character_id: Id) -> None:
    """Lose the dice that still wait, as a check is being rolled."""
    lapsed = draft.view.characters[character_id].bonuses
    if lapsed:
        draft.emit(Channel.PUBLIC, e.VentureLapsed(character_id=character_id, lapsed=lapsed, bonuses=()))
