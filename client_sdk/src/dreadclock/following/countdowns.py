"""What follows when a countdown's pool changes, and which countdowns a turn rolls. Source: rules.md A1-A8."""

from dreadclock.following import secrets
from dreadclock.following.telling import Telling, root_of_countdown
from dreadclock.rules import countdown as rules
from dreadclock.wire import events as e
from dreadclock.wire.things import BoundTo, Countdown, CountdownStatus
from dreadclock.wire.views import View

ALIVE = (CountdownStatus.RUNNING, CountdownStatus.STABILIZED)


def fell(t: Telling, before: Countdown, pool: int) -> None:
    """Tell of the stages that a roll took a countdown's pool to or past, and of its end. Source: rules.md A2."""
    if pool == before.pool or (pool > 0 and not before.stages):
        return
    root, effects = root_of_countdown(before), {stage.at: stage.effect for stage in before.stages}
    for at in rules.crossed(effects, before.pool, pool):
        t.tell(root, e.StageReached(countdown_id=before.id, at=at, effect=effects[at]))
    if pool == 0:
        t.tell(root, e.CountdownExpired(countdown_id=before.id, ending=before.ending))
        secrets.end(t, root)


def rose(t: Telling, before: Countdown, pool: int) -> None:
    """Tell of the stages that dice which were added took a countdown's pool above. Source: rules.md A4."""
    if not before.stages:
        return
    root = root_of_countdown(before)
    for at in rules.left([stage.at for stage in before.stages], before.pool, pool):
        t.tell(root, e.StageLeft(countdown_id=before.id, at=at))


def rolled_this_turn(view: View, countdown: Countdown) -> bool:
    """Tell whether a countdown that is bound to the turn was rolled in it. Source: rules.md A8."""
    return countdown.bound_to is BoundTo.TURN and countdown.rolled_turn == view.turn


def is_due(view: View, countdown: Countdown) -> bool:
    """Tell whether the end of the turn rolls a countdown."""
    runs = countdown.bound_to is BoundTo.TURN and countdown.status is CountdownStatus.RUNNING
    return runs and countdown.rolled_turn != view.turn
