"""Countdowns: dice pools that empty. Source: rules.md A."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_dice, check_made, check_owner, check_place, check_start
from dreadclock.following import secrets
from dreadclock.following.countdowns import begun, due, fell, may_bind, rose, start_stage
from dreadclock.following.telling import root_of_countdown, root_of_scene
from dreadclock.rules import countdown as rules
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Scope, Visibility
from dreadclock.wire.families.countdown_changes import AMENDED
from dreadclock.wire.families.countdowns import ALIVE, period_of, was_rolled
from dreadclock.wire.things import BoundTo, Care, Countdown, CountdownStatus, SceneStatus
from dreadclock.wire.views import View

_BLANK = {
    "status": CountdownStatus.RUNNING,
    "rolled_turn": 0,
    "rolled_period": 0,
    "last_faces": (),
    "hidden_rolls": (),
}
_ENDS = (e.TurnEnded, e.RoundEnded, e.SceneTurnEnded)  # of what countdowns are bound to


def started(r: Reader, step: Step, event: e.CountdownStarted) -> None:
    """A countdown starts, and nothing has happened to it."""
    one = event.countdown
    check_start(r, step, Kind.COUNTDOWN, one.id, one.visibility, rolled=True)
    r.allow(step, player=step.before.policy.player_countdowns, scopes=(Scope.COUNTDOWNS,))
    check_owner(r, step, one.owner)
    check_made(r, step, one.made_by)
    check_new(r, step, one)
    begun(r, one)


def check_new(r: Reader, step: Step, one: Countdown) -> None:
    """Check that a countdown is one that could start."""
    record = step.record
    place = record.seq if record.channel is Channel.PUBLIC else record.after
    r.same(step, one, one.model_copy(update={**_BLANK, "started": place, "started_with": one.pool}), "countdown.")
    r.require(step, 1 <= one.pool <= MAX_POOL, "no countdown has such a pool")
    about = step.before.characters.get(one.about or "")
    score = about.attributes.get(one.from_attribute or "") if about is not None else None
    r.require(step, one.from_attribute is None or score == one.pool, "its pool is not that of the attribute")
    r.require(step, not one.start_stage or start_stage(one.pool, one.stages) is not None, "it starts at no stage")
    _check_fit(r, step, one)


def _check_fit(r: Reader, step: Step, one: Countdown, before: Countdown | None = None) -> None:
    """Check that what a countdown says of itself fits together, and names nothing that fewer people see."""
    view = step.before.public if one.visibility is Visibility.PUBLIC else step.before
    sizes = [stage.at for stage in one.stages]
    r.require(step, len(set(sizes)) == len(sizes), "two of its stages are at the same number")
    r.require(step, one.fate is None or one.about is not None, "its end is nobody's")
    fresh_about = before is None or before.about != one.about
    r.require(step, one.about is None or not fresh_about or one.about in view.characters, "it is about nobody here")
    rebound = before is None or (before.bound_to, before.bound_id) != (one.bound_to, one.bound_id)
    bound = one.bound_to in (BoundTo.ROUNDS, BoundTo.SCENE)
    fits = may_bind(step.before, one) if bound else one.bound_id is None
    r.require(step, fits or not rebound, "it is bound to nothing that goes on here")


def _one(r: Reader, step: Step, countdown_id: str, *statuses: CountdownStatus) -> Countdown | None:
    one = step.before.channels[step.record.channel].countdowns.get(countdown_id)
    if one is None:
        r.fault(step, f"there is no countdown {countdown_id}")
    else:
        r.require(step, one.status in statuses, f"the countdown is {one.status}")
    return one


def rolled(r: Reader, step: Step, event: e.CountdownRolled) -> None:
    """A pool is rolled: its expiring faces leave it, and its stages and its end follow."""
    one = _one(r, step, event.countdown_id, CountdownStatus.RUNNING)
    if one is None:
        return
    ends = (Scope.TURNS,) if r.ahead(*_ENDS) is not None else ()
    r.allow(step, one.owner, scopes=(Scope.COUNTDOWNS, *ends))
    check_dice(r, step, physical=event.physical, proof=event.proof)
    r.require(step, event.turn == step.before.turn, f"it is turn {step.before.turn}")
    r.require(step, event.period == period_of(step.before, one), "it is another round, or turn of the scene")
    r.require(step, not was_rolled(step.before, one), "it was rolled in this turn or round already")
    r.require(step, len(event.faces) == one.pool, f"its pool has {one.pool} dice, and it shows {len(event.faces)}")
    if not event.faces:
        return
    _check_turn(r, step, event, one)
    left = rules.roll(one.speed, event.faces)
    r.same(step, event, event.model_copy(update={"removed": left.removed, "remaining": left.remaining}))
    r.hint(root_of_countdown(one))
    fell(r, one, event.remaining)


def _check_turn(r: Reader, step: Step, event: e.CountdownRolled, one: Countdown) -> None:
    """Of the rolls that share a slot at a turn's end, each comes in the order in which they were started."""
    if event.proof is None or event.proof.start == 0 or r.unseen or step.record.channel is not Channel.PUBLIC:
        return None
    end = r.ahead(*_ENDS)
    if end is None:
        return r.fault(step, "only the end of a turn or a round rolls several from one slot")
    order = list(step.before.countdowns)
    rank = order.index(one.id)
    earlier = [each for each in _due(step.before, end.record.event, Channel.PUBLIC) if order.index(each.id) < rank]
    last = [each.event for each in step.before.public.recent if isinstance(each.event, e.CountdownRolled)]
    follows = not last or last[-1].countdown_id not in order[rank:]
    return r.require(
        step, follows and not earlier, "at a turn's end countdowns are rolled in the order of their starts"
    )


