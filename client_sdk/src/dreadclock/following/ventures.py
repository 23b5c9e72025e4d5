"""Dice of ventures: earned, paid into the roll that claimed them, and lapsed. Source: rules.md C8 and C19.

Characters are public, so nothing here may follow from a roll that is hidden.
"""

from collections.abc import Callable

from dreadclock.following.telling import Telling
from dreadclock.rules.limits import MAX_POOL
from dreadclock.rules.spelling import spelled
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.families.check_effects import dice_of, keys_of
from dreadclock.wire.families.checks import check_odds, claimed, waiting
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.things import Bonus, Check, CheckStatus, Part
from dreadclock.wire.views import View


def pay(t: Telling, character_id: Id, paid: tuple[Bonus, ...], *, into: Id) -> int:
    """Put ventures that lie ready into a roll, and return how many dice they are."""
    if paid:
        left = tuple(bonus for bonus in t.view.characters[character_id].bonuses if bonus not in paid)
        t.emit(Channel.PUBLIC, e.VenturePaid(character_id=character_id, into=into, paid=paid, bonuses=left))
    return dice_of(paid)


def earn(t: Telling, check: Check, part: Part) -> None:
    """Keep the dice of a part's venture for its beneficiary, who must still be in play.

    Those that the declarer earned before for the same roll are lost. Dice beyond those that a roll may start with could
    never be rolled, and are not kept.
    """
    venture = part.venture
    if venture is None:
        return
    bonus = Bonus(
        check_id=check.id,
        dice=venture.level,
        benefits=venture.benefits,
        what=venture.what,
        id=f"{check.id}-v{check.parts.index(part) + 1}",
        declarer=part.character_id,
    )
    holder = venture.beneficiary or part.character_id
    if not in_play(t.view, holder):
        return
    _lapse(t, holder, lambda old: _is_for_same_roll(old, bonus, holder))
    one = t.view.characters[holder]
    if dice_of(one.ready(bonus.benefits)) < MAX_POOL:
        bonuses = (*one.bonuses, bonus)
        t.emit(Channel.PUBLIC, e.VentureEarned(character_id=one.id, bonus=bonus, bonuses=bonuses))


def _is_for_same_roll(old: Bonus, new: Bonus, holder: Id) -> bool:
    named = old.benefits is new.benefits and spelled(old.what) == spelled(new.what)
    return named and (old.declarer or holder) == new.declarer


def lapse(t: Telling, declarer: Id) -> None:
    """Take away the ventures that a character declared, whoever holds them: her next action is over."""
    for holder in tuple(t.view.characters):
        _lapse(t, holder, lambda bonus, holder=holder: (bonus.declarer or holder) == declarer)  # type: ignore[misc]


def _lapse(t: Telling, holder: Id, goes: Callable[[Bonus], bool]) -> None:
    before = t.view.characters[holder].bonuses
    lapsed = tuple(bonus for bonus in before if goes(bonus))
    if lapsed:
        left = tuple(bonus for bonus in before if bonus not in lapsed)
        t.emit(Channel.PUBLIC, e.VentureLapsed(character_id=holder, lapsed=lapsed, bonuses=left))


def action_over(t: Telling, declarer: Id) -> None:
    """Let a character's action be over that is no check: the ventures that she declared before it lapse."""
    lapse(t, declarer)
    count_anew(t)


def count_anew(t: Telling) -> None:
    """Tell what the rollers of checks that wait count on now, where their claims or tokens changed."""
    _count_anew(t, t.emit)


def recount(t: Telling) -> None:
    """Tell the same where something else than a roll changed it: a consequence's token, or a sheet's reflex."""
    _count_anew(t, t.may_emit)


def _count_anew(t: Telling, emit: Callable[[Channel, e.Event], None]) -> None:
    for check in waiting(t.view):
        parts = tuple(_with_claims(t.view, part) for part in check.parts)
        begun = check.status is CheckStatus.ROLLING
        odds = check.odds if begun else check_odds(t.view, check.model_copy(update={"parts": parts}))
        if (parts, odds) != (check.parts, check.odds):
            emit(Channel.PUBLIC, e.CheckOddsChanged(check_id=check.id, parts=parts, odds=odds))


def _with_claims(view: View, part: Part) -> Part:
    """Return a part that claims only what still lies ready."""
    if part.roll is not None or not part.claims:
        return part
    one = view.characters.get(part.character_id)
    if one is None:  # out of play for good, long ago
        return part
    left = claimed(one, part)
    held = keys_of(left)
    return part if len(held) == len(part.claims) else part.model_copy(update={"claims": held, "claim": bool(held)})
