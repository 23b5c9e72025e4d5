"""What stands on things to befall characters, and choices that checks brought. Source: rules.md C18, C21 and C22."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.following.attaching import may_fumble_do, of_fumbles
from dreadclock.following.effects import chosen
from dreadclock.following.standing import are_distinct, bearers, root_of_bearer
from dreadclock.following.ventures import recount
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Scope
from dreadclock.wire.families.check_effects import tokens_after
from dreadclock.wire.things import EffectKind, Scene, StandingEffects


def effect_chosen(r: Reader, step: Step, event: e.EffectChosen) -> None:
    """One of the effects on offer is chosen, or comes by itself before the next roll. Source: rules.md C18."""
    one = step.before.public.characters.get(event.character_id)
    if one is None:
        return r.fault(step, "there is no such character")
    r.allow(step, one.owner, scopes=(Scope.ROLLS,))
    offered = [choice for choice in one.choices if choice.check_id == event.check_id and event.effect in choice.open]
    if not offered:
        return r.fault(step, "this effect was not offered")
    left = tuple(choice for choice in one.choices if choice != offered[0])
    r.same(step, event, event.model_copy(update={"choices": left}))
    return chosen(r, one.id, offered[0], event.effect)


def token_gained(r: Reader, step: Step, event: e.MomentumGained | e.InterferenceGained) -> None:
    """A hidden consequence gives a token; every other one follows from a check. Source: rules.md E5."""
    one = step.before.public.characters.get(event.character_id)
    if one is None or not r.unseen:
        return r.fault(step, "nothing before it leads to it")
    token = EffectKind.MOMENTUM if isinstance(event, e.MomentumGained) else EffectKind.INTERFERENCE
    momentum, interference = tokens_after(one.momentum, one.interference, token)
    r.same(step, event, type(event)(character_id=one.id, momentum=momentum, interference=interference))
    return recount(r)


def check_settled(r: Reader, step: Step, character_id: Id) -> None:
    """Check that no choice waits: a roll settles those that were not made. Source: rules.md C18."""
    one = step.before.public.characters.get(character_id)
    r.require(step, one is None or not one.choices, "its character's choices were not settled before it")


def effects_set(r: Reader, step: Step, event: e.EffectsSet) -> None:
    """The gm says which effects stand on something; they can be told apart, and marks are on some of them."""
    r.allow(step)
    one = bearers(step.before)[event.kind].get(event.id)
    if one is None:
        return r.fault(step, "there is nothing for effects to stand on")
    sixes = event.sixes_add
    r.require(step, sixes is None or isinstance(one, Scene), "only in a scene do sixes add dice")
    changes_sixes = isinstance(one, Scene) and sixes is not None and sixes != one.sixes_add
    same = (one.effects or StandingEffects()) == event.effects
    r.require(step, changes_sixes or (same, sixes) == (False, None), "it changes nothing")
    check_marks(r, step, event.effects, one.effects or StandingEffects())
    root = root_of_bearer(step.before, event.kind, event.id)
    r.require(step, step.record.channel is root.channel, "it does not lie where it belongs")
    return r.hint(root)


def check_marks(r: Reader, step: Step, effects: StandingEffects, before: StandingEffects) -> None:
    """Check that effects can be told apart, and that those which leave interference to choose are among them.

    So are those that do something; what is new of that names nothing hidden, and can happen.
    """
    r.require(step, are_distinct(effects), "its effects are alike")
    r.require(step, set(effects.or_interference) <= set(effects.fumble_effects), "a mark is on none of its effects")
    doing = {each.effect for each in effects.fumble_does}
    r.require(step, doing <= set(effects.fumble_effects), "what does something is none of its effects")
    new = effects.model_copy(
        update={"fumble_does": [each for each in effects.fumble_does if each not in before.fumble_does]}
    )
    fits = all(may_fumble_do(step.before, each) for each in of_fumbles(new))
    r.require(step, fits or r.unseen, "what a fumble effect does could never happen, or is hidden")


BEGINNINGS: Beginnings = {
    e.EffectChosen: effect_chosen,
    e.EffectsSet: effects_set,
    e.MomentumGained: token_gained,
    e.InterferenceGained: token_gained,
}
