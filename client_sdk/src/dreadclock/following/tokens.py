"""Momentum and interference, and what goes into a roll of what waits for its character. Source: rules.md C.

Characters are public, so nothing here may follow from a roll that is hidden.
"""

from typing import NamedTuple

from dreadclock.following.telling import Telling
from dreadclock.following.ventures import pay
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.families.check_effects import tokens_after
from dreadclock.wire.families.checks import claimed
from dreadclock.wire.things import CharacterStatus, EffectKind, Part


class Spent(NamedTuple):
    """What goes into a roll of what waited for its character: dice of ventures, and tokens."""

    paid: int = 0
    momentum: bool = False
    interference: bool = False


def gain(t: Telling, character_id: Id, token: EffectKind, check_id: Id | None) -> None:
    """Give a character a token, also one that left and may come back. Source: rules.md E6."""
    one = t.view.characters.get(character_id)
    if one is None or one.status in (CharacterStatus.DEAD, CharacterStatus.RETIRED):
        return
    momentum, interference = tokens_after(one.momentum, one.interference, token)
    event = e.MomentumGained if token is EffectKind.MOMENTUM else e.InterferenceGained
    told = event(character_id=one.id, check_id=check_id, momentum=momentum, interference=interference)
    t.emit(Channel.PUBLIC, told)


def spend(t: Telling, part: Part, check_id: Id) -> Spent:
    """Put into a part's roll the tokens that its character holds, and the ventures that it claims. C8, C10 and C19."""
    before = t.view.characters.get(part.character_id)
    if before is None:  # nothing waits for an opponent without a sheet
        return Spent()
    if before.momentum:
        left = before.interference
        t.emit(
            Channel.PUBLIC,
            e.MomentumSpent(character_id=before.id, check_id=check_id, momentum=False, interference=left),
        )
    if before.interference:
        rid = e.InterferenceSpent(character_id=before.id, check_id=check_id, momentum=False, interference=False)
        t.emit(Channel.PUBLIC, rid)
    paid = pay(t, before.id, claimed(before, part), into=check_id)
    return Spent(paid, before.momentum, before.interference)
