"""What follows when a countdown's pool changes, and which countdowns turns and rounds roll. Source: rules.md A1-A15."""

from collections.abc import Sequence

from dreadclock.following import characters, secrets
from dreadclock.following.telling import Drawn, Telling, note, root_of_countdown
from dreadclock.rules import countdown as rules
from dreadclock.rules.countdown import Repeats
from dreadclock.rules.due import RollState
from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.rules.total import Fate
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Visibility
from dreadclock.wire.families.countdowns import period_of, state_of
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.things import (
    BoundTo,
    Countdown,
    CountdownStatus,
    NewCountdown,
    SceneStatus,
    SituationStatus,
    Stage,
    When,
)
from dreadclock.wire.views import View


def pool_of(view: View, new: NewCountdown) -> int | None:
    """Return how many dice a countdown starts with, as said or by an attribute; None if it has none. A10."""
    if new.from_attribute is None:
        return new.pool
    about = view.characters.get(new.about or "")
    score = about.attributes.get(new.from_attribute, 0) if about is not None and new.pool is None else 0
    return score or None


def may_start(view: View, new: NewCountdown) -> bool:
    """Tell whether a countdown could start: its dice, whom it is about and what it is bound to are there, to see."""
    seen = view.public if new.visibility is Visibility.PUBLIC else view
    about = new.fate is None if new.about is None else new.about in seen.characters
    bound = (new.bound_id is not None) == (new.bound_to in (BoundTo.ROUNDS, BoundTo.SCENE))
    return pool_of(view, new) is not None and about and bound and (new.bound_id is None or may_bind(view, new))


def may_bind(view: View, new: NewCountdown | Countdown) -> bool:
    """Tell whether a countdown may be bound to what it names: open, be it set aside, and known to all who know it."""
    seen = view.public if new.visibility is Visibility.PUBLIC else view
    if new.bound_to is BoundTo.ROUNDS:
        situation = seen.situations.get(new.bound_id or "")
        return situation is not None and situation.status is SituationStatus.OPEN
    scene = seen.scenes.get(new.bound_id or "")
    return scene is not None and scene.status is SceneStatus.OPEN


def start_stage(pool: int, stages: Sequence[Stage]) -> Stage | None:
    """Return the stage that a countdown starts at; None if it has none at its starting size."""
    return next((stage for stage in stages if stage.at == pool), None)


def begun(t: Telling, one: Countdown) -> None:
    """Tell of the stage that a countdown starts at. Source: rules.md A3.

    It is told in the countdown's channel alone: that a sealed one changed would tell that it has such a stage.
    """
    stage = start_stage(one.pool, one.stages) if one.start_stage else None
    if stage is not None:
        reached = e.StageReached(countdown_id=one.id, at=stage.at, effect=stage.effect, starts=True)
        t.emit(root_of_countdown(one).channel, reached)
        note(t, Kind.COUNTDOWN, one.id, When.STAGE, stage.at)


def roll(t: Telling, countdown: Countdown, drawn: Drawn) -> None:
    """Tell of a roll of a countdown's whole pool, and of what it leads to."""
    rolled = rules.roll(countdown.speed, drawn.faces)
    event = e.CountdownRolled.trusted(
        countdown_id=countdown.id,
        faces=drawn.faces,
        removed=rolled.removed,
        remaining=rolled.remaining,
        turn=t.view.turn,
        period=period_of(t.view, countdown),
        physical=drawn.proof is None,
        proof=drawn.proof,
    )
    t.tell(root_of_countdown(countdown), event)
    fell(t, countdown, rolled.remaining)


def fell(t: Telling, before: Countdown, pool: int) -> None:
    """Tell of the stages that a countdown's pool fell to or past, and of its end. Source: rules.md A2 and A14."""
    if pool == before.pool or (pool > 0 and not before.stages):
        return
    root, effects = root_of_countdown(before), {stage.at: stage.effect for stage in before.stages}
    for at in rules.crossed(effects, before.pool, pool):
        t.tell(root, e.StageReached(countdown_id=before.id, at=at, effect=effects[at]))
        note(t, Kind.COUNTDOWN, before.id, When.STAGE, at)
    if pool == 0:
        _end(t, before)
        note(t, Kind.COUNTDOWN, before.id, When.END)


def _end(t: Telling, one: Countdown) -> None:
    """Tell of a countdown's end, or of how it begins again, and of what becomes of whom it is about. A9 and A15."""
    root = root_of_countdown(one)
    if one.repeats is None:
        t.tell(root, e.CountdownExpired(countdown_id=one.id, ending=one.ending))
        secrets.end(t, root)
    else:
        dice = t.draw(root, 1) if one.repeats is Repeats.D6 else Drawn((), None)
        pool = sum(dice.faces) or one.started_with or 1
        again = e.CountdownRepeated(
            countdown_id=one.id, ending=one.ending, pool=pool, faces=dice.faces, proof=dice.proof
        )
        t.tell(root, again)
    if one.about is not None and one.fate is not None:
        characters.leave_play(t, one.about, Fate(one.fate))


def rose(t: Telling, before: Countdown, pool: int) -> None:
    """Tell of the stages that dice which were added took a countdown's pool above. Source: rules.md A4."""
    if not before.stages:
        return
    root = root_of_countdown(before)
    for at in rules.left([stage.at for stage in before.stages], before.pool, pool):
        t.tell(root, e.StageLeft(countdown_id=before.id, at=at))


def stabilize(t: Telling, countdown: Countdown) -> None:
    """Stop a countdown that runs."""
    t.tell(root_of_countdown(countdown), e.CountdownStabilized(countdown_id=countdown.id))


def resume(t: Telling, countdown: Countdown) -> None:
    """Let a countdown run again that was stabilized."""
    t.tell(root_of_countdown(countdown), e.CountdownResumed(countdown_id=countdown.id))


def replenish(t: Telling, countdown: Countdown, dice: int) -> None:
    """Add dice to a countdown; a stabilized one stays stabilized. Source: rules.md A4 and A7."""
    pool = countdown.pool + dice
    t.tell(root_of_countdown(countdown), e.CountdownReplenished(countdown_id=countdown.id, added=dice, remaining=pool))
    rose(t, countdown, pool)


def is_due(view: View, countdown: Countdown, scene_id: Id | None = None, situation_id: Id | None = None) -> bool:
    """Tell whether the end of the whole turn rolls a countdown, or that of a scene's turn or a situation's round.

    The whole turn's end rolls what is bound to a scene, too, unless it was rolled in this turn.
    """
    ended = scene_id or situation_id
    if countdown.status is not CountdownStatus.RUNNING or (ended is not None and countdown.bound_id != ended):
        return False
    return state_of(view, countdown, at_turn_end=ended is None) is RollState.DUE


def due(view: View, scene_id: Id | None = None, situation_id: Id | None = None) -> list[Countdown]:
    """Return what the end of the turn, of a scene's turn or of a situation's round rolls, in the order of the starts.

    A hidden countdown whose lane is used up is left out: it may not keep the turn from ending.
    """
    running = [each for each in view.countdowns.values() if is_due(view, each, scene_id, situation_id)]
    return [each for each in running if not is_used_up(view, each)]


def is_used_up(view: View, countdown: Countdown) -> bool:
    """Tell whether a hidden countdown has no roll of the ledger left."""
    if countdown.visibility is Visibility.PUBLIC:
        return False
    lane = view.hidden.lanes.get(lane_of_thing(Kind.COUNTDOWN, countdown.id))
    return lane is not None and lane.used >= LANE_LENGTH
