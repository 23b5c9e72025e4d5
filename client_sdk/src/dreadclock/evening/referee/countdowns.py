"""Countdowns: dice pools that empty. Source: rules.md A1-A8."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_dice, check_owner, check_place, check_start
from dreadclock.following import secrets
from dreadclock.following.countdowns import ALIVE, fell, is_due, rolled_this_turn, rose
from dreadclock.following.telling import root_of_countdown, root_of_scene
from dreadclock.rules import countdown as rules
from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.things import Countdown, CountdownStatus, SceneStatus
from dreadclock.wire.views import View

_BLANK = {"status": CountdownStatus.RUNNING, "rolled_turn": 0, "last_faces": (), "hidden_rolls": ()}


def started(r: Reader, step: Step, event: e.CountdownStarted) -> None:
    """A countdown starts, and nothing has happened to it."""
    one, record = event.countdown, step.record
    check_start(r, step, Kind.COUNTDOWN, one.id, one.visibility, rolled=True)
    r.allow(step, player=step.before.policy.player_countdowns)
    check_owner(r, step, one.owner)
    place = record.seq if record.channel is Channel.PUBLIC else record.after
    r.same(step, one, one.model_copy(update={**_BLANK, "started": place}), "countdown.")
    r.require(step, 1 <= one.pool <= MAX_POOL, "no countdown has such a pool")
    sizes = [stage.at for stage in one.stages]
    r.require(step, len(set(sizes)) == len(sizes), "two of its stages are at the same number")


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
    r.allow(step, one.owner, turns=r.ahead(e.TurnEnded) is not None)
    check_dice(r, step, physical=event.physical, proof=event.proof)
    r.require(step, event.turn == step.before.turn, f"it is turn {step.before.turn}")
    r.require(step, not rolled_this_turn(step.before, one), "it was rolled in this turn already")
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
    if event.proof is None or event.proof.start == 0 or step.record.channel is not Channel.PUBLIC:
        return
    r.require(step, r.ahead(e.TurnEnded) is not None, "only the end of a turn rolls several from one slot")
    order = list(step.before.countdowns)
    rank = order.index(one.id)
    earlier = [each for each in _due(step.before, Channel.PUBLIC) if order.index(each.id) < rank]
    last = [each.event for each in step.before.public.recent if isinstance(each.event, e.CountdownRolled)]
    follows = not last or last[-1].countdown_id not in order[rank:]
    r.require(step, follows and not earlier, "at a turn's end countdowns are rolled in the order of their starts")


def _due(view: View, *channels: Channel) -> list[Countdown]:
    """Return the countdowns that the end of the turn rolls; one whose lane is used up is left out."""
    found = []
    for channel in channels:
        part = view.channels[channel]
        for one in part.countdowns.values():
            lane = part.lanes.get(lane_of_thing(Kind.COUNTDOWN, one.id))
            if is_due(view, one) and (lane is None or lane.used < LANE_LENGTH):
                found.append(one)
    return found


def turn_ended(r: Reader, step: Step, event: e.TurnEnded) -> None:
    """A turn ends, and all that is bound to it is rolled."""
    r.allow(step, turns=True)
    r.same(step, event, event.model_copy(update={"turn": step.before.turn}))
    waiting = _due(step.before, *step.before.channels)
    r.require(step, not waiting, f"{len(waiting)} countdowns that are bound to the turn were not rolled")


def scene_turn_ended(r: Reader, step: Step, event: e.SceneTurnEnded) -> None:
    """A turn ends for one scene alone. Source: rules.md B19."""
    r.allow(step, turns=True)
    scene = step.before.scenes.get(event.scene_id)
    if scene is None or scene.status is not SceneStatus.OPEN or scene.aside:
        return r.fault(step, "the scene is not under way")
    root = root_of_scene(step.before, scene.id)
    check_place(r, step, root)
    r.same(step, event, event.model_copy(update={"turn": scene.turn}))
    return r.hint(root)


def stabilized(r: Reader, step: Step, event: e.CountdownStabilized) -> None:
    """A countdown stops."""
    one = _one(r, step, event.countdown_id, CountdownStatus.RUNNING)
    if one is not None:
        r.allow(step, one.owner)
        r.require(step, one.stabilizable, "it cannot be stabilized")
        r.hint(root_of_countdown(one))


def resumed(r: Reader, step: Step, event: e.CountdownResumed) -> None:
    """A stabilized countdown runs again."""
    one = _one(r, step, event.countdown_id, CountdownStatus.STABILIZED)
    if one is not None:
        r.allow(step, one.owner)
        r.hint(root_of_countdown(one))


def replenished(r: Reader, step: Step, event: e.CountdownReplenished) -> None:
    """Dice are added, and stages that lie below are left. Source: rules.md A4-A7."""
    one = _one(r, step, event.countdown_id, *ALIVE)
    if one is None:
        return
    r.allow(step, one.owner)
    r.require(step, one.replenishable, "it cannot be replenished")
    r.require(step, event.added >= 1 and one.pool + event.added <= MAX_POOL, "no countdown has such a pool")
    r.same(step, event, event.model_copy(update={"remaining": one.pool + event.added}))
    r.hint(root_of_countdown(one))
    rose(r, one, one.pool + event.added)


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
}
