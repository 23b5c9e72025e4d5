"""What characters hold for their rolls: ventures that lie ready, and which are claimed; tokens. Source: rules.md C."""

from dreadclock.wire.base import Id, Visibility
from dreadclock.wire.things import Benefit, Bonus, Character, Check, CheckStatus, EffectKind, Part
from dreadclock.wire.views import View

Bonuses = tuple[Bonus, ...]


def ready(character: Character, benefits: Benefit) -> Bonuses:
    """Return the ventures that lie ready for a character's rolls of a sort."""
    return tuple(bonus for bonus in character.bonuses if bonus.benefits is benefits)


def claimed(character: Character, part: Part) -> Bonuses:
    """Return the ventures that a part is rolled with."""
    fitting = ready(character, Benefit.CHECK)
    if part.claims is None:
        return fitting if part.claim else ()
    return tuple(bonus for bonus in fitting if bonus.key in part.claims)


def free(view: View, character: Character, benefits: Benefit, *, but: Part | None = None) -> Bonuses:
    """Return the ventures ready for a roll that no part which waits has claimed, other than `but`."""
    taken = {key for check in waiting(view) for part in check.parts if _claims(part, but) for key in part.claims or ()}
    return tuple(bonus for bonus in ready(character, benefits) if bonus.key not in taken)


def _claims(part: Part, but: Part | None) -> bool:
    return part.roll is None and part is not but


def waiting(view: View) -> tuple[Check, ...]:
    """Return the checks with parts that are yet to be rolled, as far as everyone sees them: no others claim."""
    checks = view.public.checks.values()
    return tuple(
        each for each in checks if each.visibility is Visibility.PUBLIC and each.status is not CheckStatus.RESOLVED
    )


def keys_of(bonuses: Bonuses) -> tuple[Id, ...]:
    """Return the ids by which ventures are claimed."""
    return tuple(dict.fromkeys(bonus.key for bonus in bonuses))


def dice_of(bonuses: Bonuses) -> int:
    """Add up the dice of ventures."""
    return sum(bonus.dice for bonus in bonuses)


def tokens_after(momentum: bool, interference: bool, gained: str) -> tuple[bool, bool]:
    """Return what a character holds after it gained a token; one who holds the other loses both. C7 and C11."""
    return (not interference, False) if gained == EffectKind.MOMENTUM else (False, not momentum)


def tokens_at_roll(character: Character) -> tuple[bool, bool]:
    """Return momentum and interference as they will be after the choices that are open. Source: rules.md C18."""
    tokens = character.momentum, character.interference
    for choice in character.choices:
        if choice.unless_chosen == choice.instead_of:
            tokens = tokens_after(*tokens, choice.instead_of)
    return tokens
