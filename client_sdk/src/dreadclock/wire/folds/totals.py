"""How events of totals and pushes change a view."""

from collections.abc import Callable
from typing import Any

from dreadclock.rules.limits import TOTALS_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind
from dreadclock.wire.family import Changes
from dreadclock.wire.folds.keeping import counted, latest
from dreadclock.wire.things import Total, TotalStatus
from dreadclock.wire.views import ChannelView


def over(total: Total) -> bool:
    """Tell whether a total is over."""
    return total.status in (TotalStatus.SUCCEEDED, TotalStatus.FAILED)


def _set(part: ChannelView, total_id: Id, **changes: object) -> Changes:
    return {"totals": {**part.totals, total_id: part.totals[total_id].model_copy(update=changes)}}


def _proposed(part: ChannelView, event: e.TotalProposed) -> Changes:
    totals = latest({**part.totals, event.total.id: event.total}, over, TOTALS_KEPT)
    return {"totals": totals, **counted(part, Kind.TOTAL, event.total.id)}


def _adjusted(part: ChannelView, event: e.TotalAdjusted) -> Changes:
    return {"totals": {**part.totals, event.total.id: event.total}}


def _withdrawn(part: ChannelView, event: e.TotalWithdrawn) -> Changes:
    return {"totals": {key: total for key, total in part.totals.items() if key != event.total_id}}


def _required_set(part: ChannelView, event: e.RequiredSet) -> Changes:
    fields = ("required", "secret", "crisis", "status", "enough", "odds")
    return _set(part, event.total_id, **{field: getattr(event, field) for field in fields})


def _secret_set(part: ChannelView, event: e.SecretSet) -> Changes:
    needed = {key: secret for key, secret in part.secrets.items() if key not in event.forgotten}
    return {"secrets": {**needed, event.secret.total_id: event.secret}}


def _required_revealed(part: ChannelView, event: e.RequiredRevealed) -> Changes:
    odds = {"odds": event.odds, "push_odds": event.push_odds}
    return _set(part, event.total_id, required=event.required, secret=False, **odds)


def _rolled(part: ChannelView, event: e.TotalRolled) -> Changes:
    fields = ("faces", "kept", "total", "enough", "physical", "proof")
    changes = {field: getattr(event, field) for field in fields}
    return _set(part, event.total_id, status=TotalStatus.ROLLED, **changes)


def _push_offered(part: ChannelView, event: e.PushOffered) -> Changes:
    stake = {"crisis": event.crisis, "description": event.description, "push_odds": event.odds}
    return _set(part, event.total_id, status=TotalStatus.OFFERED, **stake)


def _luck_pushed(part: ChannelView, event: e.LuckPushed) -> Changes:
    push, before = event.push, part.totals[event.total_id]
    changes = {"kept": push.kept, "total": push.total, "enough": push.enough, "push_odds": None}
    return _set(part, before.id, status=TotalStatus.ROLLED, pushes=(*before.pushes, push), **changes)


def _ended(status: TotalStatus) -> Callable[[ChannelView, Any], Changes]:
    """End a total; the latest that ended come last, and are remembered longest."""

    def ended(part: ChannelView, event: Any) -> Changes:
        total = part.totals[event.total_id].model_copy(update={"status": status, "push_odds": None})
        return {"totals": {**{key: each for key, each in part.totals.items() if key != total.id}, total.id: total}}

    return ended


FOLDS: dict[type[e.EventBase], Callable[[ChannelView, Any], Changes]] = {
    e.TotalProposed: _proposed,
    e.TotalAdjusted: _adjusted,
    e.TotalWithdrawn: _withdrawn,
    e.RequiredSet: _required_set,
    e.SecretSet: _secret_set,
    e.RequiredRevealed: _required_revealed,
    e.TotalRolled: _rolled,
    e.PushOffered: _push_offered,
    e.LuckPushed: _luck_pushed,
    e.TotalSucceeded: _ended(TotalStatus.SUCCEEDED),
    e.TotalFailed: _ended(TotalStatus.FAILED),
}
