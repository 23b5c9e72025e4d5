"""Lanes of the dice ledger, as folds count their rolls and gather their witnesses."""

from collections.abc import Mapping
from typing import Any

from dreadclock.ledger import LANE_LENGTH, ZERO, text32, value32, witnessed
from dreadclock.rules.limits import LANES_KEPT
from dreadclock.wire.base import HiddenKind, Id, RollProof, Value32
from dreadclock.wire.events import LaneOpened
from dreadclock.wire.family import Changes
from dreadclock.wire.folds.keeping import counted
from dreadclock.wire.things import Lane, Sealed
from dreadclock.wire.views import ChannelView

TOKEN = "token"  # what the tokens that a room has seen are counted as


def lane_opened(part: ChannelView, event: LaneOpened) -> Changes:
    """Add a lane; a seat's used-up ones go, and its oldest with tokens if it has too many."""
    fresh = event.lane
    if fresh.seat_id is None:
        return {"lanes": {**part.lanes, fresh.label: fresh}}
    mine = [lane for lane in part.lanes.values() if lane.seat_id == fresh.seat_id]
    usable = [lane.label for lane in mine if lane.used < LANE_LENGTH and lane.anchor is not None]
    closed = {lane.label for lane in mine if lane.used >= LANE_LENGTH}
    if fresh.anchor is not None:
        closed.update(usable[: max(0, len(usable) + 1 - LANES_KEPT)])
    lanes = {label: lane for label, lane in part.lanes.items() if label not in closed}
    lanes[fresh.label] = fresh.model_copy(update={"tokens_before": part.made.get(TOKEN, 0)})
    return {"lanes": lanes, **counted(part, f"lane/{fresh.seat_id}")}


def sealed_lanes(part: ChannelView, sealed: Mapping[Id, Sealed], fresh: Sealed) -> Changes:
    """Add the lane of a sealed thing, so that it gathers witnesses; those of things that are forgotten go."""
    gone = {thing.lane for key, thing in part.sealed.items() if key not in sealed}
    lanes = {label: lane for label, lane in part.lanes.items() if label not in gone}
    if fresh.lane is not None and fresh.key is not None and fresh.seat_id is not None:
        before = part.made.get(TOKEN, 0)
        lanes[fresh.lane] = Lane(
            label=fresh.lane, started_by=fresh.seat_id, key=fresh.key, tokens_before=before, tokens=()
        )
    return {"lanes": lanes}


def lane_rolled(part: ChannelView, proof: RollProof) -> Changes:
    """Count a roll in its lane, and let the token that it shows witness the lanes of other seats."""
    before = part.lanes[proof.lane]
    rolled = before.model_copy(
        update={
            "used": proof.n,
            "token": proof.token or before.token,
            "next_witness": before.witness,
            "next_witnesses": before.witnesses,
        }
    )
    lanes = {**part.lanes, proof.lane: rolled}
    if proof.token is None or rolled.seat_id is None:
        return {"lanes": lanes}
    counts = counted(part, TOKEN)
    shown = {**part.shown, rolled.seat_id: part.made.get(TOKEN, 0) + 1}
    return {
        "lanes": _with_witness(lanes, part.shown.get(rolled.seat_id, 0), rolled, proof.token),
        "shown": shown,
        **counts,
    }


def _with_witness(lanes: dict[str, Lane], last: int, rolled: Lane, token: Value32) -> dict[str, Lane]:
    """Fold a token into each lane of another seat that was opened after the seat showed its `last` one."""
    return {
        label: _witnessed(lane, token)
        if (lane.seat_id or lane.started_by) not in (None, rolled.seat_id) and last <= lane.tokens_before
        else lane
        for label, lane in lanes.items()
    }


def _witnessed(lane: Lane, token: Value32) -> Lane:
    witness = value32(lane.witness) if lane.witness is not None else ZERO
    value = text32(witnessed(witness, value32(token)))
    changes: dict[str, Any] = {"witness": value, "witnesses": lane.witnesses + 1}
    if lane.tokens is not None:
        changes["tokens"] = (*lane.tokens, token)
    return lane.model_copy(update=changes)


def lane_closed(part: ChannelView, kind: HiddenKind, thing_id: Id) -> Changes:
    """Forget the lane of a hidden thing that will not be rolled again."""
    label = f"thing/{kind}/{thing_id}"
    return {"lanes": {key: lane for key, lane in part.lanes.items() if key != label}} if label in part.lanes else {}