def _due(view: View, end: e.Event, *channels: Channel) -> list[Countdown]:
    """Return the countdowns of some channels that the end of the turn or of a round rolls."""
    situation_id = end.situation_id if isinstance(end, e.RoundEnded) else None
    scene_id = end.scene_id if isinstance(end, e.SceneTurnEnded) else None
    known = {key for channel in channels for key in view.channels[channel].countdowns}
    return [each for each in due(view, scene_id, situation_id) if each.id in known]


def turn_ended(r: Reader, step: Step, event: e.TurnEnded) -> None:
    """A turn ends, and all that is bound to it is rolled."""
    r.allow(step, scopes=(Scope.TURNS,))
    r.same(step, event, event.model_copy(update={"turn": step.before.turn}))
    check_none_due(r, step)


def check_none_due(r: Reader, step: Step) -> None:
    """Check that whatever the end of a turn or a round rolls was rolled before it."""
    waiting = _due(step.before, step.record.event, *step.before.channels)
    r.require(step, not waiting, f"{len(waiting)} countdowns that it rolls were not rolled")


def scene_turn_ended(r: Reader, step: Step, event: e.SceneTurnEnded) -> None:
    """A turn ends for one scene alone. Source: rules.md B19."""
    r.allow(step, scopes=(Scope.TURNS,))
    scene = step.before.scenes.get(event.scene_id)
    if scene is None or scene.status is not SceneStatus.OPEN or scene.aside:
        return r.fault(step, "the scene is not under way")
    root = root_of_scene(step.before, scene.id)
    check_place(r, step, root)
    r.same(step, event, event.model_copy(update={"turn": scene.turn}))
    check_none_due(r, step)
    return r.hint(root)


def stabilized(r: Reader, step: Step, event: e.CountdownStabilized) -> None:
    """A countdown stops."""
    one = _one(r, step, event.countdown_id, CountdownStatus.RUNNING)
    if one is not None:
        _allow_care(r, step, one)
        r.require(step, one.stabilizable, "it cannot be stabilized")
        r.hint(root_of_countdown(one))


def resumed(r: Reader, step: Step, event: e.CountdownResumed) -> None:
    """A stabilized countdown runs again."""
    one = _one(r, step, event.countdown_id, CountdownStatus.STABILIZED)
    if one is not None:
        _allow_care(r, step, one)
        r.hint(root_of_countdown(one))


def replenished(r: Reader, step: Step, event: e.CountdownReplenished) -> None:
    """Dice are added, and stages that lie below are left. Source: rules.md A4-A7."""
    one = _one(r, step, event.countdown_id, *ALIVE)
    if one is None:
        return
    _allow_care(r, step, one)
    r.require(step, one.replenishable, "it cannot be replenished")
    r.require(step, event.added >= 1 and one.pool + event.added <= MAX_POOL, "no countdown has such a pool")
    r.same(step, event, event.model_copy(update={"remaining": one.pool + event.added}))
    r.hint(root_of_countdown(one))
    rose(r, one, one.pool + event.added)


def _allow_care(r: Reader, step: Step, one: Countdown) -> None:
    """Check that the seat may care for a countdown. Source: rules.md A11."""
    care = step.before.policy.care
    owner = None if care is Care.GM else one.owner
    r.allow(step, owner, player=care is Care.PLAYERS, scopes=(Scope.COUNTDOWNS,))


def amended(r: Reader, step: Step, event: e.CountdownAmended) -> None:
    """The gm changes a countdown; a pool that falls or rises has the consequences. Source: rules.md A14."""
    one = _one(r, step, event.countdown_id, *ALIVE)
    if one is None:
        return
    r.allow(step)
    after = one.model_copy(update={name: getattr(event, name) for name in AMENDED})
    r.require(step, after != one, "it changes nothing")
    r.require(step, event.pool <= MAX_POOL, "no countdown has such a pool")
    if after.owner != one.owner:
        check_owner(r, step, after.owner)
    _check_fit(r, step, after, one)
    r.hint(root_of_countdown(one))
    before = after.model_copy(update={"pool": one.pool})
    (fell if event.pool < one.pool else rose)(r, before, event.pool)


def cancelled(r: Reader, step: Step, event: e.CountdownCancelled) -> None:
    """The gm ends a countdown without its ending."""
    one = _one(r, step, event.countdown_id, *ALIVE)
    if one is not None:
        r.allow(step)
        r.hint(root_of_countdown(one))
        secrets.end(r, root_of_countdown(one))


BEGINNINGS: Beginnings = {
    e.CountdownStarted: started,
    e.CountdownRolled: rolled,
    e.TurnEnded: turn_ended,
    e.SceneTurnEnded: scene_turn_ended,
    e.CountdownStabilized: stabilized,
    e.CountdownResumed: resumed,
    e.CountdownReplenished: replenished,
    e.CountdownCancelled: cancelled,
    e.CountdownAmended: amended,
}
