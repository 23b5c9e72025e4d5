"""What a triumph or a fumble may bring, and choosing it. Source: rules.md C18, C21 and C22."""

from dreadclock.following.attaching import of_fumbles
from dreadclock.following.effects import chosen
from dreadclock.following.standing import are_distinct, bearers, root_of_bearer
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind
from dreadclock.wire.commands import AdjustCheck, ChooseEffect, SetEffects
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.check_effects import EffectsOn
from dreadclock.wire.things import Choice, StandingEffects
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families.consequences import require_of_fumbles
from dreadclock_server.core.rights import Rights, Who, only, owned

RIGHTS: Rights = {
    ChooseEffect: owned(find.owner_of_character, Who.ROLLS),
    SetEffects: only(Who.GM),
}


def choose_effect(draft: Draft, command: ChooseEffect) -> None:
    """Decide `choose_effect`; a leader who fumbled in a triumph has two choices of one check."""
    character = find.character(draft, command.character_id)
    choices = [each for each in character.choices if each.check_id == command.check_id]
    if not choices:
        raise Refused(Code.NO_CHOICE, id=character.id, check=command.check_id)
    choice = next((each for each in choices if command.effect in each.open), None)
    if choice is None:
        raise Refused(Code.NOT_OFFERED, offered=", ".join(effect for each in choices for effect in each.open))
    choose(draft, character.id, choice, command.effect)


def choose(draft: Draft, character_id: Id, choice: Choice, effect: str) -> None:
    """Take an effect, be it the token that the choice is instead of."""
    left = tuple(one for one in draft.view.characters[character_id].choices if one != choice)
    event = e.EffectChosen(character_id=character_id, check_id=choice.check_id, effect=effect, choices=left)
    draft.emit(Channel.PUBLIC, event)
    chosen(draft, character_id, choice, effect)


def settle_choices(draft: Draft, character_id: Id) -> None:
    """Make the choices that were not made before the next roll. Source: rules.md C18 and C22."""
    one = draft.view.characters.get(character_id)  # none of an opponent without a sheet
    for choice in one.choices if one is not None else ():
        choose(draft, character_id, choice, choice.unless_chosen)


def set_effects(draft: Draft, command: SetEffects) -> None:
    """Decide `set_effects`: on a character, a scene or a situation, told where that is. Source: rules.md C21, C27."""
    changes = find.given(command, (*StandingEffects.model_fields, "sixes_add"))
    changes.pop("sixes_add", None)
    kind, before = _standing(draft, command.thing_id)
    after = checked(draft, before.model_copy(update={**changes, **deeds_of(command)}), command)
    sixes_add = _changed_sixes(draft, command, kind)
    event = e.EffectsSet(kind=kind, id=command.thing_id, effects=after, sixes_add=sixes_add)
    if after != before or sixes_add is not None:
        draft.tell(root_of_bearer(draft.view, kind, command.thing_id), event)


def _changed_sixes(draft: Draft, command: SetEffects, kind: EffectsOn) -> bool | None:
    """Return whether sixes add dice in a scene from now on; None: as before. Raises Refused if it is no scene. C27."""
    if command.sixes_add is not None and kind is not Kind.SCENE:
        raise Refused(Code.NOT_AVAILABLE, what="dice that sixes add outside a scene")
    before = draft.view.scenes[command.thing_id].sixes_add if kind is Kind.SCENE else None
    return None if command.sixes_add == before else command.sixes_add


def _standing(draft: Draft, thing_id: Id) -> tuple[EffectsOn, StandingEffects]:
    """Return what stands on a thing, and of which kind it is. Raises Refused(unknown) if there is none."""
    for kind, things in bearers(draft.view).items():
        if thing_id in things:
            return kind, things[thing_id].effects or StandingEffects()
    raise Refused(Code.UNKNOWN, kind="character, scene or situation", id=thing_id)


def deeds_of(command: SetEffects | AdjustCheck) -> dict[str, object]:
    """Return what fumble effects do, as it is stored, if the command says it."""
    given = command.fumble_does
    return {} if given is None else {"fumble_does": tuple(each.stored() for each in given)}


def checked(draft: Draft, effects: StandingEffects, command: SetEffects | AdjustCheck) -> StandingEffects:
    """Return effects without marks on what is none of them, and without what such effects do.

    Raises Refused if a reader could not tell them apart, or from momentum and interference; if marks or deeds of the
    command are those of none of them; or if a deed of the command could never happen, or names what is hidden.
    """
    if not are_distinct(effects):
        raise Refused(Code.EFFECTS_ALIKE)
    marks = tuple(each for each in effects.or_interference if each in effects.fumble_effects)
    does = tuple(each for each in effects.fumble_does if each.effect in effects.fumble_effects)
    lost_mark = command.or_interference is not None and marks != effects.or_interference
    if lost_mark or (command.fumble_does is not None and does != effects.fumble_does):
        raise Refused(Code.NOT_OFFERED, offered=", ".join(effects.fumble_effects))
    if command.fumble_does is not None:
        require_of_fumbles(draft, of_fumbles(effects))
    return effects.model_copy(update={"or_interference": marks, "fumble_does": does})


DECIDE: Deciders = {
    ChooseEffect: choose_effect,
    SetEffects: set_effects,
}
