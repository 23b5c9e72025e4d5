"""What waits for a character's next roll: momentum and interference, dice of ventures, and choices. Source: rules.md C.

Characters are public, so nothing here may follow from a roll that is hidden.
"""

from typing import NamedTuple

from dreadclock.following.characters import in_play
from dreadclock.following.telling import Telling
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.things import Benefit, Bonus, Character, Choice, EffectKind


class Spent(NamedTuple):
    """What goes into a roll of what waited for its character: dice of ventures, and tokens."""

    paid: int = 0
    momentum: bool = False
    interference: bool = False


def tokens_after(momentum: bool, interference: bool, gained: EffectKind) -> tuple[bool, bool]:
    """Return what a character holds after it gained a token; one who holds the other loses both. C7 and C11."""
    return (not interference, False) if gained is EffectKind.MOMENTUM else (False, not momentum)


def gain(t: Telling, character_id: Id, token: EffectKind, check_id: Id) -> None:
    """Give a character in play a token. Source: rules.md E6."""
    if not in_play(t.view, character_id):
        return
    one = t.view.characters[character_id]
    momentum, interference = tokens_after(one.momentum, one.interference, token)
    event = e.MomentumGained if token is EffectKind.MOMENTUM else e.InterferenceGained
    told = event(character_id=one.id, check_id=check_id, momentum=momentum, interference=interference)
    t.emit(Channel.PUBLIC, told)


def offer(t: Telling, character_id: Id, choice: Choice) -> None:
    """Let a character in play choose an effect instead of a token. Source: rules.md E6."""
    if not in_play(t.view, character_id):
        return
    choices = (*t.view.characters[character_id].choices, choice)
    t.emit(Channel.PUBLIC, e.EffectsOffered(character_id=character_id, choice=choice, choices=choices))


def chosen(t: Telling, character_id: Id, choice: Choice, effect: str) -> None:
    """Bring the token that a choice is instead of, if that was chosen."""
    if effect == choice.instead_of:
        gain(t, character_id, choice.instead_of, choice.check_id)


def spend(t: Telling, character_id: Id, check_id: Id, *, claim: bool) -> Spent:
    """Put what waits for a character into its roll of a check; dice that are left after it are lost. C8 and C10."""
    before = t.view.characters.get(character_id)
    if before is None:  # nothing waits for an opponent without a sheet
        return Spent()
    if before.momentum:
        left = before.interference
        t.emit(
            Channel.PUBLIC,
            e.MomentumSpent(character_id=before.id, check_id=check_id, momentum=False, interference=left),
        )
    if before.interference:
        rid = e.InterferenceSpent(character_id=before.id, check_id=check_id, momentum=False, interference=False)
        t.emit(Channel.PUBLIC, rid)
    paid = pay(t, character_id, Benefit.CHECK, into=check_id) if claim else 0
    lapsed = t.view.characters[character_id].bonuses
    if lapsed:
        t.emit(Channel.PUBLIC, e.VentureLapsed(character_id=character_id, lapsed=lapsed, bonuses=()))
    return Spent(paid, before.momentum, before.interference)


def pay(t: Telling, character_id: Id, benefits: Benefit, *, into: Id) -> int:
    """Put the dice that wait for this sort of roll into it, and return how many they are."""
    one = t.view.characters[character_id]
    paid = tuple(bonus for bonus in one.bonuses if bonus.benefits is benefits)
    if paid:
        left = tuple(bonus for bonus in one.bonuses if bonus.benefits is not benefits)
        t.emit(Channel.PUBLIC, e.VenturePaid(character_id=one.id, into=into, paid=paid, bonuses=left))
    return sum(bonus.dice for bonus in paid)


def earn(t: Telling, character_id: Id, bonus: Bonus) -> None:
    """Keep the dice of a venture for its beneficiary, who must still be in play. Source: rules.md C8.

    Dice beyond those that a roll may start with could never be rolled, and are not kept.
    """
    if in_play(t.view, character_id) and waiting(t.view.characters[character_id], bonus.benefits) < MAX_POOL:
        one = t.view.characters[character_id]
        bonuses = (*one.bonuses, bonus)
        t.emit(Channel.PUBLIC, e.VentureEarned(character_id=one.id, bonus=bonus, bonuses=bonuses))


def waiting(character: Character, benefits: Benefit) -> int:
    """Count the dice that wait for a character's next roll of a sort."""
    return sum(bonus.dice for bonus in character.bonuses if bonus.benefits is benefits)
