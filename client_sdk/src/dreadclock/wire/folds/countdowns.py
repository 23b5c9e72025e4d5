"""How events of countdowns change a view."""

from collections.abc import Callable
from typing import Any

from dreadclock.rules.limits import COUNTDOWNS_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Visibility
from dreadclock.wire.family import Changes
from dreadclock.wire.folds.keeping import counted, latest
from dreadclock.wire.folds.lanes import lane_closed
from dreadclock.wire.things import Countdown, CountdownStatus, HiddenRoll
from dreadclock.wire.views import ChannelView

_ENDED = (CountdownStatus.EXPIRED, CountdownStatus.CANCELLED)


def _ended(countdown: Countdown) -> bool:
    return countdown.status in _ENDED


def latest_countdowns(countdowns: dict[Id, Countdown]) -> dict[Id, Countdown]:
    """Keep the countdowns that go on, and the latest of those that ended."""
    return latest(countdowns, _ended, COUNTDOWNS_KEPT)


def _changed(part: ChannelView, countdown_id: Id, **changes: object) -> Changes:
    countdown = part.countdowns[countdown_id].model_copy(update=changes)
    return {"countdowns": {**part.countdowns, countdown_id: countdown}}


def _started(part: ChannelView, event: e.CountdownStarted) -> Changes:
    one = event.countdown
    countdowns = latest_countdowns({**part.countdowns, one.id: one})
    return {"countdowns": countdowns, **counted(part, Kind.COUNTDOWN, one.id)}


def _rolled(part: ChannelView, event: e.CountdownRolled) -> Changes:
    before = part.countdowns[event.countdown_id]
    hidden = before.hidden_rolls
    if before.visibility is not Visibility.PUBLIC:
        roll = HiddenRoll(faces=event.faces, removed=event.removed, physical=event.physical, proof=event.proof)
        hidden = (*hidden, roll)
    return _changed(
        part,
        event.countdown_id,
        pool=event.remaining,
        rolled_turn=event.turn,
        last_faces=event.faces,
        hidden_rolls=hidden,
    )


def _to(status: CountdownStatus) -> Callable[[ChannelView, Any], Changes]:
    return lambda part, event: _changed(part, event.countdown_id, status=status)


def _over(status: CountdownStatus) -> Callable[[ChannelView, Any], Changes]:
    def over(part: ChannelView, event: Any) -> Changes:
        closed = lane_closed(part, Kind.COUNTDOWN, event.countdown_id)
        return {**_changed(part, event.countdown_id, status=status), **closed}

    return over


FOLDS: dict[type[e.EventBase], Callable[[ChannelView, Any], Changes]] = {
    e.CountdownStarted: _started,
    e.CountdownRolled: _rolled,
    e.StageReached: lambda part, event: {},
    e.StageLeft: lambda part, event: {},
    e.CountdownStabilized: _to(CountdownStatus.STABILIZED),
    e.CountdownResumed: _to(CountdownStatus.RUNNING),
    e.CountdownReplenished: lambda part, event: _changed(part, event.countdown_id, pool=event.remaining),
    e.CountdownExpired: _over(CountdownStatus.EXPIRED),
    e.CountdownCancelled: _over(CountdownStatus.CANCELLED),
    e.TurnEnded: lambda part, event: {"turn": event.turn + 1},
}
