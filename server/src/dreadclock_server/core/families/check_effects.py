"""Choosing what a triumph or a fumble brings. Source: rules.md C18."""

from dreadclock.following.tokens import chosen
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.commands import ChooseEffect
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Choice
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft


def choose_effect(draft: Draft, command: ChooseEffect) -> None:
    """Decide `choose_effect`; a leader who fumbled in a triumph has two choices of one check."""
    character = find.character(draft, command.character_id)
    choices = [each for each in character.choices if each.check_id == command.check_id]
    if not choices:
        raise Refused(Code.NO_CHOICE, id=character.id, check=command.check_id)
    choice = next((each for each in choices if command.effect in _effects(each)), None)
    if choice is None:
        raise Refused(Code.NOT_OFFERED, offered=", ".join(effect for each in choices for effect in _effects(each)))
    choose(draft, character.id, choice, command.effect)


def choose(draft: Draft, character_id: Id, choice: Choice, effect: str) -> None:
    """Take an effect, be it the token that the choice is instead of."""
    left = tuple(one for one in draft.view.characters[character_id].choices if one != choice)
    event = e.EffectChosen(character_id=character_id, check_id=choice.check_id, effect=effect, choices=left)
    draft.emit(Channel.PUBLIC, event)
    chosen(draft, character_id, choice, effect)


def settle_choices(draft: Draft, character_id: Id) -> None:
    """Turn choices that were not made before the next roll into their tokens. Source: rules.md C18."""
    one = draft.view.characters.get(character_id)  # none of an opponent without a sheet
    for choice in one.choices if one is not None else ():
        choose(draft, character_id, choice, choice.instead_of)


def _effects(choice: Choice) -> tuple[str, ...]:
    return (choice.instead_of, *choice.offered)


DECIDE: Deciders = {
    ChooseEffect: choose_effect,
}
