"""Characters and their sheets."""

from dreadclock.following import secrets
from dreadclock.following.characters import counted
from dreadclock.following.telling import channel_of
from dreadclock.rules.limits import MAX_CHARACTERS
from dreadclock.rules.total import BOXES, fate
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind, Role, Visibility
from dreadclock.wire.commands import (
    AddCharacter,
    UpdateCharacter,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Character, Crisis
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.find import given, owner_for


def add_character(draft: Draft, command: AddCharacter) -> None:
    """Decide `add_character`; earlier crises and hidden characters are the gm's to bring. Source: rules.md C24, D9."""
    find.require_gm_for(draft, command.visibility)
    if counted(draft.view, command.visibility) >= MAX_CHARACTERS:
        raise Refused(Code.TOO_MANY, limit=MAX_CHARACTERS, what="characters in play")
    hidden = command.visibility is not Visibility.PUBLIC
    owner = owner_for(draft, command.owner)
    if hidden and owner not in (None, draft.by.seat_id):
        raise Refused(Code.NOT_THE_GMS, owner=str(owner))
    character = Character(
        id=draft.new_id(Kind.CHARACTER, command.id, known=not hidden),
        name=command.name,
        owner=owner,
        level=command.level,
        attributes=command.attributes,
        specials=command.specials,
        reflex=command.reflex,
        crises=_earlier(draft, command),
        visibility=command.visibility,
    )
    draft.emit(channel_of(command.visibility), e.CharacterAdded(character=character))


def _earlier(draft: Draft, command: AddCharacter) -> tuple[Crisis, ...]:
    """Return the crises that a character enters play with. Source: rules.md D9."""
    if command.crises and draft.by.role is not Role.GM:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    crises: list[Crisis] = []
    for each in command.crises:
        box = 1 + sum(crisis.kind is each.kind for crisis in crises)
        if fate(each.kind, box) is not None:
            raise Refused(Code.THIRD_AT_ENTRY, most=BOXES - 1)
        crises.append(Crisis(kind=each.kind, box=box, description=each.description))
    return tuple(crises)


def update_character(draft: Draft, command: UpdateCharacter) -> None:
    """Decide `update_character`; anyone but the gm may change the name only."""
    before = find.character(draft, command.character_id)
    changes = given(command, ("name", "owner", "level", "attributes", "specials", "reflex"))
    if draft.by.role is not Role.GM and set(changes) != {"name"}:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    if command.owner is not None and find.owning_seat(draft, command.owner).id != draft.by.seat_id:
        secrets.act(draft, before.id)  # whose it is now sees it
        before = draft.view.characters[before.id]
    after = before.model_copy(update=changes)
    if after != before:
        draft.emit(channel_of(after.visibility), e.CharacterUpdated(character=after))


DECIDE: Deciders = {
    AddCharacter: add_character,
    UpdateCharacter: update_character,
}
