"""Clocks: those that stand for themselves, and the gm's hand on any."""

from dreadclock.following import clocks
from dreadclock.following.telling import (
    Root,
    channel_of,
    root_of_clock,
    scene_of_clock,
    situation_of_clock,
)
from dreadclock.rules.clocks import Direction
from dreadclock.rules.limits import MAX_FREE_CLOCKS
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind, Visibility
from dreadclock.wire.commands import AmendClock, ClockEffect, StartClock, TickClock
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Cause
from dreadclock.wire.things import (
    ChallengeStatus,
    Clock,
    ClockKind,
    SituationStatus,
)
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.find import owner_for


def start_clock(draft: Draft, command: StartClock) -> None:
    """Decide `start_clock`."""
    find.require_gm_for(draft, command.visibility)
    _refuse_too_many(draft, command.visibility)
    owner = owner_for(draft, command.owner)
    clock_id = draft.new_id(Kind.CLOCK, command.id, known=command.visibility is not Visibility.GM)
    root = Root(Kind.CLOCK, clock_id, command.name, command.visibility)
    begin_hidden(draft, root, rolled=False)
    clock = Clock(
        id=clock_id,
        kind=ClockKind.FREE,
        name=command.name,
        size=command.size,
        value=command.size if command.direction is Direction.DOWN else 0,
        direction=command.direction,
        owner=owner,
        visibility=command.visibility,
    )
    draft.emit(channel_of(command.visibility), e.ClockStarted(clock=clock))


def _refuse_too_many(draft: Draft, visibility: Visibility) -> None:
    running = [each for each in draft.view.clocks.values() if each.kind is ClockKind.FREE and not each.done]
    alike = [each for each in running if (each.visibility is Visibility.GM) == (visibility is Visibility.GM)]
    if len(alike) >= MAX_FREE_CLOCKS:
        raise Refused(Code.TOO_MANY, limit=MAX_FREE_CLOCKS, what="clocks")


def tick_clock(draft: Draft, command: TickClock) -> None:
    """Decide `tick_clock`."""
    clock = find.clock(draft, command.clock_id)
    if clock.kind is not ClockKind.FREE:
        raise Refused(Code.NOT_FREE_STANDING, id=clock.id, kind=clock.kind)
    clocks.tick(draft, clock.id, command.by, Cause.TICK)


def amend_clock(draft: Draft, command: AmendClock) -> None:
    """Decide `amend_clock`; at its end the clock has its clocks. Source: rules.md B10."""
    clock = find.clock(draft, command.clock_id)
    _require_open(draft, clock)
    _set(draft, clock, command.value, command.reason)


def _set(draft: Draft, clock: Clock, value: int, reason: str) -> None:
    if value > clock.size:
        raise Refused(Code.BEYOND_SIZE, id=clock.id, size=clock.size, value=value)
    root = root_of_clock(draft.view, clock)
    if value == clock.value:
        return draft.hint(root)
    draft.tell(root, e.ClockAmended(clock_id=clock.id, kind=clock.kind, value=value, reason=reason))
    return clocks.end_if_done(draft, clock.id)


def _require_open(draft: Draft, clock: Clock) -> None:
    """Refuse to move a clock whose scene, situation or challenge is over."""
    view, owner = draft.view, str(clock.of)
    if clock.kind is ClockKind.FREE:
        return
    find.open_scene(draft, scene_of_clock(draft.view, clock))
    situation_id = situation_of_clock(view, clock)
    if situation_id is not None and view.situations[situation_id].status is SituationStatus.PREPARED:
        raise Refused(Code.NOT_BEGUN, id=situation_id)
    if clock.kind is ClockKind.SITUATION and view.situations[owner].status is not SituationStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.SITUATION, id=owner, status=view.situations[owner].status)
    if clock.kind is ClockKind.CHALLENGE and view.challenges[owner].status is not ChallengeStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.CHALLENGE, id=owner, status=view.challenges[owner].status)


def complicate(draft: Draft, effect: ClockEffect, source: Root) -> None:
    """Move a clock for a complication; a clock that more people see does not say what moved it."""
    clock = find.clock(draft, effect.clock_id)
    _require_open(draft, clock)
    seen_by_more = root_of_clock(draft.view, clock) != source and source.visibility is not Visibility.PUBLIC
    clocks.tick(draft, clock.id, effect.by, Cause.HIDDEN if seen_by_more else Cause.COMPLICATION)


DECIDE: Deciders = {
    StartClock: start_clock,
    TickClock: tick_clock,
    AmendClock: amend_clock,
}
