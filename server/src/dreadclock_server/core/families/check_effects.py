"""What a triumph or a fumble brings: a token (momentum or interference), or an effect in its place.

Effects are texts that the gm sets: stunts for triumphs, and fumble effects for fumbles. A fumble effect may also do
something automatically. Source: rules.md C18, C21, C22 and C26.
"""

from collections.abc import Callable, Iterable, Mapping

from dreadclock.rules.limits import MAX_EFFECTS
from dreadclock.rules.spelling import spelled
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import SkipReason
from dreadclock.wire.families.check_effects import EffectsOn
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.families.scenes import scene_of
from dreadclock.wire.families.situations import NOT_OVER
from dreadclock.wire.views import View
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, Topic
from dreadclock_server.core.effects import EffectRow, Effects, Fumbled, aimed, of_fumbles, why_not
from dreadclock_server.core.families.consequences import require_of_fumbles
from dreadclock_server.core.families.ventures import count_anew, gain
from dreadclock_server.core.find import topic_of_character, topic_of_scene, topic_of_situation
from dreadclock_server.core.rights import Rights, Who, only, owned

RIGHTS: Rights = {
    c.ChooseEffect: owned(find.named_character, Who.ROLLS),
    c.SetEffects: only(Who.GM),
}


def choose_effect(draft: Draft, command: c.ChooseEffect, character: t.Character) -> None:
    """Decide `choose_effect`: choose an effect or a token, after a triumph or a fumble.

    Finds the open choice by the check and the effect: a character may have two choices for the same check, after its
    own fumble and its side's triumph.
    """
    choices = [choice for choice in character.choices if choice.check_id == command.check_id]
    if not choices:
        raise Refused(Code.NO_CHOICE, id=character.id, check=command.check_id)
    choice = next((choice for choice in choices if command.effect in choice.open), None)
    if choice is None:
        raise Refused(Code.NOT_OFFERED, offered=", ".join(effect for choice in choices for effect in choice.open))
    choose(draft, character.id, choice, command.effect)


def choose(draft: Draft, character_id: Id, choice: t.Choice, effect: str) -> None:
    """Apply a chosen effect or token, and remove the choice."""
    left = tuple(other for other in draft.view.characters[character_id].choices if other != choice)
    event = e.EffectChosen(character_id=character_id, check_id=choice.check_id, effect=effect, choices=left)
    draft.emit(Channel.PUBLIC, event)
    chosen(draft, character_id, choice, effect)


def settle_choices(draft: Draft, character_id: Id) -> None:
    """Make all open choices of a character with their defaults. Called before its next roll. Source: C18 and C22."""
    character = draft.view.characters.get(character_id)  # None for an opponent without a sheet
    for choice in character.choices if character is not None else ():
        choose(draft, character_id, choice, choice.unless_chosen)


def set_effects(draft: Draft, command: c.SetEffects) -> None:
    """Decide `set_effects`: set the stunts and fumble effects of a character, a scene or a situation.

    For a scene, also whether each 6 of a damage roll adds a die. Source: rules.md C21, C27.
    """
    changes = find.given(command, (*t.StandingEffects.model_fields, "sixes_add"))
    changes.pop("sixes_add", None)
    kind, before = _standing(draft, command.thing_id)
    after = checked(draft, before.model_copy(update={**changes, **deeds_of(command)}), command)
    sixes_add = _changed_sixes(draft, command, kind)
    event = e.EffectsSet(kind=kind, id=command.thing_id, effects=after, sixes_add=sixes_add)
    if after != before or sixes_add is not None:
        draft.tell(_TOPICS[kind](draft.view, command.thing_id), event)


def _changed_sixes(draft: Draft, command: c.SetEffects, kind: EffectsOn) -> bool | None:
    """Return the new value of a scene's `sixes_add`; None if it does not change.

    Raises Refused if the command sets the value for a thing that is no scene. C27.
    """
    if command.sixes_add is not None and kind is not Kind.SCENE:
        raise Refused(Code.NOT_AVAILABLE, what="dice that sixes add outside a scene")
    before = draft.view.scenes[command.thing_id].sixes_add if kind is Kind.SCENE else None
    return None if command.sixes_add == before else command.sixes_add


def _standing(draft: Draft, thing_id: Id) -> tuple[EffectsOn, t.StandingEffects]:
    """Return a thing's kind and its effects.

    Raises Refused(unknown) if there is no such thing that can have effects.
    """
    for kind, things in bearers(draft.view).items():
        if thing_id in things:
            return kind, things[thing_id].effects or t.StandingEffects()
    raise Refused(Code.UNKNOWN, kind="character, scene or situation", id=thing_id)


def deeds_of(command: c.SetEffects | c.AdjustCheck) -> dict[str, object]:
    """Return `{"fumble_does": ...}` with the stored form of a command's `fumble_does`; empty if it has none."""
    given = command.fumble_does
    return {} if given is None else {"fumble_does": tuple(deed.stored() for deed in given)}


