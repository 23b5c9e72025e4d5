"""Tokens of characters, and ventures. Source: rules.md C7, C8, C11, C19.

A player who declares a venture rolls fewer dice in a check. If the check succeeds, a character (the holder) gets dice
for a later roll, which can claim them. Momentum and interference are tokens that change a character's next check.

Everyone sees a character's tokens and ventures, so a hidden roll must not change them.
"""

from collections.abc import Callable
from typing import NamedTuple

from dreadclock.rules.limits import MAX_POOL
from dreadclock.rules.spelling import spelled
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import SkipReason
from dreadclock.wire.families.check_effects import dice_of, keys_of, tokens_after
from dreadclock.wire.families.checks import check_odds, claimed, free, waiting
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.views import View
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.effects import Due, EffectRow, Effects, Reason, unless


class Spent(NamedTuple):
    """What a roll uses up: `paid` dice of ventures, and the tokens."""

    paid: int = 0
    momentum: bool = False
    interference: bool = False


def gain(draft: Draft, character_id: Id, token: t.EffectKind, check_id: Id | None) -> None:
    """Give a character a token. Does nothing if the character is unknown, dead or retired. Source: rules.md E6."""
    character = draft.view.characters.get(character_id)
    if character is None or character.status in (t.CharacterStatus.DEAD, t.CharacterStatus.RETIRED):
        return
    momentum, interference = tokens_after(character.momentum, character.interference, token)
    event = e.MomentumGained if token is t.EffectKind.MOMENTUM else e.InterferenceGained
    gained = event(character_id=character.id, check_id=check_id, momentum=momentum, interference=interference)
    draft.emit(Channel.PUBLIC, gained)


def spend(draft: Draft, part: t.Part, check_id: Id) -> Spent:
    """Spend a character's tokens and the claimed ventures on its roll in a check (`part`). C8, C10 and C19."""
    before = draft.view.characters.get(part.character_id)
    if before is None:  # an opponent without a sheet has no tokens or ventures
        return Spent()
    if before.momentum:
        left = before.interference
        spent = e.MomentumSpent(character_id=before.id, check_id=check_id, momentum=False, interference=left)
        draft.emit(Channel.PUBLIC, spent)
    if before.interference:
        rid = e.InterferenceSpent(character_id=before.id, check_id=check_id, momentum=False, interference=False)
        draft.emit(Channel.PUBLIC, rid)
    paid = pay(draft, before.id, claimed(before, part), into=check_id)
    return Spent(paid, before.momentum, before.interference)


def claim(
    draft: Draft, character: t.Character, benefits: t.Benefit, keys: tuple[Id, ...] | None, *, but: t.Part | None = None
) -> tuple[t.Bonus, ...]:
    """Return the ventures that a roll claims: those in `keys`, or if `keys` is None, all that no other roll claims.

    `benefits`: the kind of the roll. `but`: the part of a check that claims; its claims so far are not another roll's.
    Raises Refused if a venture in `keys` does not wait for this kind of roll, or if another roll claims it. C19.
    """
    claimable = free(draft.view, character, benefits, but=but)
    if keys is None:
        return claimable
    ready = {bonus.key for bonus in character.ready(benefits)}
    for key in keys:
        if key not in ready:
            raise Refused(Code.NOT_READY, venture=key, id=character.id)
        if key not in keys_of(claimable):
            raise Refused(Code.ALREADY_CLAIMED, venture=key)
    return tuple(bonus for bonus in claimable if bonus.key in keys)


def pay(draft: Draft, character_id: Id, paid: tuple[t.Bonus, ...], *, into: Id) -> int:
    """Spend ventures on a roll, and return the number of their dice."""
    if paid:
        left = tuple(bonus for bonus in draft.view.characters[character_id].bonuses if bonus not in paid)
        draft.emit(Channel.PUBLIC, e.VenturePaid(character_id=character_id, into=into, paid=paid, bonuses=left))
    return dice_of(paid)


