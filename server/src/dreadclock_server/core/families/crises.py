"""Crises: what characters suffer after a failed push of luck, and how the gm names and describes it. D6-D8."""

from dreadclock.rules import total as rules
from dreadclock.rules.total import CrisisKind
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.families.characters import lost
from dreadclock_server.core.rights import Rights, Who, only

RIGHTS: Rights = {
    c.DescribeCrisis: only(Who.GM),
}


def describe_crisis(draft: Draft, command: c.DescribeCrisis) -> None:
    """Decide `describe_crisis`: name the kind of a crisis that has none yet, or describe an earlier crisis.

    Searches the characters, not the totals: the view may have dropped the total long ago.
    """
    for character in draft.view.characters.values():
        if character.crisis_due == command.total_id:
            return _name(draft, character, command)
        for crisis in character.crises:
            if crisis.total_id == command.total_id:
                return _describe(draft, character, crisis, command)
    raise Refused(Code.NO_CRISIS, id=find.total(draft, command.total_id).id)


def _name(draft: Draft, character: t.Character, command: c.DescribeCrisis) -> None:
    if command.kind is None:
        raise Refused(Code.CRISIS_KIND_NEEDED, id=command.total_id)
    suffer(draft, character, command.total_id, command.kind, command.description)


def _describe(draft: Draft, character: t.Character, crisis: t.Crisis, command: c.DescribeCrisis) -> None:
    """Describe a crisis that has no description yet. Its kind and its box stay the same. Source: rules.md D8."""
    if crisis.description is not None or command.kind not in (None, crisis.kind):
        raise Refused(Code.CRISIS_STANDS, id=command.total_id, kind=crisis.kind)
    described = crisis.model_copy(update={"description": command.description})
    draft.emit(Channel.PUBLIC, e.CrisisDescribed(character_id=character.id, crisis=described))


# Consequences


def suffer(draft: Draft, character: t.Character, total_id: Id, kind: CrisisKind, description: str | None) -> None:
    """Mark a character's next crisis box of a kind. The third box of a kind takes the character out of play. D7."""
    crisis = t.Crisis(total_id=total_id, kind=kind, box=character.boxes(kind) + 1, description=description)
    draft.emit(Channel.PUBLIC, e.CrisisSuffered(character_id=character.id, crisis=crisis))
    draft.happened(Kind.CHARACTER, character.id, t.When.CRISIS)
    fate = rules.fate(crisis.kind, crisis.box)
    if fate is not None:
        lost(draft, character.id, fate)