def checked(draft: Draft, effects: t.StandingEffects, command: c.SetEffects | c.AdjustCheck) -> t.StandingEffects:
    """Check the effects of a thing after a command, and return them.

    Drops entries of `or_interference` and `fumble_does` whose fumble effect is no longer there. Raises Refused if
    two effects look alike, or one looks like momentum or interference. Also raises Refused if the command's own entries
    name a missing fumble effect, or if an effect in its `fumble_does` could never happen or names a hidden or missing
    thing.
    """
    if not are_distinct(effects):
        raise Refused(Code.EFFECTS_ALIKE)
    marks = tuple(effect for effect in effects.or_interference if effect in effects.fumble_effects)
    does = tuple(deed for deed in effects.fumble_does if deed.effect in effects.fumble_effects)
    lost_mark = command.or_interference is not None and marks != effects.or_interference
    if lost_mark or (command.fumble_does is not None and does != effects.fumble_does):
        raise Refused(Code.NOT_OFFERED, offered=", ".join(effects.fumble_effects))
    if command.fumble_does is not None:
        require_of_fumbles(draft, of_fumbles(effects))
    return effects.model_copy(update={"or_interference": marks, "fumble_does": does})


# Results of triumphs and fumbles. Source: rules.md C18, C21, C22 and C26


def triumphed(draft: Draft, check: t.Check, character_id: Id) -> None:
    """Give a character momentum for a triumph, or offer the choice between momentum and the stunts if there are any.

    Does nothing for a character who is not in play.
    """
    if not in_play(draft.view, character_id):
        return
    standing = standing_on(draft.view, check, character_id)
    offered = _differing((*check.stunts, *(stunt for source in standing for stunt in source.stunts)))
    if offered:
        _offer(draft, character_id, t.Choice(check_id=check.id, instead_of=t.EffectKind.MOMENTUM, offered=offered))
    else:
        gain(draft, character_id, t.EffectKind.MOMENTUM, check.id)


def fumbled(draft: Draft, check: t.Check, character_id: Id) -> None:
    """Apply a character's fumble, if the character is in play. C22 and C26.

    If no fumble effect can happen now, the character gets interference. A single fumble effect happens at once. If
    there are several, or if interference may be chosen in place of one, the choice is offered.
    """
    if not in_play(draft.view, character_id):
        return
    around: list[t.Check | t.StandingEffects] = [check, *standing_on(draft.view, check, character_id)]
    does = _deeds(around)
    offered = tuple(
        effect
        for effect in _differing(effect for source in around for effect in source.fumble_effects)
        if _fits(draft.view, character_id, does.get(spelled(effect)))
    )
    or_token = not set(offered).isdisjoint(effect for source in around for effect in source.or_interference)
    doing = tuple(
        t.FumbleDoes(effect=effect, do=does[spelled(effect)].do) for effect in offered if spelled(effect) in does
    )
    if not offered:
        gain(draft, character_id, t.EffectKind.INTERFERENCE, check.id)
    elif len(offered) == 1 and not or_token:
        happened = e.EffectHappened(character_id=character_id, check_id=check.id, effect=offered[0])
        draft.emit(Channel.PUBLIC, happened)
        _let_follow(draft, character_id, doing, offered[0])
    else:
        token = t.EffectKind.INTERFERENCE
        choice = t.Choice(check_id=check.id, instead_of=token, offered=offered, or_token=or_token, does=doing)
        _offer(draft, character_id, choice)


def _deeds(around: Iterable[t.Check | t.StandingEffects]) -> Mapping[str, t.FumbleDoes]:
    """Return the `fumble_does` entries of all these things, by the normalized text of the fumble effect.

    Among entries for effects that look alike, the first counts.
    """
    deeds: dict[str, t.FumbleDoes] = {}
    for source in around:
        for deed in source.fumble_does:
            deeds.setdefault(spelled(deed.effect), deed)
    return deeds


def _fits(view: View, character_id: Id, does: t.FumbleDoes | None) -> bool:
    """Tell whether a fumble effect can happen now: it is only text (None), or one of its effects can. C26."""
    return does is None or any(why_not(view, effect) is None for effect in aimed(does, character_id))


def _let_follow(draft: Draft, character_id: Id, doing: Iterable[t.FumbleDoes], effect: str) -> None:
    """Note that a fumble effect happened. What it does follows after all other events of the command. E5."""
    deeds = (deed for deed in doing if deed.effect == effect)
    draft.moments.extend(Fumbled(character_id, effect, aimed(deed, character_id)) for deed in deeds)


def _offer(draft: Draft, character_id: Id, choice: t.Choice) -> None:
    choices = (*draft.view.characters[character_id].choices, choice)
    draft.emit(Channel.PUBLIC, e.EffectsOffered(character_id=character_id, choice=choice, choices=choices))


def _differing(effects: Iterable[str]) -> tuple[str, ...]:
    """Return these texts without any that looks like the name of a token, or like an earlier text."""
    distinct: dict[str, str] = dict.fromkeys(t.EffectKind, "")
    for effect in effects:
        distinct.setdefault(spelled(effect), effect)
    return tuple(effect for effect in distinct.values() if effect)


