"""What triumphs and fumbles bring: tokens, and the effects that stand in their place. Source: rules.md C18, C21, C22.

Characters are public, so nothing here may follow from a roll that is hidden.
"""

from collections.abc import Iterable, Mapping

from dreadclock.following.bringing import why_not
from dreadclock.following.telling import Fumbled, Telling
from dreadclock.following.tokens import gain
from dreadclock.following.ventures import count_anew
from dreadclock.rules.spelling import spelled
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.families.scenes import scene_of
from dreadclock.wire.things import (
    Check,
    Choice,
    Effect,
    EffectKind,
    FumbleDoes,
    SceneStatus,
    SituationStatus,
    StandingEffects,
)
from dreadclock.wire.views import View


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
    """Bring interference, or what stands in its place: the one effect that fits, else one of several. C22 and C26."""
    if not in_play(t.view, character_id):
        return
    around: list[Check | StandingEffects] = [check, *standing_on(t.view, check, character_id)]
    does = _deeds(around)
    offered = tuple(
        effect
        for effect in _differing(effect for one in around for effect in one.fumble_effects)
        if _fits(t.view, character_id, does.get(spelled(effect)))
    )
    or_token = not set(offered).isdisjoint(effect for one in around for effect in one.or_interference)
    doing = tuple(
        FumbleDoes(effect=effect, do=does[spelled(effect)].do) for effect in offered if spelled(effect) in does
    )
    if not offered:
        gain(t, character_id, EffectKind.INTERFERENCE, check.id)
    elif len(offered) == 1 and not or_token:
        happened = e.EffectHappened(character_id=character_id, check_id=check.id, effect=offered[0])
        t.emit(Channel.PUBLIC, happened)
        _do(t, character_id, doing, offered[0])
    else:
        token = EffectKind.INTERFERENCE
        choice = Choice(check_id=check.id, instead_of=token, offered=offered, or_token=or_token, does=doing)
        _offer(t, character_id, choice)


def _deeds(around: Iterable[Check | StandingEffects]) -> Mapping[str, FumbleDoes]:
    """Return what fumble effects do, by how they are spelled: the first of those that read alike."""
    deeds: dict[str, FumbleDoes] = {}
    for one in around:
        for each in one.fumble_does:
            deeds.setdefault(spelled(each.effect), each)
    return deeds


def _fits(view: View, character_id: Id, does: FumbleDoes | None) -> bool:
    """Tell whether a fumble effect can still happen: if it does anything, at least one of that can. C26."""
    return does is None or any(why_not(view, effect) is None for effect in aimed(does, character_id))


def _do(t: Telling, character_id: Id, doing: Iterable[FumbleDoes], effect: str) -> None:
    """Let what a fumble effect does follow once all that the command itself does is told. E5."""
    t.moments.extend(
        Fumbled(character_id, effect, aimed(each, character_id)) for each in doing if each.effect == effect
    )


def aimed(does: FumbleDoes, character_id: Id) -> tuple[Effect, ...]:
    """Return what a fumble effect does, aimed at the character who fumbled where it names nobody."""
    return tuple(each.model_copy(update={"thing_id": character_id}) if each.is_on_nobody else each for each in does.do)


def _offer(t: Telling, character_id: Id, choice: Choice) -> None:
    choices = (*t.view.characters[character_id].choices, choice)
    t.emit(Channel.PUBLIC, e.EffectsOffered(character_id=character_id, choice=choice, choices=choices))


def _differing(effects: Iterable[str]) -> tuple[str, ...]:
    """Return effects that a reader can tell apart, and from the tokens: the first of those that are alike."""
    told: dict[str, str] = dict.fromkeys(EffectKind, "")
    for effect in effects:
        told.setdefault(spelled(effect), effect)
    return tuple(effect for effect in told.values() if effect)


def standing_on(view: View, check: Check, character_id: Id) -> tuple[StandingEffects, ...]:
    """Return the effects that stand on whoever rolls, and on where the check happens. Source: rules.md C21."""
    if not check.standing:
        return ()
    situation = view.public.situations.get(check.within_id or "")
    scene = scene_of(view, check.within_id)
    around = (
        view.public.characters.get(character_id),
        situation if situation and situation.status is SituationStatus.OPEN else None,
        scene if scene and scene.status is SceneStatus.OPEN else None,
    )
    return tuple(thing.effects for thing in around if thing is not None and thing.effects is not None)


def chosen(t: Telling, character_id: Id, choice: Choice, effect: str) -> None:
    """Bring the token that a choice is instead of, if that was chosen, or what the effect does."""
    if effect == choice.instead_of:
        gain(t, character_id, choice.instead_of, choice.check_id)
    _do(t, character_id, choice.does, effect)
    count_anew(t)
