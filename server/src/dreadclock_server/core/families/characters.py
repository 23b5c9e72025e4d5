"""Characters and their sheets."""

from dreadclock.following.characters import counted
from dreadclock.rules.limits import MAX_CHARACTERS
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Role, Visibility
from dreadclock.wire.commands import (
    AddCharacter,
    UpdateCharacter,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Character
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.find import given, owner_for


def add_character(draft: Draft, command: AddCharacter) -> None:
    """Decide `add_character`."""
    if counted(draft.view, Visibility.PUBLIC) >= MAX_CHARACTERS:
        raise Refused(Code.TOO_MANY, limit=MAX_CHARACTERS, what="characters in play")
    owner = owner_for(draft, command.owner)
    character = Character(
        id=draft.new_id(Kind.CHARACTER, command.id),
        name=command.name,
        owner=owner,
        level=command.level,
        attributes=command.attributes,
        specials=command.specials,
        reflex=command.reflex,
    )
    draft.emit(Channel.PUBLIC, e.CharacterAdded(character=character))


def update_character(draft: Draft, command: UpdateCharacter) -> None:
    """Decide `update_character`; anyone but the gm may change the name only."""
    before = find.character(draft, command.character_id)
    changes = given(command, ("name", "owner", "level", "attributes", "specials", "reflex"))
    if draft.by.role is not Role.GM and set(changes) != {"name"}:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    if command.owner is not None:
        find.owning_seat(draft, command.owner)
    after = before.model_copy(update=changes)
    if after != before:
        draft.emit(Channel.PUBLIC, e.CharacterUpdated(character=after))


DECIDE: Deciders = {
    AddCharacter: add_character,
    UpdateCharacter: update_character,
}
