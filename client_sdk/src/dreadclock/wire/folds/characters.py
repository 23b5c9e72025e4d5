"""How events change characters: tokens, ventures, choices and crises."""

from collections.abc import Callable
from typing import Any

from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind
from dreadclock.wire.family import Changes
from dreadclock.wire.folds.keeping import counted
from dreadclock.wire.things import CharacterStatus
from dreadclock.wire.views import ChannelView


def _set(part: ChannelView, character_id: Id, **changes: object) -> Changes:
    character = part.characters[character_id].model_copy(update=changes)
    return {"characters": {**part.characters, character_id: character}}


def _added(part: ChannelView, event: e.CharacterAdded) -> Changes:
    one = event.character
    return {"characters": {**part.characters, one.id: one}, **counted(part, Kind.CHARACTER, one.id)}


def _updated(part: ChannelView, event: e.CharacterUpdated) -> Changes:
    return {"characters": {**part.characters, event.character.id: event.character}}


def _tokens(part: ChannelView, event: e.TokenEvent) -> Changes:
    return _set(part, event.character_id, momentum=event.momentum, interference=event.interference)


def _bonuses(part: ChannelView, event: e.VentureEarned | e.VenturePaid | e.VentureLapsed) -> Changes:
    return _set(part, event.character_id, bonuses=event.bonuses)


def _choices(part: ChannelView, event: e.EffectsOffered | e.EffectChosen) -> Changes:
    return _set(part, event.character_id, choices=event.choices)


def _crisis_due(part: ChannelView, event: e.CrisisDue) -> Changes:
    return _set(part, event.character_id, crisis_due=event.total_id)


def _crisis_suffered(part: ChannelView, event: e.CrisisSuffered) -> Changes:
    crises = (*part.characters[event.character_id].crises, event.crisis)
    return _set(part, event.character_id, crises=crises, crisis_due=None)


def _crisis_described(part: ChannelView, event: e.CrisisDescribed) -> Changes:
    crises = (
        event.crisis if crisis.total_id == event.crisis.total_id else crisis
        for crisis in part.characters[event.character_id].crises
    )
    return _set(part, event.character_id, crises=tuple(crises))


FOLDS: dict[type[e.EventBase], Callable[[ChannelView, Any], Changes]] = {
    e.CharacterAdded: _added,
    e.CharacterUpdated: _updated,
    e.MomentumGained: _tokens,
    e.MomentumSpent: _tokens,
    e.InterferenceGained: _tokens,
    e.InterferenceSpent: _tokens,
    e.VentureEarned: _bonuses,
    e.VenturePaid: _bonuses,
    e.VentureLapsed: _bonuses,
    e.EffectsOffered: _choices,
    e.EffectChosen: _choices,
    e.CrisisDue: _crisis_due,
    e.CrisisSuffered: _crisis_suffered,
    e.CrisisDescribed: _crisis_described,
    e.CharacterDied: lambda part, event: _set(part, event.character_id, status=CharacterStatus.DEAD),
    e.CharacterRetired: lambda part, event: _set(part, event.character_id, status=CharacterStatus.RETIRED),
}
