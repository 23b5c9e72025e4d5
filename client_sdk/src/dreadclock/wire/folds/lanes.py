"""Lanes of the dice ledger, as folds count their rolls."""

from dreadclock.wire.base import HiddenKind, Id, RollProof
from dreadclock.wire.family import Changes
from dreadclock.wire.things import Lane
from dreadclock.wire.views import ChannelView


def lane_used(part: ChannelView, proof: RollProof) -> dict[str, Lane]:
    """Count a roll in its lane."""
    lane = part.lanes[proof.lane].model_copy(update={"used": proof.n})
    return {**part.lanes, proof.lane: lane}


def lane_closed(part: ChannelView, kind: HiddenKind, thing_id: Id) -> Changes:
    """Forget the lane of a hidden thing that will not be rolled again."""
    label = f"thing/{kind}/{thing_id}"
    return {"lanes": {key: lane for key, lane in part.lanes.items() if key != label}} if label in part.lanes else {}