def earn(draft: Draft, check: t.Check, part: t.Part) -> None:
    """Give the dice of a successful venture to its beneficiary, who must still be in play.

    `part`: the roll with the venture. Dice that the declarer earned earlier for the same holder and the same roll are
    lost. Earns nothing if dice for MAX_POOL dice or more are already waiting, because further dice could never be
    rolled.
    """
    venture = part.venture
    if venture is None:
        return
    bonus = t.Bonus(
        check_id=check.id,
        dice=venture.level,
        benefits=venture.benefits,
        what=venture.what,
        id=f"{check.id}-v{check.parts.index(part) + 1}",
        declarer=part.character_id,
    )
    holder = venture.beneficiary or part.character_id
    if not in_play(draft.view, holder):
        return
    _lapse(draft, holder, lambda old: _is_for_same_roll(old, bonus, holder))
    character = draft.view.characters[holder]
    if dice_of(character.ready(bonus.benefits)) < MAX_POOL:
        bonuses = (*character.bonuses, bonus)
        draft.emit(Channel.PUBLIC, e.VentureEarned(character_id=character.id, bonus=bonus, bonuses=bonuses))


def _is_for_same_roll(old: t.Bonus, new: t.Bonus, holder: Id) -> bool:
    named = old.benefits is new.benefits and spelled(old.what) == spelled(new.what)
    return named and (old.declarer or holder) == new.declarer


def lapse(draft: Draft, declarer: Id) -> None:
    """Remove the ventures that a character declared from all characters. They last until the declarer's next action."""
    for holder in tuple(draft.view.characters):
        _lapse(draft, holder, lambda bonus, holder=holder: (bonus.declarer or holder) == declarer)  # type: ignore[misc]


def _lapse(draft: Draft, holder: Id, is_lost: Callable[[t.Bonus], bool]) -> None:
    before = draft.view.characters[holder].bonuses
    lapsed = tuple(bonus for bonus in before if is_lost(bonus))
    if lapsed:
        left = tuple(bonus for bonus in before if bonus not in lapsed)
        draft.emit(Channel.PUBLIC, e.VentureLapsed(character_id=holder, lapsed=lapsed, bonuses=left))


def action_over(draft: Draft, declarer: Id) -> None:
    """End a character's action that is no check: the ventures that the character declared earlier lapse."""
    lapse(draft, declarer)
    count_anew(draft)


def count_anew(draft: Draft) -> None:
    """Write new claims and odds for each waiting check whose stored claims or odds are outdated."""
    for check in waiting(draft.view):
        parts = tuple(_with_claims(draft.view, part) for part in check.parts)
        begun = check.status is t.CheckStatus.ROLLING
        odds = check.odds if begun else check_odds(draft.view, check.model_copy(update={"parts": parts}))
        if (parts, odds) != (check.parts, check.odds):
            draft.emit(Channel.PUBLIC, e.CheckOddsChanged(check_id=check.id, parts=parts, odds=odds))


def recount(draft: Draft) -> None:
    """Call `count_anew` after a change that was no roll, such as a new token from a consequence, or a changed sheet.

    Does nothing in the form of older servers, which did not do this.
    """
    if draft.form.recounts:
        count_anew(draft)


def _with_claims(view: View, part: t.Part) -> t.Part:
    """Return a part without its claims of ventures that the character no longer has."""
    if part.roll is not None or not part.claims:
        return part
    character = view.characters.get(part.character_id)
    if character is None:  # the character is out of play for good, and the view has dropped it
        return part
    left = claimed(character, part)
    held = keys_of(left)
    return part if len(held) == len(part.claims) else part.model_copy(update={"claims": held, "claim": bool(held)})


def _no_token(view: View, effect: t.Effect, character: t.Character) -> Reason:
    if (
        character.visibility is not Visibility.PUBLIC
        or character.status is not t.CharacterStatus.IN_PLAY
        or effect.token is None
    ):
        return SkipReason.OVER
    held = (character.momentum, character.interference)
    return unless(tokens_after(*held, effect.token) != held, SkipReason.UNCHANGED)


def _give(draft: Draft, _: Due, effect: t.Effect, character: t.Character) -> None:
    assert effect.token is not None
    gain(draft, character.id, effect.token, None)
    recount(draft)


EFFECTS: Effects = {
    t.Does.GIVE_TOKEN: EffectRow(
        lambda view, _, character: in_play(view, character.id) and character.visibility is Visibility.PUBLIC,
        _no_token,
        _give,
    ),
}
