"""Crises: what a push that went too far leaves behind, for good. Source: rules.md D5-D8."""

from dreadclock.rules import total as rules
from dreadclock.rules.total import CrisisKind, Fate
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.commands import DescribeCrisis
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Character, Crisis, Total
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft


def bring(draft: Draft, total: Total) -> None:
    """Bring the crisis that was at stake, or let the character wait for its kind. Source: rules.md D6."""
    if total.crisis is None:
        draft.emit(Channel.PUBLIC, e.CrisisDue(character_id=total.character_id, total_id=total.id))
    else:
        _suffer(draft, draft.view.characters[total.character_id], total.id, total.crisis, total.description)


def _suffer(draft: Draft, character: Character, total_id: Id, kind: CrisisKind, description: str | None) -> None:
    """Mark the next box of a kind; a character whose third is marked rolls no more, so there is no fourth. D7."""
    crisis = Crisis(total_id=total_id, kind=kind, box=character.boxes(kind) + 1, description=description)
    draft.emit(Channel.PUBLIC, e.CrisisSuffered(character_id=character.id, crisis=crisis))
    match rules.fate(kind, crisis.box):
        case Fate.DEAD:
            draft.emit(Channel.PUBLIC, e.CharacterDied(character_id=character.id))
        case Fate.RETIRED:
            draft.emit(Channel.PUBLIC, e.CharacterRetired(character_id=character.id))


def describe_crisis(draft: Draft, command: DescribeCrisis) -> None:
    """Decide `describe_crisis`, however long ago its total was: characters keep their crises."""
    for character in draft.view.characters.values():
        if character.crisis_due == command.total_id:
            return _name(draft, character, command)
        for crisis in character.crises:
            if crisis.total_id == command.total_id:
                return _describe(draft, character, crisis, command)
    raise Refused(Code.NO_CRISIS, id=find.total(draft, command.total_id).id)


def _name(draft: Draft, character: Character, command: DescribeCrisis) -> None:
    if command.kind is None:
        raise Refused(Code.CRISIS_KIND_NEEDED, id=command.total_id)
    _suffer(draft, character, command.total_id, command.kind, command.description)


def _describe(draft: Draft, character: Character, crisis: Crisis, command: DescribeCrisis) -> None:
    """Describe a crisis once; its kind and its box stay. Source: rules.md D8."""
    if crisis.description is not None or command.kind not in (None, crisis.kind):
        raise Refused(Code.CRISIS_STANDS, id=crisis.total_id, kind=crisis.kind)
    described = crisis.model_copy(update={"description": command.description})
    draft.emit(Channel.PUBLIC, e.CrisisDescribed(character_id=character.id, crisis=described))
