"""How events of checks change a view."""

from collections.abc import Callable
from typing import Any

from dreadclock.rules.limits import CHECKS_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind
from dreadclock.wire.family import Changes
from dreadclock.wire.folds.keeping import counted, latest
from dreadclock.wire.folds.lanes import lane_closed
from dreadclock.wire.things import Check, CheckStatus, Part
from dreadclock.wire.views import ChannelView


def resolved(check: Check) -> bool:
    """Tell whether a check is over."""
    return check.status is CheckStatus.RESOLVED


def latest_checks(checks: dict[Id, Check]) -> dict[Id, Check]:
    """Keep the checks that go on, and the latest of those that are resolved."""
    return latest(checks, resolved, CHECKS_KEPT)


def _set(part: ChannelView, check_id: Id, **changes: object) -> Changes:
    return {"checks": {**part.checks, check_id: part.checks[check_id].model_copy(update=changes)}}


def _proposed(part: ChannelView, event: e.CheckProposed) -> Changes:
    checks = latest_checks({**part.checks, event.check.id: event.check})
    return {"checks": checks, **counted(part, Kind.CHECK, event.check.id)}


def _adjusted(part: ChannelView, event: e.CheckAdjusted) -> Changes:
    return {"checks": {**part.checks, event.check.id: event.check}}


def _joined(part: ChannelView, event: e.HelpJoined | e.OppositionJoined) -> Changes:
    check = part.checks[event.check_id]
    contest = check.contest or isinstance(event, e.OppositionJoined)
    parts = (*check.parts, event.part)
    return _set(part, check.id, parts=parts, contest=contest, status=event.status, odds=event.odds)


def _rolled(part: ChannelView, event: e.CheckRolled) -> Changes:
    def replaced(one: Part) -> Part:
        return event.part if one.character_id == event.part.character_id else one

    parts = tuple(map(replaced, part.checks[event.check_id].parts))
    return _set(part, event.check_id, parts=parts, status=CheckStatus.ROLLING)


def _resolved(part: ChannelView, event: e.CheckResolved) -> Changes:
    check = part.checks[event.check_id].model_copy(update={"result": event.result, "status": CheckStatus.RESOLVED})
    others = {key: each for key, each in part.checks.items() if key != check.id}
    return {"checks": {**others, check.id: check}, **lane_closed(part, Kind.CHECK, check.id)}


def _withdrawn(part: ChannelView, event: e.CheckWithdrawn) -> Changes:
    return {
        "checks": {key: check for key, check in part.checks.items() if key != event.check_id},
        **lane_closed(part, Kind.CHECK, event.check_id),
    }


def _cost_set(part: ChannelView, event: e.CostProposed | e.CostAnswered | e.FailureSettled) -> Changes:
    return _set(part, event.check_id, cost=event.cost)


FOLDS: dict[type[e.EventBase], Callable[[ChannelView, Any], Changes]] = {
    e.CheckProposed: _proposed,
    e.CheckAdjusted: _adjusted,
    e.HelpJoined: _joined,
    e.OppositionJoined: _joined,
    e.CheckRolled: _rolled,
    e.CheckResolved: _resolved,
    e.CheckWithdrawn: _withdrawn,
    e.CostProposed: _cost_set,
    e.CostAnswered: _cost_set,
    e.FailureSettled: _cost_set,
}
