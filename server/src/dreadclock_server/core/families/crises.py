"""Crises, as the gm names and describes them. Source: rules.md D6 and D8."""

from dreadclock.following.totals import suffer
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import DescribeCrisis
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Character, Crisis
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft


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
    suffer(draft, character, command.total_id, command.kind, command.description)


def _describe(draft: Draft, character: Character, crisis: Crisis, command: DescribeCrisis) -> None:
    """Describe a crisis once; its kind and its box stay. Source: rules.md D8."""
    if crisis.description is not None or command.kind not in (None, crisis.kind):
        raise Refused(Code.CRISIS_STANDS, id=command.total_id, kind=crisis.kind)
    described = crisis.model_copy(update={"description": command.description})
    draft.emit(Channel.PUBLIC, e.CrisisDescribed(character_id=character.id, crisis=described))


DECIDE: Deciders = {
    DescribeCrisis: describe_crisis,
}
