"""Fumble effects and stunts that stand on characters, scenes and situations. Source: rules.md C21 and C26."""

from collections.abc import Mapping

from dreadclock.following.telling import Root, Telling, root_of_character, root_of_scene, root_of_situation
from dreadclock.rules.limits import MAX_EFFECTS
from dreadclock.rules.spelling import spelled
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind
from dreadclock.wire.events import SkipReason
from dreadclock.wire.families.check_effects import EffectsOn
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.families.situations import NOT_OVER
from dreadclock.wire.things import (
    Character,
    Does,
    Effect,
    EffectKind,
    FumbleDoes,
    Scene,
    SceneStatus,
    Situation,
    StandingEffects,
)
from dreadclock.wire.views import View

Bearer = Character | Scene | Situation


def bearers(view: View) -> Mapping[EffectsOn, Mapping[Id, Bearer]]:
    """Return all that effects can stand on. Source: rules.md C21."""
    return {Kind.CHARACTER: view.characters, Kind.SCENE: view.scenes, Kind.SITUATION: view.situations}


def root_of_bearer(view: View, kind: EffectsOn, thing_id: Id) -> Root:
    """Return the root that effects on something are told under."""
    match kind:
        case Kind.CHARACTER:
            return root_of_character(view.characters[thing_id])
        case Kind.SCENE:
            return root_of_scene(view, thing_id)
        case Kind.SITUATION:
            return root_of_situation(view, thing_id)


def are_distinct(effects: StandingEffects) -> bool:
    """Tell whether a reader can tell effects apart, and from momentum and interference."""
    names = [spelled(effect) for effect in (*effects.stunts, *effects.fumble_effects)]
    doing = {spelled(each.effect) for each in effects.fumble_does}
    return len({*names, *EffectKind}) == len(names) + len(EffectKind) and len(doing) == len(effects.fumble_does)


def goes_on(view: View, bearer: Bearer) -> bool:
    """Tell whether what stands on something can still happen: it is in play, or not over."""
    match bearer:
        case Character():
            return in_play(view, bearer.id)
        case Scene():
            return bearer.status is SceneStatus.OPEN
        case Situation():
            return bearer.status in NOT_OVER


def changed(bearer: Bearer, effect: Effect) -> StandingEffects | None:
    """Return what stands on something once a fumble effect is set there, or dropped; None if there is no room for it.

    An effect that is set takes the place of the one that reads alike.
    """
    before, text = bearer.effects or StandingEffects(), str(effect.text)
    alike = spelled(text)
    fumbles = {spelled(each): each for each in before.fumble_effects}
    does = {spelled(each.effect): each for each in before.fumble_does}
    does.pop(alike, None)
    if effect.does is Does.DROP_FUMBLE:
        fumbles.pop(alike, None)
    else:
        fumbles[alike] = text
        if effect.do is not None:
            does[alike] = FumbleDoes(effect=text, do=effect.do)
    after = before.model_copy(
        update={
            "fumble_effects": tuple(fumbles.values()),
            "fumble_does": tuple(does.values()),
            "or_interference": tuple(each for each in before.or_interference if each in fumbles.values()),
        }
    )
    return after if are_distinct(after) and len(fumbles) <= MAX_EFFECTS else None


def no_change(view: View, effect: Effect, bearer: Bearer) -> SkipReason | None:
    """Return why a fumble effect cannot be set or dropped as things stand; None if it can."""
    if not goes_on(view, bearer):
        return SkipReason.OVER
    after = changed(bearer, effect)
    if after is None:
        return SkipReason.CAP
    return SkipReason.UNCHANGED if after == (bearer.effects or StandingEffects()) else None


def change(t: Telling, effect: Effect, bearer: Bearer) -> None:
    """Set a fumble effect on something, or drop it."""
    kind = next(kind for kind, things in bearers(t.view).items() if bearer.id in things)
    after = changed(bearer, effect)
    if after is not None:
        root = root_of_bearer(t.view, kind, bearer.id)
        t.tell(root, e.EffectsSet(kind=kind, id=bearer.id, effects=after))
