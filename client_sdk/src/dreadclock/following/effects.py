"""What triumphs and fumbles bring: tokens, and the effects that stand in their place. Source: rules.md C18, C21, C22.

Characters are public, so nothing here may follow from a roll that is hidden.
"""

from collections.abc import Iterable, Mapping

from dreadclock.following.characters import in_play
from dreadclock.following.telling import Root, Telling, root_of_character, root_of_scene, root_of_situation
from dreadclock.following.tokens import gain
from dreadclock.following.ventures import count_anew
from dreadclock.rules.spelling import spelled
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind
from dreadclock.wire.families.check_effects import EffectsOn
from dreadclock.wire.things import (
    Character,
    Check,
    Choice,
    EffectKind,
    Scene,
    SceneStatus,
    Situation,
    SituationStatus,
    StandingEffects,
)
from dreadclock.wire.views import View

Bearer = Character | Scene | Situation


def triumphed(t: Telling, check: Check, character_id: Id) -> None:
    """Give momentum, or let a stunt be chosen instead."""
    if not in_play(t.view, character_id):
        return
    standing = standing_on(t.view, check, character_id)
    offered = _differing((*check.stunts, *(each for one in standing for each in one.stunts)))
    if offered:
        _offer(t, character_id, Choice(check_id=check.id, instead_of=EffectKind.MOMENTUM, offered=offered))
    else:
        gain(t, character_id, EffectKind.MOMENTUM, check.id)


def fumbled(t: Telling, check: Check, character_id: Id) -> None:
    """Bring interference, or what stands in its place: the one effect that fits, else one of several. C22."""
    if not in_play(t.view, character_id):
        return
    standing = standing_on(t.view, check, character_id)
    offered = _differing((*check.fumble_effects, *(each for one in standing for each in one.fumble_effects)))
    marked = (*check.or_interference, *(each for one in standing for each in one.or_interference))
    or_token = not set(offered).isdisjoint(marked)
    if not offered:
        gain(t, character_id, EffectKind.INTERFERENCE, check.id)
    elif len(offered) == 1 and not or_token:
        happened = e.EffectHappened(character_id=character_id, check_id=check.id, effect=offered[0])
        t.emit(Channel.PUBLIC, happened)
    else:
        token = EffectKind.INTERFERENCE
        _offer(t, character_id, Choice(check_id=check.id, instead_of=token, offered=offered, or_token=or_token))


def _offer(t: Telling, character_id: Id, choice: Choice) -> None:
    choices = (*t.view.characters[character_id].choices, choice)
    t.emit(Channel.PUBLIC, e.EffectsOffered(character_id=character_id, choice=choice, choices=choices))


def _differing(effects: Iterable[str]) -> tuple[str, ...]:
    """Return effects that a reader can tell apart, and from the tokens: the first of those that are alike."""
    told: dict[str, str] = dict.fromkeys(EffectKind, "")
    for effect in effects:
        told.setdefault(spelled(effect), effect)
    return tuple(effect for effect in told.values() if effect)


def are_distinct(effects: StandingEffects) -> bool:
    """Tell whether a reader can tell effects apart, and from momentum and interference."""
    names = [spelled(effect) for effect in (*effects.stunts, *effects.fumble_effects)]
    return len({*names, *EffectKind}) == len(names) + len(EffectKind)


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


def standing_on(view: View, check: Check, character_id: Id) -> tuple[StandingEffects, ...]:
    """Return the effects that stand on whoever rolls, and on where the check happens. Source: rules.md C21."""
    if not check.standing:
        return ()
    situation = view.public.situations.get(check.within_id or "")
    scene = view.public.scenes.get(situation.scene_id if situation else check.within_id or "")
    around = (
        view.public.characters.get(character_id),
        situation if situation and situation.status is SituationStatus.OPEN else None,
        scene if scene and scene.status is SceneStatus.OPEN else None,
    )
    return tuple(thing.effects for thing in around if thing is not None and thing.effects is not None)


def usual_place(view: View, effort: Id | None) -> Id | None:
    """Return where a check happens that names no place: where its effort is made, or the one place that is open."""
    challenge = view.public.challenges.get(effort or "")
    if challenge is not None:
        return challenge.situation_id
    scenes = [each.id for each in view.public.scenes.values() if each.status is SceneStatus.OPEN]
    if len(scenes) != 1:
        return None
    situations = [each for each in view.public.situations.values() if each.status is SituationStatus.OPEN]
    inside = [each.id for each in situations if each.scene_id == scenes[0]]
    return inside[0] if len(inside) == 1 else scenes[0]


def chosen(t: Telling, character_id: Id, choice: Choice, effect: str) -> None:
    """Bring the token that a choice is instead of, if that was chosen."""
    if effect == choice.instead_of:
        gain(t, character_id, choice.instead_of, choice.check_id)
    count_anew(t)
