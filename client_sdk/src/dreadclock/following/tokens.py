"""Momentum and interference, and what goes into a roll of what waits for its character. Source: rules.md C.

Characters are public, so nothing here may follow from a roll that is hidden.
"""

from typing import NamedTuple

from dreadclock.following.characters import in_play
from dreadclock.following.held import claimed, tokens_after
from dreadclock.following.telling import Telling
from dreadclock.following.ventures import pay
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.things import EffectKind, Part


class Spent(NamedTuple):
    """What goes into a roll of what waited for its character: dice of ventures, and tokens."""

    paid: int = 0
    momentum: bool = False
    interference: bool = False


def gain(t: Telling, character_id: Id, token: EffectKind, check_id: Id | None) -> None:
    """Give a character in play a token. Source: rules.md E6."""
    if not in_play(t.view, character_id):
        return
    one = t.view.characters[character_id]
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
