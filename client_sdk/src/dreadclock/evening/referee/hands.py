"""Clocks that stand for themselves, the gm's hand on any, and efforts: what begins with each. Source: rules.md B."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_able, check_id, check_made, check_owner, check_place, check_start
from dreadclock.following import challenges, clocks
from dreadclock.following.telling import root_of_clock, root_of_situation
from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Direction
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind, Scope, Visibility
from dreadclock.wire.events import Cause
from dreadclock.wire.things import Clock, ClockKind, Effort, Situation


def clock_started(r: Reader, step: Step, event: e.ClockStarted) -> None:
    """A free-standing clock is started."""
    one = event.clock
    r.allow(step, player=True, scopes=(Scope.CLOCKS,))
    check_start(r, step, Kind.CLOCK, one.id, one.visibility, rolled=False)
    check_owner(r, step, one.owner)
    check_made(r, step, one.made_by)
    start = one.size if one.direction is Direction.DOWN else 0
    r.same(step, one, one.model_copy(update={"kind": ClockKind.FREE, "of": None, "value": start}), "clock.")


def clock_ticked(r: Reader, step: Step, event: e.ClockTicked) -> None:
    """A hand, a journey, a rest or the gm's word moves a clock; every other tick follows from something."""
    clock = step.before.clocks.get(event.clock_id)
    if clock is None:
        return r.fault(step, f"there is no clock {event.clock_id}")
    root = root_of_clock(step.before, clock)
    check_place(r, step, root)
    check_change(r, step, event, clock)
    if not _may_begin(r, step, event, clock):
        return r.fault(step, f"nothing before it moves this clock ({event.cause})")
    r.hint(root)
    if event.cause is Cause.RULING and clock.kind is ClockKind.SITUATION:
        return _resolved(r, step.before.situations[str(clock.of)])
    return clocks.end_if_done(r, event.clock_id)


def _may_begin(r: Reader, step: Step, event: e.ClockTicked, clock: Clock) -> bool:
    match event.cause:
        case Cause.TICK:
            r.allow(step, None if event.back else clock.owner, scopes=() if event.back else (Scope.CLOCKS,))
            return bool(event.back) or clock.kind is ClockKind.FREE
        case Cause.TRAVEL | Cause.REST:
            r.allow(step)
            return clock.kind is ClockKind.SCENE and event.value == clock.value - 1 and is_open(step, clock)
        case Cause.RULING:
            r.allow(step)
            fits = clock.kind in (ClockKind.CHALLENGE, ClockKind.SITUATION)
            return fits and event.value == 0 != clock.value and is_open(step, clock)
        case Cause.HIDDEN:  # those who see all see what it follows from
            r.allow(step, hidden=True)
            return not r.holds_gm
    return False


def check_change(r: Reader, step: Step, event: e.ClockTicked | e.ClockResized, clock: Clock) -> None:
    """Check that a clock of what is under way moves or grows as clocks do. Source: rules.md B15."""
    if isinstance(event, e.ClockTicked):
        there = rules.tick(clock.value, abs(event.value - clock.value), clock.size, clock.direction)
        back = True if event.value != there else None
        changes: dict[str, object] = {"back": back}
        fits = event.value != clock.value and event.value <= clock.size
    else:
        back, by = True, event.size - clock.size
        typical = rules.is_typical_scene(event.size) if clock.kind is ClockKind.SCENE else None
        changes = {"value": rules.enlarged(clock.value, by, clock.direction), "typical": typical}
        fits = by > 0
    r.same(step, event, event.model_copy(update={**changes, "kind": clock.kind}))
    r.require(step, fits and is_open(step, clock), "a clock cannot be moved so")
    r.require(step, clock.kind is not ClockKind.THREAT or not back, "a threat is set for its whole scene")


