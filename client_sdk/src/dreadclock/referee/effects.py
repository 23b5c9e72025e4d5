"""What checks bring to characters, and what waits for their next roll. Source: rules.md C."""

from __future__ import annotations

from dreadclock.export import Step
from dreadclock.referee.odds import waiting
from dreadclock.referee.reader import Beginnings, Reader
from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.things import (
    Benefit,
    Bonus,
    Character,
    CharacterStatus,
    Check,
    CheckResult,
    Choice,
    EffectKind,
    Part,
)

PUBLIC = Channel.PUBLIC


def bring_effects(r: Reader, check: Check, result: CheckResult, side: Side) -> None:
    """A side gets interference, momentum and the dice of its ventures. Source: rules.md C8, C12 and C13."""
    parts = check.side(side)
    if any(map(_fumbled, parts)):
        for part in parts:
            offered = check.fumble_effects if _fumbled(part) else ()
            _bring(r, check.id, part.character_id, EffectKind.INTERFERENCE, offered)
    outcome = result.acting if side is Side.ACTING else result.opposing
    if outcome is not None and outcome.outcome is Outcome.TRIUMPH:
        _bring(r, check.id, parts[0].character_id, EffectKind.MOMENTUM, check.stunts)
    if result.won_by(side):
        for part in parts:
            _earn(r, check, part)


def _fumbled(part: Part) -> bool:
    return part.roll is not None and part.roll.outcome is Outcome.FUMBLE


def _bring(r: Reader, check_id: Id, character_id: Id, token: EffectKind, offered: tuple[str, ...]) -> None:
    if not offered:
        return gain(r, character_id, token, check_id)
    choice = Choice(check_id=check_id, instead_of=token, offered=offered)
    choices = (*r.public.characters[character_id].choices, choice)
    return r.must(PUBLIC, e.EffectsOffered(character_id=character_id, choice=choice, choices=choices))


def gain(r: Reader, character_id: Id, token: EffectKind, check_id: Id) -> None:
    """A character gets a token; one who holds the other loses both. Source: rules.md C7 and C11."""
    one = r.public.characters[character_id]
    if token is EffectKind.MOMENTUM:
        kept = not one.interference
        event: e.Event = e.MomentumGained(character_id=one.id, check_id=check_id, momentum=kept, interference=False)
    else:
        kept = not one.momentum
        event = e.InterferenceGained(character_id=one.id, check_id=check_id, momentum=False, interference=kept)
    r.must(PUBLIC, event)


def _earn(r: Reader, check: Check, part: Part) -> None:
    """The dice of a venture are kept for who is still in play, as far as they could be rolled. Source: rules.md C8."""
    venture = part.venture
    if venture is None:
        return
    one = r.public.characters[venture.beneficiary or part.character_id]
    if one.status is CharacterStatus.IN_PLAY and waiting(one, venture.benefits) < MAX_POOL:
        bonus = Bonus(check_id=check.id, dice=venture.level, benefits=venture.benefits, what=venture.what)
        r.must(PUBLIC, e.VentureEarned(character_id=one.id, bonus=bonus, bonuses=(*one.bonuses, bonus)))


def spend_tokens(r: Reader, character_id: Id, check_id: Id) -> Character:
    """A character's tokens go into a check; return the character as it was before."""
    before = r.public.characters[character_id]
    if before.momentum:
        left = before.interference
        spent = e.MomentumSpent(character_id=before.id, check_id=check_id, momentum=False, interference=left)
        r.must(PUBLIC, spent)
    if before.interference:
        rid = e.InterferenceSpent(character_id=before.id, check_id=check_id, momentum=False, interference=False)
        r.must(PUBLIC, rid)
    return before


def pay(r: Reader, character_id: Id, benefits: Benefit, into: Id) -> int:
    """The dice that wait for this sort of roll go into it; return how many they are."""
    one = r.public.characters[character_id]
    paid = tuple(bonus for bonus in one.bonuses if bonus.benefits is benefits)
    if paid:
        left = tuple(bonus for bonus in one.bonuses if bonus.benefits is not benefits)
        r.must(PUBLIC, e.VenturePaid(character_id=one.id, into=into, paid=paid, bonuses=left))
    return sum(bonus.dice for bonus in paid)


def lapse(r: Reader, character_id: Id) -> None:
    """The dice that still wait are lost, as a check is being rolled."""
    lapsed = r.public.characters[character_id].bonuses
    if lapsed:
        r.must(PUBLIC, e.VentureLapsed(character_id=character_id, lapsed=lapsed, bonuses=()))


def effect_chosen(r: Reader, step: Step, event: e.EffectChosen) -> None:
    """One of the effects on offer is chosen, or comes by itself before the next roll. Source: rules.md C18."""
    one = step.before.public.characters.get(event.character_id)
    if one is None:
        return r.fault(step, "there is no such character")
    r.allow(step, one.owner)
    offered = [
        choice
        for choice in one.choices
        if choice.check_id == event.check_id and event.effect in (choice.instead_of, *choice.offered)
    ]
    if not offered:
        return r.fault(step, "this effect was not offered")
    left = tuple(choice for choice in one.choices if choice != offered[0])
    r.same(step, event, event.model_copy(update={"choices": left}))
    if event.effect == offered[0].instead_of:
        gain(r, one.id, offered[0].instead_of, event.check_id)
    return None


def check_settled(r: Reader, step: Step, character_id: Id) -> None:
    """Check that no choice waits: a roll settles those that were not made. Source: rules.md C18."""
    one = step.before.public.characters.get(character_id)
    r.require(step, one is None or not one.choices, "its character's choices were not settled before it")


BEGINNINGS: Beginnings = {e.EffectChosen: effect_chosen}
