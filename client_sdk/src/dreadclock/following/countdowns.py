"""What follows when a countdown's pool changes, and which countdowns a turn rolls. Source: rules.md A1-A8."""

from dreadclock.following import secrets
from dreadclock.following.telling import Telling, note, root_of_countdown
from dreadclock.rules import countdown as rules
from dreadclock.wire import events as e
from dreadclock.wire.base import Faces, Kind, RollProof
from dreadclock.wire.things import BoundTo, Countdown, CountdownStatus, When
from dreadclock.wire.views import View

ALIVE = (CountdownStatus.RUNNING, CountdownStatus.STABILIZED)


def rolled(t: Telling, countdown: Countdown, faces: Faces, proof: RollProof | None) -> None:
    """Tell of a pool's roll, of the dice that leave it, and of what follows. Source: rules.md A1."""
    left = rules.roll(countdown.speed, faces)
    event = e.CountdownRolled.trusted(
        countdown_id=countdown.id,
        faces=faces,
        removed=left.removed,
        remaining=left.remaining,
        turn=t.view.turn,
        physical=proof is None,
        proof=proof,
    )
    t.tell(root_of_countdown(countdown), event)
    fell(t, countdown, left.remaining)


def stabilize(t: Telling, countdown: Countdown) -> None:
    """Stop a countdown."""
    t.tell(root_of_countdown(countdown), e.CountdownStabilized(countdown_id=countdown.id))


def resume(t: Telling, countdown: Countdown) -> None:
    """Let a stabilized countdown run again."""
    t.tell(root_of_countdown(countdown), e.CountdownResumed(countdown_id=countdown.id))


def replenish(t: Telling, countdown: Countdown, dice: int) -> None:
    """Add dice to a countdown, and tell of the stages that it is above again. Source: rules.md A4-A7."""
    pool = countdown.pool + dice
    event = e.CountdownReplenished(countdown_id=countdown.id, added=dice, remaining=pool)
    t.tell(root_of_countdown(countdown), event)
    rose(t, countdown, pool)


def fell(t: Telling, before: Countdown, pool: int) -> None:
    """Tell of the stages that a roll took a countdown's pool to or past, and of its end. Source: rules.md A2."""
    if pool == before.pool or (pool > 0 and not before.stages):
        return
    root, effects = root_of_countdown(before), {stage.at: stage.effect for stage in before.stages}
    for at in rules.crossed(effects, before.pool, pool):
        t.tell(root, e.StageReached(countdown_id=before.id, at=at, effect=effects[at]))
        note(t, Kind.COUNTDOWN, before.id, When.STAGE, at)
    if pool == 0:
        t.tell(root, e.CountdownExpired(countdown_id=before.id, ending=before.ending))
        note(t, Kind.COUNTDOWN, before.id, When.END)
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