def clock_resized(r: Reader, step: Step, event: e.ClockResized) -> None:
    """The gm enlarges a clock; for a complication, or a challenge that was added, it follows from that."""
    r.allow(step)
    clock = step.before.clocks.get(event.clock_id)
    if clock is None:
        return r.fault(step, f"there is no clock {event.clock_id}")
    root = root_of_clock(step.before, clock)
    check_place(r, step, root)
    check_change(r, step, event, clock)
    begins = event.cause is Cause.RULING or (event.cause is Cause.HIDDEN and not r.holds_gm)
    r.require(step, begins, f"nothing before it changes this clock ({event.cause})")
    return r.hint(root)


def is_open(step: Step, clock: Clock) -> bool:
    """Tell whether what a clock belongs to is under way."""
    return clocks.is_open(step.before, clock)


def _resolved(r: Reader, situation: Situation) -> None:
    """The gm resolves a situation by her word: that counts as won. Source: rules.md B8."""
    root = root_of_situation(r.view, situation.id)
    step = r.take(root.channel, e.SituationResolved)
    if step is not None and isinstance(step.record.event, e.SituationResolved):
        r.same(step, step.record.event, step.record.event.model_copy(update={"situation_id": situation.id}))
    clocks.succeed(r, situation)


def clock_amended(r: Reader, step: Step, event: e.ClockAmended) -> None:
    """The gm corrects a clock; at its end it has its consequences. Source: rules.md B10."""
    r.allow(step, scopes=(Scope.CLOCKS,))
    clock = step.before.clocks.get(event.clock_id)
    if clock is None:
        return r.fault(step, f"there is no clock {event.clock_id}")
    root = root_of_clock(step.before, clock)
    check_place(r, step, root)
    r.same(step, event, event.model_copy(update={"kind": clock.kind}))
    r.require(step, event.value != clock.value and event.value <= clock.size, "a clock cannot be set so")
    r.require(step, is_open(step, clock), "what the clock belongs to is over")
    r.hint(root)
    return clocks.end_if_done(r, event.clock_id)


def effort_made(r: Reader, step: Step, event: e.EffortMade) -> None:
    """An effort ticks the threat before its result is known. Source: rules.md B1 and B13."""
    one = event.effort
    challenge = step.before.challenges.get(one.challenge_id)
    if challenge is None or not is_open(step, step.before.clocks[challenge.clock_id]):
        return r.fault(step, "its challenge is not open")
    root = root_of_situation(step.before, challenge.situation_id)
    check_place(r, step, root)
    check_id(r, step, Kind.EFFORT, one.id, known=root.visibility is Visibility.PUBLIC)
    r.same(step, one, Effort(**{**dict(one), "seat_id": r.actor(step)}), "effort.")
    character = check_able(r, step, one.character_id, root.visibility) if one.character_id is not None else None
    r.allow(step, character.owner if character else None, scopes=(Scope.ROLLS,))
    r.hint(root)
    return challenges.tick_threat(r, challenge, Cause.EFFORT)


def effort_ruled(r: Reader, step: Step, event: e.EffortRuled) -> None:
    """The gm says whether an effort succeeded, and what it takes off its challenge. Source: rules.md B1."""
    r.allow(step)
    effort = step.before.efforts.get(event.effort_id)
    if effort is None:
        return r.fault(step, f"no effort {event.effort_id} waits")
    challenge = step.before.challenges[effort.challenge_id]
    r.require(step, is_open(step, step.before.clocks[challenge.clock_id]), "its challenge is not open")
    root = root_of_situation(step.before, challenge.situation_id)
    check_place(r, step, root)
    r.same(step, event, event.model_copy(update={"challenge_id": challenge.id}))
    r.require(step, (event.amount > 0) == event.success, "a success takes off something, a failure nothing")
    r.hint(root)
    if event.success:
        clocks.tick(r, challenge.clock_id, event.amount, Cause.EFFORT)
    return None


BEGINNINGS: Beginnings = {
    e.ClockStarted: clock_started,
    e.ClockTicked: clock_ticked,
    e.ClockResized: clock_resized,
    e.ClockAmended: clock_amended,
    e.EffortMade: effort_made,
    e.EffortRuled: effort_ruled,
}
