"""The one fold of a view: how each event changes what a viewer sees.

Folds copy what events carry and recompute nothing. They never refuse: an event is a past fact.
"""

from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from typing import Any

from dreadclock.rules.limits import RECENT
from dreadclock.wire import events as e
from dreadclock.wire.base import RollProof
from dreadclock.wire.families import FAMILIES
from dreadclock.wire.families.base import EventBase, Fold
from dreadclock.wire.families.dice import lane_rolled
from dreadclock.wire.records import Record
from dreadclock.wire.views import View

FOLDS: dict[type[EventBase], Fold] = {
    event: change
    for family in FAMILIES
    for event, change in import_module(f"dreadclock.wire.families.{family}").FOLDS.items()
}


def fold(view: View, record: Record) -> View:
    """Return the view after one more record of a channel that it holds."""
    channel, event = record.channel, record.event
    part = view.channels[channel]
    changes = FOLDS[type(event)](part, event)
    proof = proof_of(event)
    if proof is not None and proof.lane in part.lanes and "lanes" not in changes:
        rolled = part if proof.token is None else part.model_copy(update=changes)  # a token is counted: so far, too
        changes |= lane_rolled(rolled, proof)
    changes["recent"] = (*part.recent[1 - RECENT :], record)
    return view.model_copy(update={"channels": {**view.channels, channel: part.model_copy(update=changes)}})


def proof_of(event: e.Event) -> RollProof | None:
    """Return what lets anyone recompute the faces that an event rolls; None if it rolls none of the server's."""
    find = _PROOFS.get(type(event))
    return None if find is None else find(event)


_PROOFS: dict[type[EventBase], Callable[[Any], RollProof | None]] = {
    e.CountdownRolled: attrgetter("proof"),
    e.CountdownRepeated: attrgetter("proof"),
    e.TotalRolled: attrgetter("proof"),
    e.DiceRolled: attrgetter("roll.proof"),
    e.CheckRolled: lambda event: event.part.roll.proof if event.part.roll else None,
    e.CheckResolved: attrgetter("result.proof"),
    e.LuckPushed: attrgetter("push.proof"),
}