def standing_on(view: View, check: t.Check, character_id: Id) -> tuple[t.StandingEffects, ...]:
    """Return the effects that count besides a check's own; empty if the check uses only its own. Source: rules.md C21.

    These are the effects of the rolling character, and of the check's open scene and situation.
    """
    if not check.standing:
        return ()
    situation = view.public.situations.get(check.within_id or "")
    scene = scene_of(view, check.within_id)
    around = (
        view.public.characters.get(character_id),
        situation if situation and situation.status is t.SituationStatus.OPEN else None,
        scene if scene and scene.status is t.SceneStatus.OPEN else None,
    )
    return tuple(thing.effects for thing in around if thing is not None and thing.effects is not None)


def chosen(draft: Draft, character_id: Id, choice: t.Choice, effect: str) -> None:
    """Give the token if it was chosen, otherwise note the chosen effect. Then update the odds of waiting checks."""
    if effect == choice.instead_of:
        gain(draft, character_id, choice.instead_of, choice.check_id)
    _let_follow(draft, character_id, choice.does, effect)
    count_anew(draft)


# Effects that are attached to characters, scenes and situations. Source: rules.md C21


Bearer = t.Character | t.Scene | t.Situation


def bearers(view: View) -> Mapping[EffectsOn, Mapping[Id, Bearer]]:
    """Return everything that can have effects, by kind and id. Source: rules.md C21."""
    return {Kind.CHARACTER: view.characters, Kind.SCENE: view.scenes, Kind.SITUATION: view.situations}


_TOPICS: Mapping[EffectsOn, Callable[[View, Id], Topic]] = {
    Kind.CHARACTER: lambda view, character_id: topic_of_character(view.characters[character_id]),
    Kind.SCENE: topic_of_scene,
    Kind.SITUATION: topic_of_situation,
}


def are_distinct(effects: t.StandingEffects) -> bool:
    """Tell whether all effects look different from each other, and from momentum and interference."""
    names = [spelled(effect) for effect in (*effects.stunts, *effects.fumble_effects)]
    doing = {spelled(deed.effect) for deed in effects.fumble_does}
    return len({*names, *t.EffectKind}) == len(names) + len(t.EffectKind) and len(doing) == len(effects.fumble_does)


_GOES_ON = (t.CharacterStatus.IN_PLAY, t.SceneStatus.OPEN, *NOT_OVER)


def goes_on(bearer: Bearer) -> bool:
    """Tell whether a thing's effects can still happen: a character in play, or a scene or situation not over."""
    return bearer.status in _GOES_ON


def with_change(bearer: Bearer, effect: t.Effect) -> t.StandingEffects | None:
    """Return the effects of a thing after `effect` sets or drops a fumble effect.

    A new fumble effect replaces a fumble effect that looks alike. None if there are too many, or if the new effect
    looks like a stunt or a token.
    """
    before, text = bearer.effects or t.StandingEffects(), str(effect.text)
    alike = spelled(text)
    fumbles = {spelled(fumble_effect): fumble_effect for fumble_effect in before.fumble_effects}
    does = {spelled(deed.effect): deed for deed in before.fumble_does}
    does.pop(alike, None)
    if effect.does is t.Does.DROP_FUMBLE:
        fumbles.pop(alike, None)
    else:
        fumbles[alike] = text
        if effect.do is not None:
            does[alike] = t.FumbleDoes(effect=text, do=effect.do)
    after = before.model_copy(
        update={
            "fumble_effects": tuple(fumbles.values()),
            "fumble_does": tuple(does.values()),
            "or_interference": tuple(mark for mark in before.or_interference if mark in fumbles.values()),
        }
    )
    return after if are_distinct(after) and len(fumbles) <= MAX_EFFECTS else None


def no_change(_: View, effect: t.Effect, bearer: Bearer) -> SkipReason | None:
    """Return why a fumble effect cannot be set or dropped now; None if it can."""
    if not goes_on(bearer):
        return SkipReason.OVER
    after = with_change(bearer, effect)
    if after is None:
        return SkipReason.CAP
    return SkipReason.UNCHANGED if after == (bearer.effects or t.StandingEffects()) else None


def set_or_drop(draft: Draft, effect: t.Effect, bearer: Bearer) -> None:
    """Set or drop a fumble effect of a thing."""
    kind = next(kind for kind, things in bearers(draft.view).items() if bearer.id in things)
    after = with_change(bearer, effect)
    if after is not None:
        draft.tell(_TOPICS[kind](draft.view, bearer.id), e.EffectsSet(kind=kind, id=bearer.id, effects=after))


_CHANGES = EffectRow(
    lambda _, effect, bearer: goes_on(bearer),
    no_change,
    lambda draft, _, effect, bearer: set_or_drop(draft, effect, bearer),
)
EFFECTS: Effects = dict.fromkeys((t.Does.SET_FUMBLE, t.Does.DROP_FUMBLE), _CHANGES)
